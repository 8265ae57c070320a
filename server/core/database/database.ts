import { AsyncLocalStorage } from 'node:async_hooks'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { type BudgetId, type OrganisationId, platformOrganisationId } from '../../../domain/values/ids.ts'
import type { Config } from '../config.ts'
import { env } from '../settings.ts'
import { openShares, type Shares } from '../shares.ts'
import { mayTryAgain } from './errors.ts'
import { type KeySeal, keySealOf } from './keySeal.ts'
import { networkTo } from './lostNetwork.ts'
import { platformScopeOf } from './platformScope.ts'
import { preparing } from './preparing.ts'
import { followed, type Replica } from './replica.ts'
import { timeLimitsOf, type Use } from './timeLimits.ts'
import { isAway } from './trouble.ts'

export type Database = PostgresJsDatabase
export type Tx = Parameters<Parameters<Database['transaction']>[0]>[0]

/** A budget as a transaction leaves it. */
export interface ChangedBudget {
  organisationId: OrganisationId
  version: number
}

declare const scoped: unique symbol

/** A transaction that sees the rows of one organisation, or of the platform; only the functions of a store make one. */
export type OrganisationTx = Tx & {
  [scoped]: true
  /** The budgets that it has changed, by id: what is told to others once it is committed. */
  changedBudgets: Map<BudgetId, ChangedBudget>
  /** Opens the keys that stand in the database. */
  keySeal: KeySeal
  /** How it locks budgets. `noWait`: it fails at once if a budget is locked, and the call waits without a connection (calls/oneTransaction.ts). */
  budgetLock?: { noWait: true }
}

/**
 * What a transaction is for. One that looks has its statements planned for the values of each call: a list that is searched for one letter is
 * not one that is searched for ten. One that looks at a page that is asked for the same way each time has them planned once, for planning takes
 * longer than reading it; so has one that changes, and with them the rules of the database, which are looked up for every row that is written.
 */
export type Purpose = 'look' | 'page' | 'change'

export interface Store {
  use: Use
  keySeal: KeySeal
  /** What a transaction is told whose rows it sees, by an organisation; null: the platform. */
  scopeOf(organisationId: OrganisationId | null): string
  db: Database
  client: postgres.Sql
  /** Runs work in one transaction in which row-level security shows the rows of this organisation only. */
  inOrganisation<T>(organisationId: OrganisationId, work: (tx: OrganisationTx) => Promise<T>, purpose?: Purpose): Promise<T>
  /**
   * Runs work over all organisations: sign-in, the administrator area and the sweep of the workers, nothing else.
   * @param share whose share of the connections it takes; left out: that of the platform
   */
  asPlatform<T>(work: (tx: OrganisationTx) => Promise<T>, purpose?: Purpose, share?: string): Promise<T>
  /**
   * Runs work that compares what stands in different tables of all organisations, as the audit does: it sees them as they were when it began,
   * whatever people save meanwhile, and it can write nothing.
   */
  snapshot<T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T>
  /**
   * Runs work that only looks and may look long, as a report does: within one organisation as `inOrganisation` does, on the second database
   * where there is one that holds all that stood in the first when it was asked for, else on the first. It may be begun anew there.
   */
  report<T>(organisationId: OrganisationId, work: (tx: OrganisationTx) => Promise<T>, purpose?: 'look' | 'page'): Promise<T>
  /** The second database, which follows the first; null where none is named. */
  replica: Replica<OrganisationTx> | null
  /** Asks one statement, which is its own transaction and says itself whose rows it sees (`seenBy`). */
  askAlone(statement: Statement): Promise<readonly unknown[][]>
  /** How many transactions run, how many wait for a connection, and how many may run beside each other. */
  load(): { running: number; waiting: number; most: number }
  close(): Promise<void>
}

/**
 * Pauses before a transaction is tried again that could not begin, or that only looked: the connection was gone, the database took no more
 * of them, or another stood in its way.
 */
const waitsMs = [0, 50, 200, 500, 1000]

/**
 * How long the database waits for a server or worker that is no longer heard of, before it takes back what that one held: half a minute where
 * its machine is gone, a minute where it stands still in the middle of a transaction. By itself it waits two hours, and for ever.
 */
