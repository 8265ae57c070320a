import { and, asc, eq, inArray } from 'drizzle-orm'
import type { BudgetHead } from '../../../domain/budget/budget.ts'
import { findFundingYear } from '../../../domain/budget/fundingYear.ts'
import { calculateEntryYears } from '../../../domain/budget/items/budgetEntry.ts'
import { findLinkedEntry } from '../../../domain/budget/items/decideItems.ts'
import type { FundingPrediction } from '../../../domain/budget/items/fundingPrediction.ts'
import type { ItemByKind, ItemKind, StoredItem } from '../../../domain/budget/items/item.ts'
import type { Figure } from '../../../domain/calculation/inputs.ts'
import { calculateRows } from '../../../domain/calculation/nonStaffing/calculator.ts'
import { calculateFunding, type FundingCalculation } from '../../../domain/calculation/nonStaffing/funding.ts'
import { type CountedRow, rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { adminTableType } from '../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { budgetItems } from '../../../drizzle/costTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readReferenceThroughCache } from '../../core/database/readOnce.ts'
import { getResourceTable, readResourceRecords } from '../../core/database/tables.ts'
import { asItemOfKind, loadItemsOfKinds } from '../../streams/budget/items.ts'

/** The pupil numbers of a budget with roll-ups; empty if none were entered. */
export async function readPupilCounts(tx: OrganisationTx, organisationId: OrganisationId, head: BudgetHead): Promise<CountedRow[]> {
  return (await readPupilCountsByBudget(tx, organisationId, [head])).get(head.id) ?? []
}

/** The pupil numbers of many budgets, by id. */
export async function readPupilCountsByBudget(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  heads: readonly BudgetHead[],
): Promise<Map<BudgetId, CountedRow[]>> {
  const { budgetId, kind, created, id, item } = budgetItems
  const ids = heads.map((head) => head.id)
  const rows = await tx
    .select({ budgetId, item })
    .from(budgetItems)
    .where(and(eq(budgetItems.organisationId, organisationId), inArray(budgetId, ids), eq(kind, 'pupils')))
    .orderBy(asc(created), asc(id))
  return new Map(
    heads.flatMap((head) => {
      const typed = rows.find((row) => row.budgetId === head.id)
      return typed ? [[head.id, rollUpPupils(typed.item, head)]] : []
    }),
  )
}

const rollUpPupils = (item: ItemByKind[ItemKind], { numberOfYears }: BudgetHead): CountedRow[] =>
  rollUpPupilCounts(asItemOfKind('pupils', item).rows, numberOfYears)

/**
 * The rates of a funding table for a location's authority, in pounds by category, and the budget year they apply to,
 * from 0.
 */
export async function readFundingTable(
  tx: OrganisationTx,
  head: BudgetHead,
  tableId: number,
): Promise<{ name: string; tableYear: number; rates: Map<number, number> } | null> {
  const { locationId } = head
  const { found } = await readReferenceThroughCache(tx, `funding table ${tableId} at ${locationId}`, async () => ({
    found: await readRates(tx, locationId, tableId),
  }))
  return found && { name: found.name, rates: found.rates, tableYear: findFundingYear(head, tableId, found.effectiveDate) }
}

async function readRates(tx: OrganisationTx, locationId: LocationId, tableId: number) {
  const [[table], [location]] = await Promise.all([
    readResourceRecords(tx, resources.adminTable, { column: 'id', ids: [tableId] }),
    readResourceRecords(tx, resources.location, { column: 'id', ids: [locationId] }),
  ])
  if (table?.type !== adminTableType.fundingRates || !location) return null
  const { table: rates, columns } = getResourceTable(resources.localAuthorityFundingRate)
  const rows = await tx
    .select({ category: columns.category, value: columns.value })
    .from(rates)
    .where(and(eq(columns.adminTable, tableId), eq(columns.localAuthority, location.localAuthorityId)))
    .orderBy(asc(columns.category))
  return { name: table.name, effectiveDate: table.effectiveDate, rates: new Map(rows.map((row) => [row.category, row.value])) }
}

/** Calculates a prediction with current rates and pupil numbers. */
export async function calculatePrediction(
  tx: OrganisationTx,
  head: BudgetHead,
  { prediction: { versionId, rows }, pupils }: { prediction: Pick<FundingPrediction, 'versionId' | 'rows'>; pupils: readonly CountedRow[] },
): Promise<FundingCalculation & { rates: Map<number, number>; tableYear: number }> {
  const table = await readFundingTable(tx, head, versionId)
  const tableYear = table?.tableYear ?? 0
  const rates = table?.rates ?? new Map<number, number>()
  return { ...calculateFunding({ rows, rates, pupils, years: head.numberOfYears, tableYear }), rates, tableYear }
}

