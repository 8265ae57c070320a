import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addCosts,
  checkedDraws,
  findLargestDifference,
  interpolateCosts,
  interpolationPoints,
  mayInterpolate,
} from '../../../domain/uncertainty/interpolation.ts'

const at = (costs: readonly (number | null)[], ...z: number[]) =>
  interpolateCosts(costs[2] ?? null, [{ costs, z: Float64Array.from(z) }], z.length)

describe('costs of futures read from a table', () => {
  it('are the table’s at its points, on the line between them, and extended beyond the ends', () => {
    const costs = [100, 200, 400, 300, 1000]
    expect(at(costs, ...interpolationPoints)).toEqual(costs)
    expect(at(costs, -1.875, -0.625, 0.625, 1.875)).toEqual([150, 300, 350, 650])
    expect(at(costs, -3.75, 3.75, -8, 8)).toEqual([0, 1700, -340, 4080])
  })
  it('are exact for a cost that is linear', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e9, max: 1e9 }),
        fc.integer({ min: -1e6, max: 1e6 }),
        fc.double({ min: -8, max: 8, noNaN: true }),
        (likely, slope, z) => {
          const costs = interpolationPoints.map((point) => likely + (slope * point * 4) / 1)
          const [cost] = at(costs, z)
          expect(Math.abs(cost! - (likely + slope * 4 * z))).toBeLessThanOrEqual(0.5 + 1e-6)
        },
      ),
      { seed: 5 },
    )
  })
  it('add the effects of several drivers to the cost at likely', () => {
    const effects = [
      { costs: [80, 90, 100, 110, 120], z: Float64Array.of(0, 1.25, 2.5) },
      { costs: [160, 130, 100, 70, 40], z: Float64Array.of(0, 1.25, -2.5) },
    ]
    expect(interpolateCosts(100, effects, 3)).toEqual([100, 80, 180])
    expect(interpolateCosts(100, [], 2)).toEqual([100, 100])
  })
  it('of a location are those of its contracts added up', () => {
    const table = fc.array(fc.integer({ min: -1e7, max: 1e7 }), { minLength: 5, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(table, { minLength: 1, maxLength: 20 }), fc.double({ min: -4, max: 4, noNaN: true }), (tables, z) => {
        const [whole] = at(addCosts(tables), z)
        // Each contract by itself on its line between two points, before rounding.
        const parts = tables.map((costs) => {
          const below = [...interpolationPoints].slice(0, 4).filter((point) => point <= z).length
          const from = Math.max(0, below - 1)
          return costs[from]! + ((costs[from + 1]! - costs[from]!) * (z - interpolationPoints[from]!)) / 1.25
        })
        expect(Math.abs(whole! - parts.reduce((a, b) => a + b))).toBeLessThanOrEqual(0.5 + 1e-5)
      }),
      { seed: 6 },
    )
  })
  it('round halves of a penny away from 0, once', () => {
    const costs = [-4, -2, 0, 1, 2]
    expect(at(costs, 0.625, -0.3125, -0.625)).toEqual([1, -1, -1])
    expect(
      interpolateCosts(
        0,
        [
          { costs: [-2, -1, 0, 1, 2], z: Float64Array.of(0.625) },
          { costs: [-2, -1, 0, 1, 2], z: Float64Array.of(0.625) },
        ],
        1,
      ),
    ).toEqual([1])
  })
  it('are not calculated where one cost is not', () => {
    expect(at([1, 2, null, 4, 5], 0)).toEqual([null])
    expect(interpolateCosts(3, [{ costs: [1, 2, 3, 4, null], z: Float64Array.of(0, 1) }], 2)).toEqual([null, null])
    expect(interpolateCosts(null, [], 2)).toEqual([null, null])
    expect(
      addCosts([
        [1, 2, 3, 4, 5],
        [1, null, 3, 4, 5],
      ]),
    ).toEqual([2, null, 6, 8, 10])
    expect(addCosts([])).toEqual([0, 0, 0, 0, 0])
  })
  it('are used up to a difference of £50 a year, and not where they cannot be compared', () => {
    expect(checkedDraws).toBe(50)
    expect(findLargestDifference([100, 5000, -3, 9], [100, 10_000, 4])).toBe(5000)
    expect(mayInterpolate(5000)).toBe(true)
    expect(mayInterpolate(5001)).toBe(false)
    expect(findLargestDifference([1, null], [1, 2])).toBeNull()
    expect(findLargestDifference([1, 2], [1, null])).toBeNull()
    expect(findLargestDifference([1, null], [3, null])).toBe(2)
    expect(mayInterpolate(null)).toBe(false)
    expect(() => findLargestDifference([1], [1, 2])).toThrow('A draw has no interpolated cost')
  })
})
