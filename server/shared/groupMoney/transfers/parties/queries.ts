import { sql } from 'drizzle-orm'
import type { Figure } from '../../../../../domain/calculation/inputs.ts'
import { type CountedRow, countFundedPupils } from '../../../../../domain/calculation/nonStaffing/pupils.ts'
import type { PoolRule, SliceRule, Transfer, TransferParty } from '../../../../../domain/calculation/nonStaffing/transfers.ts'
import { budgetCodeCategory, budgetCodeType, gagPoolMethod, gagPoolShare } from '../../../../../domain/lookups/lookupIds.ts'
import { resources } from '../../../../../domain/resources/all.ts'
import type { BudgetTableKind } from '../../../../../domain/resources/entities/budget/budget.ts'
import { findEffectiveRow, firstDayOfMonth, formatBudgetYear, toDay } from '../../../../../domain/values/calendar.ts'
import type { BudgetId, OrganisationId } from '../../../../../domain/values/ids.ts'
import type { BudgetRow } from '../../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../../core/database/database.ts'
import { readResourceRecords } from '../../../../core/database/tables.ts'
import { completeMonthSums } from '../../../../streams/budget/monthSums.ts'
import { readPupilCountsByBudget } from '../../../funding/queries.ts'
import { contributesToTransfers, incomeCodesQuery } from '../queries.ts'

/** One budget of a group in one of its years. */
export interface Party extends TransferParty {
  budget: BudgetRow
}

export type PostingsByBudget = Map<BudgetId, { transfers: Transfer[]; problems: Set<string> }>

/** Every year of every budget, with its income by code, and its pupils if one of the tables uses them. */
export async function readParties(tx: OrganisationTx, organisationId: OrganisationId, rows: readonly BudgetRow[]): Promise<Party[]> {
  if (!rows.length) return []
  const isShared = rows.some(({ head }) => contributesToTransfers(head))
  const income = isShared ? await readIncomeByYear(tx, organisationId, rows) : new Map<string, Map<number, Figure[]>>()
  const locationsById = new Map((await readResourceRecords(tx, resources.location)).map((location) => [location.id, location]))
  const heads = rows.map((row) => row.head)
  const counted = isShared ? await readPupilCountsByBudget(tx, organisationId, heads) : new Map<BudgetId, CountedRow[]>()
  const parties: Party[] = []
  for (const budget of rows) {
    const { head } = budget
    const { years: pupils } = countFundedPupils(counted.get(budget.id) ?? [], null)
    for (let year = 0; year < head.numberOfYears; year++) {
      parties.push({
        budget,
        locationId: head.locationId,
        isCentral: Boolean(locationsById.get(head.locationId)?.central),
        year,
        income: income.get(`${budget.id} ${year}`) ?? new Map(),
        pupils: pupils[year] ?? null,
        lockedTransfers: head.locked ? (budget.transfers?.transfers ?? []).filter((one) => one.year === year) : null,
      })
    }
  }
  return parties
}

/** The monthly income of budgets, by budget and year, then by code. */
async function readIncomeByYear(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  rows: readonly BudgetRow[],
): Promise<Map<string, Map<number, Figure[]>>> {
  const sums = await tx.execute<{ budget_id: BudgetId; year: number; code: number; months: Figure[] }>(sql`
    select budget_id, year, budget_code_id as code, ${completeMonthSums} as months from budget_lines
    where organisation_id = ${organisationId} and source_kind = 'entry' and budget_code_id in (${incomeCodesQuery})
      and budget_id in (${sql.join(
        rows.map((row) => sql`${row.id}`),
        sql`, `,
      )})
    group by 1, 2, 3`)
  const income = new Map<string, Map<number, Figure[]>>()
  for (const { budget_id: budget, year, code, months } of sums) {
    const key = `${budget} ${year}`
    income.set(key, (income.get(key) ?? new Map<number, Figure[]>()).set(code, months))
  }
  return income
}

/**
 * Groups years that start in the same month, with one budget for each location: the one with frozen lines, otherwise the first in the
 * group. Budgets that are left out get a problem that says so.
 */
export function groupPartiesByStartMonth(parties: readonly Party[], posted: PostingsByBudget): Party[][] {
  const byMonth = new Map<string, Party[]>()
  const isFirst = (party: Party): number => (party.lockedTransfers?.length ? 0 : 1)
  for (const party of [...parties].sort((a, b) => isFirst(a) - isFirst(b))) {
    const { firstYear, startMonth } = party.budget.head
    const key = `${firstYear + party.year} ${startMonth}`
    const cohort = byMonth.get(key) ?? []
    const other = cohort.find((one) => one.locationId === party.locationId)
    if (other)
      posted
        .get(party.budget.id)
        ?.problems.add(
          `${party.budget.name} takes no part in pools and top slices for ${namePartyYear(party)}: ${other.budget.name} of the same location does.`,
        )
    else cohort.push(party)
    byMonth.set(key, cohort)
  }
  // The years keep the order of the group, which decides where odd pennies go.
  return [...byMonth.values()].map((cohort) => parties.filter((party) => cohort.includes(party)))
}

export const namePartyYear = ({ budget, year }: Party): string => formatBudgetYear(budget.head.firstYear, year)

/** The table of a kind that applies to a party's year. */
export function findPartyTable({ budget: { head }, year }: Party, kind: BudgetTableKind): number | undefined {
  const rows = head.elements[kind].map((row) => ({ from: toDay(row.effectiveDate), id: row.adminTableId }))
  return findEffectiveRow(rows, firstDayOfMonth(head.firstYear + year, head.startMonth))?.id
}

export function groupPartiesByTable(parties: readonly Party[], kind: BudgetTableKind): Map<number, Party[]> {
  const tables = new Map<number, Party[]>()
  for (const party of parties) {
    const id = findPartyTable(party, kind)
    if (id !== undefined) tables.set(id, [...(tables.get(id) ?? []), party])
  }
  return tables
}

export async function readPoolRule(tx: OrganisationTx, tableId: number): Promise<PoolRule | null> {
  const [table] = await readResourceRecords(tx, resources.gagPoolTable, { column: 'id', ids: [tableId] })
  if (!table) return null
  const members = (await readResourceRecords(tx, resources.gagPool, { column: 'gagPoolTableId', ids: [tableId] })).map((member) => ({
    locationId: member.locationId,
    budgetCodeId: member.budgetCodeId,
    percentage: table.method === gagPoolMethod.all ? 100 : (member.percentage ?? table.percentage ?? 0),
    weight: member.weight ?? 1,
  }))
  return { tableId, shareByPupils: table.share === gagPoolShare.byPupils, members }
}

export async function readSliceRules(tx: OrganisationTx, organisationId: OrganisationId, tableId: number): Promise<SliceRule[]> {
  const codes = (await readResourceRecords(tx, resources.budgetCode)).filter(
    (code) => code.type === budgetCodeType.income && code.category !== budgetCodeCategory.balance && code.organisationId === organisationId,
  )
  return (await readResourceRecords(tx, resources.topSlice, { column: 'topSliceTableId', ids: [tableId] })).map((row) => ({
    tableId,
    locationId: row.locationId,
    method: row.method,
    value: row.value,
    budgetCodeId: row.budgetCodeId,
    centralBudgetCodeId: row.centralBudgetCodeId,
    incomeCodeIds: codes
      .filter((code) => !row.incomeTypeIds.length || row.incomeTypeIds.includes(code.incomeTypeId ?? -1))
      .map((code) => code.id),
  }))
}
