import { type CalendarMonth, currentMonth, formatIsoMonth, formatMonth, monthAt, monthIndex } from '../../domain/monitoring/monitoring.ts'
import { periodName, yearName } from '../../domain/values/calendar.ts'

/** A month as an address holds it, `2026-10`. @returns null for what is no month */
export function monthOf(text: string | null): CalendarMonth | null {
  const match = /^(20\d\d|21\d\d)-(0[1-9]|1[0-2])$/.exec(text ?? '')
  return match && { year: Number(match[1]), month: Number(match[2]) }
}

/** The month that it is now. */
export function thisMonth(): CalendarMonth {
  return currentMonth(new Date())
}

/** The months of a year, as a list to choose from. */
export interface MonthChoice {
  group: string
  items: { value: string; label: string }[]
}

interface BudgetMonths {
  firstYear: number
  startMonth: number
  numberOfYears: number
}

/** The last of some months, kept within a budget where there is one; of none, the month that it is now. */
export function lastMonthOf(months: readonly CalendarMonth[], budget: BudgetMonths | null): CalendarMonth {
  const last = [...months].sort((a, b) => monthIndex(a) - monthIndex(b)).at(-1)
  const wanted = last ? { year: last.year, month: last.month } : thisMonth()
  if (!budget) return wanted
  const first = { year: budget.firstYear, month: budget.startMonth }
  const since = monthIndex(wanted) - monthIndex(first)
  return since < 0 || since >= budget.numberOfYears * 12 ? first : wanted
}

/** The months among which a page without a budget looks for what was imported: those of `monthsAround` now. */
export function spanAround({ year }: CalendarMonth): { from: CalendarMonth; to: CalendarMonth } {
  return { from: { year: year - 2, month: 1 }, to: { year: year + 1, month: 12 } }
}

/** The months of a budget, by its years: number and month together, as ledgers name them. */
export function monthsOfBudget({ firstYear, startMonth, numberOfYears }: BudgetMonths): MonthChoice[] {
  const first = monthIndex({ year: firstYear, month: startMonth })
  return Array.from({ length: numberOfYears }, (_unused, year) => ({
    group: yearName(firstYear, year),
    items: Array.from({ length: 12 }, (_month, period) => {
      const month = monthAt(first + year * 12 + period)
      return { value: formatIsoMonth(month), label: `P${period + 1} ${periodName(startMonth, period + 1).slice(0, 3)} ${month.year}` }
    }),
  }))
}

/** Two years back and one ahead, by calendar year, the newest first. */
export function monthsAround(month: CalendarMonth): MonthChoice[] {
  return [1, 0, -1, -2].map((distance) => {
    const year = month.year + distance
    return {
      group: String(year),
      items: Array.from({ length: 12 }, (_unused, index) => {
        const one = { year, month: index + 1 }
        return { value: formatIsoMonth(one), label: formatMonth(one) }
      }),
    }
  })
}
