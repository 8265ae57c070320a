import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { BulkSelection, ListRequest, Paged } from '../../../domain/lists/lists.ts'
import { budgetState, organisationType as kind } from '../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../domain/resources/all.ts'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { findBudgetYearOfDate, findBudgetYearStart } from '../../../domain/values/calendar.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { BudgetGroupId, BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import { budgetGroupMembers, budgets, organisations } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { buildDocumentIdArray, buildIntegerArray, type StoredColumn } from '../../resources/listConditions.ts'
import {
  buildCalculatedColumn,
  buildLondonDayColumn,
  createTextSearch,
  type ListSource,
  orderByIds,
  readListPage,
  resolveSelectedIds,
} from '../../resources/listPages.ts'
import { readRecord } from '../../resources/queries.ts'
import { listUnfilledBudgets } from '../../streams/budget/jobs.ts'
import { loadBudget } from '../../streams/budget/queries.ts'
import { readCostStates, upToDateState } from '../recalculation/queries.ts'
import { presentBudget, type ShownBudget } from './rows.ts'

export async function readGroupIdsByBudget(tx: OrganisationTx, organisationId: OrganisationId): Promise<Map<string, BudgetGroupId>> {
  const rows = await tx
    .select({ id: budgetGroupMembers.groupId, budgetId: budgetGroupMembers.budgetId })
    .from(budgetGroupMembers)
    .where(eq(budgetGroupMembers.organisationId, organisationId))
  return new Map(rows.map((row) => [row.budgetId, row.id] as const))
}

/** The budgets of an organisation at some locations; null for all locations. */
export interface BudgetListScope {
  organisationId: OrganisationId
  locationIds: readonly LocationId[] | null
}

const inHead = (path: string): SQL => sql.raw(`(b.head #>> '{${path}}')`)
const headNumber = (name: string): StoredColumn => ({ value: sql`${inHead(name)}::integer`, kind: 'number' })
const isLocked = sql`coalesce(${inHead('locked')}::boolean, false)`

/** The list of the budgets at some locations. Whether their figures are up to date is computed only if the request needs it. */
async function buildBudgetList(
  tx: OrganisationTx,
  { organisationId, locationIds }: BudgetListScope,
  { filters, sort }: Pick<ListRequest, 'filters' | 'sort'>,
): Promise<ListSource> {
  const names = new Set([...(filters ?? []).map((item) => item.filter), sort])
  const isOfCosts = names.has('recalculationState') || names.has('requiredReason')
  const costs = isOfCosts ? [...(await readCostStates(tx, organisationId))] : []
  const stateOf = buildCalculatedColumn(
    sql`b.id`,
    costs.map(([id, { state }]) => [id, state]),
    'number',
  )
  const reasonOf = buildCalculatedColumn(
    sql`b.id`,
    costs.map(([id, { reason }]) => [id, reason]),
    'text',
  )
  const unfilled = sql`budget_job_items j where j.organisation_id = b.organisation_id and j.budget_id = b.id and j.done_at is null`
  return {
    from: sql`budgets b`,
    where: sql`b.organisation_id = ${organisationId} and ${locationIds ? sql`b.location_id = any(${buildIntegerArray(locationIds)})` : sql`true`}`,
    id: sql`b.id`,
    columns: {
      mongoId: { value: sql`b.id`, kind: 'text' },
      name: { value: sql`b.name`, kind: 'text' },
      locationId: { value: sql`b.location_id`, kind: 'number' },
      budgetGroupId: {
        value: sql`(select g.group_id from budget_group_members g where g.organisation_id = b.organisation_id and g.budget_id = b.id)`,
        kind: 'text',
      },
      firstYear: headNumber('firstYear'),
      startMonth: headNumber('startMonth'),
      state: { value: sql`(case when ${isLocked} then ${budgetState.locked} else ${budgetState.open} end)::integer`, kind: 'number' },
      lockedAt: { value: sql`${inHead('lockedAt')}::timestamptz`, kind: 'moment' },
      lockedById: headNumber('lockedById'),
      sourceBudgetId: { value: inHead('source,budgetId'), kind: 'text' },
      versionType: headNumber('versionType'),
      approval: { value: inHead('approval,state'), kind: 'text' },
      isBeingMade: { value: sql`exists (select from ${unfilled} and j.failure is null)`, kind: 'flag' },
      notMade: { value: sql`(select j.failure from ${unfilled})`, kind: 'text' },
      numberOfYears: headNumber('numberOfYears'),
      staffAssumptionsId: headNumber('staffAssumptionsId'),
      contractTypeIds: {
        value: sql`array(select value::integer from jsonb_array_elements_text(b.head -> 'contractTypeIds'))`,
        kind: 'ids',
      },
      inflationId: headNumber('inflationId'),
      savedAt: { value: sql`b.saved_at`, kind: 'moment' },
      savedById: { value: sql`b.saved_by_id`, kind: 'number' },
      recalculatedAt: { value: sql`(b.recalculated ->> 'at')::timestamptz`, kind: 'moment' },
      recalculationState: {
        value: sql`(case when ${isLocked} then ${upToDateState.state} else coalesce(${stateOf.value}, ${upToDateState.state}) end)::integer`,
        kind: 'number',
      },
      requiredReason: { value: sql`(case when not ${isLocked} then ${reasonOf.value} end)`, kind: 'text' },
      created: buildLondonDayColumn(sql`b.created`),
      version: { value: sql`b.version`, kind: 'number' },
    },
    search: createTextSearch([sql`b.name`]),
    defaultSort: 'name',
    ties: sql`b.name, b.location_id, b.id`,
  }
}

