import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'
import { digestOf } from './digest.ts'

/** The one package that cannot be part of a bundle, for it is machine code; what it loads stands in a package for each kind of machine. */
export const native = '@node-rs/argon2'

/** Loaded where they stand, which is nowhere: each is tried by a package that goes on without it. */
const optional = ['pg-native', 'bufferutil', 'utf-8-validate', 'cpu-features', '@napi-rs/nice', '*.node']

/** Piscina begins its threads with a file beside its own; in a bundle that is a program beside the others. */
const threadsOfPiscina: Plugin = {
  name: 'threads of piscina',
  setup(build) {
    build.onLoad({ filter: /[\\/]piscina[\\/]dist[\\/]index\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      const contents = source.replace("'worker.js'", "'poolThread.mjs'")
      if (contents === source) throw new Error('Piscina begins its threads in another way than before. Mend server/launch/bundle.ts.')
      return { contents, loader: 'js' }
    })
  },
}

/** How programs are written as plain JavaScript, each `NAME.mjs` in a folder, that need neither a loader nor packages except `native`. */
function optionsOf(root: string, entries: Record<string, string>, to: string) {
  return {
    absWorkingDir: root,
    entryPoints: entries,
    outdir: to,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    // Names in the log and of errors are those of the sources.
    keepNames: true,
    external: [native, ...optional],
    plugins: [threadsOfPiscina],
    // Older packages ask for others, and for their own place, in the older way.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;",
    },
    logLevel: 'warning',
  } satisfies BuildOptions
}

/**
 * Writes programs as plain JavaScript, each `NAME.mjs` in a folder, that need neither a loader nor installed packages except `native`.
 * @param entries where each begins, below the root
 */
export async function bundle(root: string, entries: Record<string, string>, to: string): Promise<void> {
  const { build } = await import('esbuild')
  await build(optionsOf(root, entries, to))
}

/** What runs as a program of its own, each as `node NAME.mjs`, and where it begins. The server begins `poolThread`, and that `longCallThread`. */
export const programs = {
  server: 'server/main.ts',
  worker: 'worker/main.ts',
  longCallThread: 'server/http/longCallThread.ts',
  poolThread: 'node_modules/piscina/dist/worker.js',
  migrate: 'server/tools/migrate.ts',
  admin: 'server/tools/admin.ts',
  demo: 'server/tools/demo.ts',
  backup: 'server/tools/backup.ts',
  restore: 'server/tools/restore.ts',
  doctor: 'server/tools/doctor.ts',
  audit: 'server/tools/audit.ts',
}

/** The same with what `npm start` loads to prepare the database. */
const withPreparation = {
  ...programs,
  migrateDatabase: 'server/launch/migrate.ts',
  prepareData: 'server/launch/prepareData.ts',
}
/** Whatever still runs from older sources has long been started again by then. */
const keptDays = 7

const programsFolder = (root: string): string => join(root, '.cache/programs')

/**
 * The programs bundled from these sources, now or before: they begin in a fifth of the time that the sources take.
 * @returns the folder of `server.mjs` and the others
 */
export async function bundledPrograms(root: string): Promise<string> {
  const all = programsFolder(root)
  const folder = join(all, digestOf(root, ['server', 'worker', 'domain', 'drizzle']).slice(0, 16))
  if (existsSync(folder)) {
    const now = new Date()
    utimesSync(folder, now, now)
    return folder
  }
  mkdirSync(all, { recursive: true })
  for (const old of readdirSync(all).map((name) => join(all, name)))
    if (Date.now() - statSync(old).mtimeMs > keptDays * 86_400_000) rmSync(old, { recursive: true, force: true })
  // Whoever starts at the same moment makes the same.
  const fresh = `${folder}.${process.pid}`
  await bundle(root, withPreparation, fresh)
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

/** The programs of `npm run dev`, which are bundled again and again from sources that change. */
export interface RebuildablePrograms {
  /** Where they are. */
  readonly folder: string
  /** Bundles them from the sources as they are now. @returns false where they do not compile; esbuild says why */
  rebuild(): Promise<boolean>
  close(): Promise<void>
}

/**
 * What `npm start` runs, for somebody who changes it: only what changed is read again, and errors name lines of the sources.
 * @param port of the product that is changed: each has a folder of its own, which begins empty
 */
export async function openPrograms(root: string, port: number): Promise<RebuildablePrograms> {
  const { context } = await import('esbuild')
  const folder = join(programsFolder(root), `dev-${port}`)
  rmSync(folder, { recursive: true, force: true })
  const running = await context({ ...optionsOf(root, withPreparation, folder), sourcemap: true })
  return {
    folder,
    rebuild: () =>
      running.rebuild().then(
        () => true,
        () => false,
      ),
    async close() {
      await running.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
