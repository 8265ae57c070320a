import { describe, it } from 'vitest'
import type { StaffContract } from '../../../domain/budget/budget.ts'
import { createDuplicateEvents } from '../../../domain/budget/copies/duplicate.ts'
import type { RollContractFacts } from '../../../domain/budget/copies/rollContract.ts'
import { createRollForwardEvents } from '../../../domain/budget/copies/rollForward.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import type { BudgetEntry } from '../../../domain/budget/items/budgetEntry.ts'
import { toContractId, toStaffId } from '../../../domain/values/ids.ts'
import { oneOfEach, paper } from '../../support/stories/budgetEvents.ts'
import { type Budget, contractOf, contractSaved, created, given, idOf } from '../../support/stories/budgetStory.ts'

/** Makes ids of copies in the order of the calls: 11…1, 22…2. */
const counting = (): (() => string) => {
  let count = 0
  return () => idOf(String(++count))
}
const contractId = (digit: string) => toContractId(idOf(digit))
const copied = (digit: string, origin: string, change: Partial<StaffContract> = {}): BudgetEvent => ({
  type: 'StaffContractSaved',
  data: { id: contractId(digit), contract: { ...contractOf(change), id: contractId(digit) }, origin: contractId(origin) },
})
const entry = (digit: string, change: Partial<BudgetEntry> = {}): BudgetEntry => ({ ...paper, id: idOf(digit), ...change })

describe('a duplicate of a budget', () => {
  const duplicate = ({ state }: Budget): BudgetEvent[] => createDuplicateEvents(state, counting())

  it('has the contracts under new ids in the same order, with the contract each was first copied from', () => {
    given(created(), contractSaved({ id: contractId('e') }), contractSaved({ contractName: 'Head' }))
      .when(duplicate)
      .gives(copied('2', 'e'), copied('1', 'c', { contractName: 'Head' }))
    given(created(), copied('d', 'e')).when(duplicate).gives(copied('1', 'e'))
  })
  it('keeps the earnings before a leave under the ids of the copies, and those of deleted contracts', () => {
    const earnings = (weekly: Record<string, string>): BudgetEvent => ({
      type: 'LeaveEarningsKept',
      data: { leaves: [{ staffId: toStaffId(7), type: 'Maternity', startDate: '2026-07-06', weekly }] },
    })
    given(created(), contractSaved(), earnings({ [idOf('c')]: '412.5', [idOf('9')]: '2000/7' }))
      .when(duplicate)
      .gives(copied('1', 'c'), earnings({ [idOf('1')]: '412.5', [idOf('9')]: '2000/7' }))
  })
  it('has the quick calculations under new ids', () => {
    const { calculation } = oneOfEach.QuickCalculationSaved.data
    given(created(), oneOfEach.QuickCalculationSaved)
      .when(duplicate)
      .gives({ type: 'QuickCalculationSaved', data: { calculation: { ...calculation, id: idOf('1') } } })
  })
  it('has the entries and their calculations under new ids that still refer to each other, and neither comments nor scenarios', () => {
    const made = entry('a', { source: { kind: 'calculation', id: idOf('d') } })
    const { item } = oneOfEach.IncomeExpenditureCalculationSaved.data
    given(
      created(),
      oneOfEach.CommentSaved,
      oneOfEach.ScenarioSaved,
      { type: 'BudgetEntrySaved', data: { id: made.id, item: made } },
      oneOfEach.IncomeExpenditureCalculationSaved,
    )
      .when(duplicate)
      .gives(
        {
          type: 'BudgetEntrySaved',
          data: { id: idOf('1'), item: entry('1', { source: { kind: 'calculation', id: idOf('2') } }), origin: idOf('a') },
        },
        { type: 'IncomeExpenditureCalculationSaved', data: { id: idOf('2'), item: { ...item, id: idOf('2') }, origin: idOf('d') } },
      )
  })
  it('has its parts of pools, of the levy and of the Employment Allowance unchanged', () => {
    const { TransfersPosted, LevyAllowanceShared, EmploymentAllowancePosted } = oneOfEach
    given(created(), EmploymentAllowancePosted, LevyAllowanceShared, TransfersPosted)
      .when(duplicate)
      .gives(TransfersPosted, LevyAllowanceShared, EmploymentAllowancePosted)
  })
  it('of an empty budget is empty', () => {
    given(created()).when(duplicate).changesNothing()
  })
})