/** One page of the budgets at some locations. */
export async function readBudgetPage(tx: OrganisationTx, scope: BudgetListScope, request: ListRequest): Promise<Paged<ShownBudget>> {
  const { organisationId } = scope
  const { ids, total } = await readListPage<BudgetId>(tx, await buildBudgetList(tx, scope, request), request)
  const wanted = tx
    .select({ row: budgets, groupId: budgetGroupMembers.groupId })
    .from(budgets)
    .leftJoin(
      budgetGroupMembers,
      and(eq(budgetGroupMembers.organisationId, budgets.organisationId), eq(budgetGroupMembers.budgetId, budgets.id)),
    )
    .where(and(eq(budgets.organisationId, organisationId), sql`${budgets.id} = any(${buildDocumentIdArray(ids)})`))
  const [rows, making, costs] = await Promise.all([wanted, listUnfilledBudgets(tx, organisationId), readCostStates(tx, organisationId)])
  return {
    rows: orderByIds(ids, rows, ({ row }) => row.id).map(({ row, groupId }) =>
      presentBudget(row, { groupId, making: making.get(row.id), costs: costs.get(row.id) }),
    ),
    total,
  }
}

/**
 * The ids of the budgets that a bulk action applies to.
 * @returns null if a selected budget is not at these locations
 */
export async function resolveSelectedBudgets(
  tx: OrganisationTx,
  scope: BudgetListScope,
  selection: BulkSelection,
): Promise<BudgetId[] | null> {
  return resolveSelectedIds(tx, await buildBudgetList(tx, scope, selection), selection)
}

/** A budget with its group and whether its figures are up to date, as stored in the transaction so far. */
export async function readShownBudget(tx: OrganisationTx, row: BudgetRow) {
  const { id, organisationId } = row
  const [groups, making, costs] = await Promise.all([
    readGroupIdsByBudget(tx, organisationId),
    listUnfilledBudgets(tx, organisationId),
    readCostStates(tx, organisationId),
  ])
  return presentBudget(row, { groupId: groups.get(id) ?? null, making: making.get(id), costs: costs.get(id) })
}

/** A budget that the caller may see. @throws DomainError 404 */
export async function loadVisibleBudget(
  tx: OrganisationTx,
  ctx: { organisationId: OrganisationId; holder: { locationIds: LocationId[] | null } },
  id: BudgetId,
): Promise<BudgetRow> {
  const row = await loadBudget({ ...ctx, tx }, id)
  if (ctx.holder.locationIds && !ctx.holder.locationIds.includes(row.locationId)) throw notFound('Budget')
  return row
}

/** The type of an organisation, which determines the start of its year. */
export async function readOrganisationType(tx: OrganisationTx, organisationId: OrganisationId): Promise<number> {
  const row = requireSingleRow(await tx.select().from(organisations).where(eq(organisations.id, organisationId)))
  return row.organisationType
}

/** The defaults of a new budget: the tables with an effective date, the first assumptions, and all contract types of the locations. */
export async function readBudgetDefaults({ tx, organisationId, now }: Call<'organisationId' | 'now'>, locationIds: LocationId[]) {
  const tables = await readResourceRecords(tx, resources.adminTable)
  const assumptions = await readResourceRecords(tx, resources.staffAssumptions)
  const types = await readResourceRecords(tx, resources.contractType)
  const year = findBudgetYearOfDate(dayInLondon(now), getStartMonth(await readOrganisationType(tx, organisationId)))
  const inflations = await readResourceRecords(tx, resources.inflation)
  /** Custom tables carry their own effective date. */
  const datedTables = async (name: 'topSliceTable' | 'gagPoolTable') =>
    (await readResourceRecords(tx, resources[name]))
      .filter((table) => table.active)
      .map(({ effectiveDate, id }) => ({ effectiveDate, adminTableId: id }))
  const dated = (type: number) =>
    tables
      .filter((table) => table.type === type && table.active)
      .flatMap(({ id, effectiveDate }) => (effectiveDate ? [{ effectiveDate, adminTableId: id }] : []))
  const startMonth = getStartMonth(await readOrganisationType(tx, organisationId))
  // Funding applies to a whole budget year, whenever its rates were published.
  const funding = dated(5).map((row) => ({ ...row, effectiveDate: findBudgetYearStart(row.effectiveDate, startMonth) }))
  const maxima = await Promise.all(
    locationIds.map(
      async (id) =>
        (await readRecord({ tx, scope: { organisationId, locationIds: null, isAdministrator: false } }, resources.location, { id }))
          .maximumBudgetYears,
    ),
  )
  return {
    id: null,
    budgetId: null,
    name: `${year}/${String((year + 1) % 100).padStart(2, '0')} Working`,
    locationIds,
    firstYear: year,
    numberOfYears: maxima.length ? Math.min(...maxima) : 3,
    staffAssumptionsId: assumptions[0]?.id ?? null,
    inflationId: inflations[0]?.id ?? null,
    contractTypeIds: types
      .filter((type) => !type.locations.length || locationIds.every((id) => type.locations.includes(id)))
      .map((type) => type.id),
    teacherPayScales: dated(1),
    supportPayScales: dated(2),
    customTeacherPayScales: [],
    customSupportPayScales: [],
    nationalInsurance: dated(3),
    extendedLeaveRates: dated(4),
    localAuthorityFundingRates: funding,
    topSliceTables: await datedTables('topSliceTable'),
    gagPoolTables: await datedTables('gagPoolTable'),
    version: null,
  }
}

/** A trust's year starts in September, a maintained school's in April (rules.md §1). */
export function getStartMonth(organisationType: number): number {
  return organisationType === kind.multiAcademyTrust || organisationType === kind.singleAcademyTrust ? 9 : 4
}
