import { describe, expect, it } from 'vitest'
import { createGenerator, createSplitMix32, createXoshiro, drawPermutation, drawUniform } from '../../../domain/uncertainty/generator.ts'

/** The vectors are the output of a C program that was written from the published definitions, in 32-bit unsigned integers. */
describe('the generator of futures', () => {
  it.each([
    [0, [1684164658, 3653269916, 2939563536, 2141751570, 3295091513, 4057132772]],
    [1, [1580013426, 350525680, 3524174333, 3011703609, 643872864, 2282937712]],
    [42, [551831576, 144025891, 322543647, 3034809370, 908029994, 2648427983]],
    [4294967295, [3950124170, 4293442868, 1302505678, 2762329221, 3361369063, 1522821371]],
    [2147483648, [2241709437, 3944143666, 3411218436, 3540427171, 1692415998, 3348361993]],
  ])('SplitMix32 of seed %i gives the words of the reference', (seed, words) => {
    expect(Array.from({ length: 6 }, createSplitMix32(seed))).toEqual(words)
  })
  it('xoshiro128** gives the numbers that its authors publish for the state 1, 2, 3, 4', () => {
    expect(Array.from({ length: 10 }, createXoshiro([1, 2, 3, 4]))).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ])
  })
  it.each([
    [0, [1789933344, 44971166, 2521387044, 3848737593, 1138324114, 749234105], 2470510109],
    [1, [393288148, 2174103013, 3814759091, 2092745082, 1865176206, 2179171167], 2904505416],
    [42, [660444221, 3652823732, 77672526, 910233633, 2297337756, 3786072677], 285724258],
    [4294967295, [4104197751, 1825856343, 1152209388, 2427537429, 3685145430, 609215610], 369485560],
    [2147483648, [2185488291, 2101450894, 1955824843, 513007995, 427042446, 1072984364], 4139697635],
  ])('seed %i gives the numbers of the reference, up to the millionth', (seed, first, millionth) => {
    const bits = createGenerator(seed)
    expect(Array.from({ length: 6 }, bits)).toEqual(first)
    for (let drawn = 7; drawn < 1_000_000; drawn++) bits()
    expect(bits()).toBe(millionth)
  })
  it('uniform numbers are never 0 or 1, not even for the least and the greatest bits', () => {
    expect(drawUniform(() => 0)).toBe(2 ** -33)
    expect(drawUniform(() => 2 ** 32 - 1)).toBe(1 - 2 ** -33)
    expect(drawUniform(() => 2 ** 31)).toBe(0.5 + 2 ** -33)
  })
  it('a permutation holds every number once', () => {
    for (const count of [0, 1, 2, 3, 10, 999]) {
      const order = drawPermutation(count, createGenerator(count))
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_unused, index) => index))
    }
  })
  it('all orders of four are equally likely', () => {
    const times = new Map<string, number>()
    const bits = createGenerator(2026)
    for (let drawn = 0; drawn < 24_000; drawn++) {
      const order = drawPermutation(4, bits).join('')
      times.set(order, (times.get(order) ?? 0) + 1)
    }
    expect(times.size).toBe(24)
    // χ² with 23 degrees of freedom is above 49.7 once in a thousand seeds.
    expect([...times.values()].reduce((sum, one) => sum + (one - 1000) ** 2 / 1000, 0)).toBeLessThan(49.7)
  })
})
