import { displayCount } from '../values/format.ts'

/** A budget whose costs are out of date, by its school and its name. */
export interface BudgetWithOutdatedCosts {
  location: string
  name: string
}

const maximumNamed = 12

/** Lists budgets by name, such as `Northgate (Budget 2026/27), Southgate (Budget 2026/27)`. */
export function formatBudgetNames(older: readonly BudgetWithOutdatedCosts[]): string {
  const named = older.slice(0, maximumNamed).map(({ location, name }) => `${location} (${name})`)
  const more = older.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${displayCount(more, 'other budget')}` : ''}`
}

/** Describes the out-of-date costs in a note below a report; null if there are none. */
export function describeOutdatedCosts(older: readonly BudgetWithOutdatedCosts[]): string | null {
  return older.length ? `Costs are out of date and need recalculating: ${formatBudgetNames(older)}.` : null
}
