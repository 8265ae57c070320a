import { addMonths, firstDayOfMonth, type IsoDate, toIsoDate, yearName } from '../values/calendar.ts'

/** When the years of a budget begin. */
export interface YearsOfBudget {
  firstYear: number
  startMonth: number
  numberOfYears: number
}

export interface BudgetYear {
  /** From 0. */
  index: number
  name: string
  start: IsoDate
  end: IsoDate
}

/** The calendar years in which the years begin that all of some budgets have, in their order. */
export function yearsInCommon(budgets: readonly YearsOfBudget[]): number[] {
  if (!budgets.length) return []
  const first = Math.max(...budgets.map((budget) => budget.firstYear))
  const last = Math.min(...budgets.map((budget) => budget.firstYear + budget.numberOfYears - 1))
  return Array.from({ length: Math.max(0, last - first + 1) }, (_unused, index) => first + index)
}

/**
 * The budgets that are in the way where some have no year in common: those without the year that most of them have, the earliest of such
 * years; none where there is one in common.
 */
export function inTheWayOfYears<B extends YearsOfBudget>(budgets: readonly B[]): B[] {
  if (yearsInCommon(budgets).length) return []
  const has = (budget: B, year: number): boolean => year >= budget.firstYear && year < budget.firstYear + budget.numberOfYears
  const years = [...new Set(budgets.flatMap((budget) => yearsInCommon([budget])))].sort((a, b) => a - b)
  const most = years.reduce(
    (best, year) => {
      const count = budgets.filter((budget) => has(budget, year)).length
      return count > best.count ? { year, count } : best
    },
    { year: 0, count: 0 },
  )
  return budgets.filter((budget) => !has(budget, most.year))
}

/** Years as lists offer them (rules.md §19 and §1). Where budgets begin in different months the dates are those of the first. */
export function budgetYears(years: readonly number[], startMonth: number): BudgetYear[] {
  return years.map((year, index) => {
    const start = firstDayOfMonth(year, startMonth)
    return { index, name: yearName(year, 0), start: toIsoDate(start), end: toIsoDate(addMonths(start, 12) - 1) }
  })
}
