import { assertDefined } from '../values/assertDefined.ts'
import { invalid } from '../words/errors.ts'
import { type Correlation, correlate, type DriverPair } from './correlation.ts'
import { createGenerator, drawPermutation, drawUniform, mostSeed } from './generator.ts'
import { at, rowOf } from './matrix.ts'
import { calculateValue, type Driver, describeSpreadProblem, invertNormal } from './normal.ts'

export const defaultDraws = 2000
export const mostDraws = 20_000
/** Enough for two intakes each of a hundred schools beside what they share. */
export const mostDrivers = 300

/** What a run is drawn from. The same plan gives the same bytes in browser, worker and server. */
export interface DrawPlan {
  drivers: readonly Driver[]
  /** Pairs that are not listed do not move together. */
  pairs: readonly DriverPair[]
  /** How many futures are drawn, from 1 to `mostDraws`. */
  count: number
  /** A whole number from 0 to `mostSeed`. */
  seed: number
}

/** The drawn values of one driver, one per draw. */
export interface DrawnDriver {
  driver: Driver
  /** Standard normal numbers, after the correlation. */
  z: Float64Array
  values: Float64Array
}

export interface Draws {
  count: number
  /** In the order of their ids by code unit. */
  drivers: readonly DrawnDriver[]
  correlation: Correlation
}

/**
 * Draws the futures of a run by Latin hypercube (rules.md §21). Driver by driver in the order of ids, the generator gives a permutation
 * and then one uniform per draw: `u = (permutation + uniform) / count`, and `z` is its inverse normal. Correlated `z` are `L z` with the
 * Cholesky factor `L`, so a driver without a pair keeps one draw in each of `count` equal slices.
 * @throws DomainError with a plain sentence for drivers, pairs, count or seed that cannot be drawn
 */
export function drawFutures({ drivers, pairs, count, seed }: DrawPlan): Draws {
  checkPlan({ drivers, count, seed })
  const sorted = [...drivers].sort((a, b) => (a.id < b.id ? -1 : 1))
  const correlation = correlate(
    sorted.map(({ id }) => id),
    pairs,
  )
  const bits = createGenerator(seed)
  const independent = new Map(sorted.map(({ id }) => [id, drawSlices(count, bits)]))
  const correlated = applyFactor(
    correlation.factor,
    correlation.ids.map((id) => assertDefined(independent.get(id))),
  )
  const zById = new Map([...independent, ...correlation.ids.map((id, index) => [id, rowOf(correlated, index)] as const)])
  return {
    count,
    correlation,
    drivers: sorted.map((driver) => {
      const z = assertDefined(zById.get(driver.id))
      return { driver, z, values: z.map((one) => calculateValue(driver, one)) }
    }),
  }
}

function checkPlan({ drivers, count, seed }: Omit<DrawPlan, 'pairs'>): void {
  const refuse = (field: string, message: string) => invalid([{ field, message }])
  if (!Number.isInteger(count) || count < 1 || count > mostDraws)
    throw refuse('draws', `Enter a number of futures from 1 to ${mostDraws.toLocaleString('en-GB')}.`)
  if (!Number.isInteger(seed) || seed < 0 || seed > mostSeed)
    throw refuse('seed', `Enter a whole number from 0 to ${mostSeed} as the seed.`)
  if (drivers.length > mostDrivers) throw refuse('drivers', `At most ${mostDrivers} drivers can be drawn together.`)
  if (new Set(drivers.map(({ id }) => id)).size < drivers.length) throw refuse('drivers', 'Two drivers have the same id.')
  for (const driver of drivers) {
    const problem = describeSpreadProblem(driver)
    if (problem) throw refuse('drivers', `${driver.name}: ${problem}`)
  }
}

function drawSlices(count: number, bits: () => number): Float64Array {
  const order = drawPermutation(count, bits)
  return Float64Array.from(order, (slice) => invertNormal((slice + drawUniform(bits)) / count))
}

/** `L z` for each draw: a row is the sum of the rows up to it by their factors, in order. */
function applyFactor(factor: readonly Float64Array[], rows: readonly Float64Array[]): Float64Array[] {
  return factor.map((factors, index) => {
    const sum = new Float64Array(rowOf(rows, index).length)
    for (let other = 0; other <= index; other++) {
      const [by, row] = [at(factors, other), rowOf(rows, other)]
      if (by !== 0) for (let draw = 0; draw < sum.length; draw++) sum[draw] = at(sum, draw) + by * at(row, draw)
    }
    return sum
  })
}
