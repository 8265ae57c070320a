import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { CorrelationWord } from '../../../domain/uncertainty/correlation.ts'
import { type DrawPlan, defaultDraws, drawFutures, mostDraws, mostDrivers } from '../../../domain/uncertainty/draws.ts'
import { type Driver, tenthZ } from '../../../domain/uncertainty/normal.ts'
import { summariseFutures } from '../../../domain/uncertainty/results.ts'
import { futuresHash, futuresPlan } from '../../support/samples/futures.ts'

const driver = (id: string, likely = 100, spread = 10): Driver => ({ id, name: id, low: likely - spread, likely, high: likely + spread })
const plan = (changes: Partial<DrawPlan> = {}): DrawPlan => ({
  drivers: [driver('a')],
  pairs: [],
  count: defaultDraws,
  seed: 1,
  ...changes,
})
const mean = (values: ArrayLike<number>): number => Array.from(values).reduce((sum, one) => sum + one, 0) / values.length
function covariance(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [meanA, meanB] = [mean(a), mean(b)]
  return mean(Array.from(a, (one, index) => (one - meanA) * (b[index]! - meanB)))
}
const bytesOf = (arrays: readonly Float64Array[]): Buffer => Buffer.concat(arrays.map(({ buffer }) => Buffer.from(buffer)))

/** The chance that a standard normal is below `z`: a sum over slices of its density. */
function chanceBelow(z: number): number {
  const slices = 4000
  const width = (z + 10) / slices
  let sum = 0
  for (let slice = 0; slice < slices; slice++) sum += Math.exp(-((-10 + (slice + 0.5) * width) ** 2) / 2) * width
  return sum / Math.sqrt(2 * Math.PI)
}

