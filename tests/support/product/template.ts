import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../../server/core/root.ts'
import { removeData } from '../../../server/launch/removeData.ts'
import { hashSources } from '../../../server/launch/sourceDigest.ts'

/**
 * The demo trusts in a PostgreSQL of their own, made once for these sources and kept: each run of the tests begins on a copy, which takes a
 * second in place of twenty. It stands below `.cache/tests`, and a folder there is named by two digests: of what the data are made of in the
 * first place (tables, reference data, the demo, the rules), and of everything that could have a part in them.
 */
const kept = join(root, '.cache/tests')
/** Templates that are older were made of sources that nobody tests any more. */
const keptDays = 7

const shortened = (digest: string): string => digest.slice(0, 16)

/** Whether every change of the server makes the data again, as before a commit; while somebody changes one test, data of the same tables will do. */
const isExact = Boolean(process.env.EXACT_TEMPLATE || process.env.CI)

/** @returns a data folder as `npm start` has one, with the demo trusts in its database, made where there is none yet */
function templateFolder(): string {
  const data = shortened(hashSources(root, ['drizzle', 'domain', 'server/demo']))
  const all = shortened(hashSources(root, ['drizzle', 'domain', 'server']))
  const exact = join(kept, `${data}-${all}`)
  // Its database may lie elsewhere (server/launch/postgres.ts), and be gone.
  if (existsSync(join(exact, 'postgres'))) {
    const now = new Date()
    utimesSync(exact, now, now)
    return exact
  }
  removeData(exact)
  mkdirSync(kept, { recursive: true })
  const names = readdirSync(kept)
  const alike = names.find((name) => name.startsWith(`${data}-`) && !name.includes('.') && existsSync(join(kept, name, 'postgres')))
  if (alike && !isExact) return join(kept, alike)
  for (const old of names.map((name) => join(kept, name))) {
    const { mtimeMs } = statSync(old, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (Date.now() - mtimeMs > keptDays * 86_400_000) removeData(old)
  }
  // Runs that begin at the same moment make the same.
  const fresh = `${exact}.${process.pid}`
  const made = spawnSync(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'makeTemplate.ts'), fresh], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (made.status !== 0) throw new Error('The demo data for the tests could not be made; the reason is above.')
  try {
    renameSync(fresh, exact)
  } catch (error) {
    removeData(fresh)
    if (!existsSync(exact)) throw error
  }
  return exact
}

/** @returns a new data folder with the demo trusts, for a run of the tests, which removes it */
export function copyOfTemplate(to = mkdtempSync(join(tmpdir(), 'bursar-tests-'))): string {
  // Its database may lie elsewhere (server/launch/postgres.ts).
  cpSync(templateFolder(), to, { recursive: true, dereference: true })
  return to
}
