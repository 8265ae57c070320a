import { assertDefined } from '../values/assertDefined.ts'
import { type Day, findEffectiveRow } from '../values/calendar.ts'
import type { Pennies, Percent, Pounds } from '../values/units.ts'
import {
  div,
  type Exact,
  formatExact,
  fromInteger,
  isGreater,
  minus,
  parseExact,
  parsePercent,
  parsePounds,
  round,
  times,
} from './exact.ts'
import type { Figure } from './inputs.ts'
import { split } from './split.ts'

/** The levy is 0.5% of the pay bill (Income Tax (PAYE) Regulations 2003 Part 7A; rules.md §7). */
const rate = parsePercent('0.5')
/** An employer's monthly levy allowance, in whole pennies: 15,000 pounds a year. */
export const monthlyLevyAllowance = 125_000

/**
 * A budget's share of one month's allowance in pennies: a whole number, or an exact fraction as text if a twelfth of the yearly amount is
 * not a whole number; null if not known.
 */
export type LevyShare = Pennies | string | null

/**
 * Apprenticeship levy of each month: 0.5% of gross less the budget's share of the allowance, rounded once, never below zero. A month
 * without pay has no levy, even if the share is not known.
 * @param gross whole pennies of each month; null where a contract could not be calculated
 */
export function calculateLevy(gross: readonly Figure[], shares: readonly LevyShare[]): Figure[] {
  return gross.map((pay, month) => {
    const share = shares[month] ?? null
    if (pay !== null && pay <= 0) return 0
    return pay === null || share === null ? null : Math.max(0, round(minus(times(fromInteger(pay), rate), parseExact(share))))
  })
}

/** One budget of a trust with its gross pay by month; `month` is the first day of the month. */
export interface LevyPayer {
  gross: readonly { month: Day; amount: Figure }[]
  /** The shares that a locked budget has posted and keeps; null for an open budget. */
  kept: readonly LevyShare[] | null
}

/**
 * Divides the allowance of each calendar month among the budgets of a trust by gross (rules.md §7). Locked budgets keep their shares; open
 * ones split the rest, which is never below zero. The shares of a month are unknown if the gross of an open budget is unknown, or the share
 * of a locked budget with pay.
 * @returns the shares of each payer by month
 */
export function calculateLevyShares(payers: readonly LevyPayer[]): LevyShare[][] {
  const byMonth = new Map<Day, { payer: number; amount: Figure }[]>()
  const left = new Map<Day, Exact | null>()
  for (const [payer, { gross, kept }] of payers.entries())
    for (const [index, { month, amount }] of gross.entries())
      if (kept) left.set(month, subtractLockedShare(left.get(month), { amount, share: kept[index] ?? null }))
      else byMonth.set(month, [...(byMonth.get(month) ?? []), { payer, amount }])
  const shares = payers.map(() => new Map<Day, Figure>())
  for (const [month, entries] of byMonth) {
    const rest = roundDownToPennies(left.get(month))
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

/** Subtracts a locked budget's share from a month's allowance; null if not known. A budget without pay in the month uses none of it. */
function subtractLockedShare(left: Exact | null | undefined, { amount, share }: { amount: Figure; share: LevyShare }): Exact | null {
  if (left === null) return null
  if (share === null) return amount !== null && amount <= 0 ? (left ?? fromInteger(monthlyLevyAllowance)) : null
  return minus(left ?? fromInteger(monthlyLevyAllowance), parseExact(share))
}

/** Converts the rest of a month's allowance to whole pennies, rounded down so that the allowance is never exceeded; null if not known. */
function roundDownToPennies(left: Exact | null | undefined): Pennies | null {
  if (left === null) return null
  if (!left) return monthlyLevyAllowance
  const pennies = round(left)
  return Math.max(0, isGreater(fromInteger(pennies), left) ? pennies - 1 : pennies)
}

/** One row of the levy list: a location's share from a date. */
export interface EnteredLevyShare {
  from: Day
  /** Pounds a year. */
  allowance: Pounds | null
  percentage: Percent | null
}

/**
 * A location's monthly shares according to the levy list, which gives pounds a year or a percentage of the allowance; zero without a row.
 * The twelfth is exact, because only the month's levy is rounded (rules.md §7).
 */
export function resolveEnteredLevyShares(
  rows: readonly EnteredLevyShare[],
  asPercentage: boolean,
  months: readonly Day[],
): (number | string)[] {
  return months.map((month) => {
    const row = findEffectiveRow(rows, month)
    return toStoredShare(
      asPercentage
        ? times(fromInteger(monthlyLevyAllowance), parsePercent(row?.percentage ?? 0))
        : div(parsePounds(row?.allowance ?? 0), fromInteger(12)),
    )
  })
}

function toStoredShare(share: Exact): number | string {
  const text = formatExact(share)
  return text.includes('/') ? text : Number(text)
}
