import { setImmediate } from 'node:timers/promises'
import { assertDefined, requireItemAt } from '../../domain/values/assertDefined.ts'

/** Comparisons or rows between two yields: a few milliseconds of work. */
const rowsPerTurn = 2000

/** Sorts many rows, yielding to other work in between. The sort is stable. */
export async function sortWithYields<T>(rows: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  let runs: T[][] = []
  for (let start = 0; start < rows.length; start += rowsPerTurn) {
    runs.push(rows.slice(start, start + rowsPerTurn).sort(compare))
    await setImmediate()
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) merged.push(await mergeSorted(assertDefined(runs[at]), runs[at + 1] ?? [], compare))
    runs = merged
  }
  return runs[0] ?? []
}

async function mergeSorted<T>(a: readonly T[], b: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const merged: T[] = []
  let [left, right] = [0, 0]
  while (left < a.length || right < b.length) {
    const takesLeft = right >= b.length || (left < a.length && compare(requireItemAt(a, left), requireItemAt(b, right)) <= 0)
    merged.push(takesLeft ? requireItemAt(a, left++) : requireItemAt(b, right++))
    if (merged.length % rowsPerTurn === 0) await setImmediate()
  }
  return merged
}

/** Maps many rows, yielding to other work in between. */
export async function mapWithYields<T, R>(rows: readonly T[], work: (row: T) => R, each = rowsPerTurn): Promise<R[]> {
  const done: R[] = []
  for (const row of rows) {
    done.push(work(row))
    if (done.length % each === 0) await setImmediate()
  }
  return done
}
