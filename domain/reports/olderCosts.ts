import { displayCount } from '../values/format.ts'

/** A budget whose costs are older than what they are calculated with: its school and its name. */
export interface OlderCosts {
  location: string
  name: string
}

/** So many are named; more are counted. */
const mostNamed = 12

/** Whose costs they are, `Northgate (Budget 2026/27), Southgate (Budget 2026/27)`. */
export function olderCostsNames(older: readonly OlderCosts[]): string {
  const named = older.slice(0, mostNamed).map(({ location, name }) => `${location} (${name})`)
  const more = older.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${displayCount(more, 'other budget')}` : ''}`
}

/** Says under a report whose costs are older than what they are calculated with; null: nobody's. */
export function olderCostsWords(older: readonly OlderCosts[]): string | null {
  return older.length ? `Costs are older than what they are calculated with, and are to be recalculated: ${olderCostsNames(older)}.` : null
}
