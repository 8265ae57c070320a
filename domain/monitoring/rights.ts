import { hasAnyPermission, listViewPermissions, type Permission, type PermissionHolder } from '../people/permissions.ts'

export const monthEndPermissions = [
  'BudgetingMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringReadUpdate',
] as const satisfies Permission[]

export const forecastPermissions = ['BudgetingMonitoringBudgetForecastReadUpdate', 'ConsoleMonitoringBudgetForecastReadUpdate'] as const

export function canSeeActuals(holder: PermissionHolder): boolean {
  return hasAnyPermission(
    holder,
    listViewPermissions(
      'ConsoleMonitoring',
      'ConsoleMonitoringBudgetActuals',
      'BudgetingMonitoringBudgetActuals',
      'ConsoleMonitoringBudgetForecast',
      'BudgetingMonitoringBudgetForecast',
    ),
  )
}
