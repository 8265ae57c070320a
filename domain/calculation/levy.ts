import { assertDefined } from '../values/assertDefined.ts'
import { type Day, effectiveRow } from '../values/calendar.ts'
import type { Pennies, Percent, Pounds } from '../values/units.ts'
import { type Exact, exactText, isGreater, minus, over, percent, pounds, readExact, round, times, whole } from './exact.ts'
import type { Figure } from './inputs.ts'
import { split } from './split.ts'

/** The levy is 0.5 % of the pay bill (Income Tax (PAYE) Regulations 2003 Part 7A; rules.md §7). */
const rate = percent('0.5')
/** An employer's allowance of a month: 15,000 pounds a year, in whole pennies. */
export const monthlyAllowance = 125_000

/**
 * A budget's share of a month's allowance in pennies: whole, or as the text of an exact fraction where the twelfth of a typed year is not;
 * null where it is not known.
 */
export type LevyShare = Pennies | string | null

/**
 * Apprenticeship levy of each month: 0.5 % of the gross less the budget's share of the allowance, rounded once, not below zero. A month
 * without pay has none, whether the share is known or not.
 * @param gross whole pennies of each month; null where a contract could not be calculated
 */
export function levyOf(gross: readonly Figure[], shares: readonly LevyShare[]): Figure[] {
  return gross.map((pay, month) => {
    const share = shares[month] ?? null
    if (pay !== null && pay <= 0) return 0
    return pay === null || share === null ? null : Math.max(0, round(minus(times(whole(pay), rate), readExact(share))))
  })
}

/** One budget of a trust: its gross of each month, and the first day of that month. */
export interface LevyPayer {
  gross: readonly { month: Day; amount: Figure }[]
  /** The shares of a locked budget, which it keeps; null for an open one. */
  kept: readonly LevyShare[] | null
}

/**
 * Shares the allowance of each calendar month over the budgets of a trust by their gross: locked budgets keep what they have, the open ones
 * get what these leave, not below zero; unknown where the gross of an open one is, or the share of a locked one that has pay (rules.md §7).
 * @returns the shares of each payer; those of a locked one are what it keeps
 */
export function automaticShares(payers: readonly LevyPayer[]): LevyShare[][] {
  const byMonth = new Map<Day, { payer: number; amount: Figure }[]>()
  const left = new Map<Day, Exact | null>()
  for (const [payer, { gross, kept }] of payers.entries())
    for (const [index, { month, amount }] of gross.entries())
      if (kept) left.set(month, lessKept(left.get(month), { amount, share: kept[index] ?? null }))
      else byMonth.set(month, [...(byMonth.get(month) ?? []), { payer, amount }])
  const shares = payers.map(() => new Map<Day, Figure>())
  for (const [month, entries] of byMonth) {
    const rest = wholePenniesOf(left.get(month))
    const known = rest !== null && entries.every((entry) => entry.amount !== null)
    const parts = split(
      rest ?? 0,
      entries.map((entry) => Math.max(0, entry.amount ?? 0)),
    )
    for (const [index, { payer }] of entries.entries()) assertDefined(shares[payer]).set(month, known ? assertDefined(parts[index]) : null)
  }
  return payers.map(({ gross, kept }, payer) =>
    kept ? gross.map((_one, index) => kept[index] ?? null) : gross.map(({ month }) => assertDefined(shares[payer]).get(month) ?? null),
  )
}

/** What a locked budget leaves of a month's allowance; null where nobody knows. A month without pay takes none of it. */
function lessKept(left: Exact | null | undefined, { amount, share }: { amount: Figure; share: LevyShare }): Exact | null {
  if (left === null) return null
  if (share === null) return amount !== null && amount <= 0 ? (left ?? whole(monthlyAllowance)) : null
  return minus(left ?? whole(monthlyAllowance), readExact(share))
}

/** What is left of a month's allowance in whole pennies, never more than there is; null where nobody knows. */
function wholePenniesOf(left: Exact | null | undefined): Pennies | null {
  if (left === null) return null
  if (!left) return monthlyAllowance
  const pennies = round(left)
  return Math.max(0, isGreater(whole(pennies), left) ? pennies - 1 : pennies)
}

/** One row of the levy list: a location's share from a date on. */
export interface TypedShare {
  from: Day
  /** Pounds a year. */
  allowance: Pounds | null
  percentage: Percent | null
}

/**
 * A location's share of each month as it is typed in the levy list: pounds a year, or percent of the allowance; none typed: nothing. A
 * twelfth of it is exact (rules.md §7): only the month's levy is rounded.
 */
export function typedShares(rows: readonly TypedShare[], asPercentage: boolean, months: readonly Day[]): (number | string)[] {
  return months.map((month) => {
    const row = effectiveRow(rows, month)
    return kept(asPercentage ? times(whole(monthlyAllowance), percent(row?.percentage ?? 0)) : over(pounds(row?.allowance ?? 0), whole(12)))
  })
}

function kept(share: Exact): number | string {
  const text = exactText(share)
  return text.includes('/') ? text : Number(text)
}
