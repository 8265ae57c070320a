import { compareValues } from '../lists/lists.ts'
import { versionType } from '../lookups/lookupIds.ts'
import { type CalendarMonth, toMonthIndex } from '../monitoring/monitoring.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { Approval, BudgetHead } from './budget.ts'

type BudgetYears = Pick<BudgetHead, 'firstYear' | 'startMonth' | 'numberOfYears'>
type BudgetStatus = Pick<BudgetHead, 'name' | 'versionType'> & { approval: Pick<Approval, 'state' | 'at'> | null }

/** The year and period of a budget that a calendar month falls in; null if the month is outside the budget. */
export function locateMonth(
  { firstYear, startMonth, numberOfYears }: BudgetYears,
  month: CalendarMonth,
): { yearIndex: number; period: number } | null {
  const since = toMonthIndex(month) - toMonthIndex({ year: firstYear, month: startMonth })
  return since < 0 || since >= numberOfYears * 12 ? null : { yearIndex: Math.floor(since / 12), period: (since % 12) + 1 }
}

/**
 * The budget of record of a location: the budget that was approved last or, if none is approved, the first Working budget by name (rules.md
 * §17). Screens and the server all choose with this function, so that a month is never compared with two budgets.
 * @param budgets budgets of one location that share a year
 */
export function findBudgetOfRecord<B extends { head: BudgetStatus }>(budgets: readonly B[]): B | undefined {
  const approved = budgets.filter(({ head }) => head.approval?.state === 'approved')
  if (approved.length)
    return approved.reduce((last, one) => (assertDefined(one.head.approval).at > assertDefined(last.head.approval).at ? one : last))
  return budgets.filter(({ head }) => head.versionType === versionType.working).sort((a, b) => compareValues(a.head.name, b.head.name))[0]
}

/** The budget of record of a location among the budgets that cover a month. */
export function findBudgetOfRecordForMonth<B extends { head: BudgetStatus & BudgetYears }>(
  budgets: readonly B[],
  month: CalendarMonth,
): B | undefined {
  return findBudgetOfRecord(budgets.filter(({ head }) => locateMonth(head, month)))
}
