import { and, eq, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { findEngine } from '../../../domain/calculation/engines/engines.ts'
import { foldItems } from '../../../domain/changes/itemLog.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { budgetItems, budgetPay, postedLines, staffCosts } from '../../../drizzle/costTables.ts'
import { budgetChangesByDay, budgets } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { OutsideAnchor } from '../../core/stream/anchorFiles.ts'
import { type ItemStreamName, type LocationStream, listItemProjections, projectItems } from '../../core/stream/itemStream.ts'
import { restoreCosts } from '../../shared/costing/costs/commands.ts'
import { budgetProjections, writeProjectionsFromLog } from '../../streams/budget/stream.ts'
import { monitoringStream } from '../../streams/monitoring/stream.ts'
import { payrollStream } from '../../streams/payroll/stream.ts'
import { compareBudgetTables } from '../compare/compare.ts'
import { checkLocationLog, type LocationLogKind, labelLocationLog, listLoggedLocations, locationLogKinds } from '../replay/locationLogs.ts'
import { createInputsReader, listReferencedBudgets, readStoredBudgetLog, type StoredBudgetLog } from '../replay/logSource.ts'
import { replayBudget } from '../replay/replayBudget.ts'
import type { ReplayedBudget } from '../replay/replayLog.ts'
import { mapHeadsByLog, readChain } from '../verify/chain.ts'
import { type AuditFinding, containsHead } from '../verify/verify.ts'
import { addAnchoredBudgets, verifyBudgetLog } from '../verify/verifyAll.ts'

/** A log whose projections can be rebuilt. */
export interface RebuildableLog {
  /** For example "budget 15514b59c826c06bd335c574". */
  label: string
  tables: readonly PgTable[]
  /** The SQL condition that selects the rows of this log in one of its tables. */
  rowCondition: (table: PgTable) => SQL
  /** Reads the log and compares the tables with it, as `verify` and `replay` do. */
  inspect: (tx: OrganisationTx) => Promise<Inspection>
  /** Locks the log as a save does. */
  lock: (tx: OrganisationTx) => Promise<void>
  /** Reads the version at which the log ends now. */
  readLastVersion: (tx: OrganisationTx) => Promise<number>
}

/** The result of reading a log and comparing its tables with it. */
interface Inspection {
  version: number
  /** What is wrong with the log itself. Unless this is empty, projections must not be built from the log. */
  damage: AuditFinding[]
  differences: AuditFinding[]
  /** Tables that this version cannot build from the log, and why. */
  notReproducible: { tables: readonly PgTable[]; reason: string } | null
  /** Compares the tables once more with the log as `inspect` read it. */
  compare: (tx: OrganisationTx) => Promise<AuditFinding[]>
  /** Writes the projections into tables that have no rows of this log. */
  build: (tx: OrganisationTx) => Promise<void>
}

const notBuilt = { version: 0, differences: [], notReproducible: null, compare: async () => [], build: async () => undefined }

/** The projections, by the kind of log from which they are built. */
export const projections: readonly { kind: 'budget' | ItemStreamName; tables: readonly PgTable[] }[] = [
  { kind: 'budget', tables: budgetProjections },
  { kind: 'monitoring', tables: listItemProjections(monitoringStream) },
  { kind: 'payroll', tables: listItemProjections(payrollStream) },
]

/** Lists the budget logs of an organisation, including budgets that only the chain or an anchor outside the database still names. */
export async function listBudgetLogs(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { only, outside }: { only: string | undefined; outside: readonly OutsideAnchor[] },
): Promise<RebuildableLog[]> {
  const referenced = addAnchoredBudgets(await listReferencedBudgets(tx, organisationId), organisationId, outside)
  const chained = await tx.execute<{ id: BudgetId }>(sql`
    select distinct subject as id from log_chain where organisation_id = ${organisationId} and kind = 'budget'`)
  const ids = [...new Set([...referenced, ...chained].map(({ id }) => id))].sort()
  return ids.filter((id) => !only || id === only).map((budgetId) => toBudgetLog({ organisationId, budgetId }, outside))
}

function toBudgetLog(
  { organisationId, budgetId }: { organisationId: OrganisationId; budgetId: BudgetId },
  outside: readonly OutsideAnchor[],
): RebuildableLog {
  return {
    label: `budget ${budgetId}`,
    tables: budgetProjections,
    rowCondition: (table) =>
      sql`organisation_id = ${organisationId} and ${sql.identifier(getTableName(table) === 'budgets' ? 'id' : 'budget_id')} = ${budgetId}`,
    inspect: async (tx) => {
      const source = await readStoredBudgetLog(tx, organisationId, budgetId)
      const heads = mapHeadsByLog(await readChain(tx, organisationId, { kind: 'budget', subject: budgetId }), 'budget')
      const [row] = await tx
        .select({ version: budgets.version, lastHash: budgets.lastHash })
        .from(budgets)
        .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId)))
      // A row that is missing or behind its log can be rebuilt. A row at a version that the log lacks may be the only trace of an event.
      const isExplained = source.records.length > 0 && (!row || containsHead(source.records, row))
      const damage = await verifyBudgetLog(tx, source, { head: isExplained ? null : (row ?? 'gone'), heads, outside })
      if (damage.length) return { ...notBuilt, damage }
      // Without a transaction, this does not compare tables: it only finds recalculations whose result differs from the log.
      const { replayed, findings } = await replayBudget(source, null)
      if (findings.length) return { ...notBuilt, damage: findings }
      const inputsOf = createInputsReader(source)
      const compare = (within: OrganisationTx) => compareBudgetTables({ tx: within, organisationId, budgetId }, replayed, inputsOf)
      const engines = listMissingEngines(replayed)
      return {
        version: source.records.at(-1)?.version ?? 0,
        damage,
        differences: await compare(tx),
        notReproducible: engines.length
          ? {
              tables: [staffCosts, postedLines, budgetPay, budgetItems],
              reason: `Its figures were recorded by engine ${engines.join(', ')}, which this version of Bursar does not have.`,
            }
          : null,
        compare,
        build: (within) => buildBudget(within, source, { replayed, hasEngines: !engines.length }),
      }
    },
    lock: async (tx) =>
      void (await tx.execute(sql`select from public.budgets where organisation_id = ${organisationId} and id = ${budgetId} for update`)),
    readLastVersion: (tx) => findLastVersion(tx, sql`budget_events where organisation_id = ${organisationId} and budget_id = ${budgetId}`),
  }
}

