import { budgetCodeCategory, openingBalanceType } from '../../lookups/lookupIds.ts'
import type { Pennies } from '../../values/units.ts'
/** The kinds of balance a school carries, by their ids in the list `openingBalanceTypes`. */

/** What a budget code says of the money on it. */
export interface CodeFacts {
  isIncome: boolean
  /** By the list `budgetCodeCategories`; empty for a code that says none. */
  category: number | null
  /** The CFR code it is reported under. */
  cfrCode: string | null
}

/** Community-focused codes of the consistent financial reporting framework. */
const extendedCodes = ['I16', 'I17', 'E31', 'E32']

/** Which balance a code's money moves (rules.md §15): capital codes the capital one, community-focused codes the extended one. */
export function balanceOf({ category, cfrCode }: CodeFacts): number {
  if (category === budgetCodeCategory.capital || (cfrCode && /^C[IE]\d/.test(cfrCode))) return openingBalanceType.capital
  return cfrCode && extendedCodes.includes(cfrCode) ? openingBalanceType.extended : openingBalanceType.revenue
}

/** Lines of one code, source and year added up: whole pennies of what is known, and how many monthly figures are not. */
export interface CodeSum {
  /** Empty for the levy, which is posted to no code. */
  code: CodeFacts | null
  isStaff: boolean
  year: number
  total: Pennies
  missing: number
}

/** Where a sum stands: with income, with what staff or all else costs, or, carried between years, in neither. */
export type Side = 'income' | 'staff' | 'other' | 'balance'

/** Staff is what contracts and the levy cost and what stands on expenditure codes of the category Staffing (choice). */
export function sideOf(code: CodeFacts | null, isStaff: boolean): Side {
  if (code?.category === budgetCodeCategory.balance) return 'balance'
  if (code?.isIncome) return 'income'
  return isStaff || code === null || code.category === budgetCodeCategory.staffing ? 'staff' : 'other'
}

/** The lines of a year at a glance. */
export interface YearLines {
  income: number
  staffing: number
  nonStaffing: number
  inYear: number
  opening: number
  closing: number
}

/**
 * One year of a budget at a glance, in whole pennies. `missing` counts the monthly figures of the year that the sums are without; `gaps` says
 * so line by line: a balance is also without what the years before it are without.
 */
export interface OverviewYear extends YearLines {
  missing: number
  gaps: YearLines
  balances: { type: number; opening: number; inYear: number; closing: number }[]
}

/**
 * The years of a budget: in-year balance = income − expenditure, closing = opening + in-year, which opens the next year, each balance by
 * itself (rules.md §10 and §15). Codes of the category Balance carry money between years and count in neither.
 */
export function overviewYears(sums: readonly CodeSum[], openings: ReadonlyMap<number, number>, count: number): OverviewYear[] {
  const carried = new Map(openings)
  let carriedGaps = 0
  return Array.from({ length: count }, (_unused, year): OverviewYear => {
    const own = sums.filter((sum) => sum.year === year && sideOf(sum.code, sum.isStaff) !== 'balance')
    const add = (of: readonly CodeSum[]): number => of.reduce((all, sum) => all + sum.total, 0)
    const income = own.filter((sum) => sideOf(sum.code, sum.isStaff) === 'income')
    const costs = own.filter((sum) => sideOf(sum.code, sum.isStaff) !== 'income')
    const staff = costs.filter((sum) => sideOf(sum.code, sum.isStaff) === 'staff')
    const balances = Object.values(openingBalanceType).map((type) => {
      const isOwn = (sum: CodeSum): boolean => (sum.code ? balanceOf(sum.code) : openingBalanceType.revenue) === type
      const opening = carried.get(type) ?? 0
      const inYear = add(income.filter(isOwn)) - add(costs.filter(isOwn))
      carried.set(type, opening + inYear)
      return { type, opening, inYear, closing: opening + inYear }
    })
    const over = (pick: 'opening' | 'closing'): number => balances.reduce((all, balance) => all + balance[pick], 0)
    const gapsIn = (of: readonly CodeSum[]): number => of.reduce((all, sum) => all + sum.missing, 0)
    const missing = gapsIn(own)
    const opening = carriedGaps
    carriedGaps += missing
    return {
      income: add(income),
      staffing: add(staff),
      nonStaffing: add(costs) - add(staff),
      inYear: add(income) - add(costs),
      opening: over('opening'),
      closing: over('closing'),
      missing,
      gaps: {
        income: gapsIn(income),
        staffing: gapsIn(staff),
        nonStaffing: gapsIn(costs) - gapsIn(staff),
        inYear: missing,
        opening,
        closing: carriedGaps,
      },
      balances,
    }
  })
}

/** Staff cost as a share of income in tenths of a per cent, `78.4`; null without income. */
export function shareOf(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 1000) / 10 : null
}