const patience = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '4',
  tcp_user_timeout: '30000',
}

/** One database, as a process uses it. */
interface Pool {
  client: postgres.Sql
  db: Database
  /** Runs work in one transaction that sees the rows of an organisation; null: of all of them. */
  scope<T>(
    organisationId: OrganisationId | null,
    work: (tx: OrganisationTx) => Promise<T>,
    how?: { purpose?: Purpose; isSnapshot?: boolean; waits?: readonly number[]; share?: string },
  ): Promise<T>
  askAlone(statement: Statement, waits?: readonly number[]): Promise<readonly unknown[][]>
  load(): { running: number; waiting: number }
}

/**
 * Who may hold how many connections. Of a server that answers calls no organisation holds all that calls may have, and one is left to what is
 * asked beside them: whether the server is ready, and how often somebody has called.
 */
function connectionShares(connections: number, use: Use): Shares {
  const isFair = use === 'calls' || use === 'reads'
  return openShares({
    most: isFair ? connections - 1 : connections,
    each: isFair ? connections - 2 : connections,
    mostWaiting: isFair ? 300 : Number.POSITIVE_INFINITY,
    longestWaitMs: isFair ? 20_000 : 3_600_000,
    sentence: 'Your organisation has asked for too much at once. Try again in a moment.',
  })
}

/** What a pool is given of the installation's secret. */
type Secrets = Pick<Store, 'keySeal' | 'scopeOf'>

/** Opens a database as the server's role, which owns nothing and cannot bypass row-level security. */
function openPool(databaseUrl: string, { keySeal, scopeOf }: Secrets, { connections, use }: { connections: number; use: Use }): Pool {
  const shares = connectionShares(connections, use)
  const network = networkTo(databaseUrl)
  const client = postgres(databaseUrl, {
    max: connections,
    idle_timeout: 60,
    connect_timeout: 5,
    // Whoever asks after an outage, however long, waits a second at most for the next try.
    backoff: (failures) => Math.min(0.05 * 2 ** failures, 1),
    onnotice: () => undefined,
    connection: { role: 'bursar_app', ...patience, ...timeLimitsOf(use) },
    // An option of the driver that its types do not name.
    ...{ socket: network.open },
  })
  // Not given the schema: it would make an object of every table for every transaction, for queries that nobody asks that way.
  const { changing, looking } = preparing(client)
  const db = drizzle(changing)
  const toLook = drizzle(looking)
  let alone = 0
  /** Whether the same may succeed a moment later: there was no connection, or two stood in each other's way, one of them a migration perhaps. */
  const isPassing = (error: unknown): boolean => (isAway(error) && !network.isLost()) || mayTryAgain(error)
  const scope: Pool['scope'] = async (
    organisationId,
    work,
    { purpose = 'change', isSnapshot = false, waits = waitsMs, share = String(organisationId ?? platformOrganisationId) } = {},
  ) => {
    refuseAnother()
    let begun = false
    const transaction = () =>
      (purpose === 'change' ? db : toLook).transaction(
        async (tx) => {
          begun = true
          // It is on its way before the work begins, and goes out with its first statement: were it refused, so would be all that follows.
          const set = clientOf(tx)
            .unsafe(settings[purpose], [scopeOf(organisationId)], { prepare: true })
            .execute()
          const doing = () => work(scopedTx(tx, keySeal))
          const [result] = await Promise.all([holding ? holding.run(true, doing) : doing(), set])
          return result
        },
        isSnapshot ? { isolationLevel: 'repeatable read', accessMode: 'read only' } : undefined,
      )
    try {
      return await shares.turn(share, transaction)
    } catch (error) {
      const [waitMs, ...rest] = waits
      const mayBeginAgain = !begun || purpose !== 'change'
      if (!mayBeginAgain || waitMs === undefined || !isPassing(error)) throw error
      await new Promise((done) => setTimeout(done, waitMs))
      return scope(organisationId, work, { purpose, isSnapshot, waits: rest, share })
    }
  }
  const askAlone: Pool['askAlone'] = async (statement, waits = waitsMs) => {
    refuseAnother()
    alone++
    try {
      return await valuesOf(changing, statement)
    } catch (error) {
      const [waitMs, ...rest] = waits
      if (waitMs === undefined || !isPassing(error)) throw error
      await new Promise((done) => setTimeout(done, waitMs))
      return askAlone(statement, rest)
    } finally {
      alone--
    }
  }
  const load = () => {
    const { running, waiting } = shares.load()
    // What is asked alone waits within the driver, which does not say so.
    const busy = Math.min(running + alone, connections)
    return { running: busy, waiting: waiting + running + alone - busy }
  }
  return { client, db, scope, askAlone, load }
}

