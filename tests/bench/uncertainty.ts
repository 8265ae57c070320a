import { drawFutures } from '../../domain/uncertainty/draws.ts'
import { invertNormal } from '../../domain/uncertainty/normal.ts'
import { summariseFutures } from '../../domain/uncertainty/results.ts'

const turns = 5
const years = Array.from({ length: 5 }, () => ({ planned: 0, floor: 0 }))
/** The longest that 2,000 futures may take. */
const mostMs = 1000

/** The fewest milliseconds of some turns. */
function best(run: () => void): number {
  let least = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < turns; turn++) {
    const began = performance.now()
    run()
    least = Math.min(least, performance.now() - began)
  }
  return least
}

/**
 * `npm run bench -- uncertainty`: drawing futures and summarising their closing reserves, without costing them, beside the floor: the normal
 * numbers alone.
 * @returns whether 2,000 futures are drawn and summarised in less than a second
 */
export function uncertainty(): boolean {
  console.log(`Futures of five years, best of ${turns} turns: drawn, summarised, and their normal numbers alone`)
  let holds = true
  for (const [count, size] of [
    [2000, 10],
    [2000, 60],
    [2000, 300],
    [20_000, 10],
  ] as const) {
    const drivers = Array.from({ length: size }, (_unused, index) => ({
      id: `${index}`,
      name: `${index}`,
      low: -1000,
      likely: 0,
      high: 2000,
    }))
    const first = drivers.slice(0, 10)
    const pairs = first.slice(1).map(({ id }, index) => ({ first: `${index}`, second: id, word: 'movesALittleWith' as const }))
    const plan = { drivers, pairs, count, seed: 1 }
    const draws = drawFutures(plan)
    const closing = Array.from({ length: count }, (_unused, draw) =>
      years.map((_year, year) => Math.round(draws.drivers[year]!.values[draw]!)),
    )
    const drawMs = best(() => drawFutures(plan))
    const summaryMs = best(() => summariseFutures({ draws, closing, years, openingReserve: 0 }))
    const floorMs = best(() => {
      for (let one = 0; one < count * size; one++) invertNormal((one + 0.5) / (count * size))
    })
    if (count === 2000 && drawMs + summaryMs > mostMs) holds = false
    console.log(
      `${String(count).padStart(6)} futures of ${String(size).padStart(3)} drivers ${drawMs.toFixed(0).padStart(6)} ms ${summaryMs.toFixed(0).padStart(6)} ms ${floorMs.toFixed(0).padStart(6)} ms`,
    )
  }
  return holds
}
