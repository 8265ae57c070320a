import { assertDefined } from '../values/assertDefined.ts'
import { sumIfAllKnown } from '../values/knownSum.ts'
import type { Pennies } from '../values/units.ts'
import { at } from './matrix.ts'

/** The `z` at which a contract is costed for each driver (rules.md §21); the third is likely. */
export const interpolationPoints = [-2.5, -1.25, 0, 1.25, 2.5] as const

/** Whole pennies at each of the `interpolationPoints`; null where a cost cannot be calculated. */
export type CostsAtPoints = readonly (Pennies | null)[]

/** What one driver does to the costs of a location in a year. */
export interface DriverEffect {
  costs: CostsAtPoints
  /** The driver’s drawn `z`, one per draw. */
  z: Float64Array
}

/**
 * Adds the tables of contracts, exactly. The points are the same for all, so interpolating the sum of a location’s tables gives the sum of
 * its contracts’ interpolated costs, without the work for each contract and draw.
 */
export function addCosts(tables: readonly CostsAtPoints[]): CostsAtPoints {
  return interpolationPoints.map((_unused, point) => sumIfAllKnown(tables.map((costs) => costs[point] ?? null)))
}

/**
 * The cost in each draw: the cost at likely plus the effect of every driver, each interpolated linearly and extended beyond the ends.
 * Rounded to whole pennies once, halves away from 0. All are null if a cost is.
 * @param likely whole pennies with every driver at likely
 */
export function interpolateCosts(likely: Pennies | null, effects: readonly DriverEffect[], count: number): (Pennies | null)[] {
  const sums = new Float64Array(count)
  for (const { costs, z } of effects) {
    const known = costs.filter((cost) => cost !== null)
    if (likely === null || known.length < interpolationPoints.length) return Array(count).fill(null)
    for (let draw = 0; draw < count; draw++) sums[draw] = at(sums, draw) + calculateEffect(known, at(z, draw))
  }
  return Array.from(sums, (effect) => (likely === null ? null : likely + roundHalfAway(effect)))
}

/** By how much the cost at `z` exceeds the cost at likely. */
function calculateEffect(costs: readonly Pennies[], z: number): number {
  const step = interpolationPoints[1] - interpolationPoints[0]
  const from = Math.min(interpolationPoints.length - 2, Math.max(0, Math.floor((z - interpolationPoints[0]) / step)))
  const [low, high] = [at(costs, from), at(costs, from + 1)]
  return low - at(costs, 2) + ((high - low) * (z - at(interpolationPoints, from))) / step
}

const roundHalfAway = (value: number): number => (value < 0 ? -Math.round(-value) : Math.round(value)) || 0

/** How many draws are costed in full beside the interpolation. They are the first, since draws are in random order. */
export const checkedDraws = 50

/** Above £50 a year for a location, all draws are costed in full. */
const mostDifference: Pennies = 5000

/**
 * The largest difference between interpolated and full costs of the same draws, in pennies.
 * @returns null if a cost is unknown in only one of the two, which cannot be compared
 */
export function findLargestDifference(interpolated: readonly (Pennies | null)[], full: readonly (Pennies | null)[]): Pennies | null {
  if (full.length > interpolated.length) throw new Error('A draw has no interpolated cost')
  const differences = full.map((cost, draw) => {
    const other = interpolated[draw] ?? null
    return cost === null || other === null ? (cost === other ? 0 : null) : Math.abs(cost - other)
  })
  return differences.includes(null) ? null : Math.max(0, ...differences.map(assertDefined))
}

/** Whether interpolated costs may be used instead of costing every draw in full. */
export function mayInterpolate(largestDifference: Pennies | null): boolean {
  return largestDifference !== null && largestDifference <= mostDifference
}
