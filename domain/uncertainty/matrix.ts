import { assertDefined } from '../values/assertDefined.ts'

/** A square matrix by rows. */
export type Matrix = readonly Float64Array[]

/** An element of a row or table of numbers. @throws Error if it does not exist */
export function at(row: Float64Array | readonly number[], index: number): number {
  return assertDefined(row[index])
}

export function rowOf<Row>(rows: readonly Row[], index: number): NonNullable<Row> {
  return assertDefined(rows[index])
}

export function createMatrix(size: number, element: (row: number, column: number) => number): Matrix {
  return Array.from({ length: size }, (_unusedRow, row) =>
    Float64Array.from({ length: size }, (_unusedColumn, column) => element(row, column)),
  )
}

/** Off the diagonal, smaller elements count as 0: they are below the rounding of the others. */
const negligible = 1e-15
const mostSweeps = 50

/** One value of a symmetric matrix, and the vector of length 1 that the matrix stretches by it. */
export interface EigenPair {
  value: number
  vector: Float64Array
}

/** The eigenvalues and eigenvectors of a symmetric matrix, by Jacobi’s rotations row by row. */
export function decomposeSymmetric(matrix: Matrix): EigenPair[] {
  const size = matrix.length
  const work = matrix.map((row) => Float64Array.from(row))
  const vectors = createMatrix(size, (row, column) => (row === column ? 1 : 0))
  let isDiagonal = false
  for (let sweep = 0; sweep < mostSweeps && !isDiagonal; sweep++) {
    isDiagonal = true
    for (let p = 0; p < size; p++)
      for (let q = p + 1; q < size; q++) {
        if (Math.abs(at(rowOf(work, p), q)) <= negligible) continue
        isDiagonal = false
        const rotation = clear(work, p, q)
        rotateRows(rowOf(vectors, p), rowOf(vectors, q), rotation)
      }
  }
  return vectors.map((vector, index) => ({ value: at(rowOf(work, index), index), vector }))
}

interface Rotation {
  cosine: number
  sine: number
}

/** Rotates rows and columns `p` and `q` of a symmetric matrix so that the element between them becomes 0. */
function clear(work: Matrix, p: number, q: number): Rotation {
  const [rowP, rowQ] = [rowOf(work, p), rowOf(work, q)]
  const [between, ownP, ownQ] = [at(rowP, q), at(rowP, p), at(rowQ, q)]
  const theta = (ownQ - ownP) / (2 * between)
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const rotation = { cosine, sine: tangent * cosine }
  rotateRows(rowP, rowQ, rotation)
  rowP[p] = ownP - tangent * between
  rowQ[q] = ownQ + tangent * between
  rowP[q] = rowQ[p] = 0
  work.forEach((row, index) => {
    row[p] = at(rowP, index)
    row[q] = at(rowQ, index)
  })
  return rotation
}

function rotateRows(rowP: Float64Array, rowQ: Float64Array, { cosine, sine }: Rotation): void {
  for (let column = 0; column < rowP.length; column++) {
    const [x, y] = [at(rowP, column), at(rowQ, column)]
    rowP[column] = cosine * x - sine * y
    rowQ[column] = sine * x + cosine * y
  }
}

/** A pivot below counts as 0 (rules.md §21): the quantity is then decided by those before it. */
const leastPivot = 1e-10

/** Cholesky: the lower triangle `L` with `L Lᵀ` = the matrix. A column whose pivot counts as 0 is 0. */
export function factorise(matrix: Matrix): Matrix {
  const lower = createMatrix(matrix.length, () => 0)
  matrix.forEach((row, i) => {
    const own = rowOf(lower, i)
    for (let j = 0; j <= i; j++) {
      const other = rowOf(lower, j)
      let rest = at(row, j)
      for (let k = 0; k < j; k++) rest -= at(own, k) * at(other, k)
      if (i === j) own[j] = rest < leastPivot ? 0 : Math.sqrt(rest)
      else own[j] = at(other, j) === 0 ? 0 : rest / at(other, j)
    }
  })
  return lower
}
