import { sql } from 'drizzle-orm'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { Store } from '../database/database.ts'
import { databaseRemedies, findDatabaseProblem } from '../database/problems.ts'
import type { Queues } from '../queue/queues.ts'
import { type Heartbeat, maxClockSeconds } from './heartbeat.ts'

const late = 'The database did not respond within three seconds.'
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
 * @returns a sentence if the database is read-only; null if it can write
 * @throws the database's error if the disk is full
 */
export async function findDiskWriteProblem({ db }: Pick<Store, 'db'>): Promise<string | null> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local work_mem = '64kB'`)
    const { mode } = requireSingleRow(
      await tx.execute<{ mode: string }>(sql`
        select current_setting('transaction_read_only') as mode
        from (select count(*) from (select from generate_series(1, 4000) number order by number desc offset 0) sorted) counted`),
    )
    return mode === 'on' ? databaseRemedies.databaseReadOnly : null
  })
}

/** What is wrong with a clock. @returns null if it agrees with the database's */
export function findClockProblem(aheadSeconds: number): string | null {
  if (Math.abs(aheadSeconds) <= maxClockSeconds) return null
  const far = `${Math.round(Math.abs(aheadSeconds))} seconds ${aheadSeconds > 0 ? 'ahead of' : 'behind'}`
  return `The clock of this machine is ${far} the database’s, so sign-ins may be refused. Synchronise the clocks of all machines with NTP.`
}

export interface Readiness {
  /** `degraded`: calls are answered and changes saved, but something else does not work. */
  status: 'ok' | 'degraded' | 'not ready'
  database: boolean
  queue: boolean
  migrations: boolean
  clock: boolean
  /** What is wrong, in words, if known. */
  problem?: string
}

/** What a process depends on. */
export interface ReadinessDependencies {
  store: Store
  queues: Queues
  heartbeat: Heartbeat
}

/** Whether calls can be answered and changes saved, and what else does not work. */
export async function checkReadiness(
  { store, queues, heartbeat }: ReadinessDependencies,
  isMigrated: (store: Store) => Promise<boolean>,
): Promise<Readiness> {
  const [database, queue, migrations] = await Promise.all([
    findProblem(async () => {
      const [problem] = await Promise.all([findDiskWriteProblem(store), heartbeat.beat()])
      return problem
    }),
    queues.findProblem(),
    findProblem(async () => ((await isMigrated(store)) ? null : old)),
  ])
  const clock = findClockProblem(heartbeat.clockSeconds())
  const problem = [database, migrations, queue, clock].find((one) => one)
  const isReady = database === null && migrations === null
  return {
    status: !isReady ? 'not ready' : queue === null && clock === null ? 'ok' : 'degraded',
    database: database === null,
    queue: queue === null,
    migrations: migrations === null,
    clock: clock === null,
    ...(problem ? { problem } : {}),
  }
}
