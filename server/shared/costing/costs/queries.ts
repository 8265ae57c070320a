import { and, desc, eq, sql } from 'drizzle-orm'
import type { CostTotals } from '../../../../domain/budget/budget.ts'
import type { ContractCost } from '../../../../domain/calculation/inputs.ts'
import { requireItemAt, requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import type { BudgetId, ContractId, OrganisationId } from '../../../../domain/values/ids.ts'
import { staffCosts } from '../../../../drizzle/costTables.ts'
import { budgetEvents } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { buildDocumentIdArray } from '../../../resources/listConditions.ts'

/**
 * Adds up the costs of contracts: the total of each year, leaving out figures that are not calculated, and how many contracts lack a
 * figure.
 */
export function sumCosts(costs: Iterable<(number | null)[]>, years: number): CostTotals {
  const totals: CostTotals = { years: Array.from({ length: years }, () => 0), contracts: 0, notCalculated: 0 }
  for (const cost of costs) {
    let isWhole = true
    for (let year = 0; year < years; year++) {
      const yearCost = cost[year] ?? null
      if (yearCost === null) isWhole = false
      else totals.years[year] = requireItemAt(totals.years, year) + yearCost
    }
    totals.contracts++
    if (!isWhole) totals.notCalculated++
  }
  return totals
}

/**
 * The total cost of contracts in one year, and the number of contracts without a figure, such as in years added since the last calculation.
 * The total is null if no contract has a figure.
 * @param year the first is 0
 * @returns whole pennies
 */
export function sumCostsOfYear(
  costs: readonly (number | null)[][],
  contracts: number,
  year: number,
): { total: number | null; missing: number } {
  const known = costs.flatMap((cost) => cost[year] ?? [])
  return { total: known.length || !contracts ? known.reduce((sum, total) => sum + total, 0) : null, missing: contracts - known.length }
}

/** The stored costings of a whole budget or of some contracts. */
export async function readCosts(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  ids?: readonly ContractId[],
): Promise<Map<string, typeof staffCosts.$inferSelect>> {
  const rows = await tx
    .select()
    .from(staffCosts)
    .where(costCondition(organisationId, budgetId, ids))
  return new Map(rows.map((row) => [row.contractId, row]))
}

/** The version of the last recalculation of all contracts of a budget; 0 if there was none. */
export async function readLastFullRecalculation(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<{ version: number; at: string | null }> {
  const [event] = await tx
    .select({ version: budgetEvents.version, at: budgetEvents.occurredAt })
    .from(budgetEvents)
    .where(
      and(
        eq(budgetEvents.organisationId, organisationId),
        eq(budgetEvents.budgetId, budgetId),
        sql`type = 'StaffContractsRecalculated'`,
        sql`data ->> 'cause' = 'group'`,
      ),
    )
    .orderBy(desc(budgetEvents.version))
    .limit(1)
  return event ?? { version: 0, at: null }
}

/** A summary of each costing for lists and checks: yearly totals, problems and whether anything is paid, without monthly figures. */
export async function readCostSummaries(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  ids?: readonly ContractId[],
): Promise<Map<string, { yearTotals: (number | null)[]; problems: ContractCost['problems']; isPaid: boolean }>> {
  const { contractId, yearTotals: totals, costing, hasProblems, hasPay } = staffCosts
  const rows = await tx
    .select({
      contractId,
      yearTotals: totals,
      problems: sql<ContractCost['problems']>`case when ${hasProblems} then ${costing} -> 'problems' else '[]'::json end`,
      isPaid: sql<boolean>`${hasPay}`,
    })
    .from(staffCosts)
    .where(costCondition(organisationId, budgetId, ids))
  return new Map(rows.map((row) => [row.contractId, row]))
}

/** The number of costed contracts of a budget, and of those with a figure that could not be calculated. */
export async function countCosts({
  tx,
  organisationId,
  budgetId,
}: Call<'organisationId' | 'budgetId'>): Promise<{ contracts: number; incomplete: number }> {
  return requireSingleRow(
    await tx
      .select({
        contracts: sql<number>`count(*)::integer`,
        incomplete: sql<number>`(count(*) filter (where ${staffCosts.isIncomplete}))::integer`,
      })
      .from(staffCosts)
      .where(costCondition(organisationId, budgetId)),
  )
}

function costCondition(organisationId: OrganisationId, budgetId: BudgetId, ids?: readonly ContractId[]) {
  return and(
    eq(staffCosts.organisationId, organisationId),
    eq(staffCosts.budgetId, budgetId),
    ids && sql`${staffCosts.contractId} = any(${buildDocumentIdArray(ids)})`,
  )
}
