import { addMonths, firstOf, type IsoDate, isoOf, yearName } from '../calendar.ts'

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

/** Years as lists offer them (rules.md §19 and §1). Where budgets begin in different months the dates are those of the first. */
export function budgetYears(years: readonly number[], startMonth: number): BudgetYear[] {
  return years.map((year, index) => {
    const start = firstOf(year, startMonth)
    return { index, name: yearName(year, 0), start: isoOf(start), end: isoOf(addMonths(start, 12) - 1) }
  })
}
