import type { BudgetEvent } from '../budget/events.ts'
import type { MonitoringEvent } from '../monitoring/events.ts'
import type { PayrollEvent } from '../payroll/events.ts'
import type { BudgetGroupId } from '../values/ids.ts'
import { keysOf } from '../values/keysOf.ts'

/** Event types for other systems, with their descriptions. */
export const integrationEvents = {
  'budget.created': 'A budget was created.',
  'budget.saved': 'Something in a budget was changed.',
  'budget.recalculated': 'The contracts of a budget were recalculated.',
  'budget.submitted': 'A budget was submitted for approval.',
  'budget.returned': 'A submitted budget was returned.',
  'budget.approved': 'A budget was approved.',
  'budget.locked': 'A budget was locked.',
  'budget.deleted': 'A budget was deleted.',
  'budget.restored': 'A deleted budget was restored.',
  'month.closed': 'A month of monitoring was closed at a location.',
  'month.reopened': 'A closed month of monitoring was reopened at a location.',
  'payroll.completed': 'A month of payroll was completed.',
  'payroll.reopened': 'A completed month of payroll was reopened.',
} as const

export type IntegrationEventType = keyof typeof integrationEvents
export const integrationEventTypes = keysOf(integrationEvents)

/** A month event; `month` is 1 to 12. */
export interface MonthEvent {
  type: IntegrationEventType
  year: number
  month: number
  /** Only for payroll events: the budget group of the month; null for the whole organisation. */
  groupId: BudgetGroupId | null
}

const typeByBudgetEvent: Partial<Record<BudgetEvent['type'], IntegrationEventType>> = {
  BudgetCreated: 'budget.created',
  BudgetSubmitted: 'budget.submitted',
  BudgetReturned: 'budget.returned',
  BudgetApproved: 'budget.approved',
  BudgetLocked: 'budget.locked',
  StaffContractsRecalculated: 'budget.recalculated',
  BudgetDeleted: 'budget.deleted',
  BudgetRestored: 'budget.restored',
}

/** The event types to send for one commit to a budget, each once. Events without a type of their own are sent as `budget.saved`. */
export function translateBudgetEvents(types: readonly BudgetEvent['type'][]): IntegrationEventType[] {
  return [...new Set(types.map((type) => typeByBudgetEvent[type] ?? 'budget.saved'))]
}

/** Translates a monitoring event of a location. @returns null if other systems are not notified of it */
export function translateMonitoringEvent({ type, data }: MonitoringEvent): MonthEvent | null {
  if (type !== 'MonthEndClosed' && type !== 'MonthEndReopened') return null
  return { type: type === 'MonthEndClosed' ? 'month.closed' : 'month.reopened', year: data.year, month: data.month, groupId: null }
}

/** Translates a payroll event. @returns null if other systems are not notified of it */
export function translatePayrollEvent({ type, data }: PayrollEvent): MonthEvent | null {
  if (type !== 'PayrollMonthCompleted' && type !== 'PayrollMonthReopened') return null
  const { year, month, groupId } = data
  return { type: type === 'PayrollMonthCompleted' ? 'payroll.completed' : 'payroll.reopened', year, month, groupId }
}
