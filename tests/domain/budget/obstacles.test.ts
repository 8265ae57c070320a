import { describe, expect, it } from 'vitest'
import { type ApprovalFacts, findObstacles, lacksMaximumPoint } from '../../../domain/budget/obstacles.ts'
import { contractSaved, created, given } from '../../support/stories/budgetStory.ts'

const clear: ApprovalFacts = {
  group: 'Trust 2026/27',
  outOfDate: null,
  contractsNotCalculated: 0,
  contractsWithoutMaximum: 0,
  yearsWithoutEntries: [],
  yearsWithoutLevy: [],
  budgetsNotCalculated: [],
  yearsWithoutAllowance: [],
  allowanceProblems: [],
  yearsWithoutPools: [],
  yearsWithoutTopSlices: [],
  transferProblems: [],
}
const sentences = (facts: Partial<ApprovalFacts>): string[] =>
  findObstacles({ firstYear: 2026 }, { ...clear, ...facts }).map(({ sentence }) => sentence)

describe('the obstacles to submitting and approving a budget', () => {
  it('are none if every year is fully calculated', () => {
    expect(sentences({})).toEqual([])
  })
  it.each<[string, Partial<ApprovalFacts>, string]>([
    [
      'figures that are out of date',
      { outOfDate: { reason: 'Pay awards' } },
      'The figures are not up to date (Pay awards). Recalculate the group Trust 2026/27 first.',
    ],
    [
      'contracts without a figure',
      { contractsNotCalculated: 2 },
      '2 contracts are not calculated. Correct the problems listed under Staffing checks first.',
    ],
    [
      'a year of entries that is not known',
      { yearsWithoutEntries: [1] },
      'Some entries are not calculated in 2027/28. Correct them under Non-staffing first.',
    ],
    [
      'one year without the levy, though the others have it',
      { yearsWithoutLevy: [4] },
      'The apprenticeship levy is not calculated in 2030/31. Recalculate the group Trust 2026/27 first.',
    ],
    [
      'no group to share the levy with',
      { group: null, yearsWithoutLevy: [0, 1] },
      'The apprenticeship levy is not calculated in 2026/27 and 2027/28. Add this budget to a group and recalculate the group first.',
    ],
    [
      'another budget of the group that holds the levy up',
      { yearsWithoutLevy: [0], budgetsNotCalculated: ['Riverside'] },
      'The apprenticeship levy is not calculated in 2026/27. Correct the contracts of Riverside that are not calculated. Recalculate the group Trust 2026/27 first.',
    ],
    ['a pool', { yearsWithoutPools: [2] }, 'Pools are not calculated in 2028/29. Recalculate the group Trust 2026/27 first.'],
    [
      'a top slice, with why',
      { yearsWithoutTopSlices: [1] },
      'Top slices are not calculated in 2027/28. Recalculate the group Trust 2026/27 first.',
    ],
  ])('include %s, with what to do first', (_what, facts, sentence) => {
    expect(sentences(facts)).toEqual([sentence])
    expect(findObstacles({ firstYear: 2026 }, { ...clear, ...facts }).every((one) => one.isRefused)).toBe(true)
  })
  it('do not include a contract without a maximum scale point, which is only a warning', () => {
    const [one] = findObstacles({ firstYear: 2026 }, { ...clear, contractsWithoutMaximum: 1 })
    expect(one).toMatchObject({ code: 'noMaximumPoint', page: 'checks', isRefused: false })
    expect(one!.sentence).toMatch(/^1 contract has no maximum scale point and so gets no increments\./)
  })
  it('do not include top slices of schools without a central team in their group, which are only a warning', () => {
    const problem = 'Top slices are not posted: the group has no budget of a central location.'
    const [one] = findObstacles({ firstYear: 2026 }, { ...clear, yearsWithoutTopSlices: [1], transferProblems: [problem] })
    expect(one).toMatchObject({ code: 'topSlicesNotCalculated', page: 'group', isRefused: false, sentence: problem })
  })
  it('include the results of a group’s recalculation only if the group has been recalculated', () => {
    const without = { outOfDate: { reason: '' }, yearsWithoutLevy: [0], yearsWithoutPools: [0] }
    expect(sentences(without)).toEqual(['The figures are not up to date. Recalculate the group Trust 2026/27 first.'])
    expect(sentences({ ...without, group: null })).toHaveLength(3)
  })
  it('are listed all at once', () => {
    expect(sentences({ contractsNotCalculated: 1, yearsWithoutLevy: [2], yearsWithoutTopSlices: [2] })).toHaveLength(3)
  })
})

it('do not warn of a missing maximum for a contract on the last point of its scale, but do on a lower point', () => {
  const point = { id: 1, kind: 'teacher' as const, scale: 'Main', increment: 5 }
  const { contract } = contractSaved().data
  const onPoint = { ...contract, maximumScalePoint: null, salary: contract.salary.map((row) => ({ ...row, scalePoint: point })) }
  const { head } = given(created()).budget
  expect(lacksMaximumPoint(head, onPoint, new Map([['Main', 6]]))).toBe(true)
  expect(lacksMaximumPoint(head, onPoint, new Map([['Main', 5]]))).toBe(false)
  expect(lacksMaximumPoint(head, { ...onPoint, maximumScalePoint: point }, new Map([['Main', 6]]))).toBe(false)
})
