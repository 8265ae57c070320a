import { AsyncLocalStorage } from 'node:async_hooks'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { drizzle, type PostgresJsDatabase } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { type BudgetId, type OrganisationId, platformOrganisationId } from '../../../domain/values/ids.ts'
import { keysOf, recordFromKeys } from '../../../domain/values/keysOf.ts'
import type { Config } from '../config.ts'
import { readCurrentSecret } from '../secretFiles.ts'
import { env } from '../settings.ts'
import { createFairLimiter, type FairLimiter } from '../shares.ts'
import { isTransactionConflict } from './errors.ts'
import { createKeySeal, type KeySeal } from './keySeal.ts'
import { getDatabaseNetwork } from './lostNetwork.ts'
import { createPreparingClients } from './preparedStatements.ts'
import { isDatabaseReadOnly, isDatabaseUnreachable } from './problems.ts'
import { openReplica, type Replica } from './replica.ts'
import { getTimeLimits, type StoreUse } from './timeLimits.ts'
import { writeQuery } from './writeQuery.ts'

export type Database = PostgresJsDatabase
export type Tx = Parameters<Parameters<Database['transaction']>[0]>[0]

/** The state of a budget at the end of a transaction. */
export interface ChangedBudget {
  organisationId: OrganisationId
  version: number
}

declare const scoped: unique symbol

/**
 * A transaction limited to the rows of one organisation, or of the platform. Only the functions of a store create one.
 */
export type OrganisationTx = Tx & {
  [scoped]: true
  /** The organisation to whose rows the transaction is limited; null for the platform, which sees all. */
  organisationId: OrganisationId | null
  /** The budgets that the transaction changed, by id, for notifications after the commit. */
  changedBudgets: Map<BudgetId, ChangedBudget>
  /** Decrypts the keys stored in the database. */
  keySeal: KeySeal
  /**
   * How the transaction locks budgets. With `noWait` it fails at once if a budget is locked, and the call waits without a connection
   * (calls/oneTransaction.ts).
   */
  budgetLock?: { noWait: true }
  /** Whether the transaction can change nothing. */
  isReadOnly?: boolean
}

/**
 * What a transaction is for, which decides how its prepared statements are planned. `look`: for each call's values, because calls read very
 * different amounts. `page`: once, because every call reads about the same amount and planning takes longer than reading. `change`: once,
 * including the database's own rules that run for each written row.
 */
export type TransactionPurpose = 'look' | 'page' | 'change'

export interface Store {
  use: StoreUse
  keySeal: KeySeal
  /** The value of the database setting that limits a transaction to an organisation's rows; null for the platform. */
  scopeOf(organisationId: OrganisationId | null): string
  db: Database
  client: postgres.Sql
  /** Runs work in one transaction in which row-level security shows only the rows of this organisation. */
  inOrganisation<T>(organisationId: OrganisationId, work: (tx: OrganisationTx) => Promise<T>, purpose?: TransactionPurpose): Promise<T>
  /**
   * Runs work over all organisations: only for sign-in, administration and the periodic jobs of workers.
   * @param share whose share of the connections to use; the platform's if omitted
   */
  asPlatform<T>(work: (tx: OrganisationTx) => Promise<T>, purpose?: TransactionPurpose, share?: string): Promise<T>
  /**
   * Runs work that compares tables of all organisations, such as the audit. It sees a snapshot from when it started,
   * whatever people save meanwhile, and cannot write.
   */
  snapshot<T>(work: (tx: OrganisationTx) => Promise<T>): Promise<T>
  /**
   * Runs read-only work that may take long, such as a report, within one organisation. It uses the replica if that has caught up with the
   * primary as of the request, otherwise the primary. Work that fails on the replica may be restarted on the primary.
   */
  report<T>(organisationId: OrganisationId, work: (tx: OrganisationTx) => Promise<T>, purpose?: 'look' | 'page'): Promise<T>
  /** The replica; null if none is configured. */
  replica: Replica<OrganisationTx> | null
  /** Runs one statement as its own transaction. The statement itself sets whose rows it sees (`buildTenantCondition`). */
  runStandalone(statement: BuiltStatement): Promise<readonly unknown[][]>
  /** The running transactions, those waiting for a connection, and the limit. */
  load(): { running: number; waiting: number; most: number }
  /** Closes all connections if the error says that the database is read-only: another database may be the primary by now. */
  closeConnectionsIfReadOnly(error: unknown): void
  close(): Promise<void>
}

/**
 * Milliseconds before each retry of a transaction that could not start, or that only read and failed: the connection was lost, the database
 * had none left, or there was a conflict.
 */
const waitsMs = [0, 50, 200, 500, 1000]

