import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Figure } from '../../domain/calculation/inputs.ts'
import { automaticShares, levyOf, typedShares } from '../../domain/calculation/levy.ts'
import { type Day, dayOf, periodsOf } from '../../domain/calendar.ts'
import { resources } from '../../domain/resources/all.ts'
import { budgets } from '../../drizzle/schema.ts'
import { type BudgetRow, commit } from './budgetStore.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { writeLines } from './lineStore.ts'
import { rowsOf } from './tables.ts'

/** The gross pay of budgets by month over all their years, whole pennies; null where a contract could not be calculated. */
export async function grossOf(
  tx: OrganisationTx,
  organisationId: number,
  rows: readonly Pick<BudgetRow, 'id' | 'head'>[],
): Promise<Map<string, Figure[]>> {
  const gross = new Map<string, Figure[]>(rows.map((row) => [row.id, Array<Figure>(row.head.numberOfYears * 12).fill(0)]))
  if (!rows.length) return gross
  const months = Array.from({ length: 12 }, (_unused, month) => {
    const amount = sql.raw(`amounts[${month + 1}]`)
    return sql`case when count(*) = count(${amount}) then sum(${amount})::float8 end`
  })
  const sums = await tx.execute<{ budget_id: string; year: number; months: Figure[] }>(sql`
    select budget_id, year, array[${sql.join(months, sql`, `)}] as months from budget_lines
    where organisation_id = ${organisationId} and source_kind = 'contract' and component = 'pay'
      and budget_id in (${sql.join(
        rows.map((row) => sql`${row.id}`),
        sql`, `,
      )})
    group by budget_id, year`)
  for (const { budget_id: id, year, months: amounts } of sums) gross.get(id)!.splice(year * 12, 12, ...amounts)
  return gross
}

/** Posts the levy of a budget anew, with the share of the allowance it was last given (calculation.md §7 and §9). */
export async function refreshLevy(tx: OrganisationTx, organisationId: number, budgetId: string): Promise<void> {
  const [row] = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId)))
  if (!row?.levyShares) return
  const gross = (await grossOf(tx, organisationId, [row])).get(budgetId)!
  await writeLevy(tx, row, gross, row.levyShares)
}

async function writeLevy(tx: OrganisationTx, row: BudgetRow, gross: readonly Figure[], shares: readonly Figure[]): Promise<void> {
  const levy = levyOf(gross, shares)
  const lines = Array.from({ length: row.head.numberOfYears }, (_unused, year) => ({
    component: 'levy' as const,
    year,
    budgetCodeId: null,
    costCentreId: null,
    fundCodeId: null,
    amounts: levy.slice(year * 12, year * 12 + 12),
  })).filter((line) => line.amounts.some((amount) => amount !== 0))
  await writeLines(tx, row.organisationId, row.id, 'levy', [{ sourceId: row.id, lines }], true)
}

/** Gives each budget of a group its share of the trust's allowance and posts the levy. Locked budgets count and keep what they have. */
export async function shareLevy(tx: OrganisationTx, organisationId: number, budgetIds: readonly string[], actor: Actor): Promise<void> {
  if (!budgetIds.length) return
  const rows = await tx
    .select()
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, [...budgetIds])))
    .orderBy(budgets.id)
  const [organisation] = await rowsOf(tx, resources.organisation, 'id', [organisationId])
  const gross = await grossOf(tx, organisationId, rows)
  const months = rows.map(({ head }) => periodsOf(head.firstYear, head.numberOfYears, head.startMonth).map((period) => period.first))
  const shares = organisation?.calculateApprenticeshipLevyAutomatically
    ? automaticShares(
        rows.map((row, index) => ({ gross: gross.get(row.id)!.map((amount, month) => ({ month: months[index]![month]!, amount })) })),
      )
    : await typed(tx, rows, months, Boolean(organisation?.apprenticeshipLevyAllowanceAsPercentage))
  for (const [index, row] of rows.entries()) {
    if (row.head.locked) continue
    if (JSON.stringify(row.levyShares) !== JSON.stringify(shares[index]))
      await commit(tx, row, [{ type: 'LevyAllowanceShared', data: { shares: shares[index]! } }], actor)
    await writeLevy(tx, row, gross.get(row.id)!, shares[index]!)
  }
}

async function typed(tx: OrganisationTx, rows: readonly BudgetRow[], months: readonly Day[][], asPercentage: boolean): Promise<number[][]> {
  const list = await rowsOf(tx, resources.apprenticeshipLevy, 'locationId', [...new Set(rows.map((row) => row.head.locationId))])
  return rows.map(({ head }, index) => {
    const own = list
      .filter((entry) => entry.locationId === head.locationId)
      .map((entry) => ({ from: dayOf(entry.effectiveDate), allowance: entry.allowance, percentage: entry.percentage }))
    return typedShares(own, asPercentage, months[index]!)
  })
}
