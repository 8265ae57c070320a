import { hasAnyPermission, type Permission, type PermissionHolder, viewPermissions } from '../people/permissions.ts'

/** Who does the month end of schools. */
export const ticking = [
  'BudgetingMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringReadUpdate',
] as const satisfies Permission[]

/** Who may say how the open months go on. */
export const forecasting = ['BudgetingMonitoringBudgetForecastReadUpdate', 'ConsoleMonitoringBudgetForecastReadUpdate'] as const

/** Whether somebody may see what was received and spent. */
export function maySeeActuals(holder: PermissionHolder): boolean {
  return hasAnyPermission(
    holder,
    viewPermissions(
      'ConsoleMonitoring',
      'ConsoleMonitoringBudgetActuals',
      'BudgetingMonitoringBudgetActuals',
      'ConsoleMonitoringBudgetForecast',
      'BudgetingMonitoringBudgetForecast',
    ),
  )
}