/**
 * How long the database waits for a silent server or worker before it rolls back its transaction: half a minute if the machine is gone, a
 * minute if the process hangs within a transaction. PostgreSQL's defaults are two hours and for ever.
 */
const timeoutSettings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '4',
  tcp_user_timeout: '30000',
}

/** One database connection pool of a process. */
interface Pool {
  client: postgres.Sql
  db: Database
  /** Runs work in one transaction that sees the rows of an organisation; null for all. */
  scope<T>(
    organisationId: OrganisationId | null,
    work: (tx: OrganisationTx) => Promise<T>,
    how?: { purpose?: TransactionPurpose; isSnapshot?: boolean; waits?: readonly number[]; share?: string },
  ): Promise<T>
  askAlone(statement: BuiltStatement, waits?: readonly number[]): Promise<readonly unknown[][]>
  load(): { running: number; waiting: number }
  closeConnectionsIfReadOnly(error: unknown): void
}

/**
 * How connections are shared. In a server that answers calls, no organisation may hold all connections for calls, and one stays free for
 * readiness checks and rate limits.
 */
function connectionShares(connections: number, use: StoreUse): FairLimiter {
  const isFair = use === 'calls' || use === 'reads'
  return createFairLimiter({
    most: isFair ? connections - 1 : connections,
    each: isFair ? connections - 2 : connections,
    mostWaiting: isFair ? 300 : Number.POSITIVE_INFINITY,
    longestWaitMs: isFair ? 20_000 : 3_600_000,
    sentence: 'Your organisation is sending too many requests at once. Try again in a moment.',
  })
}

/** No schema is passed: Drizzle would create an object for every table in every transaction, for a query style that is not used here. */
function openDrizzle(client: postgres.Sql): Database {
  const db = drizzle(client)
  // Its dialect is shared by all transactions, but its types do not say that it has one.
  Reflect.get(db, 'dialect').sqlToQuery = writeQuery
  return db
}

/** The parts of a store that depend on the installation's secret. */
type Secrets = Pick<Store, 'keySeal' | 'scopeOf'>

interface PoolOptions {
  connections: number
  use: StoreUse
  /**
   * Whether the address is that of a pooler in transaction mode. Each transaction may then run on another connection of the database, so none
   * is given settings or prepared statements: transactions set their own time limits.
   */
  isPooled?: boolean
}

/** Opens a pool with the server's database role, which owns no tables and cannot bypass row-level security. */
function openPool(databaseUrl: string, { keySeal, scopeOf }: Secrets, { connections, use, isPooled = false }: PoolOptions): Pool {
  const shares = connectionShares(connections, use)
  const network = getDatabaseNetwork(databaseUrl)
  const known = decodeURIComponent(new URL(databaseUrl).password)
  const client = postgres(databaseUrl, {
    max: connections,
    // Without a password here, the driver takes that of the environment.
    ...(known && { password: () => readCurrentSecret('DATABASE_PASSWORD', known) }),
    idle_timeout: 60,
    connect_timeout: 5,
    // However long an outage lasted, the next attempt comes within a second.
    backoff: (failures) => Math.min(0.05 * 2 ** failures, 1),
    onnotice: () => undefined,
    prepare: !isPooled,
    connection: isPooled ? {} : { role: 'bursar_app', ...timeoutSettings, ...getTimeLimits(use) },
    // An option that the driver supports but its types omit.
    ...{ socket: network.open },
  })
  const timeLimits = isPooled
    ? Object.entries(getTimeLimits(use)).map(([name, milliseconds]) => `set_config('${name}', '${milliseconds}', true)`)
    : []
  const firstStatements = recordFromKeys(keysOf(settings), (purpose) => `select ${[...settings[purpose], ...timeLimits].join(', ')}`)
  const { changing, looking } = createPreparingClients(client)
  const db = openDrizzle(changing)
  const toLook = openDrizzle(looking)
  let alone = 0
  /** Whether a retry may soon succeed: there was no connection, or there was a conflict, perhaps with a migration. */
  const isTransient = (error: unknown): boolean => (isDatabaseUnreachable(error) && !network.isLost()) || isTransactionConflict(error)
  const closeConnectionsIfReadOnly: Pool['closeConnectionsIfReadOnly'] = (error) => isDatabaseReadOnly(error) && network.closeAll()
  const scope: Pool['scope'] = async (
    organisationId,
    work,
    { purpose = 'change', isSnapshot = false, waits = waitsMs, share = String(organisationId ?? platformOrganisationId) } = {},
  ) => {
    refuseSecondConnection()
    let begun = false
    const transaction = () =>
      (purpose === 'change' ? db : toLook).transaction(
        async (tx) => {
          begun = true
          // Sent together with the first statement of the work. If the database refuses this one, it also refuses those after it.
          const set = getDriverClient(tx)
            .unsafe(firstStatements[purpose], [scopeOf(organisationId)], { prepare: true })
            .execute()
          const scoped = scopedTx(tx, organisationId, keySeal)
          scoped.isReadOnly = purpose !== 'change'
          const doing = () => work(scoped)
          const [result] = await Promise.all([holding ? holding.run(true, doing) : doing(), set])
          return result
        },
        isSnapshot ? { isolationLevel: 'repeatable read', accessMode: 'read only' } : undefined,
      )
    try {
      return await shares.turn(share, transaction)
    } catch (error) {
      // A read-only transaction that tries to write is refused by any database.
      if (purpose === 'change') closeConnectionsIfReadOnly(error)
      const [waitMs, ...rest] = waits
      const mayBeginAgain = !begun || purpose !== 'change'
      if (!mayBeginAgain || waitMs === undefined || !isTransient(error)) throw error
      await new Promise((done) => setTimeout(done, waitMs))
      return scope(organisationId, work, { purpose, isSnapshot, waits: rest, share })
    }
  }
  const runAlone = (statement: BuiltStatement): Promise<readonly unknown[][]> =>
    isPooled
      ? client.begin(async (tx) => {
          const [, rows] = await Promise.all([tx.unsafe(`select ${timeLimits.join(', ')}`).execute(), queryRawRows(tx, statement)])
          return rows
        })
      : queryRawRows(changing, statement)
  const askAlone: Pool['askAlone'] = async (statement, waits = waitsMs) => {
    refuseSecondConnection()
    alone++
    try {
      return await runAlone(statement)
    } catch (error) {
      const [waitMs, ...rest] = waits
      if (waitMs === undefined || !isTransient(error)) throw error
      await new Promise((done) => setTimeout(done, waitMs))
      return askAlone(statement, rest)
    } finally {
      alone--
    }
  }
  const load = () => {
    const { running, waiting } = shares.load()
    // Standalone statements wait inside the driver, which does not report it.
    const busy = Math.min(running + alone, connections)
    return { running: busy, waiting: waiting + running + alone - busy }
  }
  return { client, db, scope, askAlone, load, closeConnectionsIfReadOnly }
}

