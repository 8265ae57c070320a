import { describe, expect, it } from 'vitest'
import { canShowDifference } from '../../../domain/budget/snapshots/fewPeopleDiffer.ts'
import type { BudgetSnapshot } from '../../../domain/budget/snapshots/snapshot.ts'
import { mergeCodesOfFewPeople } from '../../../domain/monitoring/codesOfFewPeople.ts'
import { sumCodeFigures } from '../../../domain/monitoring/figures.ts'
import type { MonitoredCode } from '../../../domain/monitoring/rows.ts'
import { differsByFewPeople, findItemsTooCloseToShown, findKeysToHide } from '../../../domain/reports/fewPeople.ts'

const pay = (...amounts: number[]): Map<string, number> => new Map(amounts.map((amount, person) => [String(person), amount]))

describe('two figures of pay', () => {
  it('may be shown together if they are the same, or differ by three people or more', () => {
    expect(differsByFewPeople(pay(1, 2, 3, 4), pay(1, 2, 3, 4))).toBe(false)
    expect(differsByFewPeople(pay(1, 2, 3, 4), pay(1, 2, 3, 5))).toBe(true)
    expect(differsByFewPeople(pay(1, 2, 3, 4), pay(1, 2))).toBe(true)
    expect(differsByFewPeople(pay(1, 2, 3, 4), pay(2, 3, 4, 4))).toBe(false)
  })
  it('do not differ by somebody who is paid nothing in both', () => {
    expect(differsByFewPeople(pay(1, 0), pay(1))).toBe(false)
  })
})

describe('two versions of a budget', () => {
  /** A snapshot from contracts by their root: the employee who holds each, and its cost in the only year. */
  const snapshot = (contracts: Record<string, [staffId: number | null, cost: number]>): BudgetSnapshot =>
    ({
      head: { firstYear: 2026, numberOfYears: 1 },
      contracts: new Map(
        Object.entries(contracts).map(([root, [staffId, cost]]) => [root, { root, contract: { id: root, staffId }, years: [cost] }]),
      ),
    }) as unknown as BudgetSnapshot
  const before = snapshot({ a: [null, 100], b: [2, 200], c: [3, 300] })
  it('with a vacancy filled in between differ by one person for it', () => {
    expect(canShowDifference(before, snapshot({ a: [1, 120], b: [2, 250], c: [3, 300] }))).toBe(false)
    expect(canShowDifference(before, snapshot({ a: [1, 120], b: [2, 250], c: [3, 350] }))).toBe(true)
    // A vacancy filled at the planned pay makes no difference.
    expect(canShowDifference(before, snapshot({ a: [1, 100], b: [2, 200], c: [3, 300] }))).toBe(true)
  })
  it('differ by two people if one replaced another', () => {
    expect(canShowDifference(before, snapshot({ a: [null, 100], b: [4, 200], c: [3, 350] }))).toBe(true)
  })
})

describe('several budgets of a school', () => {
  it('are shown from the first on, without those that differ too little from one that is shown', () => {
    const isClose = (a: number, b: number): boolean => Math.abs(a - b) < 3 && a !== b
    expect([...findItemsTooCloseToShown([10, 11, 10, 13, 12], isClose)]).toEqual([
      [11, 10],
      [12, 10],
    ])
  })
})

describe('pay by cost centre beside pay by budget code', () => {
  const at = (code: string, key: string, isFew = false) => ({ code, key, isFew })
  it('is shown if a centre has all of its codes, because it discloses no more than they do', () => {
    expect(findKeysToHide([at('3100', 'KS2'), at('3101', 'KS2', true), at('3200', 'SEND')])).toEqual(new Set())
  })
  it('is shown if centres share codes and each has three people in each code', () => {
    expect(findKeysToHide([at('3100', 'KS1'), at('3100', 'KS2')])).toEqual(new Set())
  })
  it('is not shown for centres that share a code in which one has one or two people, however they are connected', () => {
    expect(findKeysToHide([at('3100', 'KS1'), at('3100', 'KS2'), at('3200', 'KS2'), at('3200', 'SEND', true), at('3300', 'OFF')])).toEqual(
      new Set(['KS1', 'KS2', 'SEND']),
    )
  })
})

describe('a monitoring screen', () => {
  const row = (codeId: number, budgetToDate: number): MonitoredCode => ({
    codeId,
    code: String(codeId),
    description: 'Pay',
    isIncome: false,
    isStaff: true,
    scheme: null,
    figures: { ...sumCodeFigures([]), budgetToDate },
    adjustment: 1,
    note: 'Left in May',
    action: null,
    missing: 0,
  })
  it('combines codes with few people into one row without a note, and the total stays', () => {
    const told = mergeCodesOfFewPeople([row(1, 10), row(2, 20), row(3, 30)], new Set([1, 2]))
    expect(told.map(({ codeId, figures, adjustment, note }) => [codeId, figures.budgetToDate, adjustment, note])).toEqual([
      [3, 30, 1, 'Left in May'],
      [null, 30, 2, null],
    ])
  })
})