/**
 * Opens the database as the server's role, and the one that follows it where one is named. What answers calls has connections for what looks
 * and others for what changes, so that nobody who only looks waits for whoever waits for a lock.
 */
export function openStore(
  { databaseUrl, databaseReadUrl, dataKey }: Pick<Config, 'databaseUrl' | 'dataKey'> & Partial<Pick<Config, 'databaseReadUrl'>>,
  connections = 10,
  use: Use = 'tools',
): Store {
  const keySeal = keySealOf(dataKey)
  const platformScope = platformScopeOf(dataKey)
  const scopeOf: Store['scopeOf'] = (organisationId) => (organisationId === null ? platformScope : String(organisationId))
  const secrets = { keySeal, scopeOf }
  const toLook = use === 'calls' ? Math.floor(connections / 2) : 0
  const changing = openPool(databaseUrl, secrets, { connections: connections - toLook, use })
  const looking = toLook ? openPool(databaseUrl, secrets, { connections: toLook, use: 'reads' }) : changing
  const second = databaseReadUrl ? openPool(databaseReadUrl, secrets, { connections, use }) : null
  const replica = second && followed(looking, second)
  const pools = new Set([changing, looking])
  const poolFor = (purpose: Purpose | undefined): Pool => (purpose === 'look' || purpose === 'page' ? looking : changing)
  return {
    use,
    ...secrets,
    db: changing.db,
    client: changing.client,
    askAlone: (statement) => looking.askAlone(statement),
    inOrganisation: (organisationId, work, purpose) => poolFor(purpose).scope(organisationId, work, { purpose }),
    asPlatform: (work, purpose, share) => poolFor(purpose).scope(null, work, { purpose, share }),
    snapshot: (work) => looking.scope(null, work, { purpose: 'look', isSnapshot: true }),
    report: (organisationId, work, purpose = 'look') => (replica ?? looking).scope(organisationId, work, { purpose }),
    replica,
    load: () => {
      const loads = [...pools].map((pool) => pool.load())
      const sum = (of: 'running' | 'waiting'): number => loads.reduce((total, load) => total + load[of], 0)
      return { running: sum('running'), waiting: sum('waiting'), most: connections }
    },
    close: async () => void (await Promise.all([...pools, second].map((pool) => pool?.client.end({ timeout: 5 })))),
  }
}

const within = "select set_config('app.organisation_id', $1, true)"
const settings: Record<Purpose, string> = {
  change: within,
  page: within,
  look: "select set_config('app.organisation_id', $1, true), set_config('plan_cache_mode', 'force_custom_plan', true)",
}

/** Whether what runs holds a connection already, where that is checked: in use every promise would pay for it. */
const holding = env.CHECK_REPLIES === '1' ? new AsyncLocalStorage<true>() : null

/**
 * A call holds one connection at a time: were two asked for, as many such calls as there are connections would wait for each other for ever.
 * Tests refuse it (`CHECK_REPLIES=1`); in use the pool is wide enough for one that was missed.
 */
function refuseAnother(): void {
  if (holding?.getStore())
    throw new Error('A transaction is begun while another is held. Work in the one that is open, or in a part of it (storeWithin).')
}

/** The same store for what is done beside an open transaction, on a connection of its own; whoever holds that one does not wait for it. */
export function beside(store: Store): Store {
  if (!holding) return store
  return {
    ...store,
    inOrganisation: (...how) => holding.exit(() => store.inOrganisation(...how)),
    asPlatform: (...how) => holding.exit(() => store.asPlatform(...how)),
    report: (...how) => holding.exit(() => store.report(...how)),
    snapshot: (...how) => holding.exit(() => store.snapshot(...how)),
    askAlone: (statement) => holding.exit(() => store.askAlone(statement)),
  }
}

