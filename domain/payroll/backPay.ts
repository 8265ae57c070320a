import { type CalendarMonth, toMonthIndex } from '../monitoring/monitoring.ts'
import type { Pennies } from '../values/units.ts'

/** The difference between paid and calculated pay in one month, for one employee and component: whole pennies, actual less calculated. */
export interface MonthDifference extends CalendarMonth {
  difference: Pennies
  /** The reason given in the employee's note; null if there is no note. */
  cause: string | null
}

export interface BackPay extends MonthDifference {
  /** The parts that were settled in later months, in order. Their sign is that of the difference, and their sum never exceeds it. */
  settled: (CalendarMonth & { amount: number })[]
  /** The part that is still unsettled. Negative if the employee is owed pay, positive if they were overpaid. */
  open: number
}

/**
 * Settles the differences of one employee and component (rules.md §18). Each month's difference first settles earlier differences of the
 * opposite sign, oldest first; what is left of it becomes a new difference.
 * @param months in any order; each month once
 * @param at the last month to include
 */
export function settleDifferences(months: readonly MonthDifference[], at: CalendarMonth): BackPay[] {
  const ledger: BackPay[] = []
  const counted = months.filter((month) => toMonthIndex(month) <= toMonthIndex(at)).sort((a, b) => toMonthIndex(a) - toMonthIndex(b))
  for (const { year, month, difference, cause } of counted) {
    let left = difference
    for (const entry of ledger) {
      if (left === 0) break
      if (entry.open === 0 || Math.sign(entry.open) === Math.sign(left)) continue
      const amount = Math.sign(entry.open) * Math.min(Math.abs(entry.open), Math.abs(left))
      entry.settled.push({ year, month, amount })
      entry.open -= amount
      left += amount
    }
    if (left !== 0) ledger.push({ year, month, cause, difference: left, settled: [], open: left })
  }
  return ledger
}

/** The accrual at the end of a month: the sum of the unsettled differences. Whole pennies; positive is still to be paid (rules.md §18). */
export function calculateBackPayAccrual(ledger: readonly BackPay[]): number {
  const open = ledger.reduce((sum, entry) => sum + entry.open, 0)
  return open === 0 ? 0 : -open
}
