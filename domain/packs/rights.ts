import { monthEndPermissions } from '../monitoring/rights.ts'
import { either, type Holder, may } from '../people/permissions.ts'

/** Whether a user may create packs: they carry out the month end and may see everything in a pack. */
export function canMakePacks(holder: Holder): boolean {
  return (
    may(holder, monthEndPermissions) &&
    may(holder, ['BudgetingReportsRead']) &&
    may(holder, either('BudgetingMonitoringBudgetForecast', 'ConsoleMonitoringBudgetForecast'))
  )
}
