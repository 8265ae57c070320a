import { monthEndPermissions } from '../monitoring/rights.ts'
import { hasAnyPermission, listViewPermissions, type PermissionHolder } from '../people/permissions.ts'

/** Whether a user may create packs. The user must be allowed to carry out the month end and to see everything that a pack contains. */
export function canMakePacks(holder: PermissionHolder): boolean {
  return (
    hasAnyPermission(holder, monthEndPermissions) &&
    hasAnyPermission(holder, ['BudgetingReportsRead']) &&
    hasAnyPermission(holder, listViewPermissions('BudgetingMonitoringBudgetForecast', 'ConsoleMonitoringBudgetForecast'))
  )
}