/** The engines that calculated figures in the tables and that this version lacks. */
function listMissingEngines({ state, costs }: ReplayedBudget): string[] {
  const entries = [...state.items.values()].flatMap((stored) => (stored.kind === 'entry' ? [stored.item.basis.engine] : []))
  const engines = [...[...costs.values()].map((cost) => cost.engine), state.recalculated?.engine, ...entries]
  return [...new Set(engines.flatMap((engine) => (engine && !findEngine(engine) ? [engine] : [])))]
}

/** Writes the projections of a budget as saves, recalculations and the trigger on the log would have written them. */
async function buildBudget(
  tx: OrganisationTx,
  { organisationId, budgetId, events }: StoredBudgetLog,
  { replayed, hasEngines }: { replayed: ReplayedBudget; hasEngines: boolean },
): Promise<void> {
  const days = [...replayed.days].map(([key, day]) => {
    const [date, actorId] = key.split(' ')
    return { ...day, day: date, actorId: actorId ? Number(actorId) : null }
  })
  await tx.execute(sql`
    insert into ${budgetChangesByDay} (organisation_id, budget_id, day, actor_id, changes, version, at)
    select ${organisationId}, ${budgetId}, day, "actorId", changes, version, at
    from json_to_recordset(${JSON.stringify(days)}::json) as row(day date, "actorId" integer, changes integer, version integer, at timestamptz)`)
  const projected = await writeProjectionsFromLog({ tx }, events)
  if (!projected || !hasEngines) return
  const { row, state } = projected
  await restoreCosts({ tx, organisationId, budgetId }, { row, log: events, contracts: state.contracts })
  // Several recalculations may have produced the same result. Keep the version in the live table if it is one of those recalculations;
  // otherwise take the first.
  const since = [...replayed.costs].map(([id, cost]) => ({ id, since: cost.sameResultVersions }))
  await tx.execute(sql`
    update ${staffCosts} as made set version = case when live.version = any(cost.since) then live.version else cost.since[1] end
    from json_to_recordset(${JSON.stringify(since)}::json) as cost(id char(24), since integer[])
    left join public.staff_costs live on live.organisation_id = ${organisationId} and live.budget_id = ${budgetId} and live.contract_id = cost.id
    where made.contract_id = cost.id`)
}

/** Lists the logs of one kind, monitoring or payroll, of an organisation. */
export async function listLocationLogs(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  kind: ItemStreamName,
): Promise<RebuildableLog[]> {
  const listed = async <Name extends ItemStreamName, Item>(logs: LocationLogKind<Name, Item>): Promise<RebuildableLog[]> =>
    (await listLoggedLocations(tx, organisationId, logs.stream)).map((locationId) => toLocationLog({ organisationId, locationId }, logs))
  return kind === 'monitoring' ? listed(locationLogKinds.monitoring) : listed(locationLogKinds.payroll)
}

function toLocationLog<Name extends ItemStreamName, Item>(
  { organisationId, locationId }: LocationStream,
  logs: LocationLogKind<Name, Item>,
): RebuildableLog {
  const { stream } = logs
  const kind: ItemStreamName = stream.name
  const rowCondition = sql`organisation_id = ${organisationId} and location_id = ${locationId}`
  const tables = listItemProjections(stream)
  const heads = sql`public.${sql.identifier(getTableName(assertDefined(tables[0])))}`
  return {
    label: labelLocationLog(kind, { organisationId, locationId }),
    tables,
    rowCondition: () => rowCondition,
    inspect: async (tx) => {
      const links =
        mapHeadsByLog(await readChain(tx, organisationId, { kind, subject: String(locationId) }), kind).get(String(locationId)) ?? []
      const check = (within: OrganisationTx) => checkLocationLog({ tx: within, organisationId, locationId }, logs, links)
      const { events, damage, differences } = await check(tx)
      const last = events.at(-1)
      return {
        version: last?.version ?? 0,
        damage,
        differences,
        notReproducible: null,
        compare: async (within) => (await check(within)).differences,
        build: async (within) => {
          const state = foldItems(stream.evolve, events)
          await projectItems(stream, { tx: within, organisationId, locationId }, { state, last: assertDefined(last) })
        },
      }
    },
    lock: async (tx) => void (await tx.execute(sql`select from ${heads} where ${rowCondition} for update`)),
    readLastVersion: (tx) => findLastVersion(tx, sql`${sql.identifier(`${kind}_events`)} where ${rowCondition}`),
  }
}

async function findLastVersion(tx: OrganisationTx, log: SQL): Promise<number> {
  const [row] = await tx.execute<{ version: number }>(sql`select coalesce(max(version), 0)::integer as version from ${log}`)
  return assertDefined(row).version
}
