import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'
import { hashSources } from './sourceDigest.ts'

/** The only package that is not bundled, because it loads native code from another package that depends on the platform. */
export const nativePackage = '@node-rs/argon2'

/** Optional packages that are not installed. The packages that try to load them work without them. */
const optionalPackages = ['pg-native', 'bufferutil', 'utf-8-validate', 'cpu-features', '@napi-rs/nice', '*.node']

/** Makes Piscina start its threads from the program `poolThread`, because in a bundle its own file for threads does not exist. */
const piscinaThreads: Plugin = {
  name: 'threads of piscina',
  setup(build) {
    build.onLoad({ filter: /[\\/]piscina[\\/]dist[\\/]index\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      const contents = source.replace("'worker.js'", "'poolThread.mjs'")
      if (contents === source) throw new Error('Piscina starts its threads differently now. Adapt server/launch/bundle.ts.')
      return { contents, loader: 'js' }
    })
  },
}

/** Puts the WebAssembly module of the solver of savings beside the bundle, where the package looks for it. */
const solverModule: Plugin = {
  name: 'module of highs',
  setup(build) {
    const { absWorkingDir = '', outdir = '' } = build.initialOptions
    build.onEnd(({ errors }) => {
      if (!errors.length)
        copyFileSync(join(absWorkingDir, 'node_modules/highs/build/highs.wasm'), resolve(absWorkingDir, outdir, 'highs.wasm'))
    })
  },
}

/** Returns the esbuild options for `bundle`. */
function bundleOptions(root: string, entries: Record<string, string>, to: string) {
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
    keepNames: true,
    external: [nativePackage, ...optionalPackages],
    plugins: [piscinaThreads, solverModule],
    // CommonJS packages expect `require` and `__dirname`.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;",
    },
    logLevel: 'warning',
  } satisfies BuildOptions
}

/**
 * Bundles programs to plain JavaScript files, `NAME.mjs`, which need no TypeScript loader and no packages except `nativePackage`.
 * @param entries entry files by program name, relative to the root
 */
export async function bundle(root: string, entries: Record<string, string>, to: string): Promise<void> {
  const { build } = await import('esbuild')
  await build(bundleOptions(root, entries, to))
}

/** The entry files of the programs, which run as `node NAME.mjs`. The server starts `poolThread`, which loads `longCallThread`. */
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

/** The programs, and the modules with which `npm start` prepares the database. */
export const programsWithPreparation = {
  ...programs,
  migrateDatabase: 'server/launch/migrate.ts',
  prepareData: 'server/launch/prepareData.ts',
}
/** The number of days after which an unused bundle is deleted. By then no process runs from it. */
const retainedDays = 7

const programsFolder = (root: string): string => join(root, '.cache/programs')

/**
 * Bundles the programs, or reuses a bundle of the same sources. Bundled programs start five times as fast as sources.
 * @returns the folder that contains `server.mjs` and the other programs
 */
export async function bundlePrograms(root: string): Promise<string> {
  const all = programsFolder(root)
  const folder = join(all, hashSources(root, ['server', 'worker', 'domain', 'drizzle']).slice(0, 16))
  if (existsSync(folder)) {
    const now = new Date()
    utimesSync(folder, now, now)
    return folder
  }
  mkdirSync(all, { recursive: true })
  for (const old of readdirSync(all).map((name) => join(all, name)))
    if (Date.now() - statSync(old).mtimeMs > retainedDays * 86_400_000) rmSync(old, { recursive: true, force: true })
  // Another start may be bundling the same sources, so build under another name and rename.
  const fresh = `${folder}.${process.pid}`
  await bundle(root, programsWithPreparation, fresh)
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}

export interface DevelopmentBuild {
  readonly folder: string
  /** Bundles the current sources. @returns false if they do not compile; esbuild prints why */
  rebuild(): Promise<boolean>
  close(): Promise<void>
}

/**
 * Prepares to build the programs for development: rebuilds are incremental, and stack traces refer to lines of the sources.
 * @param port the port of the product. Each port has its own folder, which is emptied first
 */
export async function startDevelopmentBuild(root: string, port: number): Promise<DevelopmentBuild> {
  const { context } = await import('esbuild')
  const folder = join(programsFolder(root), `dev-${port}`)
  rmSync(folder, { recursive: true, force: true })
  const running = await context({ ...bundleOptions(root, programsWithPreparation, folder), sourcemap: true })
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
