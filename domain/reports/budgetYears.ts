import { addMonths, firstDayOfMonth, formatBudgetYear, type IsoDate, toIsoDate } from '../values/calendar.ts'

export interface BudgetYearRange {
  firstYear: number
  startMonth: number
  numberOfYears: number
}

export interface BudgetYear {
  /** The position of the year in the selection list, from 0. */
  index: number
  name: string
  start: IsoDate
  end: IsoDate
}

/** The budget years that all budgets cover, each as the calendar year in which it starts. */
export function findCommonYears(budgets: readonly BudgetYearRange[]): number[] {
  if (!budgets.length) return []
  const first = Math.max(...budgets.map((budget) => budget.firstYear))
  const last = Math.min(...budgets.map((budget) => budget.firstYear + budget.numberOfYears - 1))
  return Array.from({ length: Math.max(0, last - first + 1) }, (_unused, index) => first + index)
}

/**
 * Finds the budgets that prevent a common year: if no year is common to all budgets, those without the year that most budgets have (the
 * earliest, if several). Empty if there is a common year.
 */
export function findBudgetsWithoutCommonYear<B extends BudgetYearRange>(budgets: readonly B[]): B[] {
  if (findCommonYears(budgets).length) return []
  const has = (budget: B, year: number): boolean => year >= budget.firstYear && year < budget.firstYear + budget.numberOfYears
  const years = [...new Set(budgets.flatMap((budget) => findCommonYears([budget])))].sort((a, b) => a - b)
  const most = years.reduce(
    (best, year) => {
      const count = budgets.filter((budget) => has(budget, year)).length
      return count > best.count ? { year, count } : best
    },
    { year: 0, count: 0 },
  )
  return budgets.filter((budget) => !has(budget, most.year))
}

/**
 * Lists years with their dates for a selection list (rules.md §19 and §1). If the budgets' years begin in different months, the dates are
 * those of the first budget.
 */
export function listBudgetYears(years: readonly number[], startMonth: number): BudgetYear[] {
  return years.map((year, index) => {
    const start = firstDayOfMonth(year, startMonth)
    return { index, name: formatBudgetYear(year, 0), start: toIsoDate(start), end: toIsoDate(addMonths(start, 12) - 1) }
  })
}
