import { ticking } from '../monitoring/rights.ts'
import { hasAnyPermission, type PermissionHolder, viewPermissions } from '../people/permissions.ts'

/** Who may make packs: those who do the month end and see everything that a pack shows. */
export function mayMakePacks(holder: PermissionHolder): boolean {
  return (
    hasAnyPermission(holder, ticking) &&
    hasAnyPermission(holder, ['BudgetingReportsRead']) &&
    hasAnyPermission(holder, viewPermissions('BudgetingMonitoringBudgetForecast', 'ConsoleMonitoringBudgetForecast'))
  )
}
