import { displayCount, displayDecimal, displayList, displayMoney, displayNumber, displayWholePounds } from '../values/format.ts'
import type { Pennies } from '../values/units.ts'
import type { MovedPair } from './correlation.ts'
import type { Chance, DriverShare, YearOfFutures } from './results.ts'

/*
 * What a run says to a head teacher or governor. A draw is a future, a chance is so many in 100 futures, and no sentence needs a word of
 * statistics. Years are named as budgets name them: 2028/29.
 */

/** The chance as a phrase: `37 in 100`, `none of 2,000`, `less than 1 in 100`. */
export function displayChance({ count, of, percent }: Chance): string {
  if (count === 0) return `none of ${displayNumber(of)}`
  if (count === of) return `all of ${displayNumber(of)}`
  if (count * 100 < of) return 'less than 1 in 100'
  return (of - count) * 100 < of ? 'more than 99 in 100' : `${percent} in 100`
}

/** Says how likely a year is to end below zero, or below the organisation’s reserve floor. */
export function describeChance(chance: Chance, year: string, limit: 'zero' | 'floor'): string {
  const words = displayChance(chance)
  const futures = chance.of === 1 ? 'future' : 'futures'
  const ends = chance.count === 0 || chance.percent === 1 || chance.of === 1 ? 'ends' : 'end'
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${futures} ${ends} ${year} below ${limit === 'zero' ? 'zero' : 'the reserve floor'}.`
}

/** Says how likely the reserve is to be below zero at the end of a year, in one sentence that stands alone. */
export function describeDeficit({ count, of, percent }: Chance, year: string): string {
  const end = `below zero at the end of ${year}.`
  if (of === 1) return `In the only future that was drawn, the reserve is ${count ? '' : 'not '}${end}`
  if (count === 0) return `In none of the ${displayCount(of, 'future')} is the reserve ${end}`
  if (count === of) return `In all of the ${displayCount(of, 'future')} the reserve is ${end}`
  if (count * 100 < of) return `In fewer than 1 of 100 futures the reserve is ${end}`
  if ((of - count) * 100 < of) return `In more than 99 of 100 futures the reserve is ${end}`
  return `In ${percent} of 100 futures the reserve is ${end}`
}

/** Says where the closing reserve of a year may end, or why that is not calculated. */
export function describeYear({ p10, p50, p90, belowZero, meanShortfall, notCalculated }: YearOfFutures, year: string): string[] {
  if (p10 === null || p50 === null || p90 === null || belowZero === null)
    return [`${year} is not calculated: the costs of ${displayCount(notCalculated, 'future')} are not known.`]
  return [
    describeChance(belowZero, year, 'zero'),
    `In 8 of 10 futures the closing reserve of ${year} is between ${displayWholePounds(p10)} and ${displayWholePounds(p90)}. In half of all futures it is ${displayWholePounds(p50)} or less.`,
    ...(meanShortfall === null
      ? []
      : [`The futures that end ${year} below zero are ${displayWholePounds(meanShortfall)} short on average.`]),
  ]
}

/** Says which opening reserve would keep nine of ten futures at or above zero. */
export function describeReserve(reserve: Pennies | null, opening: Pennies | null): string {
  if (reserve === null || opening === null) return 'The opening reserve that would be enough is not calculated.'
  if (reserve === 0) return 'Nine in ten futures stay at or above zero in every year even without an opening reserve.'
  const needed = `An opening reserve of ${displayWholePounds(reserve)} keeps nine in ten futures at or above zero in every year.`
  if (reserve > opening) return `${needed} That is ${displayWholePounds(reserve - opening)} more than the budget has.`
  return `${needed} The budget opens with ${displayWholePounds(opening)}.`
}

/** Says which drivers make the futures differ. Those that make less than 1 % are left out. */
export function describeShares(drivers: readonly DriverShare[], year: string): string {
  if (drivers.some(({ share }) => share === null)) return `What decides ${year} is not calculated.`
  const shown = drivers.flatMap(({ name, share }) => ((share ?? 0) < 0.01 ? [] : [`${name} ${Math.round((share ?? 0) * 100)}%`]))
  if (!shown.length) return `No driver makes a difference to the closing reserve of ${year}.`
  return `What makes the difference to the closing reserve of ${year}: ${displayList(shown)}.`
}

/** Says that the words for two drivers cannot be true beside the other pairs, and what is used instead. */
export function describeMovedPair({ said, used }: MovedPair, [first, second]: readonly [string, string]): string {
  if (said === 0)
    return `${first} and ${second} move together at ${displayStrength(used)}, because the pairs that were chosen do not allow 0.`
  const instead = displayStrength(used) === displayStrength(said) ? 'nearly' : `${displayStrength(used)} instead of`
  return `${first} and ${second} cannot move together as chosen beside the other pairs, so the calculation uses ${instead} ${displayStrength(said)}.`
}

const displayStrength = (strength: number): string => displayDecimal(Math.round(strength * 100) / 100 || 0)

/** Says how far costs read from tables are from costs worked out in full. */
export function describeInterpolation(largestDifference: Pennies): string {
  return `Costs are estimated from five values of each driver. In the futures that were also worked out in full, they differ by at most ${displayMoney(largestDifference)} a year for a location.`
}