/**
 * Opens the database with the server's role, and the replica if one is configured. A server has separate connections
 * for reads and changes, so that reads never wait behind changes that wait for a lock.
 */
export function openStore(
  {
    databaseUrl,
    databaseDirectUrl = null,
    databaseReadUrl,
    dataKey,
  }: Pick<Config, 'databaseUrl' | 'dataKey'> & Partial<Pick<Config, 'databaseDirectUrl' | 'databaseReadUrl'>>,
  connections = 10,
  use: StoreUse = 'tools',
): Store {
  const keySeal = createKeySeal(dataKey)
  const scopeOf: Store['scopeOf'] = (organisationId) => (organisationId === null ? keySeal.platformScope() : String(organisationId))
  const secrets = { keySeal, scopeOf }
  const isPooled = databaseDirectUrl !== null
  const toLook = use === 'calls' ? Math.floor(connections / 2) : 0
  const changing = openPool(databaseUrl, secrets, { connections: connections - toLook, use, isPooled })
  const looking = toLook ? openPool(databaseUrl, secrets, { connections: toLook, use: 'reads', isPooled }) : changing
  const second = databaseReadUrl ? openPool(databaseReadUrl, secrets, { connections, use }) : null
  const replica = second && openReplica(looking, second)
  const pools = new Set([changing, looking])
  const poolFor = (purpose: TransactionPurpose | undefined): Pool => (purpose === 'look' || purpose === 'page' ? looking : changing)
  return {
    use,
    ...secrets,
    db: changing.db,
    client: changing.client,
    runStandalone: (statement) => looking.askAlone(statement),
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
    closeConnectionsIfReadOnly: changing.closeConnectionsIfReadOnly,
    close: async () => void (await Promise.all([...pools, second].map((pool) => pool?.client.end({ timeout: 5 })))),
  }
}

const within = "set_config('app.organisation_id', $1, true)"
const settings: Record<TransactionPurpose, readonly string[]> = {
  change: [within],
  page: [within],
  look: [within, "set_config('plan_cache_mode', 'force_custom_plan', true)"],
}

/**
 * Whether the running code already holds a connection. Tracked only where checked, because it would slow every promise
 * in production.
 */
const holding = env.CHECK_REPLIES === '1' ? new AsyncLocalStorage<true>() : null

/**
 * A call may hold only one connection at a time: if each call needed a second one, calls that together hold all connections would wait for
 * each other for ever. Tests refuse it (`CHECK_REPLIES=1`); in production the pool is large enough for a case that the tests missed.
 */
function refuseSecondConnection(): void {
  if (holding?.getStore())
    throw new Error('A transaction is begun while another is held. Work in the one that is open, or in a part of it (storeWithin).')
}

