import { expect, it } from 'vitest'
import { solve } from '../../../domain/savings/solve.ts'
import { createSolver } from '../../../server/features/savings/solver.ts'
import { type OracleOption, type OracleProblem, type OracleRule, solveByTryingAll } from './oracle.ts'

/** A generator of whole numbers that gives the same problems in every run (mulberry32). */
function createDraw(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

function drawProblem(seed: number): OracleProblem {
  const draw = createDraw(seed)
  const years = 1 + draw(5)
  // Few different pains and savings give many plans that are equal until the ids decide.
  const isTied = draw(2) === 0
  const amount = (): number =>
    isTied ? 100_000 * (draw(4) - (draw(6) === 0 ? 4 : 0)) : draw(10_000_000_00) - (draw(6) === 0 ? 3_000_000_00 : 0)
  const byYear = (one: () => number): number[] => Array.from({ length: years }, one)
  const options = Array.from({ length: 1 + draw(12) }, (_unused, index): OracleOption => {
    const id = `${['b', 'A', 'é', 'a', '10', '9'][draw(6)]}${index}`
    const pain = isTied ? 10 * draw(3) : draw(101)
    return {
      id,
      pain,
      savings: byYear(amount),
      oneOff: byYear(() => (draw(3) === 0 ? Math.abs(amount()) : 0)),
      quantities: { fte: draw(200) / 100 },
    }
  })
  const ids = options.map(({ id }) => id)
  const some = (): string[] => {
    const chosen = ids.filter(() => draw(2) === 0)
    return chosen.length ? chosen : [ids[draw(ids.length)] ?? '']
  }
  const two = (): [string, string] => {
    const first = draw(ids.length)
    return [ids[first] ?? '', ids[(first + 1 + draw(ids.length - 1)) % ids.length] ?? '']
  }
  const rule = (): OracleRule => {
    const kind = draw(ids.length > 1 ? 5 : 3)
    if (kind === 0) return { kind: 'atMost', n: draw(4), ids: some() }
    if (kind === 1) return { kind: 'atLeast', n: draw(3), ids: some() }
    if (kind === 2) return { kind: 'sumAtMost', quantity: 'fte', value: draw(400) / 100, ids: some() }
    const [first, second] = two()
    return kind === 3 ? { kind: 'notBoth', ids: [first, second] } : { kind: 'onlyWith', id: first, with: second }
  }
  const rules = Array.from({ length: draw(6) }, rule)
  const total = (year: number): number => options.reduce((sum, { savings }) => sum + Math.max(0, savings[year] ?? 0), 0)
  // Most targets can be met, some cannot.
  const targets = byYear(() => 0).map((_zero, year) => Math.floor((total(year) * (draw(11) - 1)) / 12))
  return { options, rules, targets }
}

it('500 drawn problems have the plans, the conflict and the most that trying every subset finds', async () => {
  const solver = await createSolver(600)
  let possible = 0
  for (let seed = 1; seed <= 500; seed++) {
    const problem = drawProblem(seed)
    const expected = solveByTryingAll(problem)
    const { rules, options, targets } = problem
    const answer = solve({ rules: [...rules] as never, options: options as never, targets: [...targets] }, solver)
    const [best, ...next] = expected.plans
    if (best) possible++
    expect({ seed, ...answer }, JSON.stringify(problem)).toEqual({
      seed,
      status: best ? 'proven' : 'impossible',
      plan: best?.plan ?? [],
      pain: best?.pain ?? null,
      saves: best?.saves ?? [],
      next,
      conflict: [
        ...expected.conflict.rules.map((index) => ({ kind: 'rule', index })),
        ...expected.conflict.targets.map((index) => ({ kind: 'target', index })),
      ],
      most: best || expected.most.includes(null) ? [] : expected.most,
    })
  }
  expect(possible).toBeGreaterThan(150)
}, 600_000)
