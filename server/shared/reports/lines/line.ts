import type { StaffSource } from '../../../../domain/budget/sharedSources.ts'
import type { BudgetId, LocationId } from '../../../../domain/values/ids.ts'
import type { Pounds } from '../../../../domain/values/units.ts'

/** What one source posts to one coding, as far as a figure of a report is of it; pounds. */
export interface ReportLine {
  kind: StaffSource | 'contracts' | 'entry' | 'transfer' | 'actual' | 'forecast'
  /** The source; empty for contracts together. */
  id: string
  name: string
  /** Empty for what came in and for forecasts by a method, which are of no budget. */
  budgetId: BudgetId
  budget: string
  locationId: LocationId
  location: string
  code: string
  centre: string
  fund: string
  year: string
  /** Null where nothing of it could be calculated. */
  amount: Pounds | null
  missing: number
}

export interface ReportLines {
  /** Of all lines, those that are not listed included. */
  total: number
  count: number
  lines: ReportLine[]
}
