import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { digestOf } from './digest.ts'

/** The one package that cannot be part of a bundle, for it is machine code; what it loads stands in a package for each kind of machine. */
export const native = '@node-rs/argon2'

/** Loaded where they stand, which is nowhere: each is tried by a package that goes on without it. */
const optional = ['pg-native', 'bufferutil', 'utf-8-validate', 'cpu-features', '*.node']

/**
 * Writes programs as plain JavaScript, each `NAME.mjs` in a folder, that need neither a loader nor installed packages but for `native`.
 * @param entries where each begins, below the root
 */
export async function bundle(root: string, entries: Record<string, string>, to: string): Promise<void> {
  const { build } = await import('esbuild')
  await build({
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
    // Older packages ask for others, and for their own place, in the older way.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url), __dirname = import.meta.dirname, __filename = import.meta.filename;",
    },
    logLevel: 'warning',
  })
}

/** What `npm start` runs beside itself, the thread being begun by the server; and what it prepares their database with. */
const started = {
  server: 'server/main.ts',
  worker: 'worker/main.ts',
  heavyThread: 'server/http/heavyThread.ts',
  migrate: 'server/launch/migrate.ts',
  prepareData: 'server/launch/prepareData.ts',
}
/** Whatever still runs from older sources has long been started again by then. */
const keptDays = 7

/**
 * What `npm start` runs: as it stands bundled from these sources, or bundled now. It begins in a fifth of the time that
 * its sources take.
 * @returns the folder of `server.mjs`, `worker.mjs`, `migrate.mjs` and `prepareData.mjs`
 */
export async function bundledPrograms(root: string): Promise<string> {
  const all = join(root, '.cache/programs')
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
  await bundle(root, started, fresh)
  try {
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    if (!existsSync(folder)) throw error
  }
  return folder
}