function scopedTx(tx: Tx, keySeal: KeySeal): OrganisationTx {
  // The brand of a transaction that knows whose rows it sees: nothing but this gives it.
  return Object.assign(tx, { changedBudgets: new Map<BudgetId, ChangedBudget>(), keySeal }) as OrganisationTx
}

/** The connection of a transaction, below Drizzle, whose own statements begin only when somebody waits for them. */
function clientOf(tx: Tx): Pick<postgres.Sql, 'unsafe'> {
  // The session of Drizzle holds it and does not say so.
  return Reflect.get(tx._.session, 'client')
}

/** A statement as it is sent, built before somebody asks it. */
export interface Statement {
  text: string
  values: readonly unknown[]
}

const dialect = new PgDialect()

/** SQL as a statement that can be asked alone. */
export function statementOf(query: SQL): Statement {
  const { sql: text, params: values } = dialect.sqlToQuery(query)
  return { text, values }
}

/**
 * Carries out statements in their order, and reads nothing of what they say. They are on their way when this returns its promise: none waits for
 * the one before, save that the driver holds back what follows a large one until that is answered, so the small ones come first. What is asked
 * beside it in the same transaction is sent after them, and is refused with them.
 * @throws what the first that fails says: those after it fail with it
 */
export async function carryOut(tx: OrganisationTx, statements: readonly SQLWrapper[]): Promise<void> {
  const client = clientOf(tx)
  // All are built before any is sent: one that cannot be built leaves none behind.
  const built = statements.map((statement) => statementOf(statement.getSQL()))
  await Promise.all(built.map(({ text, values }) => client.unsafe(text, parametersOf(values)).execute()))
}

/** Asks what was built before. @returns rows as lists of what their columns hold, as the database says it */
export function ask(tx: OrganisationTx, statement: Statement): Promise<readonly unknown[][]> {
  return valuesOf(clientOf(tx), statement)
}

function valuesOf(client: Pick<postgres.Sql, 'unsafe'>, { text, values }: Statement): Promise<readonly unknown[][]> {
  return client.unsafe(text, parametersOf(values)).values()
}

function parametersOf(values: readonly unknown[]): postgres.ParameterOrJSON<never>[] {
  // As Drizzle encoded them for this very driver.
  return values as postgres.ParameterOrJSON<never>[]
}

/**
 * The condition by which a statement that is asked alone says whose rows it sees, where every other is told so by the one before it. It reads
 * no row, so PostgreSQL looks at it once, before it reads any (a "One-Time Filter"); were that not so, row-level security would show nothing.
 * @param scope as `scopeOf` of the store gives it
 */
export function seenBy(scope: string): SQL {
  return sql`(select set_config('app.organisation_id', ${scope}, true)) is not null`
}

function setScope(scope: string) {
  return sql`select set_config('app.organisation_id', ${scope}, true)`
}

/** A store whose transactions are parts of one that is open: what fails in a part takes back that part alone. */
export function storeWithin(tx: OrganisationTx, store: Store, organisation: OrganisationId | null): Store {
  const part = <T>(wanted: OrganisationId | null, work: (part: OrganisationTx) => Promise<T>): Promise<T> =>
    tx.transaction(async (savepoint) => {
      const own = Object.assign(scopedTx(savepoint, tx.keySeal), { budgetLock: tx.budgetLock })
      const isOther = wanted !== organisation
      if (isOther) await savepoint.execute(setScope(store.scopeOf(wanted)))
      const result = await work(own)
      if (isOther) await savepoint.execute(setScope(store.scopeOf(organisation)))
      for (const [budgetId, changed] of own.changedBudgets) tx.changedBudgets.set(budgetId, changed)
      return result
    })
  const overAll: Store['snapshot'] = (work) => part(null, work)
  return { ...store, inOrganisation: part, report: part, asPlatform: overAll, snapshot: overAll }
}
