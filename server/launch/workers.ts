import { availableParallelism } from 'node:os'

const mostWorkers = 16

/**
 * How many workers `npm start` runs. A second processor shortens a recalculation by a fifth, for a worker is one process on one of them; what
 * a larger machine has beyond that is for whoever runs it to give (`WORKERS`).
 * @param setting what `WORKERS` says
 * @throws Error where that is no number of workers
 */
export function workersOf(setting: string | undefined): number {
  if (!setting) return Math.min(2, availableParallelism())
  const number = Number(setting)
  if (!Number.isInteger(number) || number < 1 || number > mostWorkers)
    throw new Error(`WORKERS is ${setting}: it must be a number from 1 to ${mostWorkers}.`)
  return number
}
