import { sql } from 'drizzle-orm'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { log } from '../log.ts'
import { countReport } from '../watch/counters.ts'
import { toDatabaseRefusal } from './errors.ts'
import { findDatabaseProblem } from './problems.ts'

/** Milliseconds for the replica to catch up before a report is read from the primary instead. */
const catchUpMs = [10, 30, 60]
/**
 * How long the replica may take to report its position, including opening a connection. A hung machine or a lost network accepts the
 * request and never answers; the primary would have answered by then.
 */
const answerMs = 2000
/** How many milliseconds the replica is not used after a problem: fewer if it lags, more if its machine is gone. */
const pauseMs = { behind: 500, away: 10_000, other: 60_000 }

/** Why reports are not read from the replica. */
export type ReplicaProblem = keyof typeof pauseMs

/** What is wrong, and what the operator can do about it. */
export const replicaRemedies: Record<ReplicaProblem, string> = {
  behind: 'It is behind, so reports are read from the primary database. Check whether the replica is busy or its replay is paused.',
  away: 'DATABASE_READ_URL does not respond, so reports are read from the primary database. Start the replica, or remove the setting.',
  other:
    'DATABASE_READ_URL is not a standby of DATABASE_URL, so nothing is read from it. Set it to a streaming replica, or remove the setting.',
}

/** The state of a replica compared with the primary. */
export interface ReplicaState {
  notUsed: ReplicaProblem | null
  /** Bytes of the primary's log that it has not yet replayed; null if it did not answer. */
  lagBytes: number | null
  /** The age of the last change that it replayed, if it lags. */
  lagSeconds: number | null
}

type QueryTarget = Pick<PostgresJsDatabase, 'execute'>

/** A database on which read-only work runs, each piece in one transaction that sees the rows of one organisation; of all if null. */
interface ReadableDatabase<Tx extends QueryTarget> {
  scope<T>(
    organisationId: OrganisationId | null,
    work: (tx: Tx) => Promise<T>,
    how: { purpose: 'look' | 'page'; waits?: readonly number[] },
  ): Promise<T>
}

export interface Replica<Tx extends QueryTarget> extends ReadableDatabase<Tx> {
  /** Compares the positions of both databases. It never throws: a replica that does not answer is part of the result. */
  readState(): Promise<ReplicaState>
}

class CannotBeUsed extends Error {
  readonly why: ReplicaProblem
  constructor(why: ReplicaProblem) {
    super(`the replica is ${why}`)
    this.why = why
  }
}

/** A position in the primary's log, and the identity of the primary. */
interface LogPosition {
  position: string
  system: string
  database: string
}

/**
 * The identity of a database. A standby shares the system identifier, timeline and databases of its primary. A copy
 * that diverged, or follows a primary that was restored to an earlier moment, has another timeline.
 */
const system = sql`(select system_identifier::text from pg_control_system()) || ' ' || (select timeline_id::text from pg_control_checkpoint())`
const database = sql`(select oid::text from pg_database where datname = current_database())`

async function readLogPosition<Tx extends QueryTarget>(first: ReadableDatabase<Tx>): Promise<LogPosition> {
  const ask = (tx: Tx) =>
    tx.execute<{ position: string; system: string; database: string }>(
      sql`select pg_current_wal_flush_lsn()::text as position, ${system} as system, ${database} as database`,
    )
  return requireSingleRow(await first.scope(null, ask, { purpose: 'page', waits: [] }))
}

async function readReplicaPosition(tx: QueryTarget, moment: LogPosition) {
  const rows = await tx.execute<{ is: boolean; lag: number; seconds: number }>(sql`
    select pg_is_in_recovery() and ${system} = ${moment.system} and ${database} = ${moment.database} as is,
      greatest(${moment.position}::pg_lsn - pg_last_wal_replay_lsn(), 0)::float8 as lag,
      extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as seconds`)
  return requireSingleRow(rows)
}

/**
 * Waits briefly until the replica has replayed the primary's position. Each statement sees what was replayed when it
 * began, so all later ones see it too.
 */
async function catchUp(tx: QueryTarget, moment: LogPosition, [waitMs, ...rest]: readonly number[] = catchUpMs): Promise<void> {
  const { is, lag } = await readReplicaPosition(tx, moment)
  if (!is) throw new CannotBeUsed('other')
  if (!lag) return
  if (waitMs === undefined) throw new CannotBeUsed('behind')
  await new Promise((done) => setTimeout(done, waitMs))
  return catchUp(tx, moment, rest)
}

/**
 * Queries the replica with a time limit on its first answer.
 * @param ask calls `answered` once the replica has answered; after that it may take as long as it needs
 * @throws CannotBeUsed if it did not answer in time; later results are ignored
 */
async function awaitInTime<T>(ask: (answered: () => void) => Promise<T>): Promise<T> {
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => {
      isLate = true
      fail(new CannotBeUsed('away'))
    }, answerMs)
  })
  const query = ask(() => {
    if (isLate) throw new CannotBeUsed('away')
    clearTimeout(timer)
  })
  query.catch(() => undefined)
  try {
    return await Promise.race([query, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Why the replica could not read a report; null if the report would fail on any database. */
function findProblem(error: unknown): ReplicaProblem | 'refused' | null {
  if (error instanceof CannotBeUsed) return error.why
  if (findDatabaseProblem(error)) return 'away'
  // The replica cancelled the query because replay removed rows it was reading, or it lacks a privilege that the primary has.
  return toDatabaseRefusal(error) ? 'refused' : null
}

/**
 * A streaming replica. A report sees at least everything that the primary had committed at the request, so callers see what they just
 * saved. If the replica lags, is unavailable or belongs to another database, the primary answers.
 */
export function openReplica<Tx extends QueryTarget>(first: ReadableDatabase<Tx>, second: ReadableDatabase<Tx>): Replica<Tx> {
  let pausedUntil = 0
  const scope: Replica<Tx>['scope'] = async (organisationId, work, how) => {
    const onFirst = (why: ReplicaProblem | 'refused' | 'resting'): ReturnType<typeof work> => {
      countReport(why)
      return first.scope(organisationId, work, how)
    }
    const now = performance.now()
    if (now < pausedUntil) return onFirst('resting')
    // After a pause, one report tries the replica again while the others keep using the primary.
    if (pausedUntil) pausedUntil = now + answerMs
    try {
      const moment = await readLogPosition(first)
      const result = await awaitInTime((answered) => {
        const caughtUp = async (tx: Tx) => {
          await catchUp(tx, moment)
          answered()
          pausedUntil = 0
          return work(tx)
        }
        return second.scope(organisationId, caughtUp, { ...how, waits: [] })
      })
      countReport('replica')
      return result
    } catch (error) {
      const why = findProblem(error)
      if (!why) throw error
      if (why !== 'refused') pausedUntil = performance.now() + pauseMs[why]
      log[why === 'behind' ? 'debug' : 'warn']({ err: error }, 'reading a report from the primary database')
      return onFirst(why)
    }
  }
  const readState = async (): Promise<ReplicaState> => {
    try {
      const moment = await readLogPosition(first)
      const { is, lag, seconds } = await awaitInTime(() =>
        second.scope(null, (tx) => readReplicaPosition(tx, moment), { purpose: 'look', waits: [] }),
      )
      if (!is) return { notUsed: 'other', lagBytes: null, lagSeconds: null }
      return { notUsed: null, lagBytes: lag, lagSeconds: lag ? seconds : 0 }
    } catch {
      return { notUsed: 'away', lagBytes: null, lagSeconds: null }
    }
  }
  return { scope, readState }
}
