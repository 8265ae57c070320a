import type { BudgetEvent } from '../budget/events.ts'
import type { MonitoringEvent } from '../monitoring/events.ts'
import type { PayrollEvent } from '../payroll/events.ts'
import type { BudgetGroupId } from '../values/ids.ts'
import { keysOf } from '../values/keysOf.ts'

/** What other systems are told of, and what each means. */
export const toldEvents = {
  'budget.created': 'A budget was made.',
  'budget.saved': 'Something in a budget was changed.',
  'budget.recalculated': 'The contracts of a budget were calculated anew.',
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

export type ToldType = keyof typeof toldEvents
export const toldTypes = keysOf(toldEvents)

/** What happened to which month; the month is that of the calendar, 1 to 12. */
export interface ToldMonth {
  type: ToldType
  year: number
  month: number
  /** Of payroll: the budget group whose month it is; null: of the whole organisation. */
  groupId: BudgetGroupId | null
}

const ofBudget: Partial<Record<BudgetEvent['type'], ToldType>> = {
  BudgetCreated: 'budget.created',
  BudgetSubmitted: 'budget.submitted',
  BudgetReturned: 'budget.returned',
  BudgetApproved: 'budget.approved',
  BudgetLocked: 'budget.locked',
  StaffContractsRecalculated: 'budget.recalculated',
  BudgetDeleted: 'budget.deleted',
  BudgetRestored: 'budget.restored',
}

/** What one commit to a budget tells: each thing once, however many events it took; any other change is `budget.saved`. */
export function toldOfBudget(types: readonly BudgetEvent['type'][]): ToldType[] {
  return [...new Set(types.map((type) => ofBudget[type] ?? 'budget.saved'))]
}

/** What an event of a location's monitoring tells; null: nothing. */
export function toldOfMonitoring({ type, data }: MonitoringEvent): ToldMonth | null {
  if (type !== 'MonthEndClosed' && type !== 'MonthEndReopened') return null
  return { type: type === 'MonthEndClosed' ? 'month.closed' : 'month.reopened', year: data.year, month: data.month, groupId: null }
}

/** What an event of payroll tells; null: nothing. */
export function toldOfPayroll({ type, data }: PayrollEvent): ToldMonth | null {
  if (type !== 'PayrollMonthCompleted' && type !== 'PayrollMonthReopened') return null
  const { year, month, groupId } = data
  return { type: type === 'PayrollMonthCompleted' ? 'payroll.completed' : 'payroll.reopened', year, month, groupId }
}