describe('a budget that is rolled forward', () => {
  const facts: RollContractFacts = { type: undefined, pointId: () => undefined, isOnLeave: false }
  const roll = ({ state }: Budget): BudgetEvent[] =>
    createRollForwardEvents(state, { contract: () => facts, tableYearOf: () => 0, leaveEarnings: [] }, counting())

  it('copies the contracts that continue, and not those that have ended by its first day', () => {
    given(created(), contractSaved({ endDate: '2027-08-31' }), contractSaved({ id: contractId('d'), endDate: '2027-09-01' }))
      .when(roll)
      .gives(copied('1', 'd', { endDate: '2027-09-01' }))
  })
  it('keeps the earnings before a leave that has begun, under the ids of its contracts', () => {
    const leave = { staffId: toStaffId(7), type: 'Maternity', startDate: '2027-07-06' }
    given(created(), contractSaved())
      .when(({ state }) =>
        createRollForwardEvents(
          state,
          { contract: () => facts, tableYearOf: () => 0, leaveEarnings: [{ ...leave, weekly: { [idOf('c')]: '412.5' } }] },
          counting(),
        ),
      )
      .gives(copied('1', 'c'), { type: 'LeaveEarningsKept', data: { leaves: [{ ...leave, weekly: { [idOf('1')]: '412.5' } }] } })
  })
  it('begins with the pupils of its first October, without opening balances, comments and scenarios', () => {
    const row = { kind: 'Phase', phase: null, yearGroup: 2, description: null } as const
    given(created(), oneOfEach.PupilNumbersSaved, oneOfEach.OpeningBalanceSaved, oneOfEach.CommentSaved, oneOfEach.ScenarioSaved)
      .when(roll)
      .gives({
        type: 'PupilNumbersSaved',
        data: { id: idOf('1'), item: { id: idOf('1'), rows: [{ ...row, before: 28, years: [] }] }, origin: idOf('0') },
      })
  })
  it('keeps the pools of the remaining years; those of the added year are not calculated', () => {
    const transfer = (year: number, amount: number | null) => ({
      kind: 'topSlice' as const,
      tableId: 1,
      year,
      budgetCodeId: 2,
      counterpartId: null,
      part: 'charge' as const,
      amounts: Array<number | null>(12).fill(amount),
    })
    given(created(), {
      type: 'TransfersPosted',
      data: { transfers: [transfer(0, 100), transfer(1, 200), transfer(2, 300)], problems: [], engine: '2.0.0' },
    })
      .when(roll)
      .gives({
        type: 'TransfersPosted',
        data: {
          transfers: [transfer(0, 200), transfer(1, 300), transfer(2, null)],
          problems: ['Pools and top slices for 2029/30 are not calculated until the budget is recalculated with a group.'],
          engine: '2.0.0',
        },
      })
  })
  it('keeps the monthly shares of the levy allowance in the remaining years; those of the added year are unknown', () => {
    const year = (share: number | null): (number | null)[] => Array<number | null>(12).fill(share)
    const shared = (...shares: (number | null)[]): BudgetEvent => ({ type: 'LevyAllowanceShared', data: { shares } })
    given(created(), shared(...year(10), ...year(20), ...year(30)))
      .when(roll)
      .gives(shared(...year(20), ...year(30), ...year(null)))
    given(created(), shared(...year(10)))
      .when(roll)
      .changesNothing()
  })
  it('has no Employment Allowance calculated for the added tax year', () => {
    const { data } = oneOfEach.EmploymentAllowancePosted
    given(created(), oneOfEach.EmploymentAllowancePosted)
      .when(roll)
      .gives({
        type: 'EmploymentAllowancePosted',
        data: {
          ...data,
          years: [...data.years, { year: 2030, amount: null, months: [] }],
          problems: ['The Employment Allowance for 2029/30 is not calculated until the budget is recalculated with a group.'],
        },
      })
  })
})
