import { findBudgetOfRecordForMonth } from '../../domain/budget/budgetOfRecord.ts'
import type { CalendarMonth } from '../../domain/monitoring/monitoring.ts'
import type { BudgetItem } from '../shell/core.ts'

/** The budget that a month's figures belong to instead of the open one; null if it is the open one, or there is none. */
export function findOtherRecord(budgets: readonly BudgetItem[], budgetId: string, month: CalendarMonth): BudgetItem | null {
  const budgetsWithHead = budgets.map((budget) => ({
    budget,
    head: { ...budget, approval: budget.approvedAt === null ? null : { state: 'approved' as const, at: budget.approvedAt } },
  }))
  const record = findBudgetOfRecordForMonth(budgetsWithHead, month)?.budget
  return record && record.mongoId !== budgetId ? record : null
}
