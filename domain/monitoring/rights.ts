import { either, type Holder, may, type Permission } from '../people/permissions.ts'

export const monthEndPermissions = [
  'BudgetingMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringReadUpdate',
] as const satisfies Permission[]

export const forecastPermissions = ['BudgetingMonitoringBudgetForecastReadUpdate', 'ConsoleMonitoringBudgetForecastReadUpdate'] as const

export function canSeeActuals(holder: Holder): boolean {
  return may(
    holder,
    either(
      'ConsoleMonitoring',
      'ConsoleMonitoringBudgetActuals',
      'BudgetingMonitoringBudgetActuals',
      'ConsoleMonitoringBudgetForecast',
      'BudgetingMonitoringBudgetForecast',
    ),
  )
}
