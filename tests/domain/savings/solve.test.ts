import { beforeAll, describe, expect, it } from 'vitest'
import type { Programme, ProgrammeSolver } from '../../../domain/savings/programme.ts'
import type { SavingsAnswer, SavingsOption, SavingsProblem } from '../../../domain/savings/savings.ts'
import { solve } from '../../../domain/savings/solve.ts'
import { createSolver } from '../../../server/features/savings/solver.ts'

let solver: ProgrammeSolver
beforeAll(async () => {
  solver = await createSolver(300)
})

const option = (id: string, pain: number, savings: number[], more: Partial<SavingsOption> = {}): SavingsOption => ({
  id,
  pain,
  savings,
  oneOff: savings.map(() => 0),
  quantities: {},
  ...more,
})
const planOf = (problem: Partial<SavingsProblem>) => solve({ options: [], rules: [], targets: [0], ...problem }, solver)

/** The answers of solvers whose time is over at once, after one programme, after two and so on, up to one whose time is enough. */
function answersByTime(problem: SavingsProblem): SavingsAnswer[] {
  const answers: SavingsAnswer[] = []
  for (let most = 0, isEnough = false; !isEnough; most++) {
    let asked = 0
    answers.push(solve(problem, (programme) => (asked++ < most ? solver(programme) : { status: 'stopped' })))
    isEnough = asked <= most
  }
  return answers
}

describe('the plan', () => {
  it('hurts least of all that save enough, even if another option alone saves more', () => {
    const options = [option('big', 50, [900]), option('small', 20, [400]), option('other', 20, [300])]
    expect(planOf({ options, targets: [700] })).toEqual({
      status: 'proven',
      plan: ['other', 'small'],
      pain: 40,
      saves: [700],
      next: [
        { plan: ['big'], pain: 50, saves: [900] },
        // The next plan must leave out “big” and one of the other two, which then save too little.
      ],
      conflict: [],
      most: [],
    })
    expect(planOf({ options, targets: [701] }).plan).toEqual(['big'])
  })
  it('is empty if no saving is wanted, and has no next plan', () => {
    const { status, plan, pain, saves, next } = planOf({ options: [option('a', 5, [100])], targets: [0] })
    expect({ status, plan, pain, saves, next }).toEqual({ status: 'proven', plan: [], pain: 0, saves: [0], next: [] })
    expect(planOf({ targets: [0, 0] })).toMatchObject({ status: 'proven', plan: [], saves: [0, 0] })
  })
  it('saves enough in every year after one-off costs', () => {
    const options = [option('redundancy', 10, [500, 900], { oneOff: [450, 0] }), option('lettings', 30, [200, 200])]
    expect(planOf({ options, targets: [50, 900] }).plan).toEqual(['redundancy'])
    expect(planOf({ options, targets: [51, 900] })).toMatchObject({ plan: ['lettings', 'redundancy'], saves: [250, 1100] })
  })
  it('is, of plans with the same pain, the one that saves most over all years', () => {
    const options = [option('a', 10, [100, 100]), option('b', 10, [100, 101])]
    expect(planOf({ options, targets: [100, 0] })).toMatchObject({ plan: ['b'], next: [{ plan: ['a'] }] })
  })
  it('is, of plans with the same pain and saving, the one whose ids come first, with capital letters before small ones', () => {
    const twins = ['b', 'a', 'B', '10', '9'].map((id) => option(id, 10, [100]))
    expect(planOf({ options: twins, targets: [200] })).toMatchObject({
      plan: ['10', '9'],
      next: [{ plan: ['10', 'B'] }, { plan: ['10', 'a'] }],
    })
  })
  it('drops an option that neither hurts nor saves if the shorter list of ids comes first', () => {
    const options = [option('a', 10, [100]), option('b', 0, [0])]
    expect(planOf({ options, targets: [100] }).plan).toEqual(['a'])
    // The list a, z comes before the list z, so here the option is in the plan.
    expect(planOf({ options: [option('z', 10, [100]), option('a', 0, [0])], targets: [100] }).plan).toEqual(['a', 'z'])
  })
  it('meets rules of every kind', () => {
    const options = ['a', 'b', 'c', 'd'].map((id, index) => option(id, index + 1, [100], { quantities: { fte: 0.35 } }))
    const under = (rule: SavingsProblem['rules'][number]) => planOf({ options, rules: [rule], targets: [200] }).plan
    expect(planOf({ options, targets: [200] }).plan).toEqual(['a', 'b'])
    expect(under({ kind: 'atMost', n: 1, ids: ['a', 'b'] })).toEqual(['a', 'c'])
    expect(under({ kind: 'atLeast', n: 2, ids: ['b', 'c', 'd'] })).toEqual(['b', 'c'])
    expect(under({ kind: 'notBoth', ids: ['a', 'b'] })).toEqual(['a', 'c'])
    expect(under({ kind: 'onlyWith', id: 'a', with: 'd' })).toEqual(['a', 'd'])
    expect(under({ kind: 'sumAtMost', quantity: 'fte', value: 0.7, ids: ['a', 'b'] })).toEqual(['a', 'b'])
    expect(under({ kind: 'sumAtMost', quantity: 'fte', value: 0.69, ids: ['a', 'b'] })).toEqual(['a', 'c'])
  })
  it('compares quantities in decimals: ten times 0.1 is 1', () => {
    const options = Array.from({ length: 10 }, (_one, index) => option(`option ${index}`, 1, [1], { quantities: { fte: 0.1 } }))
    const rules: SavingsProblem['rules'] = [{ kind: 'sumAtMost', quantity: 'fte', value: 1, ids: options.map(({ id }) => id) }]
    expect(planOf({ options, rules, targets: [10] })).toMatchObject({ status: 'proven', pain: 10 })
  })
})

