import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawFutures } from '../../../domain/uncertainty/draws.ts'
import { type Driver, tenthZ } from '../../../domain/uncertainty/normal.ts'
import { countChance, type FuturesInput, summariseFutures } from '../../../domain/uncertainty/results.ts'

const driver = (id: string, spread: number): Driver => ({ id, name: id.toUpperCase(), low: -spread, likely: 0, high: spread })

/** Summarises closing reserves in pennies by draw and year; the drivers do not matter. */
function summarise(closing: FuturesInput['closing'], changes: Partial<FuturesInput> = {}) {
  const years = (closing[0] ?? []).map(() => ({ planned: 0, floor: null }))
  const draws = drawFutures({ drivers: [driver('a', 1)], pairs: [], count: closing.length, seed: 1 })
  return summariseFutures({ draws, closing, years, openingReserve: 0, ...changes })
}

const oneYear = (reserves: readonly (number | null)[], floor: number | null = null) =>
  summarise(
    reserves.map((reserve) => [reserve]),
    { years: [{ planned: 1, floor }] },
  ).years[0]!

describe('the results of drawn futures', () => {
  it('ten futures from 1 to 10 have their first, fifth and ninth as percentiles', () => {
    expect(oneYear([3, 9, 1, 10, 5, 7, 2, 8, 4, 6])).toMatchObject({
      planned: 1,
      p10: 1,
      p50: 5,
      p90: 9,
      meanShortfall: null,
      belowFloor: null,
    })
    // Eleven: ceil(1.1), ceil(5.5) and ceil(9.9).
    expect(oneYear([3, 9, 1, 10, 5, 7, 2, 8, 4, 6, 11])).toMatchObject({ p10: 2, p50: 6, p90: 10 })
    expect(oneYear([-4])).toMatchObject({ p10: -4, p50: -4, p90: -4, meanShortfall: 4, belowZero: { count: 1, of: 1, percent: 100 } })
  })
  it('drawn reserves give what counting one by one gives', () => {
    const reserve = fc.integer({ min: -50, max: 50 })
    const drawn = fc
      .integer({ min: 1, max: 4 })
      .chain((years) => fc.array(fc.array(reserve, { minLength: years, maxLength: years }), { minLength: 1, maxLength: 45 }))
    fc.assert(
      fc.property(drawn, reserve, reserve, (closing, floor, openingReserve) => {
        const n = closing.length
        const years = closing[0]!.map(() => ({ planned: null, floor }))
        const found = summarise(closing, { years, openingReserve })
        found.years.forEach((year, index) => {
          const reserves = closing.map((one) => one[index]!)
          // The smallest reserve that at least so many per cent of the futures do not exceed.
          const percentile = (percent: number) =>
            Math.min(...reserves.filter((candidate) => reserves.filter((other) => other <= candidate).length * 100 >= percent * n))
          expect([year.p10, year.p50, year.p90]).toEqual([10, 50, 90].map(percentile))
          const below = reserves.filter((one) => one < 0)
          expect(year.belowZero).toMatchObject({ count: below.length, of: n })
          expect(year.belowFloor).toMatchObject({ count: reserves.filter((one) => one < floor).length, of: n })
          if (below.length)
            expect(Math.abs(year.meanShortfall! * below.length + below.reduce((a, b) => a + b))).toBeLessThanOrEqual(below.length / 2)
          else expect(year.meanShortfall).toBeNull()
        })
        // The least opening reserve with which at most one in ten futures, rounded down, is ever below 0.
        const isEnough = (opening: number) =>
          closing.filter((one) => one.some((each) => each - openingReserve + opening < 0)).length <= Math.floor(n / 10)
        let least = 0
        while (!isEnough(least)) least++
        expect(found.reserveForNineInTen).toBe(least)
      }),
      { seed: 21, numRuns: 300 },
    )
  })
  it.each([
    [0, 2000, 0],
    [1, 2000, 1],
    [10, 2000, 1],
    [29, 2000, 1],
    [30, 2000, 2],
    [740, 2000, 37],
    [749, 2000, 37],
    [750, 2000, 38],
    [1989, 2000, 99],
    [1999, 2000, 99],
    [2000, 2000, 100],
    [1, 3, 33],
    [2, 3, 67],
    [0, 1, 0],
    [1, 1, 100],
  ])('%i of %i futures are %i per cent: 0 only if none, 100 only if all', (count, of, percent) => {
    expect(countChance(count, of)).toEqual({ count, of, percent })
  })
  it('a reserve of exactly 0, or at the floor, is not below it', () => {
    expect(oneYear([0, 0, -1, 1], 1)).toMatchObject({ belowZero: { count: 1 }, belowFloor: { count: 3 } })
  })
  it('the shortfall is exact for sums that a double cannot hold, with halves away from 0', () => {
    const large = 9_007_199_254_740_001
    expect(oneYear([-large, -large, -large + 1, 5]).meanShortfall).toBe(large)
    expect(oneYear([-1, -2]).meanShortfall).toBe(2)
    expect(oneYear([-1, -1, -2]).meanShortfall).toBe(1)
  })
  it('one future that cannot be calculated leaves its year without figures, and never counts as 0', () => {
    const found = summarise([
      [5, 5],
      [5, null],
      [5, -5],
    ])
    expect(found.years[0]).toMatchObject({ p50: 5, belowZero: { count: 0 }, notCalculated: 0 })
    expect(found.years[1]).toEqual({
      planned: 0,
      p10: null,
      p50: null,
      p90: null,
      belowZero: null,
      belowFloor: null,
      meanShortfall: null,
      notCalculated: 1,
    })
    expect(found.drivers).toEqual([{ id: 'a', name: 'A', share: null }])
    expect(found.reserveForNineInTen).toBeNull()
    expect(summarise([[5]], { openingReserve: null }).reserveForNineInTen).toBeNull()
  })
  it('drivers share the last year by the squares of what they move, and one without a spread has none', () => {
    const drivers = [driver('energy', 1), driver('intake', 3), driver('published', 0), driver('supply', 2)]
    const draws = drawFutures({ drivers, pairs: [], count: 20_000, seed: 9 })
    const closing = Array.from({ length: draws.count }, (_unused, draw) => [
      draw,
      Math.round(draws.drivers.reduce((sum, { values }) => sum + 100_000 * values[draw]!, 0)),
    ])
    const years = [1, 2].map(() => ({ planned: 0, floor: null }))
    const { drivers: shares } = summariseFutures({ draws, closing, years, openingReserve: 0 })
    expect(shares.map(({ name }) => name)).toEqual(['INTAKE', 'SUPPLY', 'ENERGY', 'PUBLISHED'])
    for (const [index, share] of [9 / 14, 4 / 14, 1 / 14].entries()) expect(Math.abs(shares[index]!.share! - share)).toBeLessThan(0.02)
    expect(shares[3]!.share).toBe(0)
  })
  it('a driver that alone decides the reserve has all of it, and of two correlated ones both have a share', () => {
    const pair = [{ first: 'a', second: 'b', word: 'movesAgainst' as const }]
    const draws = drawFutures({ drivers: [driver('a', 1), driver('b', 1)], pairs: pair, count: 20_000, seed: 3 })
    const closing = Array.from(draws.drivers[0]!.values, (value) => [Math.round(value * -1e6)])
    const { drivers } = summariseFutures({ draws, closing, years: [{ planned: 0, floor: null }], openingReserve: 0 })
    expect(drivers[0]).toMatchObject({ id: 'a' })
    expect(drivers[0]!.share).toBeCloseTo(1, 9)
    expect(Math.abs(drivers[1]!.share! - 0.36)).toBeLessThan(0.02)
  })
  it('reserves that no driver changes are decided by none, even where the mean of a driver is no exact double', () => {
    const draws = drawFutures({
      drivers: [{ ...driver('a', 0), low: 0.1, likely: 0.1, high: 0.1 }, driver('b', 1)],
      pairs: [],
      count: 1999,
      seed: 3,
    })
    const input = { draws, years: [{ planned: 0, floor: null }], openingReserve: 0 }
    const same = summariseFutures({ ...input, closing: Array.from({ length: 1999 }, () => [13]) })
    expect(same.drivers.map(({ share }) => share)).toEqual([0, 0])
    const moved = summariseFutures({ ...input, closing: Array.from(draws.drivers[1]!.z, (z) => [Math.round(z * 1000)]) })
    expect(moved.drivers.map(({ id, share }) => [id, share! > 0.99])).toEqual([
      ['b', true],
      ['a', false],
    ])
    expect(moved.drivers[1]!.share).toBe(0)
  })
  it('the chance of a normal reserve is the closed form’s', () => {
    const draws = drawFutures({ drivers: [driver('a', 100_000)], pairs: [], count: 2000, seed: 8 })
    // One in ten is below −£1,000.00; the median plus the reserve of £500 is below 0 for z below −0.6408: 26.1 %.
    const closing = Array.from(draws.drivers[0]!.values, (value) => [Math.round(value) + 50_000])
    const { years, reserveForNineInTen } = summariseFutures({
      draws,
      closing,
      years: [{ planned: 50_000, floor: -50_000 }],
      openingReserve: 50_000,
    })
    expect(years[0]!.belowZero).toMatchObject({ percent: 26 })
    expect(Math.abs(years[0]!.belowZero!.count - 522)).toBeLessThanOrEqual(1)
    expect(years[0]!.belowFloor).toMatchObject({ percent: 10, count: 200 })
    expect(Math.abs(years[0]!.p10! + 50_000)).toBeLessThan(150)
    expect(Math.abs(reserveForNineInTen! - 100_000)).toBeLessThan(150)
    // E[z | z < c] = −φ(c) / Φ(c) with c = −0.6408
    const c = -tenthZ / 2
    const density = Math.exp((-c * c) / 2) / Math.sqrt(2 * Math.PI)
    const expected = -(50_000 - (100_000 / tenthZ) * (density / 0.2609))
    expect(Math.abs(years[0]!.meanShortfall! / expected - 1)).toBeLessThan(0.01)
  })
  it('no spread gives the budget to the penny in every future', () => {
    const draws = drawFutures({ drivers: [driver('a', 0)], pairs: [], count: 200, seed: 8 })
    const closing = Array.from(draws.drivers[0]!.values, (value) => [1_450_033 + value])
    const found = summariseFutures({ draws, closing, years: [{ planned: 1_450_033, floor: null }], openingReserve: 13_800_000 })
    expect(found.years[0]).toMatchObject({ p10: 1_450_033, p50: 1_450_033, p90: 1_450_033, belowZero: { count: 0 } })
    expect(found.drivers[0]!.share).toBe(0)
    expect(found.reserveForNineInTen).toBe(13_800_000 - 1_450_033)
  })
  it('a future or a year without its closing reserve is an error, not a guess', () => {
    const draws = drawFutures({ drivers: [], pairs: [], count: 2, seed: 8 })
    const input = { draws, years: [{ planned: 0, floor: null }], openingReserve: 0 }
    for (const closing of [[[1]], [[1], []], [[1], [1, 2]]])
      expect(() => summariseFutures({ ...input, closing })).toThrow('Every draw needs')
  })
})
