import { describe, expect, it } from 'vitest'
import { type Bridge, buildBridge } from '../../../domain/budget/bridge/bridge.ts'
import type { BridgeAmounts } from '../../../domain/budget/bridge/causes.ts'
import type { PredictionRecalculator } from '../../../domain/budget/bridge/moneyBridge.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import type { BudgetSnapshot, SnapshotLine } from '../../../domain/budget/snapshots/snapshot.ts'
import { paper } from '../../support/stories/budgetEvents.ts'
import {
  contractsRecalculated,
  findRunInputs,
  rolledForward,
  snapshotAt,
  teacherDeleted,
  teacherSaved,
} from '../../support/stories/budgetSnapshots.ts'
import { created, idOf } from '../../support/stories/budgetStory.ts'

const entrySaved = (pennies: number): BudgetEvent => ({
  type: 'BudgetEntrySaved',
  data: { id: paper.id, item: { ...paper, years: paper.years.map(() => ({ amount: pennies, periods: null, rate: null })) } },
})
/** Code 1 is expenditure, code 2 income. */
const factsOf = (id: number) => ({ isIncome: id === 2, category: null, cfrCode: null })
const between = (
  from: BudgetSnapshot,
  to: BudgetSnapshot,
  fromYear: number,
  toYear: number,
  withPupils: PredictionRecalculator = () => null,
): Bridge =>
  buildBridge({
    from: { snapshot: from, year: fromYear, inputsOf: findRunInputs },
    to: { snapshot: to, year: toYear, inputsOf: findRunInputs },
    factsOf,
    withPupils,
  })
const causesOf = ({ steps }: Bridge): string[] => steps.map((step) => step.cause)
const stepOf = ({ steps }: Bridge, cause: string) => steps.find((step) => step.cause === cause)!

/** Expects the items to add up to each step, and the steps to the difference of the totals, to the penny. */
function expectNothingLeftOver({ from, to, steps }: Bridge): void {
  for (const side of ['income', 'staffing', 'other'] as const satisfies (keyof BridgeAmounts)[]) {
    expect(steps.reduce((sum, step) => sum + step[side], from[side])).toBe(to[side])
    for (const step of steps) expect(step.items.reduce((sum, item) => sum + item[side], 0)).toBe(step[side])
  }
}

/** Two teachers and £120 a year of paper, recalculated. */
const asItCame: BudgetEvent[] = [created(), teacherSaved(1), teacherSaved(2), entrySaved(12_000), contractsRecalculated()]
const version = asItCame.length

describe('a bridge from year to year', () => {
  const snapshot = snapshotAt(asItCame)
  it.each([
    [0, 1],
    [1, 2],
    [0, 2],
    [2, 0],
  ])('shows the effect of increments and awards, with nothing left unexplained: from year %i to year %i', (from, to) => {
    const result = between(snapshot, snapshot, from, to)
    expectNothingLeftOver(result)
    expect(causesOf(result)).toEqual(expect.arrayContaining(['increments', 'awards']))
    for (const cause of ['leavers', 'starters', 'hours', 'terms', 'entries', 'recorded']) expect(causesOf(result)).not.toContain(cause)
    // A point up costs more; compared backwards, it costs less.
    expect(Math.sign(stepOf(result, 'increments').staffing)).toBe(from < to ? 1 : -1)
  })
  it('has no step if nothing differs', () => {
    expect(between(snapshot, snapshot, 1, 1).steps).toEqual([])
  })
})

describe('a bridge from an earlier version to now', () => {
  const half = teacherSaved(1).data.contract.salary.map((row) => ({ ...row, fte: 0.5 }))
  const now = snapshotAt([
    ...asItCame,
    teacherSaved(1, { salary: half }),
    teacherDeleted(2),
    teacherSaved(3),
    entrySaved(112_000),
    contractsRecalculated(),
  ])
  const then = snapshotAt(asItCame, version)
  it.each([0, 1])('shows joiners, leavers, changed hours and changed entries, with nothing left unexplained: in year %i', (year) => {
    const result = between(then, now, year, year)
    expectNothingLeftOver(result)
    expect(causesOf(result).filter((cause) => cause !== 'levy')).toEqual(['leavers', 'hours', 'starters', 'entries'])
    expect(stepOf(result, 'hours').items.map((item) => item.name)).toEqual(['Teacher 1'])
    expect(stepOf(result, 'leavers')).toMatchObject({ items: [{ name: 'Teacher 2' }] })
    expect(stepOf(result, 'leavers').staffing).toBeLessThan(0)
    expect(stepOf(result, 'hours').staffing).toBeLessThan(0)
    expect(stepOf(result, 'starters').items.map((item) => item.name)).toEqual(['Teacher 3'])
    expect(stepOf(result, 'entries')).toMatchObject({ income: 0, staffing: 0, other: 100_000 })
  })
  it('shows an amount moved to another code on both codes', () => {
    const moved: BudgetEvent = { type: 'BudgetEntrySaved', data: { id: paper.id, item: { ...paper, budgetCodeId: 2 } } }
    const result = between(then, snapshotAt([...asItCame, moved]), 0, 0)
    expectNothingLeftOver(result)
    expect(stepOf(result, 'entries')).toMatchObject({ income: 12_000, other: -12_000 })
  })
})

