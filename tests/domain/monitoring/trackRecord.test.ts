import { describe, expect, it } from 'vitest'
import { alignForecasts, compareForecastWithOutturn, sumForecastTracks } from '../../../domain/monitoring/trackRecord.ts'
import { toLocationId } from '../../../domain/values/ids.ts'

const twelve = (...values: number[]): number[] => Array.from({ length: 12 }, (_unused, period) => values[period] ?? 0)
const periods = (...isIn: number[]): boolean[] => Array.from({ length: 12 }, (_unused, period) => isIn.includes(period + 1))
const kept = [{ budgetCodeId: 1, values: Array<number>(12).fill(100) }]

describe('how far a forecast was from the outturn', () => {
  it('is calculated for the months closed since, each separately', () => {
    const tracks = compareForecastWithOutturn(kept, {
      closing: 1,
      outturn: new Map([[1, twelve(90, 100, 220)]]),
      isIn: periods(1, 3),
      cumulative: false,
    })
    expect(tracks.get(1)).toEqual({ forecast: 100, outturn: 220, months: 1, missing: 0 })
  })
  it('combines an open month with the next closed one if imports are cumulative', () => {
    const outturn = new Map([[1, twelve(90, 100, 220, 70)]])
    expect(compareForecastWithOutturn(kept, { closing: 1, outturn, isIn: periods(1, 3), cumulative: true }).get(1)).toEqual({
      forecast: 200,
      outturn: 220,
      months: 2,
      missing: 0,
    })
    expect(compareForecastWithOutturn(kept, { closing: 1, outturn, isIn: periods(1, 3, 4), cumulative: true }).get(1)).toEqual({
      forecast: 300,
      outturn: 290,
      months: 3,
      missing: 0,
    })
    expect(compareForecastWithOutturn(kept, { closing: 2, outturn, isIn: periods(1, 2, 3), cumulative: true }).get(1)).toEqual({
      forecast: 100,
      outturn: 220,
      months: 1,
      missing: 0,
    })
  })
  it('is blank if no month was closed since', () => {
    expect(compareForecastWithOutturn(kept, { closing: 3, outturn: new Map(), isIn: periods(1, 2, 3), cumulative: true }).size).toBe(0)
  })
  it('covers the months of its own year, even if the budget year now begins in another month', () => {
    const forecast = [{ budgetCodeId: 1, values: Array.from({ length: 12 }, (_unused, period) => period + 1) }]
    const { forecasts: later, isOf } = alignForecasts(forecast, 3)
    expect(later[0]!.values).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0])
    expect(isOf.lastIndexOf(true)).toBe(8)
    expect(alignForecasts(forecast, -2).forecasts[0]!.values.slice(0, 4)).toEqual([0, 0, 1, 2])
    expect(alignForecasts(forecast, 0).forecasts).toEqual(forecast)
  })
  it('is totalled by row and by the closed month', () => {
    const track = { forecast: 5, outturn: 7, months: 1, missing: 1 }
    const found = [
      {
        locationId: toLocationId(1),
        at: 8,
        tracks: new Map([
          [1, track],
          [2, { ...track, months: 3 }],
        ]),
      },
      { locationId: toLocationId(2), at: 8, tracks: new Map([[1, track]]) },
      { locationId: toLocationId(1), at: 9, tracks: new Map([[1, track]]) },
    ]
    const sums = sumForecastTracks(found, (code) => code)
    expect(sums.get(1)?.get(8)).toEqual({ forecast: 10, outturn: 14, months: 1, missing: 2 })
    expect(sums.get(1)?.get(9)).toEqual(track)
    expect(sums.get(2)?.get(9)).toBeUndefined()
    expect(
      sumForecastTracks(found, () => 'all')
        .get('all')
        ?.get(8),
    ).toEqual({ forecast: 15, outturn: 21, months: 3, missing: 3 })
  })
})
