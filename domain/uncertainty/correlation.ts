import { invalid } from '../words/errors.ts'
import { at, createMatrix, decomposeSymmetric, factorise, type Matrix, rowOf } from './matrix.ts'

/** How far two drivers move together, in the words that people choose from (rules.md §21). */
export const correlationWords = {
  movesWith: 0.6,
  movesALittleWith: 0.3,
  doesNotMoveWith: 0,
  movesALittleAgainst: -0.3,
  movesAgainst: -0.6,
} as const

export type CorrelationWord = keyof typeof correlationWords

/** What people say about two drivers; the order of the two does not matter. */
export interface DriverPair {
  first: string
  second: string
  word: CorrelationWord
}

/** A pair whose words cannot be true beside the others, with what was said and what is used instead, from −1 to 1. */
export interface MovedPair {
  first: string
  second: string
  said: number
  used: number
}

/** The correlations of the drivers that are in a pair; no other driver moves with any. */
export interface Correlation {
  /** The ids of the drivers, in order. */
  ids: readonly string[]
  /** The nearest matrix to the words that is a correlation matrix. */
  matrix: Matrix
  /** Its lower Cholesky factor. */
  factor: Matrix
  /** The pairs that differ from the words, the furthest first. */
  moved: readonly MovedPair[]
}

/** More drivers in pairs would make the search for the nearest matrix long. */
const mostCorrelated = 60

/**
 * The correlations that the words of pairs mean.
 * @param ids of all drivers, in order
 * @throws DomainError for an unknown driver, a driver paired with itself, a pair that is given twice, or too many drivers in pairs
 */
export function correlate(ids: readonly string[], pairs: readonly DriverPair[]): Correlation {
  const said = new Map<string, number>()
  for (const { first, second, word } of pairs) {
    if (!ids.includes(first) || !ids.includes(second)) throw refusePairs('A pair names a driver that is not in the list.')
    if (first === second) throw refusePairs('A pair needs two different drivers.')
    if (said.has(keyOf(first, second))) throw refusePairs('Two drivers are paired twice. Remove one of the pairs.')
    said.set(keyOf(first, second), correlationWords[word]).set(keyOf(second, first), correlationWords[word])
  }
  const paired = new Set(pairs.flatMap(({ first, second }) => [first, second]))
  if (paired.size > mostCorrelated) throw refusePairs(`At most ${mostCorrelated} drivers can be in pairs.`)
  const own = ids.filter((id) => paired.has(id))
  const words = createMatrix(own.length, (row, column) =>
    row === column ? 1 : (said.get(keyOf(rowOf(own, row), rowOf(own, column))) ?? 0),
  )
  const matrix = findNearestCorrelation(words)
  return { ids: own, matrix, factor: factorise(matrix), moved: listMoved(own, words, matrix) }
}

const keyOf = (first: string, second: string): string => JSON.stringify([first, second])

const refusePairs = (message: string) => invalid([{ field: 'correlations', message }])

/** Smaller differences are the rounding of the search. */
const leastMove = 1e-6

function listMoved(ids: readonly string[], words: Matrix, matrix: Matrix): MovedPair[] {
  return ids
    .flatMap((first, row) =>
      ids.slice(row + 1).map((second, index) => {
        const column = row + 1 + index
        return { first, second, said: at(rowOf(words, row), column), used: at(rowOf(matrix, row), column) }
      }),
    )
    .filter(({ said, used }) => Math.abs(used - said) > leastMove)
    .sort((a, b) => Math.abs(b.used - b.said) - Math.abs(a.used - a.said))
}

/** Eigenvalues this far below 0 are the rounding of 0. */
const rounding = -1e-13
/** The steps shrink by about half each time, so after one of this size the matrix is within 10⁻⁸ of the nearest. */
const tolerance = 1e-11
const mostSteps = 1000

/**
 * The correlation matrix nearest to a symmetric matrix with a diagonal of ones, by the sum of squared differences: alternating projections
 * with Dykstra’s correction (Higham 2002). A matrix that is one already comes back unchanged.
 */
export function findNearestCorrelation(matrix: Matrix): Matrix {
  const size = matrix.length
  let unit = matrix
  let correction = createMatrix(size, () => 0)
  for (let step = 0; step < mostSteps; step++) {
    const before = unit
    const corrected = createMatrix(size, (row, column) => at(rowOf(before, row), column) - at(rowOf(correction, row), column))
    const negative = decomposeSymmetric(corrected).filter(({ value }) => value < rounding)
    if (!negative.length) return unit
    // Without its negative part the matrix is the nearest that a correlation can have, but for its diagonal.
    correction = createMatrix(size, (row, column) =>
      negative.reduce((sum, { value, vector }) => sum - value * (at(vector, row) * at(vector, column)), 0),
    )
    unit = createMatrix(size, (row, column) =>
      row === column ? 1 : at(rowOf(corrected, row), column) + at(rowOf(correction, row), column),
    )
    if (findLargestDifference(unit, before) <= tolerance) return unit
  }
  throw new Error(`No correlation matrix was found in ${mostSteps} steps`)
}

function findLargestDifference(a: Matrix, b: Matrix): number {
  return a.reduce(
    (most, row, index) => row.reduce((greatest, value, column) => Math.max(greatest, Math.abs(value - at(rowOf(b, index), column))), most),
    0,
  )
}
