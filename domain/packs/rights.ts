import { ticking } from '../monitoring/rights.ts'
import { either, type Holder, may } from '../people/permissions.ts'

/** Who may make packs: those who do the month end and see everything that a pack shows. */
export function mayMakePacks(holder: Holder): boolean {
  return (
    may(holder, ticking) &&
    may(holder, ['BudgetingReportsRead']) &&
    may(holder, either('BudgetingMonitoringBudgetForecast', 'ConsoleMonitoringBudgetForecast'))
  )
}
