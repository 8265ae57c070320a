import { describe, expect, it } from 'vitest'
import {
  describeChance,
  describeDeficit,
  describeInterpolation,
  describeMovedPair,
  describeReserve,
  describeShares,
  describeYear,
  displayChance,
} from '../../../domain/uncertainty/describeUncertainty.ts'
import { countChance } from '../../../domain/uncertainty/results.ts'

const year = (changes = {}) => ({
  planned: 1_450_000,
  p10: -9_460_000,
  p50: 1_200_000,
  p90: 13_380_000,
  belowZero: countChance(740, 2000),
  belowFloor: null,
  meanShortfall: 4_320_000,
  notCalculated: 0,
  ...changes,
})

describe('how sure we are, in words', () => {
  it.each([
    [740, 2000, '37 in 100 futures end 2028/29 below zero.'],
    [0, 2000, 'None of 2,000 futures ends 2028/29 below zero.'],
    [1, 2000, 'Less than 1 in 100 futures ends 2028/29 below zero.'],
    [19, 2000, 'Less than 1 in 100 futures ends 2028/29 below zero.'],
    [20, 2000, '1 in 100 futures ends 2028/29 below zero.'],
    [1980, 2000, '99 in 100 futures end 2028/29 below zero.'],
    [1981, 2000, 'More than 99 in 100 futures end 2028/29 below zero.'],
    [2000, 2000, 'All of 2,000 futures end 2028/29 below zero.'],
    [0, 1, 'None of 1 future ends 2028/29 below zero.'],
    [1, 1, 'All of 1 future ends 2028/29 below zero.'],
  ])('%i of %i: %s', (count, of, sentence) => {
    expect(describeChance(countChance(count, of), '2028/29', 'zero')).toBe(sentence)
  })
  it.each([
    [900, 2000, 'In 45 of 100 futures the reserve is below zero at the end of 2028/29.'],
    [0, 2000, 'In none of the 2,000 futures is the reserve below zero at the end of 2028/29.'],
    [19, 2000, 'In fewer than 1 of 100 futures the reserve is below zero at the end of 2028/29.'],
    [1981, 2000, 'In more than 99 of 100 futures the reserve is below zero at the end of 2028/29.'],
    [2000, 2000, 'In all of the 2,000 futures the reserve is below zero at the end of 2028/29.'],
  ])('one sentence that stands alone says %i of %i', (count, of, sentence) => {
    expect(describeDeficit(countChance(count, of), '2028/29')).toBe(sentence)
  })
  it('a table says the same in fewer words', () => {
    expect([0, 1, 740, 2000].map((count) => displayChance(countChance(count, 2000)))).toEqual([
      'none of 2,000',
      'less than 1 in 100',
      '37 in 100',
      'all of 2,000',
    ])
  })
  it('the floor is named as such', () => {
    expect(describeChance(countChance(1, 2), '2026/27', 'floor')).toBe('50 in 100 futures end 2026/27 below the reserve floor.')
  })
  it('a year says its chance, its range and its shortfall', () => {
    expect(describeYear(year(), '2028/29')).toEqual([
      '37 in 100 futures end 2028/29 below zero.',
      'In 8 of 10 futures the closing reserve of 2028/29 is between −£94,600 and £133,800. In half of all futures it is £12,000 or less.',
      'The futures that end 2028/29 below zero are £43,200 short on average.',
    ])
    expect(describeYear(year({ belowZero: countChance(0, 2000), meanShortfall: null }), '2028/29')).toHaveLength(2)
  })
  it('a year that cannot be calculated says so instead of showing a figure', () => {
    expect(describeYear(year({ p10: null, notCalculated: 3 }), '2028/29')).toEqual([
      '2028/29 is not calculated: the costs of 3 futures are not known.',
    ])
    expect(describeYear(year({ belowZero: null, notCalculated: 1 }), '2028/29')).toEqual([
      '2028/29 is not calculated: the costs of 1 future are not known.',
    ])
  })
  it('the opening reserve that would be enough is compared with the budget’s', () => {
    expect(describeReserve(20_000_000, 13_800_000)).toBe(
      'An opening reserve of £200,000 keeps nine in ten futures at or above zero in every year. That is £62,000 more than the budget has.',
    )
    expect(describeReserve(10_000_000, 13_800_000)).toBe(
      'An opening reserve of £100,000 keeps nine in ten futures at or above zero in every year. The budget opens with £138,000.',
    )
    expect(describeReserve(0, 5)).toBe('Nine in ten futures stay at or above zero in every year even without an opening reserve.')
    expect(describeReserve(null, 5)).toBe('The opening reserve that would be enough is not calculated.')
  })
  it('drivers are named with what they decide, and small ones are left out', () => {
    const shares = [0.504, 0.21, 0.0099, 0].map((share, index) => ({
      id: `${index}`,
      name: ['Intake', 'Supply', 'Energy', 'Award'][index]!,
      share,
    }))
    expect(describeShares(shares, '2028/29')).toBe(
      'What makes the difference to the closing reserve of 2028/29: Intake 50% and Supply 21%.',
    )
    expect(describeShares(shares.slice(2), '2028/29')).toBe('No driver makes a difference to the closing reserve of 2028/29.')
    expect(describeShares([{ id: 'a', name: 'A', share: null }], '2028/29')).toBe('What decides 2028/29 is not calculated.')
  })
  it('a pair that moved says what is used instead of what was said', () => {
    const names = ['Award', 'Funding rate'] as const
    expect(describeMovedPair({ first: 'a', second: 'b', said: -0.6, used: -0.5 }, names)).toBe(
      'Award and Funding rate cannot move together as chosen beside the other pairs, so the calculation uses −0.5 instead of −0.6.',
    )
    expect(describeMovedPair({ first: 'a', second: 'b', said: 0.3, used: 0.2999 }, names)).toContain('uses nearly 0.3.')
    expect(describeMovedPair({ first: 'a', second: 'b', said: 0, used: 0.1 }, names)).toContain(
      'move together at 0.1, because the pairs that were chosen do not allow 0.',
    )
  })
  it('estimated costs say how far they are from costs worked out in full', () => {
    expect(describeInterpolation(1230)).toBe(
      'Costs are estimated from five values of each driver. In the futures that were also worked out in full, they differ by at most £12.30 a year for a location.',
    )
  })
})
