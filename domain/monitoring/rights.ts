import { either, type Holder, may, type Permission } from '../people/permissions.ts'

/** Who does the month end of schools. */
export const ticking = [
  'BudgetingMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringBudgetActualsReadUpdate',
  'ConsoleMonitoringReadUpdate',
] as const satisfies Permission[]

/** Who may say how the open months go on. */
export const forecasting = ['BudgetingMonitoringBudgetForecastReadUpdate', 'ConsoleMonitoringBudgetForecastReadUpdate'] as const

/** Whether somebody may see what was received and spent. */
export function maySeeActuals(holder: Holder): boolean {
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