/** The same store for work outside the open transaction, on a separate connection. The transaction must not wait for this work. */
export function openSeparateStore(store: Store): Store {
  if (!holding) return store
  return {
    ...store,
    inOrganisation: (...how) => holding.exit(() => store.inOrganisation(...how)),
    asPlatform: (...how) => holding.exit(() => store.asPlatform(...how)),
    report: (...how) => holding.exit(() => store.report(...how)),
    snapshot: (...how) => holding.exit(() => store.snapshot(...how)),
    runStandalone: (statement) => holding.exit(() => store.runStandalone(statement)),
  }
}

function scopedTx(tx: Tx, organisationId: OrganisationId | null, keySeal: KeySeal): OrganisationTx {
  // Only this function brands a transaction as limited to an organisation's rows.
  return Object.assign(tx, { organisationId, changedBudgets: new Map<BudgetId, ChangedBudget>(), keySeal }) as OrganisationTx
}

/** The driver connection below Drizzle, whose own statements are sent only when awaited. */
function getDriverClient(tx: Tx): Pick<postgres.Sql, 'unsafe'> {
  // Drizzle's session has it, but its types do not say so.
  return Reflect.get(tx._.session, 'client')
}

/** A statement ready to send, built in advance. */
export interface BuiltStatement {
  text: string
  values: readonly unknown[]
  /** Whether its connection prepares it the first time and keeps its plan, whatever its length. */
  isPrepared?: boolean
}

/** SQL as a statement that can run without a transaction. */
export function buildStatement(query: SQL): BuiltStatement {
  const { sql: text, params: values } = writeQuery(query)
  return { text, values }
}

/**
 * Runs statements in order and discards their results. All are sent before this returns its promise, without waiting for each other. The
 * driver holds back what follows a large statement, so put small ones first. Later statements of the same transaction are sent after them
 * and fail with them.
 * @throws the error of the first statement that fails; those after it fail with it
 */
export async function executePipelined(tx: OrganisationTx, statements: readonly SQLWrapper[]): Promise<void> {
  const client = getDriverClient(tx)
  // All are built before any is sent, so that if one cannot be built, none is sent.
  const built = statements.map((statement) => buildStatement(statement.getSQL()))
  await Promise.all(built.map(({ text, values }) => client.unsafe(text, toDriverParameters(values)).execute()))
}

/**
 * Runs a prebuilt statement.
 * @returns rows as arrays of raw column values
 */
export function runStatement(tx: OrganisationTx, statement: BuiltStatement): Promise<readonly unknown[][]> {
  return queryRawRows(getDriverClient(tx), statement)
}

function queryRawRows(client: Pick<postgres.Sql, 'unsafe'>, { text, values, isPrepared }: BuiltStatement): Promise<readonly unknown[][]> {
  return client.unsafe(text, toDriverParameters(values), { prepare: isPrepared }).values()
}

function toDriverParameters(values: readonly unknown[]): postgres.ParameterOrJSON<never>[] {
  // Drizzle encoded them for this driver.
  return values as postgres.ParameterOrJSON<never>[]
}

/**
 * The condition with which a standalone statement sets whose rows it sees; other statements rely on an earlier one in their transaction. It
 * refers to no row, so PostgreSQL evaluates it once before reading any (a "One-Time Filter"). Otherwise row-level security would show no
 * rows.
 * @param scope from `scopeOf` of the store
 */
export function buildTenantCondition(scope: string): SQL {
  return sql`(select set_config('app.organisation_id', ${scope}, true)) is not null`
}

function setScope(scope: string) {
  return sql`select set_config('app.organisation_id', ${scope}, true)`
}

/** A store whose transactions are savepoints of an open transaction: a failure rolls back only that part. */
export function openStoreWithin(tx: OrganisationTx, store: Store, organisation: OrganisationId | null): Store {
  const part = <T>(wanted: OrganisationId | null, work: (part: OrganisationTx) => Promise<T>): Promise<T> =>
    tx.transaction(async (savepoint) => {
      const scoped = Object.assign(scopedTx(savepoint, wanted, tx.keySeal), { budgetLock: tx.budgetLock })
      const isOther = wanted !== organisation
      if (isOther) await savepoint.execute(setScope(store.scopeOf(wanted)))
      const result = await work(scoped)
      if (isOther) await savepoint.execute(setScope(store.scopeOf(organisation)))
      for (const [budgetId, changed] of scoped.changedBudgets) tx.changedBudgets.set(budgetId, changed)
      return result
    })
  const overAll: Store['snapshot'] = (work) => part(null, work)
  return { ...store, inOrganisation: part, report: part, asPlatform: overAll, snapshot: overAll }
}
