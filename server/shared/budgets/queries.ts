import { and, asc, eq, inArray } from 'drizzle-orm'
import { organisationType as kind } from '../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../domain/resources/all.ts'
import { onlyRow } from '../../../domain/values/assertDefined.ts'
import { budgetYearOfDate, budgetYearStart } from '../../../domain/values/calendar.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { BudgetGroupId, BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import { budgetGroupMembers, budgets, organisations } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { rowsOf } from '../../core/database/tables.ts'
import { get as getRecord } from '../../resources/queries.ts'
import { notFilled } from '../../streams/budget/jobs.ts'
import { loadBudget } from '../../streams/budget/queries.ts'
import { costStates } from '../recalculation/queries.ts'
import { shownBudget } from './rows.ts'

export async function groupIds(tx: OrganisationTx, organisationId: OrganisationId): Promise<Map<string, BudgetGroupId>> {
  const rows = await tx
    .select({ id: budgetGroupMembers.groupId, budgetId: budgetGroupMembers.budgetId })
    .from(budgetGroupMembers)
    .where(eq(budgetGroupMembers.organisationId, organisationId))
  return new Map(rows.map((row) => [row.budgetId, row.id] as const))
}

export async function budgetRows(tx: OrganisationTx, organisationId: OrganisationId, locationIds: readonly LocationId[] | null) {
  const rows = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), locationIds ? inArray(budgets.locationId, [...locationIds]) : undefined))
    .orderBy(asc(budgets.name))
  const groups = await groupIds(tx, organisationId)
  const making = await notFilled(tx, organisationId)
  const costs = await costStates(tx, organisationId)
  return rows.map((row) => shownBudget(row, { groupId: groups.get(row.id) ?? null, making: making.get(row.id), costs: costs.get(row.id) }))
}

/** A budget with its group and whether its figures are up to date, as the transaction sees them. */
export async function shownAsItStands(tx: OrganisationTx, row: BudgetRow) {
  const { id, organisationId } = row
  return shownBudget(row, {
    groupId: (await groupIds(tx, organisationId)).get(id) ?? null,
    making: (await notFilled(tx, organisationId)).get(id),
    costs: (await costStates(tx, organisationId)).get(id),
  })
}

/** A budget that the caller may see. @throws DomainError 404 */
export async function visibleBudget(
  tx: OrganisationTx,
  ctx: { organisationId: OrganisationId; holder: { locationIds: LocationId[] | null } },
  id: BudgetId,
): Promise<BudgetRow> {
  const row = await loadBudget({ ...ctx, tx }, id)
  if (ctx.holder.locationIds && !ctx.holder.locationIds.includes(row.locationId)) throw notFound('Budget')
  return row
}

/** The kind of an organisation, by which the start of its year is known. */
export async function organisationTypeOf(tx: OrganisationTx, organisationId: OrganisationId): Promise<number> {
  const row = onlyRow(await tx.select().from(organisations).where(eq(organisations.id, organisationId)))
  return row.organisationType
}

/** What a new budget starts from: the tables that have an effective date, the first assumptions, all contract types of the locations. */
export async function template({ tx, organisationId, now }: Call<'organisationId' | 'now'>, locationIds: LocationId[]) {
  const tables = await rowsOf(tx, resources.adminTable)
  const assumptions = await rowsOf(tx, resources.staffAssumptions)
  const types = await rowsOf(tx, resources.contractType)
  const year = budgetYearOfDate(dayInLondon(now), startMonthOf(await organisationTypeOf(tx, organisationId)))
  const inflations = await rowsOf(tx, resources.inflation)
  /** Own tables say their date themselves. */
  const own = async (name: 'topSliceTable' | 'gagPoolTable') =>
    (await rowsOf(tx, resources[name]))
      .filter((table) => table.active)
      .map(({ effectiveDate, id }) => ({ effectiveDate, adminTableId: id }))
  const dated = (type: number) =>
    tables
      .filter((table) => table.type === type && table.active)
      .flatMap(({ id, effectiveDate }) => (effectiveDate ? [{ effectiveDate, adminTableId: id }] : []))
  const startMonth = startMonthOf(await organisationTypeOf(tx, organisationId))
  // Funding is of a whole budget year, whenever in it the rates came out.
  const funding = dated(5).map((row) => ({ ...row, effectiveDate: budgetYearStart(row.effectiveDate, startMonth) }))
  const maxima = await Promise.all(
    locationIds.map(
      async (id) =>
        (await getRecord({ tx, scope: { organisationId, locationIds: null, isAdministrator: false } }, resources.location, { id }))
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
    topSliceTables: await own('topSliceTable'),
    gagPoolTables: await own('gagPoolTable'),
    version: null,
  }
}

/** A trust's year starts in September, a maintained school's in April (rules.md §1). */
export function startMonthOf(organisationType: number): number {
  return organisationType === kind.multiAcademyTrust || organisationType === kind.singleAcademyTrust ? 9 : 4
}
