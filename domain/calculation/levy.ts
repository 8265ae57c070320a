import { type Day, effective } from '../calendar.ts'
import { over, percent, pounds, round, times, whole } from './exact.ts'
import type { Figure } from './inputs.ts'
import { split } from './split.ts'

/** The levy is 0.5 % of the pay bill (Income Tax (PAYE) Regulations 2003 Part 7A; calculation.md §7). */
const rate = percent('0.5')
/** An employer's allowance of a month: 15,000 pounds a year, in whole pennies. */
export const monthlyAllowance = 125_000

/**
 * Apprenticeship levy of each month: 0.5 % of the gross, to the penny, less the budget's share of the allowance, not below zero.
 * @param gross whole pennies of each month; null where a contract could not be calculated
 * @param shares whole pennies of each month; null where the share is not known
 */
export function levyOf(gross: readonly Figure[], shares: readonly Figure[]): Figure[] {
  return gross.map((pay, month) => {
    const share = shares[month] ?? null
    return pay === null || share === null ? null : Math.max(0, round(times(whole(pay), rate)) - share)
  })
}

/** One budget of a trust: its gross of each month, and the first day of that month. */
export interface LevyPayer {
  gross: readonly { month: Day; amount: Figure }[]
}

/** Shares the allowance of each calendar month over the budgets of a trust by their gross; unknown where one gross is (calculation.md §7). */
export function automaticShares(payers: readonly LevyPayer[]): Figure[][] {
  const byMonth = new Map<Day, { payer: number; amount: Figure }[]>()
  for (const [payer, { gross }] of payers.entries())
    for (const { month, amount } of gross) byMonth.set(month, [...(byMonth.get(month) ?? []), { payer, amount }])
  const shares = payers.map(() => new Map<Day, Figure>())
  for (const [month, entries] of byMonth) {
    const known = entries.every((entry) => entry.amount !== null)
    const parts = split(
      monthlyAllowance,
      entries.map((entry) => Math.max(0, entry.amount ?? 0)),
    )
    for (const [index, { payer }] of entries.entries()) shares[payer]!.set(month, known ? parts[index]! : null)
  }
  return payers.map(({ gross }, payer) => gross.map(({ month }) => shares[payer]!.get(month) ?? null))
}

/** One row of the levy list: a location's share from a date on. */
export interface TypedShare {
  from: Day
  /** Pounds a year. */
  allowance: number | null
  percentage: number | null
}

/** A location's share of each month as it is typed in the levy list: pounds a year, or percent of the allowance; none typed: nothing. */
export function typedShares(rows: readonly TypedShare[], asPercentage: boolean, months: readonly Day[]): number[] {
  return months.map((month) => {
    const row = effective(rows, month)
    if (asPercentage) return round(times(whole(monthlyAllowance), percent(row?.percentage ?? 0)))
    return round(over(pounds(row?.allowance ?? 0), whole(12)))
  })
}