describe('a bridge of calculated money', () => {
  const predicted = (pennies: number): BudgetEvent => ({
    type: 'BudgetEntrySaved',
    data: {
      id: paper.id,
      item: {
        ...paper,
        description: 'Grant',
        budgetCodeId: 2,
        source: { kind: 'prediction', id: idOf('p') },
        years: paper.years.map(() => ({ amount: pennies, periods: null, rate: null })),
      },
    },
  })
  const [then, now] = [snapshotAt([created(), predicted(50_000)]), snapshotAt([created(), predicted(58_000)])]
  it('shows how much of a change in grant comes from more pupils, and how much from the rest', () => {
    const result = between(then, now, 0, 0, () => ({ own: 50_000, other: 57_000 }))
    expectNothingLeftOver(result)
    expect(result.steps.map(({ cause, income }) => [cause, income])).toEqual([
      ['pupils', 7_000],
      ['funding', 1_000],
    ])
  })
  it('counts the whole change as funding if the effect of pupils can no longer be calculated', () => {
    expect(between(then, now, 0, 0).steps.map(({ cause, income }) => [cause, income])).toEqual([['funding', 8_000]])
  })
  it('counts the levy with staff, and lists pools and top slices by code, largest first', () => {
    const line = (source: 'levy' | 'transfer', root: string, budgetCodeId: number | null, total: number): SnapshotLine => ({
      source,
      root,
      year: 0,
      budgetCodeId,
      months: [],
      total,
      missing: 0,
    })
    const shared = [line('levy', 'levy', null, 300), line('transfer', 'gagPool 5 7', 2, 2_000), line('transfer', 'topSlice 6 ', 1, 9_000)]
    const result = between(then, { ...then, lines: [...then.lines, ...shared] }, 0, 0)
    expectNothingLeftOver(result)
    expect(result.steps.map(({ cause, income, staffing, other }) => [cause, income, staffing, other])).toEqual([
      ['levy', 0, 300, 0],
      ['transfers', 2_000, 0, 9_000],
    ])
    expect(stepOf(result, 'transfers').items.map(({ name, budgetCodeId }) => [name, budgetCodeId])).toEqual([
      ['Top slice', 1],
      ['GAG pool', 2],
    ])
  })
})

describe('a bridge to another budget', () => {
  it('to which it was rolled forward has no step in the same year', () => {
    const [source, rolled] = [snapshotAt(asItCame), snapshotAt(rolledForward(asItCame))]
    for (const year of [1, 2]) {
      const result = between(source, rolled, year, year - 1)
      expectNothingLeftOver(result)
      expect(causesOf(result)).toEqual([])
    }
  })
  it('that begins earlier is refused, because it has no figures for that year', () => {
    const [source, rolled] = [snapshotAt(asItCame), snapshotAt(rolledForward(asItCame))]
    expect(() => between(rolled, source, 0, 0)).toThrow(
      'Rolled forward has no figures for that year. Choose a year that both budgets have.',
    )
  })
  it('with other assumptions shows the effect of the awards alone', () => {
    const result = between(snapshotAt(asItCame), snapshotAt([...asItCame, contractsRecalculated('a larger award')]), 0, 0)
    expectNothingLeftOver(result)
    expect(causesOf(result).filter((cause) => cause !== 'levy')).toEqual(['awards'])
    expect(stepOf(result, 'awards').staffing).toBeGreaterThan(0)
  })
})

describe('a bridge with figures that are older than their contracts', () => {
  const then = snapshotAt(asItCame)
  it('includes a change and says that its figures are not recalculated yet', () => {
    const salary = teacherSaved(1).data.contract.salary.map((row) => ({ ...row, fte: 0.5 }))
    const result = between(then, snapshotAt([...asItCame, teacherSaved(1, { salary })]), 0, 0)
    expectNothingLeftOver(result)
    expect(causesOf(result)).toEqual(['hours', 'recorded'])
    expect(result.to).toEqual(result.from)
  })
  it('leaves out a contract that was never costed', () => {
    const later = snapshotAt([...asItCame, teacherSaved(4)])
    expect(later.contracts.get(idOf('4'))?.years).toEqual([null, null, null])
    expect(between(then, later, 0, 0).steps).toEqual([])
  })
})

describe('an earlier version of a budget', () => {
  it('has the figures of that time, whatever has happened since', () => {
    const since = [...asItCame, teacherSaved(3), teacherDeleted(1), entrySaved(112_000), contractsRecalculated('a larger award')]
    const [before, then] = [snapshotAt(asItCame), snapshotAt(since, version)]
    expect(then.lines).toEqual(before.lines)
    expect([...then.contracts.keys()]).toEqual([idOf('1'), idOf('2')])
    expect(snapshotAt(since).lines).not.toEqual(before.lines)
  })
  it('does not exist before the budget was made', () => {
    expect(() => snapshotAt(asItCame, 0)).toThrow('The budget did not exist then.')
  })
})

describe('a budget calculated with an engine that this version does not have', () => {
  it('is not recalculated with another one: the recorded totals are named instead', () => {
    const { data, type } = contractsRecalculated()
    const totals = { years: [4_512_345, 4_600_000, 4_700_001], contracts: 2, notCalculated: 0 }
    const story: BudgetEvent[] = [created(), teacherSaved(1), { type, data: { ...data, engine: '0.9.0', totals } }]
    expect(() => snapshotAt(story)).toThrow('engine 0.9.0, which this version of Bursar does not have')
    expect(() => snapshotAt(story)).toThrow('2026/27 £45,123.45, 2027/28 £46,000.00, 2028/29 £47,000.01')
  })
})
