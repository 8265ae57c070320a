import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CorrelationWord, correlate, correlationWords, findNearestCorrelation } from '../../../domain/uncertainty/correlation.ts'
import { decomposeSymmetric, factorise } from '../../../domain/uncertainty/matrix.ts'

const words = Object.keys(correlationWords) as CorrelationWord[]
type Rows = readonly ArrayLike<number>[]

const toMatrix = (rows: Rows): Float64Array[] => rows.map((row) => Float64Array.from(row))
const times = (a: Rows, b: Rows): number[][] =>
  Array.from(a, (row) => Array.from(b[0]!, (_unused, column) => Array.from(row).reduce((sum, value, k) => sum + value * b[k]![column]!, 0)))
const transpose = (a: Rows): number[][] => Array.from(a[0]!, (_unused, column) => Array.from(a, (row) => row[column]!))
const largest = (a: Rows): number => Math.max(0, ...a.flatMap((row) => Array.from(row, Math.abs)))
const minus = (a: Rows, b: Rows): number[][] => a.map((row, i) => Array.from(row, (value, j) => value - b[i]![j]!))

/** Whether a symmetric matrix has no eigenvalue below −`slack`: elimination meets no negative pivot. */
function isSemidefinite(matrix: Rows, slack: number): boolean {
  const rest = matrix.map((row, i) => Array.from(row, (value, j) => value + (i === j ? slack : 0)))
  return rest.every((row, k) => {
    if (row[k]! < -1e-12) return false
    if (row[k]! <= 1e-12) return true
    for (let i = k + 1; i < rest.length; i++) for (let j = k + 1; j < rest.length; j++) rest[i]![j]! -= (rest[i]![k]! * row[j]!) / row[k]!
    return true
  })
}

/** Proves that `x` is the nearest: `z` = x − a plus a diagonal has no negative eigenvalue, and z x = 0 (Higham 2002, theorem 2.4). */
function expectNearest(a: Rows, x: Rows): void {
  const differences = minus(x, a)
  const product = times(differences, x)
  const z = differences.map((row, i) => row.map((value, j) => (i === j ? value - product[i]![i]! : value)))
  expect(Array.from(x, (row, i) => row[i])).toEqual(Array(x.length).fill(1))
  expect(largest(minus(x, transpose(x)))).toBe(0)
  expect(isSemidefinite(x, 1e-8)).toBe(true)
  expect(largest(times(z, x))).toBeLessThan(1e-8)
  expect(isSemidefinite(z, 1e-8)).toBe(true)
}

/** The matrix that words for the pairs of the upper triangle mean, row by row. */
function matrixOf(size: number, upper: readonly CorrelationWord[]): number[][] {
  const matrix: number[][] = Array.from({ length: size }, (_unusedRow, i) =>
    Array.from({ length: size }, (_unused, j) => (i === j ? 1 : 0)),
  )
  let next = 0
  for (let i = 0; i < size; i++) for (let j = i + 1; j < size; j++) matrix[i]![j] = matrix[j]![i] = correlationWords[upper[next++]!]
  return matrix
}

