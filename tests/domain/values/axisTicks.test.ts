import { describe, expect, it } from 'vitest'
import { listAxisTicks } from '../../../domain/values/axisTicks.ts'

describe('the axis of a chart', () => {
  it.each([
    [
      [-14_233, -20_115, -9302, -12_835, -36_449],
      [-40_000, -30_000, -20_000, -10_000, 0],
    ],
    [
      [143_167, 64_466],
      [0, 50_000, 100_000, 150_000],
    ],
    [
      [-500, 1200],
      [-500, 0, 500, 1000, 1500],
    ],
    [[0, 0], [0]],
    [[], [0]],
  ])('for %j is %j: round values, zero, and none beyond', (values, ticks) => {
    expect(listAxisTicks(values)).toEqual(ticks)
  })
})
