import { type CalendarMonth, monthIndex } from '../monitoring/monitoring.ts'
import type { Pennies } from '../values/units.ts'

/** What a month paid one employee more or less than calculated, of one component: whole pennies, actual less calculated. */
export interface MonthDifference extends CalendarMonth {
  difference: Pennies
  /** Why, as it was noted; null while nobody knows. */
  cause: string | null
}

/** A difference with what later months put right of it. */
export interface BackPay extends MonthDifference {
  /** By whom of the later months, in their order; the same sign as the difference, and together never more than it. */
  settled: (CalendarMonth & { amount: number })[]
  /** What of the difference still stands. Negative is owed to the employee, positive was paid too much. */
  open: number
}

/**
 * The ledger of one employee and component (rules.md §18): each month's difference puts right what earlier months of the other sign left open, the
 * oldest first; what is left of it then is a difference of its own.
 * @param months in any order; each month once
 * @param at the last month that counts
 */
export function backPayLedger(months: readonly MonthDifference[], at: CalendarMonth): BackPay[] {
  const ledger: BackPay[] = []
  const counted = months.filter((month) => monthIndex(month) <= monthIndex(at)).sort((a, b) => monthIndex(a) - monthIndex(b))
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

/** What is open at the end of a month: the accrual of it. Whole pennies; positive is still to be paid (rules.md §18). */
export function accrualOf(ledger: readonly BackPay[]): number {
  const open = ledger.reduce((sum, entry) => sum + entry.open, 0)
  return open === 0 ? 0 : -open
}