describe('correlation in words', () => {
  it('the eigenvalues and eigenvectors of drawn matrices give the matrix back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true })), (size, numbers) => {
        const drawn = Array.from({ length: size }, () => Array.from({ length: size }, () => numbers.next().value as number))
        const matrix = drawn.map((row, i) => row.map((_unused, j) => drawn[Math.min(i, j)]![Math.max(i, j)]!))
        const pairs = decomposeSymmetric(toMatrix(matrix))
        const vectors = pairs.map(({ vector }) => vector)
        const scaled = pairs.map(({ value, vector }) => Array.from(vector, (one) => one * value))
        expect(largest(minus(times(transpose(vectors), scaled), matrix))).toBeLessThan(1e-13 * size)
        const identity = vectors.map((_unused, i) => vectors.map((_other, j) => (i === j ? 1 : 0)))
        expect(largest(minus(times(vectors, transpose(vectors)), identity))).toBeLessThan(1e-13 * size)
      }),
      { seed: 21, numRuns: 100 },
    )
  })
  it('the nearest matrix of Higham’s own example is the one that he gives', () => {
    const nearest = findNearestCorrelation(
      toMatrix([
        [1, 1, 0],
        [1, 1, 1],
        [0, 1, 1],
      ]),
    )
    // Higham 2002, section 4: 0.7607 and 0.1573.
    expect(nearest.map((row) => [...row].map((value) => value.toFixed(4)))).toEqual([
      ['1.0000', '0.7607', '0.1573'],
      ['0.7607', '1.0000', '0.7607'],
      ['0.1573', '0.7607', '1.0000'],
    ])
    // By symmetry its elements are a and 2a² − 1, so a minimises 4 (a − 1)² + 2 (2a² − 1)²: a root of 2a³ − 1 = ... in closed form.
    const root = [...Array(200)].reduce((a: number) => a - (8 * (a - 1) + 16 * a * (2 * a * a - 1)) / (8 + 96 * a * a - 16), 0.76)
    expect(nearest[0]![1]).toBeCloseTo(root, 9)
    expect(nearest[0]![2]).toBeCloseTo(2 * root * root - 1, 9)
  })
  it('all 125 ways to pair three drivers get the nearest matrix, and those that can be true are unchanged', () => {
    let changed = 0
    for (const one of words)
      for (const two of words)
        for (const three of words) {
          const said = matrixOf(3, [one, two, three])
          const [[, a = 0, b = 0] = [], [, , c = 0] = []] = said
          const used = findNearestCorrelation(toMatrix(said))
          const canBeTrue = 1 + 2 * a * b * c - a * a - b * b - c * c >= 0
          if (canBeTrue) expect(used.map((row) => [...row])).toEqual(said)
          else changed++
          expectNearest(said, used)
        }
    // Against one another in a circle: three of 0.6, in 4 ways, or two of 0.6 and one of 0.3, in 12.
    expect(changed).toBe(16)
  })
  it('the nearest matrix of drawn words for 4 to 12 drivers is nearest', () => {
    const sizes = fc.integer({ min: 4, max: 12 }).chain((size) => {
      const count = (size * (size - 1)) / 2
      return fc.tuple(fc.constant(size), fc.array(fc.constantFrom(...words), { minLength: count, maxLength: count }))
    })
    fc.assert(
      fc.property(sizes, ([size, upper]) => {
        const said = matrixOf(size, upper)
        expectNearest(said, findNearestCorrelation(toMatrix(said)))
      }),
      { seed: 2002, numRuns: 150 },
    )
  })
  it('forty drivers with a word for every pair get a matrix', () => {
    const said = matrixOf(
      40,
      Array.from({ length: 780 }, (_unused, index) => words[(index * index) % 5]!),
    )
    expectNearest(said, findNearestCorrelation(toMatrix(said)))
  }, 120_000)
  it('the factor of a matrix gives it back, also where drivers move exactly together', () => {
    const together = toMatrix([
      [1, 1, 0.5],
      [1, 1, 0.5],
      [0.5, 0.5, 1],
    ])
    const factor = factorise(together)
    expect(largest(minus(times(factor, transpose(factor)), together))).toBeLessThan(1e-9)
    expect([...factor[1]!]).toEqual([1, 0, 0])
    const nearest = findNearestCorrelation(toMatrix(matrixOf(3, ['movesWith', 'movesWith', 'movesAgainst'])))
    const lower = factorise(nearest)
    expect(largest(minus(times(lower, transpose(lower)), nearest))).toBeLessThan(1e-8)
    expect(lower[2]![2]).toBe(0)
  })
  it('says which pairs moved, from what and to what, and leaves drivers without a pair out', () => {
    const { ids, matrix, moved } = correlate(
      ['a', 'b', 'c', 'alone'],
      [
        { first: 'b', second: 'a', word: 'movesWith' },
        { first: 'a', second: 'c', word: 'movesWith' },
        { first: 'c', second: 'b', word: 'movesAgainst' },
      ],
    )
    expect(ids).toEqual(['a', 'b', 'c'])
    expect(moved.map(({ first, second, said }) => [first, second, said])).toEqual(
      expect.arrayContaining([
        ['a', 'b', 0.6],
        ['a', 'c', 0.6],
        ['b', 'c', -0.6],
      ]),
    )
    // The nearest is a half for each: 1 + 2abc − a² − b² − c² is 0 there.
    for (const { said, used } of moved) expect(used).toBeCloseTo(Math.sign(said) * 0.5, 8)
    expect(matrix).toHaveLength(3)
    expect(correlate(['a', 'b'], [{ first: 'a', second: 'b', word: 'movesALittleAgainst' }])).toMatchObject({ moved: [] })
    expect(correlate(['a', 'b'], [])).toMatchObject({ ids: [], matrix: [], moved: [] })
  })
  it('refuses unknown drivers, a driver with itself, a pair given twice, and too many', () => {
    const pair = (first: string, second: string) => ({ first, second, word: 'movesWith' as const })
    expect(() => correlate(['a'], [pair('a', 'b')])).toThrow('A pair names a driver that is not in the list.')
    expect(() => correlate(['a'], [pair('a', 'a')])).toThrow('A pair needs two different drivers.')
    expect(() => correlate(['a', 'b'], [pair('a', 'b'), pair('b', 'a')])).toThrow('Two drivers are paired twice. Remove one of the pairs.')
    const many = Array.from({ length: 61 }, (_unused, index) => `${index}`)
    const chain = many.slice(1).map((id, index) => pair(many[index]!, id))
    expect(() => correlate(many, chain)).toThrow('At most 60 drivers can be in pairs.')
    expect(correlate(many, chain.slice(1)).ids).toHaveLength(60)
  }, 120_000)
})
