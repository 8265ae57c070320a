import { describe, expect, it } from 'vitest'
import { toldOfBudget, toldOfMonitoring, toldOfPayroll } from '../../domain/integrations/events.ts'
import { toBudgetGroupId } from '../../domain/values/ids.ts'

describe('what other systems are told', () => {
  it('of a budget: each thing once for a commit, and any other change as saved', () => {
    expect(toldOfBudget(['BudgetCreated'])).toEqual(['budget.created'])
    expect(toldOfBudget(['StaffContractSaved', 'StaffContractSaved', 'BudgetRenamed'])).toEqual(['budget.saved'])
    expect(toldOfBudget(['StaffContractsRecalculated', 'TransfersPosted', 'BudgetLocked'])).toEqual([
      'budget.recalculated',
      'budget.saved',
      'budget.locked',
    ])
    expect(toldOfBudget([])).toEqual([])
  })
  it('of a month: when it is closed, completed or reopened, and nothing else', () => {
    expect(toldOfMonitoring({ type: 'MonthEndClosed', data: { year: 2026, month: 10 } })).toEqual({
      type: 'month.closed',
      year: 2026,
      month: 10,
      groupId: null,
    })
    expect(toldOfMonitoring({ type: 'MonthCleared', data: { year: 2026, month: 10 } })).toBeNull()
    expect(
      toldOfPayroll({ type: 'PayrollMonthReopened', data: { year: 2026, month: 9, groupId: toBudgetGroupId('g'), sealedReason: null } }),
    ).toEqual({
      type: 'payroll.reopened',
      year: 2026,
      month: 9,
      groupId: 'g',
    })
    expect(toldOfPayroll({ type: 'PayrollCleared', data: { year: 2026, month: 9 } })).toBeNull()
  })
})
