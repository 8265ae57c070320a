import { hasAnyPermission, type Permission, type PermissionHolder, viewPermissions } from '../people/permissions.ts'

export const monthEndPermissions = [
  'BudgetingMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringReadUpdate',
] as const satisfies Permission[]

export const forecastPermissions = ['BudgetingMonitoringBudgetForecastReadUpdate', 'ConsoleMonitoringBudgetForecastReadUpdate'] as const

export function canSeeActuals(holder: PermissionHolder): boolean {
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
