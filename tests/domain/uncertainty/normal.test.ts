import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { calculateLog } from '../../../domain/uncertainty/elementary.ts'
import { calculateValue, describeSpreadProblem, invertNormal, tenthZ } from '../../../domain/uncertainty/normal.ts'

/** The normal distribution by its power series near 0 and by Laplace’s continued fraction in the tail: neither is an inverse. */
function upperTail(z: number): number {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)
  if (z < 2.5) {
    let [term, sum] = [z, z]
    for (let power = 3; Math.abs(term) > 1e-19; power += 2) sum += term *= (z * z) / power
    return 0.5 - density * sum
  }
  let fraction = 0
  for (let level = 400; level > 0; level--) fraction = level / (z + fraction)
  return density / (z + fraction)
}

const award = { id: 'award', name: 'Award', low: 2.2, likely: 3, high: 4 }

describe('the logarithm and the normal distribution', () => {
  it('the logarithm is correct to the last bits over the whole range of doubles', () => {
    let worst = 0
    for (let power = -1000; power <= 1000; power += 0.37) {
      const x = 2 ** power
      worst = Math.max(worst, Math.abs(calculateLog(x) - Math.log(x)) / Math.abs(Math.log(x)))
    }
    for (let step = 1; step < 1000; step++) {
      const near = 1 + (step - 500.5) / 1e6
      worst = Math.max(worst, Math.abs(calculateLog(near) - Math.log(near)) / Math.abs(Math.log(near)))
    }
    expect(worst).toBeLessThan(1e-15)
    expect(calculateLog(1)).toBe(0)
  })
  it('the inverse gives the probability back, from the middle to one in 10¹³', () => {
    const tails = [
      ...Array.from({ length: 998 }, (_unused, step) => (step + 1) / 2000),
      ...[4, 5, 6, 8, 10, 11.5, 13].map((ten) => 10 ** -ten),
    ]
    for (const tail of tails) {
      expect(Math.abs(upperTail(-invertNormal(tail)) / tail - 1), `tail ${tail}`).toBeLessThan(1e-13)
      // 1 − tail itself is rounded, which moves far tails.
      if (tail > 1e-3) expect(invertNormal(1 - tail)).toBeCloseTo(-invertNormal(tail), 11)
    }
    expect(invertNormal(0.5)).toBe(0)
  })
  it('one in ten is the z of the rules', () => {
    expect(invertNormal(0.9)).toBeCloseTo(tenthZ, 14)
    expect(upperTail(tenthZ)).toBeCloseTo(0.1, 15)
  })
  it('a driver is its low, likely and high at the 10th, 50th and 90th percentile', () => {
    expect([-tenthZ, 0, tenthZ].map((z) => calculateValue(award, z))).toEqual([2.2, 3, 4])
    expect(calculateValue(award, -2 * tenthZ)).toBeCloseTo(1.4, 12)
    expect(calculateValue(award, 2 * tenthZ)).toBeCloseTo(5, 12)
  })
  it('a driver without a spread is likely in every future, to the last bit', () => {
    for (const z of [-7.5, -1, -0.3, 0, 0.7, 7.5]) expect(calculateValue({ ...award, low: 0.1, likely: 0.1, high: 0.1 }, z)).toBe(0.1)
  })
  it('counts are whole numbers of at least 0', () => {
    const pupils = { id: 'intake', name: 'Intake', low: 2, likely: 10, high: 30, isCount: true }
    expect(calculateValue(pupils, -3 * tenthZ)).toBe(0)
    expect(calculateValue(pupils, tenthZ / 40)).toBe(11)
    expect(calculateValue(pupils, tenthZ / 41)).toBe(10)
    expect(Object.is(calculateValue({ ...pupils, low: 0, likely: 0, high: 0 }, -1), 0)).toBe(true)
  })
  it('values out of order, or that are no numbers, are refused in one sentence', () => {
    expect(describeSpreadProblem(award)).toBeNull()
    expect(describeSpreadProblem({ low: 3, likely: 3, high: 3 })).toBeNull()
    for (const wrong of [{ low: 3.1 }, { high: 2.9 }])
      expect(describeSpreadProblem({ ...award, ...wrong })).toBe('Likely must not be below low or above high.')
    expect(describeSpreadProblem({ ...award, likely: Number.NaN })).toBe('Enter low, likely and high as numbers.')
    expect(describeSpreadProblem({ ...award, high: Number.POSITIVE_INFINITY })).toBe('Enter low, likely and high as numbers.')
  })
  it('the code uses only functions of Math that every browser and server calculates to the same bit', () => {
    const folder = resolve(import.meta.dirname, '../../../domain/uncertainty')
    const same = ['sqrt', 'floor', 'imul', 'abs', 'min', 'max', 'round', 'LN2', 'SQRT2', 'SQRT1_2']
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    const used = files.flatMap((file) => {
      const source = readFileSync(resolve(folder, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
      return [...source.matchAll(/\bMath\b(?:\.(\w+))?/g)].map(([, name]) => ({ file, name }))
    })
    expect(files).toContain('normal.ts')
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter(({ name }) => !name || !same.includes(name))).toEqual([])
    // A power of two is exact; another power is not.
    const powers = files.flatMap((file) => readFileSync(resolve(folder, file), 'utf8').match(/\S+ \*\* \w+/g) ?? [])
    expect([...new Set(powers)]).toEqual(['2 ** 32'])
  })
})
