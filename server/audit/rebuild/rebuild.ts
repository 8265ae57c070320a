import { getTableName, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { onlyRow } from '../../../domain/values/assertDefined.ts'
import { errorMessage } from '../../../domain/words/errors.ts'
import { SettingError } from '../../core/config.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import { isConflict, isLockTimeout, toDatabaseRefusal } from '../../core/database/errors.ts'
import type { ReadAnchors } from '../../core/stream/anchorFiles.ts'
import { labelOrganisation, listOrganisations, readChain, verifyChain } from '../verify/chain.ts'
import { listRemovedOrganisations } from '../verify/removedOrganisations.ts'
import { verifyAnchoredLinks } from '../verify/verifyAll.ts'
import { listBudgetLogs, listLocationLogs, projections, type RebuildableLog } from './logs.ts'
import { buildShadows, compareWithShadow, type RowDifferences } from './shadows.ts'

/** The differences of one log in one projection. */
export interface LogDifferences extends RowDifferences {
  log: string
  projection: string
}

/** What could not be rebuilt of a log, and why. */
export interface NotRebuilt {
  log: string
  version: number | null
  problem: string
}

/** What a rebuild found in the tables, and what it left as it is. */
export interface RebuildResult {
  /** The logs that were looked at. */
  logs: number
  /** The rows of each projection, and how many differed. */
  projections: ({ projection: string } & Omit<RowDifferences, 'keys'>)[]
  differences: LogDifferences[]
  notRebuilt: NotRebuilt[]
}

interface RebuildOptions {
  organisation?: number
  budget?: string
  /** The name of one projection; all if omitted. */
  projection?: string
  /** Compares only. */
  isDryRun: boolean
  /** The anchors stored outside the database. */
  outside: ReadAnchors
}

/** The names of all projections, in the order in which they are listed. */
export const projectionNames: readonly string[] = projections.flatMap(({ tables }) => tables.map(getTableName))

/**
 * Rebuilds projections from their logs: builds the rows of each log beside the live ones, compares them, and replaces those that differ, in
 * one transaction for each log. A log whose tables match is only read. An organisation whose chain is damaged is left as it is, because its
 * tables may be the only trace of what its logs lost.
 */
export async function rebuildProjections(store: Store, options: RebuildOptions): Promise<RebuildResult> {
  await assertOwns(store)
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

/** @throws SettingError if the tool signed in as servers do, which may not write every projection */
async function assertOwns(store: Store): Promise<void> {
  const { owns } = onlyRow(
    await store.asPlatform((tx) =>
      tx.execute<{ owns: boolean }>(sql`select has_table_privilege(session_user, 'public.budget_days', 'insert, update, delete') as owns`),
    ),
  )
  if (!owns) throw new SettingError('A rebuild writes tables that only their owner may write. Set DATABASE_URL as for migrate.')
}

/** Lists the logs of every organisation whose chain is whole, and what is wrong with the chains of the others. */
async function listLogs(
  store: Store,
  { organisation, budget, projection, outside: { anchors, problems } }: RebuildOptions,
): Promise<{ logs: RebuildableLog[]; refused: NotRebuilt[] }> {
  // Anchors that are not as they were signed prove nothing about any log.
  if (problems.length) return { logs: [], refused: problems.map((problem) => ({ log: 'Every log', version: null, problem })) }
  const kinds = projections.filter(
    ({ kind, tables }) => (!budget || kind === 'budget') && (!projection || tables.some((table) => getTableName(table) === projection)),
  )
  return store.snapshot(async (tx) => {
    const removed = new Set((await listRemovedOrganisations(tx)).map(({ organisationId }) => organisationId))
    const [whole, refused]: [RebuildableLog[], NotRebuilt[]] = [[], []]
    for (const organisationId of await listOrganisations(tx, anchors)) {
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

/** A user saved to the log while its rows were being built. */
class LogMovedOn extends Error {}

/** How often a log is built without holding saves up; after that they wait for it. */
const mostOptimistic = 3

interface LogResult {
  differences: LogDifferences[]
  notRebuilt: NotRebuilt[]
}

type LogOptions = { wanted: (table: PgTable) => boolean; isDryRun: boolean }

async function rebuildLog(store: Store, log: RebuildableLog, options: LogOptions): Promise<LogResult> {
  for (let attempt = 1; ; attempt++) {
    const locksFirst = attempt > mostOptimistic
    try {
      if (locksFirst)
        return await changeAsOwner(store, async (tx) => {
          await log.lock(tx)
          const looked = await log.look(tx)
          return (await settleWithoutChange(tx, log, { ...options, looked })) ?? replaceRows(tx, log, { ...options, looked })
        })
      // Reading a large log and building its rows take long, so saves wait only while rows are compared and replaced.
      const { looked, settled } = await store.snapshot(async (tx) => {
        const looked = await log.look(tx)
        return { looked, settled: await settleWithoutChange(tx, log, { ...options, looked }) }
      })
      return settled ?? (await changeAsOwner(store, (tx) => replaceRows(tx, log, { ...options, looked })))
    } catch (error) {
      if (!locksFirst && (error instanceof LogMovedOn || isConflict(error))) continue
      // What was replaced in other logs is known only from the result: it must not be lost with this one.
      return { differences: [], notRebuilt: [{ log: log.label, version: null, problem: describeFailure(error) }] }
    }
  }
}

function describeFailure(error: unknown): string {
  if (isLockTimeout(error)) return 'Another change held it for too long. Run the rebuild again.'
  const refusal = toDatabaseRefusal(error)
  // For example, another row has the name that the log gives to this one.
  return refusal ? `The database refuses its rows (${refusal.constraint ?? refusal.code}).` : errorMessage(error)
}

/** Servers may not write the days of a budget or remove the head of a log; the owner may. */
function changeAsOwner<T>(store: Store, work: (tx: OrganisationTx) => Promise<T>): Promise<T> {
  return store.asPlatform(async (tx) => {
    // The database waits while the figures of a large budget are worked out.
    await tx.execute(sql`set local idle_in_transaction_session_timeout = '1h'`)
    await tx.execute(sql`set local role none`)
    return work(tx)
  })
}

type Looked = Awaited<ReturnType<RebuildableLog['look']>>
type LookedOptions = LogOptions & { looked: Looked }

/** The result for a damaged log, which is left as it is, and for one whose tables match; null for one with rows to replace. */
async function settleWithoutChange(tx: OrganisationTx, log: RebuildableLog, { looked, wanted }: LookedOptions): Promise<LogResult | null> {
  if (looked.damage.length)
    return { differences: [], notRebuilt: looked.damage.map(({ version, problem }) => ({ log: log.label, version, problem })) }
  if (looked.differences.length) return null
  const differences: LogDifferences[] = []
  for (const table of log.tables.filter(wanted)) {
    const { rows } = onlyRow(
      await tx.execute<{ rows: number }>(sql`select count(*)::integer as rows from ${table} where ${log.own(table)}`),
    )
    differences.push({ log: log.label, projection: getTableName(table), rows, missing: 0, extra: 0, different: 0, keys: [] })
  }
  return { differences, notRebuilt: notReproducible(log, looked) }
}

function notReproducible(log: RebuildableLog, { notReproducible: some }: Looked): NotRebuilt[] {
  return some ? [{ log: log.label, version: null, problem: some.reason }] : []
}

/** @throws LogMovedOn if the log has grown since it was read */
async function replaceRows(tx: OrganisationTx, log: RebuildableLog, { looked, wanted, isDryRun }: LookedOptions): Promise<LogResult> {
  await buildShadows(tx, log.tables, () => looked.build(tx))
  if (!isDryRun) await log.lock(tx)
  const differences: LogDifferences[] = []
  for (const table of log.tables.filter(wanted)) {
    if (looked.notReproducible?.tables.includes(table)) continue
    const found = await compareWithShadow(tx, { table, own: log.own(table), replaces: !isDryRun })
    differences.push({ log: log.label, projection: getTableName(table), ...found })
  }
  // A budget that is deleted has no row to lock. If it was restored since, what was replaced is rolled back.
  if ((await log.endsAt(tx)) !== looked.version) throw new LogMovedOn()
  const left = log.tables.every(wanted) ? await readLeft(tx, { looked, differences, isDryRun }) : []
  const known = new Set(looked.differences.map(({ problem }) => problem))
  const caused = left.find(({ problem }) => !known.has(problem))
  if (caused) throw new Error(`With its rows replaced: ${caused.problem} They were left as they are.`)
  return {
    differences,
    notRebuilt: [...notReproducible(log, looked), ...left.map(({ version, problem }) => ({ log: log.label, version, problem }))],
  }
}

/** Differences that no row explains, such as in a generated column whose formula was changed: replacing rows does not mend them. */
async function readLeft(
  tx: OrganisationTx,
  { looked, differences, isDryRun }: { looked: Looked; differences: readonly LogDifferences[]; isDryRun: boolean },
): Promise<Looked['differences']> {
  if (!isDryRun) return looked.compare(tx)
  return differences.some(({ keys }) => keys.length) ? [] : looked.differences
}