describe('amounts of £50 million', () => {
  it('are compared to the penny', () => {
    const options = [option('a', 1, [5_000_000_000]), option('b', 1, [5_000_000_001]), option('c', 1, [4_999_999_999])]
    expect(planOf({ options, targets: [10_000_000_000] })).toMatchObject({
      plan: ['a', 'b'],
      next: [{ plan: ['b', 'c'], saves: [10_000_000_000] }],
    })
    expect(planOf({ options, targets: [10_000_000_001] })).toMatchObject({ plan: ['a', 'b'], next: [] })
    expect(planOf({ options, targets: [10_000_000_002] })).toMatchObject({ plan: ['a', 'b', 'c'] })
    expect(planOf({ options, targets: [15_000_000_001] })).toMatchObject({
      status: 'impossible',
      conflict: [{ kind: 'target', index: 0 }],
      most: [15_000_000_000],
    })
  })
  it('of £10 billion too, with a penny that decides which plan saves most', () => {
    const huge = 1_000_000_000_000
    const options = Array.from({ length: 12 }, (_one, index) => option(`option ${String(index).padStart(2, '0')}`, 7, [huge - index, huge]))
    const { plan, saves } = planOf({ options, targets: [5 * huge - 40, 5 * huge] })
    expect(plan).toEqual(options.slice(0, 5).map(({ id }) => id))
    expect(saves).toEqual([5 * huge - 10, 5 * huge])
  })
})

describe('if there is no plan', () => {
  const options = [option('a', 10, [100, 50]), option('b', 20, [200, 100]), option('c', 30, [300, 0])]
  it('the answer names rules and targets that cannot hold together, and says what each year could save', () => {
    const rules: SavingsProblem['rules'] = [
      { kind: 'onlyWith', id: 'a', with: 'b' },
      { kind: 'atMost', n: 1, ids: ['a', 'b', 'c'] },
      { kind: 'notBoth', ids: ['a', 'c'] },
    ]
    expect(planOf({ options, rules, targets: [400, 0] })).toEqual({
      status: 'impossible',
      plan: [],
      pain: null,
      saves: [],
      next: [],
      conflict: [
        { kind: 'rule', index: 1 },
        { kind: 'target', index: 0 },
      ],
      most: [300, 100],
    })
  })
  it('because of the rules alone, no most is given', () => {
    const rules: SavingsProblem['rules'] = [
      { kind: 'atLeast', n: 2, ids: ['a', 'b'] },
      { kind: 'atMost', n: 3, ids: ['a', 'b', 'c'] },
      { kind: 'notBoth', ids: ['a', 'b'] },
    ]
    expect(planOf({ options, rules, targets: [0, 0] })).toMatchObject({
      status: 'impossible',
      conflict: [
        { kind: 'rule', index: 0 },
        { kind: 'rule', index: 2 },
      ],
      most: [],
    })
  })
})

