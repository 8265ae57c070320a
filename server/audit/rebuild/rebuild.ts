import { getTableName, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { getErrorMessage } from '../../../domain/words/errors.ts'
import { SettingError } from '../../core/config.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import { isLockTimeout, isTransactionConflict, toDatabaseRefusal } from '../../core/database/errors.ts'
import type { AnchorReadResult } from '../../core/stream/anchorFiles.ts'
import { labelOrganisation, listChainedOrganisations, readChain, verifyChain } from '../verify/chain.ts'
import { listRemovedOrganisations } from '../verify/removedOrganisations.ts'
import { verifyAnchoredLinks } from '../verify/verifyAll.ts'
import { listBudgetLogs, listLocationLogs, projections, type RebuildableLog } from './logs.ts'
import { buildShadowTables, compareAndReplaceRows, type RowDifferences } from './shadows.ts'

/** The differences of one log in one projection. */
export interface LogDifferences extends RowDifferences {
  log: string
  projection: string
}

/** Why the projections of a log, or some of them, were not rebuilt. */
export interface RebuildFailure {
  log: string
  version: number | null
  problem: string
}

/** The differences that a rebuild found, and what it could not rebuild. */
export interface RebuildResult {
  /** The number of logs checked. */
  logs: number
  /** The number of rows in each projection, and how many of them differed. */
  projections: ({ projection: string } & Omit<RowDifferences, 'keys'>)[]
  differences: LogDifferences[]
  notRebuilt: RebuildFailure[]
}

interface RebuildOptions {
  organisation?: number
  budget?: string
  /** The name of one projection; all if omitted. */
  projection?: string
  /** Compares without replacing rows. */
  isDryRun: boolean
  /** The anchors stored outside the database. */
  outside: AnchorReadResult
}

/** The names of all projections, in the order in which they are listed. */
export const projectionNames: readonly string[] = projections.flatMap(({ tables }) => tables.map(getTableName))

/**
 * Rebuilds projections from their logs. For each log, one transaction builds the rows in temporary tables, compares them with the live
 * rows, and replaces those that differ. A log whose tables match is only read. The tables of an organisation whose chain is damaged are
 * left unchanged, because they may be the only trace of lost events.
 */
export async function rebuildProjections(store: Store, options: RebuildOptions): Promise<RebuildResult> {
  await assertSignedInAsOwner(store)
  const wanted = (table: PgTable): boolean => !options.projection || getTableName(table) === options.projection
  const { logs, refused } = await listLogs(store, options)
  const result: RebuildResult = {
    logs: 0,
    projections: projectionNames
      .filter((name) => !options.projection || name === options.projection)
      .map((projection) => ({ projection, rows: 0, missing: 0, extra: 0, different: 0 })),
    differences: [],
    notRebuilt: refused,
  }
  for (const log of logs) {
    if (!log.tables.some(wanted)) continue
    const { differences, notRebuilt } = await rebuildLog(store, log, { wanted, isDryRun: options.isDryRun })
    result.logs++
    result.notRebuilt.push(...notRebuilt)
    for (const { keys, ...counts } of differences) {
      const sum = result.projections.find(({ projection }) => projection === counts.projection)
      for (const count of ['rows', 'missing', 'extra', 'different'] as const) if (sum) sum[count] += counts[count]
      if (keys.length) result.differences.push({ keys, ...counts })
    }
  }
  return result
}

/** @throws SettingError if the tool signed in with the servers' role, which may not write every projection */
async function assertSignedInAsOwner(store: Store): Promise<void> {
  const { owns } = requireSingleRow(
    await store.asPlatform((tx) =>
      tx.execute<{ owns: boolean }>(sql`select has_table_privilege(session_user, 'public.budget_days', 'insert, update, delete') as owns`),
    ),
  )
  if (!owns) throw new SettingError('Only the owner of the tables can rebuild them. Set DATABASE_URL as for migrate.')
}

/** Lists the logs of the organisations whose chain is intact, and for every other organisation what is wrong with its chain. */
async function listLogs(
  store: Store,
  { organisation, budget, projection, outside: { anchors, problems } }: RebuildOptions,
): Promise<{ logs: RebuildableLog[]; refused: RebuildFailure[] }> {
  // If the anchors do not match their signatures, they cannot be used to verify any log.
  if (problems.length) return { logs: [], refused: problems.map((problem) => ({ log: 'Every log', version: null, problem })) }
  const kinds = projections.filter(
    ({ kind, tables }) => (!budget || kind === 'budget') && (!projection || tables.some((table) => getTableName(table) === projection)),
  )
  return store.snapshot(async (tx) => {
    const removed = new Set((await listRemovedOrganisations(tx)).map(({ organisationId }) => organisationId))
    const [whole, refused]: [RebuildableLog[], RebuildFailure[]] = [[], []]
    for (const organisationId of await listChainedOrganisations(tx, anchors)) {
      if (removed.has(organisationId) || (organisation !== undefined && organisation !== organisationId)) continue
      const logs: RebuildableLog[] = []
      for (const { kind } of kinds)
        logs.push(
          ...(kind === 'budget'
            ? await listBudgetLogs(tx, organisationId, { only: budget, outside: anchors })
            : await listLocationLogs(tx, organisationId, kind)),
        )
      if (!logs.length) continue
      const links = await readChain(tx, organisationId)
      const damage = [...verifyChain(organisationId, links), ...verifyAnchoredLinks(organisationId, links, anchors)]
      refused.push(...damage.map(({ problem }) => ({ log: `Every log of ${labelOrganisation(organisationId)}`, version: null, problem })))
      if (!damage.length) whole.push(...logs)
    }
    return { logs: whole, refused }
  })
}

/** Somebody saved to the log while its rows were being built. */
class LogGrewError extends Error {}

/** How often the rows of a log are built without locking it. The next attempt locks the log first, so that saves wait. */
const maximumUnlockedAttempts = 3

interface LogResult {
  differences: LogDifferences[]
  notRebuilt: RebuildFailure[]
}

type LogOptions = { wanted: (table: PgTable) => boolean; isDryRun: boolean }

async function rebuildLog(store: Store, log: RebuildableLog, options: LogOptions): Promise<LogResult> {
  for (let attempt = 1; ; attempt++) {
    const locksFirst = attempt > maximumUnlockedAttempts
    try {
      if (locksFirst)
        return await changeAsOwner(store, async (tx) => {
          await log.lock(tx)
          const inspection = await log.inspect(tx)
          return (await settleWithoutChange(tx, log, { ...options, inspection })) ?? replaceRows(tx, log, { ...options, inspection })
        })
      // Reading a large log and building its rows take long, so lock the log, which makes saves wait, only to compare and replace rows.
      const { inspection, settled } = await store.snapshot(async (tx) => {
        const inspection = await log.inspect(tx)
        return { inspection, settled: await settleWithoutChange(tx, log, { ...options, inspection }) }
      })
      return settled ?? (await changeAsOwner(store, (tx) => replaceRows(tx, log, { ...options, inspection })))
    } catch (error) {
      if (!locksFirst && (error instanceof LogGrewError || isTransactionConflict(error))) continue
      // Return the failure instead of throwing it, so that the result still reports the other logs.
      return { differences: [], notRebuilt: [{ log: log.label, version: null, problem: describeFailure(error) }] }
    }
  }
}

function describeFailure(error: unknown): string {
  if (isLockTimeout(error)) return 'Another change locked it for too long. Run the rebuild again.'
  const refusal = toDatabaseRefusal(error)
  // A row built from the log can violate a unique index, for example if another row already has its name.
  return refusal ? `The database refuses its rows (${refusal.constraint ?? refusal.code}).` : getErrorMessage(error)
}

/** Runs `work` with the owner's rights: the servers' role may not write `budget_days` or delete the row that holds a log's version. */
function changeAsOwner<T>(store: Store, work: (tx: OrganisationTx) => Promise<T>): Promise<T> {
  return store.asPlatform(async (tx) => {
    // Raised, because the transaction is idle while the figures of a large budget are calculated.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = '1h'`)
    await tx.execute(sql`set local role none`)
    return work(tx)
  })
}

type Inspection = Awaited<ReturnType<RebuildableLog['inspect']>>
type InspectionOptions = LogOptions & { inspection: Inspection }

/** Returns the result if the log is damaged, and thus left unchanged, or if its tables match; null if rows must be replaced. */
async function settleWithoutChange(
  tx: OrganisationTx,
  log: RebuildableLog,
  { inspection, wanted }: InspectionOptions,
): Promise<LogResult | null> {
  if (inspection.damage.length)
    return { differences: [], notRebuilt: inspection.damage.map(({ version, problem }) => ({ log: log.label, version, problem })) }
  if (inspection.differences.length) return null
  const differences: LogDifferences[] = []
  for (const table of log.tables.filter(wanted)) {
    const { rows } = requireSingleRow(
      await tx.execute<{ rows: number }>(sql`select count(*)::integer as rows from ${table} where ${log.rowCondition(table)}`),
    )
    differences.push({ log: log.label, projection: getTableName(table), rows, missing: 0, extra: 0, different: 0, keys: [] })
  }
  return { differences, notRebuilt: listNotReproducible(log, inspection) }
}

function listNotReproducible(log: RebuildableLog, { notReproducible: some }: Inspection): RebuildFailure[] {
  return some ? [{ log: log.label, version: null, problem: some.reason }] : []
}

/** @throws LogGrewError if the log has grown since it was read */
async function replaceRows(
  tx: OrganisationTx,
  log: RebuildableLog,
  { inspection, wanted, isDryRun }: InspectionOptions,
): Promise<LogResult> {
  await buildShadowTables(tx, log.tables, () => inspection.build(tx))
  if (!isDryRun) await log.lock(tx)
  const differences: LogDifferences[] = []
  for (const table of log.tables.filter(wanted)) {
    if (inspection.notReproducible?.tables.includes(table)) continue
    const found = await compareAndReplaceRows(tx, { table, rowCondition: log.rowCondition(table), replaces: !isDryRun })
    differences.push({ log: log.label, projection: getTableName(table), ...found })
  }
  // A deleted budget has no row to lock, so it may have been restored meanwhile. The error then rolls back the replacement.
  if ((await log.readLastVersion(tx)) !== inspection.version) throw new LogGrewError()
  const remaining = log.tables.every(wanted) ? await findRemainingDifferences(tx, { inspection, differences, isDryRun }) : []
  const known = new Set(inspection.differences.map(({ problem }) => problem))
  const introduced = remaining.find(({ problem }) => !known.has(problem))
  if (introduced) throw new Error(`With its rows replaced: ${introduced.problem} They were left as they are.`)
  return {
    differences,
    notRebuilt: [
      ...listNotReproducible(log, inspection),
      ...remaining.map(({ version, problem }) => ({ log: log.label, version, problem })),
    ],
  }
}

/** Finds differences that replacing rows does not remove, such as in a generated column whose formula was changed. */
async function findRemainingDifferences(
  tx: OrganisationTx,
  { inspection, differences, isDryRun }: { inspection: Inspection; differences: readonly LogDifferences[]; isDryRun: boolean },
): Promise<Inspection['differences']> {
  if (!isDryRun) return inspection.compare(tx)
  return differences.some(({ keys }) => keys.length) ? [] : inspection.differences
}
