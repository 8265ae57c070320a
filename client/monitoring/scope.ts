import type { CalendarMonth } from '../../domain/monitoring/monitoring.ts'
import type { BudgetGroupId, BudgetId, LocationId } from '../../domain/values/ids.ts'
import type { RouterOutputs } from '../shell/api.ts'

/** The scope of a monitoring screen: one budget, or all locations of the organisation. */
export type MonitoringScope =
  | {
      kind: 'budget'
      budgetId: BudgetId
      locationId: LocationId
      groupId: BudgetGroupId | null
      firstYear: number
      startMonth: number
      numberOfYears: number
    }
  | { kind: 'console' }

/** The parameters of a monitoring query. */
export interface MonitoringParameters extends CalendarMonth {
  scheme: number
  locationIds?: LocationId[] | null
  budgetId?: BudgetId
  budgetGroupId?: BudgetGroupId | null
  forecastBudgetId?: BudgetId
}

export type MonitoringRow = RouterOutputs['monitoring']['budgetsVsActuals']['rows'][number]
