import { budgetCodeCategory, openingBalanceType } from '../../lookups/lookupIds.ts'
import type { Pennies } from '../../values/units.ts'

/** The properties of a budget code that determine which balance and section it belongs to. */
export interface CodeFacts {
  isIncome: boolean
  /** An id from the list `budgetCodeCategories`; null if the code has none. */
  category: number | null
  /** The CFR code that the budget code is reported under. */
  cfrCode: string | null
}

/** Community-focused codes of the Consistent Financial Reporting framework. */
const extendedCodes = ['I16', 'I17', 'E31', 'E32']

/**
 * The type of balance (`openingBalanceTypes`) that a code's money belongs to (rules.md §15): capital codes to capital, community-focused
 * codes to extended.
 */
export function findBalanceType({ category, cfrCode }: CodeFacts): number {
  if (category === budgetCodeCategory.capital || (cfrCode && /^C[IE]\d/.test(cfrCode))) return openingBalanceType.capital
  return cfrCode && extendedCodes.includes(cfrCode) ? openingBalanceType.extended : openingBalanceType.revenue
}

/** The sum of the lines of one code, source and year: whole pennies of the figures that are known, and how many are not. */
export interface CodeSum {
  /** Null for the levy, which is posted to no code. */
  code: CodeFacts | null
  isStaff: boolean
  year: number
  total: Pennies
  missing: number
}

/** The section of an overview that a sum belongs to; `balance` is money carried between years, outside income and expenditure. */
export type OverviewSection = 'income' | 'staff' | 'other' | 'balance'

/** The section for a code. Our choice: staff costs are contracts, the levy, and expenditure codes of category Staffing. */
export function findOverviewSection(code: CodeFacts | null, isStaff: boolean): OverviewSection {
  if (code?.category === budgetCodeCategory.balance) return 'balance'
  if (code?.isIncome) return 'income'
  return isStaff || code === null || code.category === budgetCodeCategory.staffing ? 'staff' : 'other'
}

/** The figures of one year in an overview. */
export interface OverviewFigures {
  income: number
  staffing: number
  nonStaffing: number
  inYear: number
  opening: number
  closing: number
}

/**
 * The overview of one year in whole pennies. `missing` counts the monthly figures left out of the sums. `gaps` counts them by figure; those
 * of a balance include the years before it.
 */
export interface OverviewYear extends OverviewFigures {
  missing: number
  gaps: OverviewFigures
  balances: { type: number; opening: number; inYear: number; closing: number }[]
}

/**
 * The overview of each year, for each type of balance: in-year balance = income − expenditure; closing balance = opening balance + in-year
 * balance; the closing balance opens the next year (rules.md §10 and §15). Codes of category Balance carry money between years and are left
 * out.
 */
export function calculateOverviewYears(sums: readonly CodeSum[], openings: ReadonlyMap<number, number>, count: number): OverviewYear[] {
  const carried = new Map(openings)
  let carriedGaps = 0
  return Array.from({ length: count }, (_unused, year): OverviewYear => {
    const sumsOfYear = sums.filter((sum) => sum.year === year && findOverviewSection(sum.code, sum.isStaff) !== 'balance')
    const add = (of: readonly CodeSum[]): number => of.reduce((all, sum) => all + sum.total, 0)
    const income = sumsOfYear.filter((sum) => findOverviewSection(sum.code, sum.isStaff) === 'income')
    const costs = sumsOfYear.filter((sum) => findOverviewSection(sum.code, sum.isStaff) !== 'income')
    const staff = costs.filter((sum) => findOverviewSection(sum.code, sum.isStaff) === 'staff')
    const balances = Object.values(openingBalanceType).map((type) => {
      const isOwn = (sum: CodeSum): boolean => (sum.code ? findBalanceType(sum.code) : openingBalanceType.revenue) === type
      const opening = carried.get(type) ?? 0
      const inYear = add(income.filter(isOwn)) - add(costs.filter(isOwn))
      carried.set(type, opening + inYear)
      return { type, opening, inYear, closing: opening + inYear }
    })
    const over = (pick: 'opening' | 'closing'): number => balances.reduce((all, balance) => all + balance[pick], 0)
    const gapsIn = (of: readonly CodeSum[]): number => of.reduce((all, sum) => all + sum.missing, 0)
    const missing = gapsIn(sumsOfYear)
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

/** `part` as a percentage of `whole` to one decimal, such as `78.4`; null if `whole` is not positive. */
export function calculateShareOfWhole(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 1000) / 10 : null
}
