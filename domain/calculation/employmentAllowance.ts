import { calendarYear, type Day, firstDayOfMonth } from '../values/calendar.ts'
import type { Figure } from './inputs.ts'

/** A month of a tax year that a group claims the Employment Allowance for. */
export interface AllowanceMonth {
  /** Employer national insurance of all budgets of the group, whole pennies; null where it is not known. */
  ni: Figure
  /** What locked budgets keep of the allowance in the month, whole pennies; null where that is not known. */
  kept: Figure
  /**
   * Where the reduction is posted: `here`, in the budget that keeps this; `elsewhere`, in another open budget; `kept`, in locked budgets alone;
   * `outside`, nowhere, because no central budget has the month.
   */
  goes: 'here' | 'elsewhere' | 'kept' | 'outside'
}

/** What the reduction of one tax year follows from. */
export interface AllowanceYear {
  /** The tax year begins in April of this year. */
  year: number
  /** The allowance of the tax year in whole pennies; null where it is not known. */
  amount: Figure
  /** The months from April on. A month that is missing is not known. */
  months: readonly AllowanceMonth[]
}

/** The tax years whose April lies in some months: a group claims no other (rules.md §7). */
export function claimedYears(months: Iterable<Day>): number[] {
  const years = [...months].filter((month) => month === firstDayOfMonth(calendarYear(month), 4)).map(calendarYear)
  return [...new Set(years)].sort((a, b) => a - b)
}

/**
 * The Employment Allowance reduces the group's employer national insurance month by month from April until it is used up (rules.md §7). Locked
 * budgets keep their lines, and the open ones get the rest. After a month whose national insurance is not known nothing is known of the tax year.
 * @returns of each month from April on what it gives beside what locked budgets keep, in whole pennies; null where that is not known
 */
export function reductionsOf({ amount, months }: AllowanceYear): Figure[] {
  let left: Figure = months.reduce<Figure>((rest, { kept }) => (rest === null || kept === null ? null : rest - kept), amount)
  return Array.from({ length: 12 }, (_unused, index): Figure => {
    const month = months[index]
    if (month?.goes === 'kept' || (left !== null && left <= 0)) return 0
    if (left === null || !month || month.ni === null) {
      left = null
      return null
    }
    const given = Math.max(0, Math.min(left, month.ni - (month.kept ?? 0)))
    left -= given
    return given
  })
}

/**
 * The lines of the Employment Allowance in a budget: a negative amount for each of its months, 0 where there is none.
 * @param months the first days of the budget's months
 * @returns whole pennies; null where it is not calculated
 */
export function allowanceOf(years: readonly AllowanceYear[], months: readonly Day[]): Figure[] {
  const posted = new Map<Day, Figure>()
  for (const year of years)
    for (const [index, given] of reductionsOf(year).entries())
      if ((year.months[index]?.goes ?? 'here') === 'here')
        posted.set(firstDayOfMonth(year.year, 4 + index), given === null ? null : 0 - given)
  return months.map((month) => posted.get(month) ?? (posted.has(month) ? null : 0))
}

/**
 * The Employment Allowance of a budget's group, as far as this budget posts it: what it follows from, where it goes, and what is to be said of it
 * (rules.md §7). `engine` says by which rules.
 */
export interface EmploymentAllowance {
  engine: string
  /** Empty: nobody has chosen where it goes, so it is not calculated. */
  budgetCodeId: number | null
  costCentreId: number | null
  years: AllowanceYear[]
  /** What could not be worked out, in words. */
  problems: string[]
}

/** An allowance with the tax years that begin in months which the budget did not have before: they are not known. */
export function withLaterYears<T extends Pick<EmploymentAllowance, 'years'>>(allowance: T, months: Iterable<Day>): T {
  const last = Math.max(...allowance.years.map(({ year }) => year))
  const later = claimedYears(months).filter((year) => year > last)
  return { ...allowance, years: [...allowance.years, ...later.map((year) => ({ year, amount: null, months: [] }))] }
}

/** What is left to say of an allowance whose national insurance has changed: nothing of it is known until the group is recalculated. */
export function withdrawnAllowance(allowance: EmploymentAllowance): EmploymentAllowance {
  return {
    ...allowance,
    years: allowance.years.map((year) => ({ ...year, amount: null })),
    problems: ['The Employment Allowance is not calculated until the budget is recalculated with its group.'],
  }
}

/** Whether something of an allowance is known, so that it can be withdrawn. */
export const isAllowanceKnown = (allowance: EmploymentAllowance | null | undefined): boolean =>
  allowance?.years.some(({ amount }) => amount !== null) ?? false
