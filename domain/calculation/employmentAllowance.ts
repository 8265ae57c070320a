import { calendarYear, type Day, firstDayOfMonth } from '../values/calendar.ts'
import type { Figure } from './inputs.ts'

/** One month of a tax year in a group's Employment Allowance claim. */
export interface AllowanceMonth {
  /** Employer national insurance of all budgets of the group in whole pennies; null if not known. */
  ni: Figure
  /** The allowance that locked budgets have posted for the month, in whole pennies; null if not known. */
  kept: Figure
  /**
   * Where the reduction is posted. `here`: in the budget that stores this month. `elsewhere`: in another open budget. `kept`: only in
   * locked budgets. `outside`: in no budget, because no central budget covers the month.
   */
  goes: 'here' | 'elsewhere' | 'kept' | 'outside'
}

/** The inputs to the reductions of one tax year. */
export interface AllowanceYear {
  /** The calendar year in whose April the tax year begins. */
  year: number
  /** The allowance of the tax year in whole pennies; null if not known. */
  amount: Figure
  /** Months from April. The amounts of a month that is not listed are not known. */
  months: readonly AllowanceMonth[]
}

/** The tax years whose April is among the given months. A group claims the allowance only for these years (rules.md §7). */
export function listClaimedYears(months: Iterable<Day>): number[] {
  const years = [...months].filter((month) => month === firstDayOfMonth(calendarYear(month), 4)).map(calendarYear)
  return [...new Set(years)].sort((a, b) => a - b)
}

/**
 * The reduction of each month from April. The allowance reduces the group's employer national insurance month by month until it is used up
 * (rules.md §7). Locked budgets keep the lines they have posted; open ones get the rest. If the national insurance of a month is unknown,
 * so are all later reductions of the tax year.
 * @returns whole pennies, without the reductions in locked budgets; null if not known
 */
export function calculateReductions({ amount, months }: AllowanceYear): Figure[] {
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
 * The allowance line of a budget: a negative amount for each of its months, or 0.
 * @param months the first days of the budget's months
 * @returns whole pennies; null where the amount could not be calculated
 */
export function calculateAllowanceLine(years: readonly AllowanceYear[], months: readonly Day[]): Figure[] {
  const posted = new Map<Day, Figure>()
  for (const year of years)
    for (const [index, given] of calculateReductions(year).entries())
      if ((year.months[index]?.goes ?? 'here') === 'here')
        posted.set(firstDayOfMonth(year.year, 4 + index), given === null ? null : 0 - given)
  return months.map((month) => posted.get(month) ?? (posted.has(month) ? null : 0))
}

/**
 * The part of a group's Employment Allowance that one budget posts: its inputs, its coding and its problems (rules.md §7). `engine` is the
 * version that calculated it.
 */
export interface EmploymentAllowance {
  engine: string
  /** Null if nobody has chosen a budget code: then the allowance is not calculated. */
  budgetCodeId: number | null
  costCentreId: number | null
  years: AllowanceYear[]
  /** Sentences about what could not be calculated. */
  problems: string[]
}

/** Adds the tax years that begin in newly covered months of the budget, with all amounts unknown. */
export function addUnknownTaxYears<T extends Pick<EmploymentAllowance, 'years'>>(allowance: T, months: Iterable<Day>): T {
  const last = Math.max(...allowance.years.map(({ year }) => year))
  const later = listClaimedYears(months).filter((year) => year > last)
  return { ...allowance, years: [...allowance.years, ...later.map((year) => ({ year, amount: null, months: [] }))] }
}

/** Marks every amount as unknown after the national insurance has changed, until the group is recalculated. */
export function clearAllowanceAmounts(allowance: EmploymentAllowance): EmploymentAllowance {
  return {
    ...allowance,
    years: allowance.years.map((year) => ({ ...year, amount: null })),
    problems: ['The Employment Allowance is not calculated until the budget is recalculated with its group.'],
  }
}

/** Whether any amount of the allowance is known. */
export const hasKnownAllowance = (allowance: EmploymentAllowance | null | undefined): boolean =>
  allowance?.years.some(({ amount }) => amount !== null) ?? false
