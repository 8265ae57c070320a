import { displayCount, displayMoney } from '../../values/format.ts'
import type { Pennies } from '../../values/units.ts'
import type { BudgetHead } from '../budget.ts'
import { listYearNames } from './decideEntry.ts'

/**
 * Says how the amounts of a budget's years differ: `£3,805.00 less in 2026/27, £41,200.00 less over 5 years`. The second part is left out
 * if only one year differs.
 * @returns empty if no year differs
 */
export function describeYearsDifference(
  before: readonly Pennies[],
  after: readonly Pennies[],
  head: Pick<BudgetHead, 'firstYear' | 'numberOfYears'>,
): string {
  const differences = after.map((pennies, year) => ({ year, by: pennies - (before[year] ?? 0) })).filter(({ by }) => by !== 0)
  const [first, ...others] = differences
  if (!first) return ''
  const amount = (pennies: Pennies): string => `${displayMoney(Math.abs(pennies))} ${pennies < 0 ? 'less' : 'more'}`
  const sum = differences.reduce((total, { by }) => total + by, 0)
  const inFirst = `${amount(first.by)} in ${listYearNames(head)[first.year]}`
  return others.length ? `${inFirst}, ${sum === 0 ? 'no change' : amount(sum)} over ${displayCount(after.length, 'year')}` : inFirst
}
