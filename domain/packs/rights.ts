import { monthEndPermissions } from '../monitoring/rights.ts'
import { hasAnyPermission, type PermissionHolder, viewPermissions } from '../people/permissions.ts'

/** Whether a user may create packs. They must be allowed to carry out the month end and to see everything in a pack. */
export function canMakePacks(holder: PermissionHolder): boolean {
  return (
    hasAnyPermission(holder, monthEndPermissions) &&
    hasAnyPermission(holder, ['BudgetingReportsRead']) &&
    hasAnyPermission(holder, viewPermissions('BudgetingMonitoringBudgetForecast', 'ConsoleMonitoringBudgetForecast'))
  )
}
