import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../../server/core/root.ts'
import { removeDataFolders } from '../../../server/launch/removeData.ts'
import { hashSources } from '../../../server/launch/sourceDigest.ts'

/**
 * The demo trusts in a PostgreSQL data folder, made once for these sources and cached: each test run starts with a copy, in a second
 * instead of twenty. A folder below `.cache/tests` is named by two digests: of the main sources of the data (tables, reference data, demo,
 * rules), and of everything that could affect them.
 */
const cacheFolder = join(root, '.cache/tests')
/** Older templates belong to sources that are no longer tested. */
const maximumAgeDays = 7

const shortened = (digest: string): string => digest.slice(0, 16)

/**
 * Whether any change of the server makes the data again, as before a commit. During work on one test, data for the same tables are good
 * enough.
 */
const isExact = Boolean(process.env.EXACT_TEMPLATE || process.env.CI)

/** @returns a data folder like that of `npm start`, with the demo trusts in its database, made if there is none yet */
function prepareTemplate(): string {
  const data = shortened(hashSources(root, ['drizzle', 'domain', 'server/demo']))
  const all = shortened(hashSources(root, ['drizzle', 'domain', 'server']))
  const exact = join(cacheFolder, `${data}-${all}`)
  // The database files may be in another folder (server/launch/postgres.ts), which may have been deleted.
  if (existsSync(join(exact, 'postgres'))) {
    const now = new Date()
    utimesSync(exact, now, now)
    return exact
  }
  removeDataFolders(exact)
  mkdirSync(cacheFolder, { recursive: true })
  const names = readdirSync(cacheFolder)
  const alike = names.find((name) => name.startsWith(`${data}-`) && !name.includes('.') && existsSync(join(cacheFolder, name, 'postgres')))
  if (alike && !isExact) return join(cacheFolder, alike)
  for (const old of names.map((name) => join(cacheFolder, name))) {
    const { mtimeMs } = statSync(old, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > maximumAgeDays * 86_400_000) removeDataFolders(old)
  }
  // Runs that start at the same moment make the same data, each under its own name.
  const fresh = `${exact}.${process.pid}`
  const build = spawnSync(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'makeTemplate.ts'), fresh], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (build.status !== 0) throw new Error('The demo data for the tests could not be made; the reason is above.')
  try {
    renameSync(fresh, exact)
  } catch (error) {
    removeDataFolders(fresh)
    if (!existsSync(exact)) throw error
  }
  return exact
}

/** @returns a new data folder with the demo trusts for one test run, which must remove it */
export function copyTemplate(to = mkdtempSync(join(tmpdir(), 'bursar-tests-'))): string {
  // The database files may be in another folder (server/launch/postgres.ts).
  cpSync(prepareTemplate(), to, { recursive: true, dereference: true })
  return to
}
