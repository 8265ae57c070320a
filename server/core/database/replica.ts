import { sql } from 'drizzle-orm'
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import { onlyRow } from '../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { log } from '../log.ts'
import { countReport } from '../watch/counted.ts'
import { databaseRefusal } from './errors.ts'
import { troubleOf } from './trouble.ts'

/** Pauses in which a database that follows may catch up, before a report is read from the first one instead. */
const catchUpMs = [10, 30, 60]
/**
 * How long a database that follows may take to say how far it is, a new connection to it included. One whose machine stands still, or behind a
 * network that is lost, takes what it is asked and says nothing: the first one would have answered meanwhile.
 */
const answerMs = 2000
/** How long a database that follows is left alone: what it lacks comes soon, a machine that is gone does not. */
const restMs = { behind: 500, away: 10_000, other: 60_000 }

/** Why reports are not read from the second database. */
export type NotUsed = keyof typeof restMs

/** What is wrong, and what whoever runs the product does about it. */
export const replicaRemedies: Record<NotUsed, string> = {
  behind:
    'It lacks what was saved last, so reports are read from the first database. See whether the replica is busy, or its replay is paused.',
  away: 'DATABASE_READ_URL does not answer, so reports are read from the first database. Start the replica, or take the setting out.',
  other:
    'DATABASE_READ_URL is no standby of the database of DATABASE_URL, so nothing is read there. Name a streaming replica of it, or take the setting out.',
}

/** How a database that follows stands beside the first one. */
export interface Standing {
  notUsed: NotUsed | null
  /** What of the log of the first one it has not replayed; null where it could not be asked. */
  lagBytes: number | null
  /** How long ago the last change that it replayed was made, where it lacks any. */
  lagSeconds: number | null
}

type Asked = Pick<PostgresJsDatabase, 'execute'>

/** A database in which work that only looks is done in one transaction, which sees the rows of an organisation, or with null of all of them. */
interface Looking<Tx extends Asked> {
  scope<T>(
    organisationId: OrganisationId | null,
    work: (tx: Tx) => Promise<T>,
    how: { purpose: 'look' | 'page'; waits?: readonly number[] },
  ): Promise<T>
}

export interface Replica<Tx extends Asked> extends Looking<Tx> {
  /** Asks both how far the second one is. It never fails: not answering is an answer. */
  standing(): Promise<Standing>
}

class CannotBeUsed extends Error {
  readonly why: NotUsed
  constructor(why: NotUsed) {
    super(`the replica is ${why}`)
    this.why = why
  }
}

/** A moment of the first database, by its own count, and which database that is. */
interface Moment {
  position: string
  system: string
  database: string
}

/**
 * Which database it is: a standby has the identifier, the timeline and the databases of the one that it follows. A copy that went its own way,
 * or follows one that was since brought back to an earlier moment, stands on another timeline.
 */
const system = sql`(select system_identifier::text from pg_control_system()) || ' ' || (select timeline_id::text from pg_control_checkpoint())`
const database = sql`(select oid::text from pg_database where datname = current_database())`

async function momentOf<Tx extends Asked>(first: Looking<Tx>): Promise<Moment> {
  const ask = (tx: Tx) =>
    tx.execute<{ position: string; system: string; database: string }>(
      sql`select pg_current_wal_flush_lsn()::text as position, ${system} as system, ${database} as database`,
    )
  return onlyRow(await first.scope(null, ask, { purpose: 'page', waits: [] }))
}

async function placeOf(tx: Asked, moment: Moment) {
  const rows = await tx.execute<{ is: boolean; lag: number; seconds: number }>(sql`
    select pg_is_in_recovery() and ${system} = ${moment.system} and ${database} = ${moment.database} as is,
      greatest(${moment.position}::pg_lsn - pg_last_wal_replay_lsn(), 0)::float8 as lag,
      extract(epoch from now() - pg_last_xact_replay_timestamp())::float8 as seconds`)
  return onlyRow(rows)
}

/**
 * Waits a moment for what the first database held. Each statement of the transaction sees what was replayed when it began, so that all that
 * follow see it too.
 */
async function catchUp(tx: Asked, moment: Moment, [waitMs, ...rest]: readonly number[] = catchUpMs): Promise<void> {
  const { is, lag } = await placeOf(tx, moment)
  if (!is) throw new CannotBeUsed('other')
  if (!lag) return
  if (waitMs === undefined) throw new CannotBeUsed('behind')
  await new Promise((done) => setTimeout(done, waitMs))
  return catchUp(tx, moment, rest)
}

/**
 * Asks a database that follows, and waits for it only so long.
 * @param ask calls what it is given once it was answered in time; from there on it may take as long as it takes
 * @throws CannotBeUsed where it was not: what comes of the asking later nobody hears
 */
async function inTime<T>(ask: (answered: () => void) => Promise<T>): Promise<T> {
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => {
      isLate = true
      fail(new CannotBeUsed('away'))
    }, answerMs)
  })
  const asked = ask(() => {
    if (isLate) throw new CannotBeUsed('away')
    clearTimeout(timer)
  })
  asked.catch(() => undefined)
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Why a report could not be read there; null when it was refused for a reason of its own, and would be anywhere. */
function reasonOf(error: unknown): NotUsed | 'refused' | null {
  if (error instanceof CannotBeUsed) return error.why
  if (troubleOf(error)) return 'away'
  // Its rows were cleared away under it by what it replayed, or it may not do what the first one may.
  return databaseRefusal(error) ? 'refused' : null
}

/**
 * A second database that follows the first, as streaming replication keeps it. What is read there is never older than what the first one held
 * when it was asked for: who has just saved sees it. Where it lags, is away or is another database, the first one answers.
 */
export function followed<Tx extends Asked>(first: Looking<Tx>, second: Looking<Tx>): Replica<Tx> {
  let restUntil = 0
  const scope: Replica<Tx>['scope'] = async (organisationId, work, how) => {
    const onFirst = (why: NotUsed | 'refused' | 'resting'): ReturnType<typeof work> => {
      countReport(why)
      return first.scope(organisationId, work, how)
    }
    const now = performance.now()
    if (now < restUntil) return onFirst('resting')
    // After a rest one report tries it, and the others do not wait with it.
    if (restUntil) restUntil = now + answerMs
    try {
      const moment = await momentOf(first)
      const result = await inTime((answered) => {
        const caughtUp = async (tx: Tx) => {
          await catchUp(tx, moment)
          answered()
          restUntil = 0
          return work(tx)
        }
        return second.scope(organisationId, caughtUp, { ...how, waits: [] })
      })
      countReport('replica')
      return result
    } catch (error) {
      const why = reasonOf(error)
      if (!why) throw error
      if (why !== 'refused') restUntil = performance.now() + restMs[why]
      log[why === 'behind' ? 'debug' : 'warn']({ err: error }, 'a report is read from the first database')
      return onFirst(why)
    }
  }
  const standing = async (): Promise<Standing> => {
    try {
      const moment = await momentOf(first)
      const { is, lag, seconds } = await inTime(() => second.scope(null, (tx) => placeOf(tx, moment), { purpose: 'look', waits: [] }))
      if (!is) return { notUsed: 'other', lagBytes: null, lagSeconds: null }
      return { notUsed: null, lagBytes: lag, lagSeconds: lag ? seconds : 0 }
    } catch {
      return { notUsed: 'away', lagBytes: null, lagSeconds: null }
    }
  }
  return { scope, standing }
}
