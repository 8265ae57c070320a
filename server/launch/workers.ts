import { availableParallelism } from 'node:os'

const mostWorkers = 16

/**
 * How many workers `npm start` runs. A worker is one process on one processor, and a second one shortens a recalculation by a fifth. On a
 * larger machine the operator decides (`WORKERS`).
 * @param setting the value of `WORKERS`
 * @throws Error with one sentence for what is not a number of workers
 */
export function workersOf(setting: string | undefined): number {
  if (!setting) return Math.min(2, availableParallelism())
  const number = Number(setting)
  if (!Number.isInteger(number) || number < 1 || number > mostWorkers)
    throw new Error(`WORKERS is ${setting}. It must be a number from 1 to ${mostWorkers}.`)
  return number
}
