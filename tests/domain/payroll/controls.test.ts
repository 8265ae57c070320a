import { describe, expect, it } from 'vitest'
import type { StaffContract } from '../../../domain/budget/budget.ts'
import { calculatePay } from '../../../domain/payroll/calculatedPay.ts'
import { prepareWhatIfBaseline, type RowKeyFinder } from '../../../domain/payroll/causes/whatIfBaseline.ts'
import { type EmployeeToCheck, findPayControlFailures, findSharedBankAccounts } from '../../../domain/payroll/controls.ts'
import { goldenBudget } from '../../support/stories/goldenContracts.ts'

const { contracts, frozen, shared } = goldenBudget('teacher-m6-full-time')
const october = { year: 2026, month: 10, useInflation: true }
const ground = prepareWhatIfBaseline(frozen, { shared, question: october })!
const rowOf: RowKeyFinder = (_contract, { component }) => component
const { pay } = calculatePay(contracts, { frozen, shared, question: october })[0]!
const as = (factor: number): Map<string, number> =>
  new Map([
    ['basic', pay.basic! * factor],
    ['ni', pay.ni! * factor],
  ])
const find = (given: Partial<EmployeeToCheck>, change: Partial<StaffContract> = {}): string[] =>
  findPayControlFailures(
    ground,
    { staffId: contracts[0]!.staffId, contracts: contracts.map((contract) => ({ ...contract, ...change })), actual: as(1), ...given },
    rowOf,
  ).map(({ sentence }) => sentence)

describe('the controls of a payroll', () => {
  it('find nothing in correct pay', () => {
    expect(find({})).toEqual([])
    expect(find({ actual: new Map() })).toEqual([])
  })
  it('list unknown employees, and those paid after leaving or before starting', () => {
    const actual = new Map([['basic', 123_456]])
    expect(find({ staffId: null, contracts: [], actual })).toEqual(['£1,234.56 was paid to an unknown employee number.'])
    expect(find({ actual }, { endDate: '2026-09-12' })).toEqual(['£1,234.56 was paid after leaving on 12 September.'])
    expect(find({ actual }, { startDate: '2026-11-03' })).toEqual(['£1,234.56 was paid before the first contract starts on 3 November.'])
  })
  it('list duplicate payments', () => {
    const [finding, ...others] = find({ actual: new Map([...as(1), ['basic', pay.basic! * 2]]) })
    expect(finding).toMatch(/^Twice the calculated amount was paid: £[\d,]+\.\d\d too much\.$/)
    expect(others).toEqual([])
  })
  it('list bank accounts shared with another employee, once each', () => {
    const paid = (staffId: number, account: string) => ({ employee: `staff ${staffId}` as const, account })
    const shared = findSharedBankAccounts([paid(1, 'a'), paid(2, 'b'), paid(3, 'a'), paid(2, 'b'), paid(3, 'c'), paid(4, 'c')])
    expect([...shared]).toEqual([
      ['staff 1', ['staff 3']],
      ['staff 3', ['staff 1', 'staff 4']],
      ['staff 4', ['staff 3']],
    ])
  })
  it('list pay above the top of the scale for these hours', () => {
    // M6 is the highest point of the main scale.
    expect(find({ actual: new Map([['basic', pay.basic! + 6]]) })).toHaveLength(1)
    expect(find({ actual: new Map([['basic', pay.basic! + 5]]) })).toEqual([])
    const below = contracts[0]!.salary.map((row) => ({ ...row, scalePoint: { ...row.scalePoint!, increment: 4 } }))
    expect(find({ actual: new Map([['basic', pay.basic!]]) }, { salary: below })).toEqual([])
  })
})
