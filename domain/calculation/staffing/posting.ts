import type { Percent } from '../../units.ts'
import type { ContractCost, Figure, YearCost } from '../inputs.ts'
import { split } from '../split.ts'

/** Where an amount goes: a budget code and, where one is named, a cost centre. */
export interface Coding {
  budgetCodeId: number
  costCentreId: number | null
}

/** The coding of a payroll code (service term): pay, national insurance and pension each have their own. */
export interface TermCoding {
  basic: Coding
  ni: Coding
  pension: Coding
}

/** What a line is for. Basic, allowances and leave pay are one amount, for they go to one code; what is recovered on leave goes there too. */
export type LineComponent = 'pay' | 'recovery' | 'ni' | 'pension' | 'levy' | 'entry' | 'topSlice' | 'gagPool'

/** One source, year, component and coding with its twelve months in whole pennies; null where a month could not be calculated. */
export interface PostedLine extends Coding {
  component: LineComponent
  /** From 0. */
  year: number
  fundCodeId: number | null
  amounts: Figure[]
}

export interface FundShare {
  fundCodeId: number
  /** Adds up to 100 over a contract, with at most four decimals. */
  percentage: Percent
}

const components: {
  component: LineComponent
  coding: keyof TermCoding
  figures: keyof YearCost & ('gross' | 'leaveRecovery' | 'ni' | 'pension')
}[] = [
  { component: 'pay', coding: 'basic', figures: 'gross' },
  { component: 'recovery', coding: 'basic', figures: 'leaveRecovery' },
  { component: 'ni', coding: 'ni', figures: 'ni' },
  { component: 'pension', coding: 'pension', figures: 'pension' },
]

/**
 * The lines of one contract's cost (rules.md §9): each month's amount is split by the fund codes' percentages, so that the lines add up
 * to the cost to the penny. What is nothing in all twelve months has no line.
 * @param coding of the contract's first payroll code, which says where the cost goes (choice: others serve to match payroll)
 */
export function postContract(cost: ContractCost, coding: TermCoding, funds: readonly FundShare[]): PostedLine[] {
  return cost.years.flatMap((costs, year) =>
    components.flatMap(({ component, coding: which, figures }) =>
      splitByFunds(costs[figures], funds).map(
        ({ fundCodeId, amounts }): PostedLine => ({ component, year, fundCodeId, ...coding[which], amounts }),
      ),
    ),
  )
}

/** Twelve months split by fund codes, each month by itself; what is nothing in all months is left out, no fund codes take all as none. */
export function splitByFunds(months: readonly Figure[], funds: readonly FundShare[]): { fundCodeId: number | null; amounts: Figure[] }[] {
  const fundIds = funds.length ? funds.map((fund) => fund.fundCodeId) : [null]
  const weights = funds.length ? funds.map((fund) => Math.round(fund.percentage * 10_000)) : [1]
  let before: Figure | undefined
  let share: readonly Figure[] = []
  // Most months are as the one before.
  const shares = months.map((amount) => {
    if (amount !== before) share = amount === null ? weights.map(() => null) : split(amount, weights)
    before = amount
    return share
  })
  return fundIds.flatMap((fundCodeId, index) =>
    shares.some((one) => one[index] !== 0) ? { fundCodeId, amounts: shares.map((one) => one[index] ?? null) } : [],
  )
}
