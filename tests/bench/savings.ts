import type { ProgrammeSolver } from '../../domain/savings/programme.ts'
import type { SavingsProblem, SavingsRule } from '../../domain/savings/savings.ts'
import { solve } from '../../domain/savings/solve.ts'
import { createSolver } from '../../server/features/savings/solver.ts'

const [options, rules, problems] = [60, 40, 12]

/** Whole numbers from `least` to `most`, always the same. */
function createDraw(seed: number): (least: number, most: number) => number {
  let state = seed
  return (least, most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return least + Math.floor((state / 2 ** 32) * (most - least + 1))
  }
}

function drawProblem(seed: number): SavingsProblem {
  const draw = createDraw(seed)
  const ids = Array.from({ length: options }, (_one, index) => `option ${index}`)
  const pick = (count: number): string[] => {
    const start = draw(0, options - 1)
    return Array.from({ length: count }, (_one, index) => ids[(start + index * 7) % options]!)
  }
  const drawRule = (): SavingsRule => {
    const [one = '', other = ''] = pick(2)
    const all: SavingsRule[] = [
      { kind: 'atMost', n: draw(2, 4), ids: pick(8) },
      { kind: 'atLeast', n: 1, ids: pick(8) },
      { kind: 'notBoth', ids: [one, other] },
      { kind: 'onlyWith', id: one, with: other },
      { kind: 'sumAtMost', quantity: 'fte', value: draw(100, 400) / 100, ids: pick(8) },
    ]
    return all[draw(0, all.length - 1)]!
  }
  const drawYears = (most: number): number[] => [0, 1, 2].map(() => draw(0, most))
  const drawn = ids.map((id) => ({
    id,
    pain: draw(0, 100),
    savings: drawYears(9_000_000),
    oneOff: [draw(0, 2_000_000), 0, 0],
    quantities: { fte: draw(0, 100) / 100 },
  }))
  return { options: drawn, rules: Array.from({ length: rules }, drawRule), targets: [20_000_000, 40_000_000, 40_000_000] }
}

/** Plans of savings: the whole answer beside the solver alone, once and in all. */
export async function savings(): Promise<void> {
  const highs = await createSolver(3600)
  const totals = { answer: 0, solver: 0, once: 0, programmes: 0, slowest: 0 }
  for (let seed = 1; seed <= problems; seed++) {
    let [count, spent, first] = [0, 0, 0]
    const timed: ProgrammeSolver = (programme) => {
      const began = performance.now()
      const outcome = highs(programme)
      const ms = performance.now() - began
      if (count++ === 0) first = ms
      spent += ms
      return outcome
    }
    const began = performance.now()
    solve(drawProblem(seed), timed)
    const ms = performance.now() - began
    totals.answer += ms
    totals.solver += spent
    totals.once += first
    totals.programmes += count
    totals.slowest = Math.max(totals.slowest, ms)
  }
  const average = (sum: number): string => Math.round(sum / problems).toLocaleString('en-GB')
  console.log(`Least painful savings: ${options} options, ${rules} rules, 3 years, average of ${problems} problems`)
  console.log(`the answer with two next plans      ${average(totals.answer)} ms, the slowest ${Math.round(totals.slowest)} ms`)
  console.log(`of these in the solver              ${average(totals.solver)} ms, for ${average(totals.programmes)} programmes`)
  console.log(`the solver alone, least pain once   ${average(totals.once)} ms`)
}
