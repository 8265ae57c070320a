import { assertDefined } from '../values/assertDefined.ts'
import type { Pennies } from '../values/units.ts'
import type { Draws } from './draws.ts'
import { at } from './matrix.ts'

/** How many of the draws something happens in. */
export interface Chance {
  count: number
  of: number
  /** Whole per cent: 0 only for none of them, 100 only for all. */
  percent: number
}

/** The results of one year. Figures are null if any draw of the year could not be calculated, or the figure does not exist. */
export interface YearOfFutures {
  planned: Pennies | null
  p10: Pennies | null
  p50: Pennies | null
  p90: Pennies | null
  belowZero: Chance | null
  /** Null too if there is no floor. */
  belowFloor: Chance | null
  /** By how much the draws below 0 are below it, on average; null too if none is. */
  meanShortfall: Pennies | null
  /** How many draws could not be calculated. */
  notCalculated: number
}

export interface DriverShare {
  id: string
  name: string
  /** The squared correlation with the closing reserve of the last year, from 0 to 1; correlated drivers can add up to more than 1. */
  share: number | null
}

export interface Futures {
  years: YearOfFutures[]
  /** The driver that decides most first. */
  drivers: DriverShare[]
  /** The opening reserve that keeps nine of ten draws at or above 0 in every year; null if a draw or the opening reserve is unknown. */
  reserveForNineInTen: Pennies | null
}

export interface FuturesInput {
  draws: Draws
  /** By draw and year: whole pennies; null for a draw that cannot be calculated. */
  closing: readonly (readonly (Pennies | null)[])[]
  /** By year: the budget’s own closing reserve, and the organisation’s floor or null. */
  years: readonly { planned: Pennies | null; floor: Pennies | null }[]
  openingReserve: Pennies | null
}

/** The results of rules.md §21 from the closing reserves of every draw. */
export function summariseFutures({ draws, closing, years, openingReserve }: FuturesInput): Futures {
  if (closing.length !== draws.count || closing.some((reserves) => reserves.length !== years.length))
    throw new Error('Every draw needs a closing reserve, or null, for every year')
  const byYear = years.map((_unused, year) => closing.map((reserves) => reserves[year] ?? null))
  const last = byYear.at(-1)
  const known = last ? allKnown(last) : null
  return {
    years: years.map((year, index) => summariseYear(assertDefined(byYear[index]), year)),
    drivers: draws.drivers
      .map(({ driver: { id, name }, values }) => ({ id, name, share: known && calculateShareDecided(values, known) }))
      .sort((a, b) => (b.share ?? 0) - (a.share ?? 0)),
    reserveForNineInTen: calculateReserve(closing, openingReserve),
  }
}

/** The figures, if none is unknown. */
function allKnown(figures: readonly (Pennies | null)[]): Pennies[] | null {
  const known = figures.filter((figure) => figure !== null)
  return known.length === figures.length ? known : null
}

function summariseYear(
  reserves: readonly (Pennies | null)[],
  { planned, floor }: { planned: Pennies | null; floor: Pennies | null },
): YearOfFutures {
  const known = allKnown(reserves)
  const notCalculated = reserves.filter((reserve) => reserve === null).length
  if (!known) return { planned, p10: null, p50: null, p90: null, belowZero: null, belowFloor: null, meanShortfall: null, notCalculated }
  const sorted = sortAscending(known)
  const below = known.filter((reserve) => reserve < 0)
  return {
    planned,
    p10: findPercentile(sorted, 10),
    p50: findPercentile(sorted, 50),
    p90: findPercentile(sorted, 90),
    belowZero: countChance(below.length, known.length),
    belowFloor: floor === null ? null : countChance(known.filter((reserve) => reserve < floor).length, known.length),
    meanShortfall: calculateMeanShortfall(below),
    notCalculated,
  }
}

const sortAscending = (figures: readonly Pennies[]): Pennies[] => [...figures].sort((a, b) => a - b)

/** The k-th smallest, `k = ceil(percent × n / 100)` in whole numbers. */
function findPercentile(sorted: readonly Pennies[], percent: number): Pennies {
  return at(sorted, Math.floor((percent * sorted.length + 99) / 100) - 1)
}

/**
 * The chance in whole per cent, halves up. What happens in some draws is at least 1, and what does not happen in all is at most 99, so that
 * nobody reads 0 as never or 100 as always.
 */
export function countChance(count: number, of: number): Chance {
  const rounded = Math.floor((200 * count + of) / (2 * of))
  return { count, of, percent: count === 0 ? 0 : count === of ? 100 : Math.min(99, Math.max(1, rounded)) }
}

/** In whole pennies, halves away from 0. Summed in big integers, since 20,000 reserves may exceed what a double holds exactly. */
function calculateMeanShortfall(below: readonly Pennies[]): Pennies | null {
  if (!below.length) return null
  const [sum, count] = [below.reduce((total, reserve) => total - BigInt(reserve), 0n), BigInt(below.length)]
  return Number((2n * sum + count) / (2n * count))
}

/** A driver without a spread, or a reserve that no driver changes, gives 0: nothing is decided. */
function calculateShareDecided(values: Float64Array, reserves: readonly Pennies[]): number {
  const [x, y] = [centre(values), centre(reserves)]
  let [xy, xx, yy] = [0, 0, 0]
  x.forEach((dx, draw) => {
    const dy = at(y, draw)
    xy += dx * dy
    xx += dx * dx
    yy += dy * dy
  })
  return xx === 0 || yy === 0 ? 0 : Math.min(1, (xy / xx) * (xy / yy))
}

/** Differences from the mean. The first number is taken off before, so that equal numbers give exactly 0. */
function centre(numbers: Float64Array | readonly number[]): Float64Array {
  const shifted = Float64Array.from(numbers, (number) => number - at(numbers, 0))
  const mean = shifted.reduce((sum, number) => sum + number, 0) / shifted.length
  return shifted.map((number) => number - mean)
}

function calculateReserve(closing: FuturesInput['closing'], opening: Pennies | null): Pennies | null {
  const lowest = allKnown(closing.map((reserves) => allKnown(reserves)?.reduce((least, reserve) => Math.min(least, reserve)) ?? null))
  if (!lowest || opening === null) return null
  return Math.max(0, opening - at(sortAscending(lowest), Math.floor(lowest.length / 10)))
}
