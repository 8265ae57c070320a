import {
  type CalendarMonth,
  findCurrentMonth,
  formatIsoMonth,
  formatMonth,
  fromMonthIndex,
  toMonthIndex,
} from '../../domain/monitoring/monitoring.ts'
import { formatBudgetYear, formatPeriodMonth } from '../../domain/values/calendar.ts'

/**
 * Parses a month from a URL, `2026-10`.
 * @returns null if the text is not a month
 */
export function parseMonth(text: string | null): CalendarMonth | null {
  const match = /^(20\d\d|21\d\d)-(0[1-9]|1[0-2])$/.exec(text ?? '')
  return match && { year: Number(match[1]), month: Number(match[2]) }
}

export function getCurrentMonth(): CalendarMonth {
  return findCurrentMonth(new Date())
}

/** The months of one year, as a group of options in a select. */
export interface MonthOptionGroup {
  group: string
  items: { value: string; label: string }[]
}

interface BudgetMonths {
  firstYear: number
  startMonth: number
  numberOfYears: number
}

/** Finds the latest of some months, limited to the budget's years if there is a budget; the current month if the list is empty. */
export function findLatestMonth(months: readonly CalendarMonth[], budget: BudgetMonths | null): CalendarMonth {
  const last = [...months].sort((a, b) => toMonthIndex(a) - toMonthIndex(b)).at(-1)
  const latest = last ? { year: last.year, month: last.month } : getCurrentMonth()
  if (!budget) return latest
  const first = { year: budget.firstYear, month: budget.startMonth }
  const monthsFromStart = toMonthIndex(latest) - toMonthIndex(first)
  return monthsFromStart < 0 || monthsFromStart >= budget.numberOfYears * 12 ? first : latest
}

/** Returns the range of months in which a page without a budget looks for imports. It is the range that `listMonthsAround` offers. */
export function getImportSearchRange({ year }: CalendarMonth): { from: CalendarMonth; to: CalendarMonth } {
  return { from: { year: year - 2, month: 1 }, to: { year: year + 1, month: 12 } }
}

/** Lists the months of a budget, by year. Each label has the period number and the month, as in ledgers. */
export function listBudgetMonths({ firstYear, startMonth, numberOfYears }: BudgetMonths): MonthOptionGroup[] {
  const first = toMonthIndex({ year: firstYear, month: startMonth })
  return Array.from({ length: numberOfYears }, (_unused, year) => ({
    group: formatBudgetYear(firstYear, year),
    items: Array.from({ length: 12 }, (_month, period) => {
      const month = fromMonthIndex(first + year * 12 + period)
      return {
        value: formatIsoMonth(month),
        label: `P${period + 1} ${formatPeriodMonth(startMonth, period + 1).slice(0, 3)} ${month.year}`,
      }
    }),
  }))
}

/** Lists the months of four calendar years, from two years before the given month's year to one year after it, newest year first. */
export function listMonthsAround(month: CalendarMonth): MonthOptionGroup[] {
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