/** The entries that differ from the current result of their calculation or prediction. */
export async function findOutdatedEntries(
  { tx, organisationId }: Call<'organisationId'>,
  head: BudgetHead,
  entries: readonly StoredItem<'entry'>[] | Promise<readonly StoredItem<'entry'>[]>,
): Promise<Set<string>> {
  const stale = new Set<string>()
  const isLinked = (entry: StoredItem<'entry'>): boolean => entry.item.source !== null
  if ('filter' in entries && !entries.some(isLinked)) return stale
  const [all, sources] = await Promise.all([entries, loadSources({ tx, organisationId }, head)])
  const linked = all.filter(isLinked)
  if (!linked.length) return stale
  const isStale = (entry: StoredItem<'entry'>, code: number, total: readonly Figure[]): boolean =>
    entry.item.budgetCodeId !== code ||
    calculateEntryYears(entry.item, head.numberOfYears).some(({ amount }, year) => amount !== total[year])
  const totals = await calculateTotals(tx, head, sources)
  for (const kind of ['calculation', 'prediction'] as const)
    for (const { id, item } of sources[kind]) {
      const entry = findLinkedEntry(linked, { kind, id })
      if (entry && isStale(entry, item.budgetCodeId, assertDefined(totals.get(id)))) stale.add(entry.id)
    }
  return stale
}

/** The data from which entries are calculated. */
interface Sources {
  calculation: StoredItem<'calculation'>[]
  prediction: StoredItem<'prediction'>[]
  pupils: CountedRow[]
}

async function loadSources({ tx, organisationId }: Call<'organisationId'>, head: BudgetHead): Promise<Sources> {
  const items = await loadItemsOfKinds({ tx, organisationId, budgetId: head.id }, ['calculation', 'prediction', 'pupils'])
  const typed = items.find((one) => one.kind === 'pupils')
  return {
    calculation: items.filter((one) => one.kind === 'calculation'),
    prediction: items.filter((one) => one.kind === 'prediction'),
    pupils: typed ? rollUpPupils(typed.item, head) : [],
  }
}

/** The current result of each calculation and prediction of a budget, by id: whole pennies for each year. */
export async function readCalculationResults(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  head: BudgetHead,
): Promise<Map<string, Figure[]>> {
  return calculateTotals(tx, head, await loadSources({ tx, organisationId }, head))
}

async function calculateTotals(
  tx: OrganisationTx,
  head: BudgetHead,
  { calculation, prediction, pupils }: Sources,
): Promise<Map<string, Figure[]>> {
  const calculated = calculation.map(({ id, item }): [string, Figure[]] => [id, calculateRows(item.rows, head.numberOfYears).total])
  const predicted = prediction.map(
    async ({ id, item }): Promise<[string, Figure[]]> => [id, (await calculatePrediction(tx, head, { prediction: item, pupils })).total],
  )
  return new Map([...calculated, ...(await Promise.all(predicted))])
}

/**
 * The funding tables with rates for the location's authority: those of the budget, otherwise all active ones (behaviour
 * B-154).
 */
export async function listFundingTables(tx: OrganisationTx, head: BudgetHead, now: Date) {
  const location = requireSingleRow(await readResourceRecords(tx, resources.location, { column: 'id', ids: [head.locationId] }))
  const { table, columns } = getResourceTable(resources.localAuthorityFundingRate)
  const withRates = await tx
    .selectDistinct({ id: columns.adminTable })
    .from(table)
    .where(eq(columns.localAuthority, location.localAuthorityId))
    .orderBy(asc(columns.adminTable))
  const named = new Set(head.elements.localAuthorityFundingRates.map((row) => row.adminTableId))
  const tables = await readResourceRecords(tx, resources.adminTable, { column: 'id', ids: withRates.map((row) => Number(row.id)) })
  return tables
    .filter((one) => (named.size ? named.has(one.id) : one.active))
    .map((one) => {
      const year = head.firstYear + findFundingYear(head, one.id, one.effectiveDate)
      // Rates of a year that has not started may still change.
      const isFinal = dayInLondon(now) >= `${year}-${String(head.startMonth).padStart(2, '0')}-01`
      return { id: one.id, name: one.name, type: isFinal ? 2 : 1, yearName: formatBudgetYear(year, 0) }
    })
    .sort((a, b) => b.yearName.localeCompare(a.yearName))
}