describe('drawn futures', () => {
  it('the same seed gives the same bytes, whatever the order in which drivers and pairs are listed', () => {
    const hash = (of: DrawPlan): string => {
      const { drivers } = drawFutures(of)
      return createHash('sha256')
        .update(bytesOf([...drivers.map(({ z }) => z), ...drivers.map(({ values }) => values)]))
        .digest('hex')
    }
    expect(hash(futuresPlan)).toBe(futuresHash)
    const turned = futuresPlan.pairs.map(({ first, second, word }) => ({ first: second, second: first, word })).reverse()
    expect(hash({ ...futuresPlan, drivers: [...futuresPlan.drivers].reverse(), pairs: turned })).toBe(futuresHash)
    expect(hash({ ...futuresPlan, seed: futuresPlan.seed + 1 })).not.toBe(futuresHash)
  })
  it('drivers are in the order of their ids by code unit', () => {
    const { drivers } = drawFutures(plan({ drivers: ['b', 'é', 'Z', 'a10', 'a9'].map((id) => driver(id)) }))
    expect(drivers.map(({ driver: { id } }) => id)).toEqual(['Z', 'a10', 'a9', 'b', 'é'])
  })
  it('a driver without a pair has one future in each of 2,000 equal slices', () => {
    const { drivers } = drawFutures(plan({ drivers: [driver('a'), driver('b'), driver('c')] }))
    for (const { z } of drivers) {
      const slices = Array.from(z, (one) => Math.floor(chanceBelow(one) * 2000 + 1e-7)).sort((a, b) => a - b)
      expect(new Set(slices).size).toBeGreaterThan(1990)
      expect(mean(z)).toBeCloseTo(0, 3)
      expect(covariance(z, z)).toBeCloseTo(1, 2)
    }
    const [a, b] = drivers
    expect(Math.abs(covariance(a!.z, b!.z))).toBeLessThan(0.08)
  }, 60_000)
  it('each of few slices holds exactly one future', () => {
    for (const count of [1, 2, 7, 40]) {
      const [only] = drawFutures(plan({ count, seed: count })).drivers
      const slices = Array.from(only!.z, (one) => Math.floor(chanceBelow(one) * count)).sort((a, b) => a - b)
      expect(slices).toEqual(Array.from({ length: count }, (_unused, index) => index))
    }
  }, 60_000)
  it.each(Object.entries({ movesWith: 0.6, movesALittleWith: 0.3, doesNotMoveWith: 0, movesALittleAgainst: -0.3, movesAgainst: -0.6 }))(
    'two drivers of which one %s the other correlate by %d',
    (word, wanted) => {
      const { drivers, correlation } = drawFutures(
        plan({ count: 20_000, drivers: [driver('a'), driver('b')], pairs: [{ first: 'b', second: 'a', word: word as CorrelationWord }] }),
      )
      const [a, b] = drivers
      const found = covariance(a!.z, b!.z) / Math.sqrt(covariance(a!.z, a!.z) * covariance(b!.z, b!.z))
      expect(Math.abs(found - wanted)).toBeLessThan(0.02)
      expect(correlation.moved).toEqual([])
      expect(covariance(b!.z, b!.z)).toBeCloseTo(1, 1)
    },
  )
  it('words that cannot all be true are drawn from the nearest matrix', () => {
    const { drivers, correlation } = drawFutures({ ...futuresPlan, count: 20_000 })
    expect(correlation.moved.length).toBeGreaterThan(0)
    const zOf = new Map(drivers.map(({ driver: { id }, z }) => [id, z]))
    for (const [i, first] of correlation.ids.entries())
      for (const [j, second] of correlation.ids.entries())
        expect(Math.abs(covariance(zOf.get(first)!, zOf.get(second)!) - correlation.matrix[i]![j]!)).toBeLessThan(0.03)
  })
  it('one award of 3 % give or take 0.75 on £1,242,000 of pay moves the cost by £9,315', () => {
    const award = driver('award', 3, 0.75 * tenthZ)
    const [only] = drawFutures(plan({ drivers: [award], count: 20_000, seed: 31 })).drivers
    const cost = only!.values.map((percent) => (1_242_000 * percent) / 100)
    const deviation = Math.sqrt(covariance(cost, cost))
    expect(Math.abs(deviation / 9315 - 1)).toBeLessThan(0.01)
  })
  it('a driver with a longer side has one future in ten beyond each of its ends', () => {
    const [only] = drawFutures(plan({ drivers: [{ id: 'a', name: 'A', low: 9, likely: 10, high: 30 }] })).drivers
    expect(only!.values.filter((value) => value < 9)).toHaveLength(200)
    expect(only!.values.filter((value) => value < 10)).toHaveLength(1000)
    expect(only!.values.filter((value) => value > 30)).toHaveLength(200)
  })
  it('2,000 futures give a chance of 45 % within two points in 95 of 100 runs', () => {
    // Five normal drivers, two of them correlated: the sum is normal, so the chance of a deficit is known in closed form.
    const drivers = [driver('a', 0, 50_000), driver('b', 0, 30_000), driver('c', 0, 20_000), driver('d', 0, 20_000), driver('e', 0, 10_000)]
    const pairs = [{ first: 'b', second: 'c', word: 'movesWith' as const }]
    const variance = (50_000 ** 2 + 30_000 ** 2 + 2 * 20_000 ** 2 + 10_000 ** 2 + 2 * 0.6 * 30_000 * 20_000) / tenthZ ** 2
    // z of 45 %
    const reserve = 0.12566134685507402 * Math.sqrt(variance)
    expect(chanceBelow(-0.12566134685507402)).toBeCloseTo(0.45, 6)
    const runs = Array.from({ length: 100 }, (_unused, seed) => {
      const draws = drawFutures(plan({ drivers, pairs, seed }))
      const closing = Array.from({ length: draws.count }, (_each, draw) => [
        Math.round(draws.drivers.reduce((sum, { values }) => sum + values[draw]!, reserve)),
      ])
      const { years } = summariseFutures({ draws, closing, years: [{ planned: Math.round(reserve), floor: null }], openingReserve: 0 })
      return years[0]!.belowZero!.percent
    })
    expect(runs.filter((percent) => Math.abs(percent - 45) <= 2).length).toBeGreaterThanOrEqual(95)
  }, 60_000)
  it('a split normal agrees with a Monte Carlo by another generator', () => {
    const uneven = [
      { id: 'intake', name: 'Intake', low: -60_000, likely: 0, high: 20_000 },
      { id: 'supply', name: 'Supply', low: -30_000, likely: 0, high: 5_000 },
    ]
    const { drivers } = drawFutures(plan({ drivers: uneven, count: 20_000, seed: 4 }))
    const drawn = mean(Array.from(drivers[0]!.values, (value, draw) => (value + drivers[1]!.values[draw]! < -20_000 ? 1 : 0)))
    // Park and Miller’s generator and Box and Muller’s method, side by side of the mode with its own spread.
    let state = 12345
    const uniform = (): number => (state = (state * 48271) % 2147483647) / 2147483647
    const normal = (): number => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform())
    const split = ({ low, high }: Driver, z: number): number => (z < 0 ? (z * -low) / tenthZ : (z * high) / tenthZ)
    let below = 0
    const times = 400_000
    for (let one = 0; one < times; one++) if (split(uneven[0]!, normal()) + split(uneven[1]!, normal()) < -20_000) below++
    expect(Math.abs(drawn - below / times)).toBeLessThan(0.01)
  })
  it('no driver and one future are drawn too', () => {
    expect(drawFutures(plan({ drivers: [], count: 3 }))).toMatchObject({ count: 3, drivers: [] })
    const [only] = drawFutures(plan({ count: 1 })).drivers
    expect(only!.values).toHaveLength(1)
  })
  it('three hundred drivers, as for two intakes of each of a hundred schools, are drawn', () => {
    const drivers = Array.from({ length: mostDrivers }, (_unused, index) => driver(`driver ${index}`))
    expect(drawFutures(plan({ drivers })).drivers.every(({ values }) => values.every(Number.isFinite))).toBe(true)
  })
  it.each<[string, Partial<DrawPlan>, string, string]>([
    ['no futures', { count: 0 }, 'draws', 'Enter a number of futures from 1 to 20,000.'],
    ['half a future', { count: 1.5 }, 'draws', 'Enter a number of futures from 1 to 20,000.'],
    ['too many futures', { count: mostDraws + 1 }, 'draws', 'Enter a number of futures from 1 to 20,000.'],
    ['a seed below 0', { seed: -1 }, 'seed', 'Enter a whole number from 0 to 4294967295 as the seed.'],
    ['a seed of 33 bits', { seed: 2 ** 32 }, 'seed', 'Enter a whole number from 0 to 4294967295 as the seed.'],
    ['an id twice', { drivers: [driver('a'), driver('a')] }, 'drivers', 'Two drivers have the same id.'],
    ['low above likely', { drivers: [{ ...driver('a'), low: 101 }] }, 'drivers', 'a: Likely must not be below low or above high.'],
    ['no number', { drivers: [{ ...driver('a'), low: Number.NaN }] }, 'drivers', 'a: Enter low, likely and high as numbers.'],
    [
      'too many drivers',
      { drivers: Array.from({ length: mostDrivers + 1 }, (_unused, id) => driver(`${id}`)) },
      'drivers',
      'At most 300 drivers can be drawn together.',
    ],
    [
      'an unknown driver in a pair',
      { pairs: [{ first: 'a', second: 'x', word: 'movesWith' }] },
      'correlations',
      'A pair names a driver that is not in the list.',
    ],
  ])('refuses %s, at its field', (_what, changes, field, message) => {
    expect(() => drawFutures(plan(changes))).toThrow(expect.objectContaining({ kind: 'invalid', fields: [{ field, message }] }))
  })
})
