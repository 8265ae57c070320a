import type { Permission } from '../permissions.ts'

/** Who does the month end of schools. */
export const ticking = [
  'BudgetingMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringReadUpdate',
] as const satisfies Permission[]
