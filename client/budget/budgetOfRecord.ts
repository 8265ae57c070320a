import { findBudgetOfRecordForMonth } from '../../domain/budget/budgetOfRecord.ts'
import type { CalendarMonth } from '../../domain/monitoring/monitoring.ts'
import type { SelectableBudget } from '../shell/core.ts'

/** Finds the budget that a month's figures belong to if it is not the open budget; null if it is, or if there is no such budget. */
export function findOtherBudgetOfRecord(
  budgets: readonly SelectableBudget[],
  budgetId: string,
  month: CalendarMonth,
): SelectableBudget | null {
  const budgetsWithHead = budgets.map((budget) => ({
    budget,
    head: { ...budget, approval: budget.approvedAt === null ? null : { state: 'approved' as const, at: budget.approvedAt } },
  }))
  const record = findBudgetOfRecordForMonth(budgetsWithHead, month)?.budget
  return record && record.mongoId !== budgetId ? record : null
}
