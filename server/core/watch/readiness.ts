import { sql } from 'drizzle-orm'
import type { Store } from '../database/database.ts'
import { databaseRemedies, findDatabaseProblem } from '../database/problems.ts'
import type { Queues } from '../queue/queues.ts'

const late = 'The database or the queue did not respond within three seconds.'
const old = 'The database has not been migrated to this version.'

/** @returns why a check fails, in words; `''` if unknown, null if it passes */
async function findProblem(check: () => Promise<string | null>): Promise<string | null> {
  const tooLate = new Promise<string>((done) => setTimeout(() => done(late), 3000).unref())
  return Promise.race([
    check().catch((error) => {
      const trouble = findDatabaseProblem(error)
      return trouble ? databaseRemedies[trouble.code] : ''
    }),
    tooLate,
  ])
}

/**
 * Sorts more than fits in memory, so that PostgreSQL writes some kilobytes to disk and discards them. A full disk would refuse these writes
 * but still allow reads.
 */
export async function checkDiskWrites({ db }: Store): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local work_mem = '64kB'`)
    await tx.execute(sql`select count(*) from (select from generate_series(1, 4000) number order by number desc offset 0) sorted`)
  })
}

export interface Readiness {
  status: 'ok' | 'not ready'
  database: boolean
  queue: boolean
  migrations: boolean
  /** What is wrong, in words, if known. */
  problem?: string
}

/** Whether the services that a server or worker depends on answer. */
export async function checkReadiness(store: Store, queues: Queues, isMigrated: (store: Store) => Promise<boolean>): Promise<Readiness> {
  const [database, queue, migrations] = await Promise.all([
    findProblem(() => checkDiskWrites(store).then(() => null)),
    findProblem(() => queues.ping().then(() => null)),
    findProblem(async () => ((await isMigrated(store)) ? null : old)),
  ])
  const problems = [database, queue, migrations]
  const problem = problems.find((one) => one)
  return {
    status: problems.every((one) => one === null) ? 'ok' : 'not ready',
    database: database === null,
    queue: queue === null,
    migrations: migrations === null,
    ...(problem ? { problem } : {}),
  }
}
