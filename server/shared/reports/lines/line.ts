import type { StaffSource } from '../../../../domain/budget/sharedSources.ts'
import type { BudgetId, LocationId } from '../../../../domain/values/ids.ts'
import type { Pounds } from '../../../../domain/values/units.ts'

/** The amount, in pounds, that one source posts to one coding as part of a figure. */
export interface ReportLine {
  kind: StaffSource | 'contracts' | 'entry' | 'transfer' | 'actual' | 'forecast'
  /** The id of the source; empty for combined contracts. */
  id: string
  name: string
  /** Empty for actuals and for forecasts by a method, which belong to no budget. */
  budgetId: BudgetId
  budget: string
  locationId: LocationId
  location: string
  code: string
  centre: string
  fund: string
  year: string
  /** Null if no part of the amount could be calculated. */
  amount: Pounds | null
  missing: number
}

export interface ReportLines {
  /** The total of all lines, including those not listed. */
  total: number
  count: number
  lines: ReportLine[]
}
