import { afterEach, expect, it, vi } from 'vitest'
import type { Programme } from '../../../domain/savings/programme.ts'
import { createSolver } from '../../../server/features/savings/solver.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const easy: Programme = { columns: [{ lower: 0, upper: 1, cost: 1 }], rows: [{ terms: [{ column: 0, factor: 1 }], lower: 1 }] }
/** Names a column that is not there, so that the solver throws. */
const broken: Programme = { ...easy, rows: [{ terms: [{ column: 7, factor: 1 }], lower: 1 }] }
/** Many values are easy to find. To prove which are the best takes hours. */
const hard: Programme = (() => {
  const columns = Array.from({ length: 150 }, (_one, at) => ({ lower: 0, upper: 1, cost: 50 + ((at * 37) % 50) }))
  const rows = Array.from({ length: 20 }, (_row, row) => {
    const terms = columns.map((_column, column) => ({
      column,
      factor: 1 + (((row + 3) * (column + 7) * 7919 + column * column * 31) % 9973),
    }))
    return { terms, lower: Math.floor(terms.reduce((sum, { factor }) => sum + factor, 0) / 2) }
  })
  return { columns, rows }
})()

/** Six sums must each be exactly half of what they could be: finding any values takes hours. */
const puzzle: Programme = (() => {
  const columns = Array.from({ length: 50 }, () => ({ lower: 0, upper: 1, cost: 0 }))
  let drawn = 1
  const draw = (): number => {
    drawn = (drawn * 48_271) % 2_147_483_647
    return drawn % 100
  }
  const rows = Array.from({ length: 6 }, () => {
    const terms = columns.map((_column, column) => ({ column, factor: draw() }))
    const half = Math.floor(terms.reduce((sum, { factor }) => sum + factor, 0) / 2)
    const negative = terms.map(({ column, factor }) => ({ column, factor: -factor }))
    return [
      { terms, lower: half },
      { terms: negative, lower: -half },
    ]
  }).flat()
  return { columns, rows }
})()

it('a search that runs out of time returns the best values that it found', async () => {
  const outcome = (await createSolver(2))(hard)
  if (outcome.status !== 'stopped' || !outcome.values) throw new Error(`Unexpected: ${outcome.status}`)
  const { values } = outcome
  for (const { terms, lower } of hard.rows)
    expect(terms.reduce((sum, { column, factor }) => sum + factor * Math.round(values[column] ?? 0), 0)).toBeGreaterThanOrEqual(lower)
})

it('a search that runs out of time before it finds anything returns no values', async () => {
  expect((await createSolver(0))(hard)).toEqual({ status: 'stopped' })
  expect((await createSolver(1))(puzzle)).toEqual({ status: 'stopped' })
})

it('the solver is loaded again after it throws, and after it could not be loaded', async () => {
  const instantiate = vi.spyOn(WebAssembly, 'instantiate')
  vi.spyOn(console, 'error').mockReturnValue()
  const solver = await createSolver(60)
  instantiate.mockClear()
  await createSolver(60)
  expect(instantiate).not.toHaveBeenCalled()

  expect(() => solver(broken)).toThrow()
  instantiate.mockRejectedValueOnce(new Error('No memory is left.'))
  await expect(createSolver(60)).rejects.toThrow('No memory is left.')
  expect((await createSolver(60))(easy)).toMatchObject({ status: 'solved' })
  expect(instantiate).toHaveBeenCalledTimes(2)
})
