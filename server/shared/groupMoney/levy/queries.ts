import { and, eq, inArray, sql } from 'drizzle-orm'
import type { BudgetHead } from '../../../../domain/budget/budget.ts'
import type { Figure } from '../../../../domain/calculation/inputs.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import { budgetPay } from '../../../../drizzle/costTables.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import type { GroupRow } from '../../../streams/budget/groupMembers.ts'
import type { YearOfPay } from '../../../streams/budget/lines.ts'
import { findAllowanceProblems } from '../allowance/queries.ts'

/** The gross pay of budgets by month over all their years, in whole pennies; null if a contract could not be calculated. */
export async function readMonthlyGross(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  rows: readonly Pick<BudgetRow, 'id' | 'head'>[],
): Promise<Map<string, Figure[]>> {
  const gross = new Map<string, Figure[]>(rows.map((row) => [row.id, Array<Figure>(row.head.numberOfYears * 12).fill(0)]))
  if (!rows.length) return gross
  const sums = await tx
    .select()
    .from(budgetPay)
    .where(
      and(
        eq(budgetPay.organisationId, organisationId),
        inArray(
          budgetPay.budgetId,
          rows.map((row) => row.id),
        ),
      ),
    )
  for (const { budgetId, ...pay } of sums) putYear(assertDefined(gross.get(budgetId)), pay)
  return gross
}

/** The gross pay by month of one budget, from its yearly sums. */
export function toMonthlyGross(head: BudgetHead, sums: readonly YearOfPay[]): Figure[] {
  const gross = Array<Figure>(head.numberOfYears * 12).fill(0)
  for (const pay of sums) putYear(gross, pay)
  return gross
}

function putYear(gross: Figure[], { year, amounts, missing }: YearOfPay): void {
  gross.splice(year * 12, 12, ...amounts.map((amount, month): Figure => (missing[month] ? null : amount)))
}

/**
 * Sentences that say why a budget's levy cannot be calculated, and who else in the organisation uses the allowance (rules.md §7).
 * @param groups all groups of the organisation, in order of name
 */
async function findLevyProblems(
  tx: OrganisationTx,
  { organisationId, id, head }: BudgetRow,
  groups: readonly GroupRow[],
): Promise<string[]> {
  const [line] = await tx.execute<{ missing: number }>(
    sql`select coalesce(sum(missing), 0)::int as missing from budget_lines where organisation_id = ${organisationId} and budget_id = ${id} and source_kind = 'levy'`,
  )
  const groupOfBudget = groups.find((group) => group.budgetIds.includes(id))
  const problems: string[] = []
  if (line?.missing)
    problems.push(
      groupOfBudget
        ? `The apprenticeship levy is not calculated in full until the group ${groupOfBudget.name} is recalculated.`
        : 'The apprenticeship levy is not calculated: this budget is not in a group that shares the allowance.',
    )
  if (!groupOfBudget) return problems
  const rivals = groups.filter((group) => group.id !== groupOfBudget.id && group.budgetIds.length)
  const others = rivals.length
    ? await tx
        .select({ id: budgets.id, head: budgets.head })
        .from(budgets)
        .where(
          and(
            eq(budgets.organisationId, organisationId),
            inArray(
              budgets.id,
              rivals.flatMap((group) => group.budgetIds),
            ),
            hasLevyShareCondition,
          ),
        )
    : []
  const isSameTime = (other: { head: BudgetRow['head'] }): boolean =>
    other.head.firstYear < head.firstYear + head.numberOfYears && head.firstYear < other.head.firstYear + other.head.numberOfYears
  for (const group of rivals)
    if (others.some((other) => group.budgetIds.includes(other.id) && isSameTime(other)))
      problems.push(
        `The groups ${groupOfBudget.name} and ${group.name} each take the whole levy allowance in the same years: an employer can use it only once.`,
      )
  return problems
}

/**
 * The problems with a budget's shares of its group's levy allowance and Employment Allowance.
 * @param allGroups all groups of the organisation, in order of name
 */
export async function findGroupShareProblems(
  tx: OrganisationTx,
  budget: BudgetRow,
  allGroups: PromiseLike<readonly GroupRow[]>,
): Promise<string[]> {
  const groups = await allGroups
  return (await Promise.all([findLevyProblems(tx, budget, groups), findAllowanceProblems(tx, budget, groups)])).flat()
}

/** Whether any of the budgets has pay, calculated or not. */
export async function hasAnyPay(tx: OrganisationTx, organisationId: OrganisationId, rows: readonly BudgetRow[]): Promise<boolean> {
  const gross = await readMonthlyGross(tx, organisationId, rows)
  return [...gross.values()].some((months) => months.some((month) => month !== 0))
}

/** Whether any of the budgets lacks a share of the allowance. */
export async function lacksAnyLevyShare(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetIds: readonly BudgetId[],
): Promise<boolean> {
  if (!budgetIds.length) return false
  const [one] = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(
      and(
        eq(budgets.organisationId, organisationId),
        inArray(budgets.id, [...budgetIds]),
        sql`not coalesce(${hasLevyShareCondition}, false)`,
      ),
    )
    .limit(1)
  return one !== undefined
}

/** Whether a budget has a share of the allowance in any month. */
export const hasLevyShareCondition = sql`jsonb_path_exists(${budgets.levyShares}, '$[*] ? (@ != null)')`
