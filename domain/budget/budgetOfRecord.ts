import { compareValues } from '../lists/lists.ts'
import { versionType } from '../lookups/lookupIds.ts'
import { type CalendarMonth, toMonthIndex } from '../monitoring/monitoring.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { Approval, BudgetHead } from './budget.ts'

type Years = Pick<BudgetHead, 'firstYear' | 'startMonth' | 'numberOfYears'>
type Standing = Pick<BudgetHead, 'name' | 'versionType'> & { approval: Pick<Approval, 'state' | 'at'> | null }

/** The position of a month in a budget; null if in none of its years. */
export function locateMonth(
  { firstYear, startMonth, numberOfYears }: Years,
  month: CalendarMonth,
): { yearIndex: number; period: number } | null {
  const since = toMonthIndex(month) - toMonthIndex({ year: firstYear, month: startMonth })
  return since < 0 || since >= numberOfYears * 12 ? null : { yearIndex: Math.floor(since / 12), period: (since % 12) + 1 }
}

/**
 * The budget of record of a location: the one approved last, otherwise the first Working one by name (rules.md §17).
 * Screens and the server choose by this function alone, so that a month is never measured against two budgets.
 * @param own budgets of one location that share a year
 */
export function findBudgetOfRecord<B extends { head: Standing }>(own: readonly B[]): B | undefined {
  const approved = own.filter(({ head }) => head.approval?.state === 'approved')
  if (approved.length)
    return approved.reduce((last, one) => (assertDefined(one.head.approval).at > assertDefined(last.head.approval).at ? one : last))
  return own.filter(({ head }) => head.versionType === versionType.working).sort((a, b) => compareValues(a.head.name, b.head.name))[0]
}

/** The budget of record of a location in a month. */
export function findBudgetOfRecordIn<B extends { head: Standing & Years }>(own: readonly B[], month: CalendarMonth): B | undefined {
  return findBudgetOfRecord(own.filter(({ head }) => locateMonth(head, month)))
}
