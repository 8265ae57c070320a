import { availableParallelism } from 'node:os'

const maxWorkers = 16

/**
 * Chooses the number of worker processes that `npm start` runs. A second worker shortens a recalculation by a fifth. On a larger machine,
 * operators set `WORKERS`.
 * @param setting the value of `WORKERS`
 * @throws Error with one sentence if it is not a valid number
 */
export function chooseWorkerCount(setting: string | undefined): number {
  if (!setting) return Math.min(2, availableParallelism())
  const number = Number(setting)
  if (!Number.isInteger(number) || number < 1 || number > maxWorkers)
    throw new Error(`WORKERS is ${setting}. It must be a number from 1 to ${maxWorkers}.`)
  return number
}