describe('the solver', () => {
  it('whose plan fails the check in whole numbers is asked again without that plan', () => {
    const asked: Programme[] = []
    const wrong: ProgrammeSolver = (programme) => {
      asked.push(programme)
      return asked.length === 1 ? { status: 'solved', values: [1, 0] } : solver(programme)
    }
    const options = [option('a', 1, [99]), option('b', 2, [100])]
    expect(solve({ options, rules: [], targets: [100] }, wrong).plan).toEqual(['b'])
    expect(asked.length).toBeGreaterThan(1)
  })
  it('that runs out of time leaves the best plan so far, not proven', () => {
    let asked = 0
    const slow: ProgrammeSolver = (programme) => (asked++ ? { status: 'stopped' } : solver(programme))
    const problem = { options: [option('a', 1, [100]), option('b', 1, [101])], rules: [], targets: [100] }
    const answer = solve(problem, slow)
    expect(answer).toMatchObject({ status: 'not proven', pain: 1, next: [] })
    expect(answer.plan).toHaveLength(1)
    expect(solve(problem, () => ({ status: 'stopped' }))).toMatchObject({ status: 'not proven', plan: [], pain: null, saves: [] })
  })
  it('that runs out of time in the middle leaves what it found, if it meets every rule and target', () => {
    const options = [option('a', 1, [100]), option('b', 2, [100])]
    const stopsWith = (values: number[]) => solve({ options, rules: [], targets: [100] }, () => ({ status: 'stopped', values }))
    expect(stopsWith([0, 1])).toMatchObject({ status: 'not proven', plan: ['b'], pain: 2, saves: [100] })
    expect(stopsWith([0, 0])).toMatchObject({ status: 'not proven', plan: [], pain: null, saves: [] })
  })
  it('that runs out of time with a worse plan than before leaves the better one', () => {
    const options = ['a', 'b', 'c'].map((id, index) => option(id, index === 2 ? 2 : 1, [100]))
    const offers = (...plans: number[][]) => {
      let asked = 0
      const offer: ProgrammeSolver = ({ columns }) => {
        // It finds the first plan, and then that no plan saves more. Then time runs out, with the second plan.
        asked++
        if (asked === 1) return { status: 'solved', values: plans[0]! }
        return asked === 2 ? { status: 'infeasible' } : { status: 'stopped', values: columns.map((_column, at) => plans[1]![at] ?? 0) }
      }
      return solve({ options, rules: [], targets: [100] }, offer).plan
    }
    expect(offers([0, 1, 0], [0, 0, 1])).toEqual(['b'])
    expect(offers([0, 1, 0], [0, 1, 1])).toEqual(['b'])
    expect(offers([0, 1, 0], [1, 0, 0])).toEqual(['a'])
    expect(offers([1, 0, 0], [0, 1, 0])).toEqual(['a'])
  })
  it('that runs out of time after the plan is proven leaves it proven, with fewer next plans', () => {
    const options = ['a', 'b', 'c', 'd'].map((id) => option(id, 1, [100]))
    const problem = { options, rules: [], targets: [100] }
    const whole = solve(problem, solver)
    expect(whole).toMatchObject({ plan: ['a'], next: [{ plan: ['b'] }, { plan: ['c'] }] })
    const answers = answersByTime(problem)
    for (const answer of answers.filter(({ status }) => status === 'proven'))
      expect(answer).toEqual({ ...whole, next: whole.next.slice(0, answer.next.length) })
    expect([...new Set(answers.map(({ status, next }) => `${status}, ${next.length} more`))]).toEqual([
      'not proven, 0 more',
      'proven, 0 more',
      'proven, 1 more',
      'proven, 2 more',
    ])
  })
  it('that runs out of time after it is proven that there is no plan leaves that proven, with what was found', () => {
    const options = [option('a', 1, [100, 0]), option('b', 1, [0, 100])]
    const rules: SavingsProblem['rules'] = [{ kind: 'notBoth', ids: ['a', 'b'] }]
    const problem = { options, rules, targets: [100, 100] }
    const whole = solve(problem, solver)
    expect(whole).toMatchObject({ status: 'impossible', most: [100, 100] })
    const answers = answersByTime(problem)
    for (const { status, conflict, most } of answers.filter(({ status }) => status === 'impossible')) {
      expect([[], whole.conflict]).toContainEqual(conflict)
      expect([[], whole.most]).toContainEqual(most)
      expect(status).toBe('impossible')
    }
    expect([...new Set(answers.map(({ status, conflict, most }) => `${status}, ${conflict.length}, ${most.length}`))]).toEqual([
      'not proven, 0, 0',
      'impossible, 0, 0',
      'impossible, 3, 0',
      'impossible, 3, 2',
    ])
    // The time of this solver is over only while it looks for the conflict.
    let asked = 0
    const slow: ProgrammeSolver = (programme) => (++asked === 2 ? { status: 'stopped' } : solver(programme))
    expect(solve(problem, slow)).toEqual({ ...whole, conflict: [] })
  })
})

describe('60 options with 40 rules', () => {
  it('have a proven plan that meets every rule, always the same', () => {
    const options = Array.from({ length: 60 }, (_one, index) =>
      option(`option ${index}`, (index * 37) % 101, [200_000 + ((index * 7919) % 5_000_000), 300_000 + ((index * 104_729) % 7_000_000)], {
        quantities: { fte: ((index * 13) % 100) / 100 },
      }),
    )
    const idAt = (at: number): string => options[at % 60]!.id
    const rules = Array.from({ length: 40 }, (_one, index): SavingsProblem['rules'][number] => {
      const ids = [index, index + 7, index + 19, index + 31].map(idAt)
      if (index % 4 === 0) return { kind: 'atMost', n: 2, ids }
      if (index % 4 === 1) return { kind: 'notBoth', ids: ids.slice(0, 2) }
      if (index % 4 === 2) return { kind: 'onlyWith', id: idAt(index), with: idAt(index + 3) }
      return { kind: 'sumAtMost', quantity: 'fte', value: 1.5, ids }
    })
    const problem = { options, rules, targets: [6_000_000, 40_000_000] }
    const answer = solve(problem, solver)
    expect(answer.status).toBe('proven')
    expect(answer.next).toHaveLength(2)
    for (const [year, saved] of answer.saves.entries()) expect(saved).toBeGreaterThanOrEqual(problem.targets[year]!)
    expect(answer.next[0]!.pain).toBeGreaterThanOrEqual(answer.pain!)
    expect(solve({ ...problem, options: [...options].reverse() }, solver)).toEqual(answer)
  })
})
