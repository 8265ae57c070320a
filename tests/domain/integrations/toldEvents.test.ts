import { describe, expect, it } from 'vitest'
import { translateBudgetEvents, translateMonitoringEvent, translatePayrollEvent } from '../../../domain/integrations/events.ts'
import { toBudgetGroupId } from '../../../domain/values/ids.ts'

describe('the events sent to other systems', () => {
  it('for a budget are one of each kind for a commit, and any other change as saved', () => {
    expect(translateBudgetEvents(['BudgetCreated'])).toEqual(['budget.created'])
    expect(translateBudgetEvents(['StaffContractSaved', 'StaffContractSaved', 'BudgetRenamed'])).toEqual(['budget.saved'])
    expect(translateBudgetEvents(['StaffContractsRecalculated', 'TransfersPosted', 'BudgetLocked'])).toEqual([
      'budget.recalculated',
      'budget.saved',
      'budget.locked',
    ])
    expect(translateBudgetEvents([])).toEqual([])
  })
  it('for a month are closed, completed and reopened, and nothing else', () => {
    expect(translateMonitoringEvent({ type: 'MonthEndClosed', data: { year: 2026, month: 10 } })).toEqual({
      type: 'month.closed',
      year: 2026,
      month: 10,
      groupId: null,
    })
    expect(translateMonitoringEvent({ type: 'MonthCleared', data: { year: 2026, month: 10 } })).toBeNull()
    expect(
      translatePayrollEvent({
        type: 'PayrollMonthReopened',
        data: { year: 2026, month: 9, groupId: toBudgetGroupId('g'), sealedReason: null },
      }),
    ).toEqual({
      type: 'payroll.reopened',
      year: 2026,
      month: 9,
      groupId: 'g',
    })
    expect(translatePayrollEvent({ type: 'PayrollCleared', data: { year: 2026, month: 9 } })).toBeNull()
  })
})
