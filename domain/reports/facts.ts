import type { CodeFacts } from '../calculation/nonStaffing/balances.ts'
import type { CountedRow } from '../calculation/nonStaffing/pupils.ts'
import type { CodeId, ImportedAmounts, LocationYear } from '../monitoring/figures.ts'
import type { ExplanationSettings } from '../monitoring/monitoring.ts'
import type { BudgetId, LocationId, StaffId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type { ReturnReasons } from './returns/returnReasons.ts'

/** What the columns of a report represent. */
export type ReportSpread = 'years' | 'months' | 'locations' | 'eachLocation' | 'budgets'

/** A unit into which the database sums lines: a year, a location in a year, or a budget in a year. */
export interface ReportUnit {
  year: string
  /** Only for units of one location. */
  location: { id: LocationId; name: string } | null
  /** Only for units of one budget. */
  budget: { id: string; name: string } | null
  /** Pupils on roll in the year's October; null if it is unknown for any school of the unit. */
  pupils: number | null
}

/** The sum of lines of one code and kind in a unit; whole pennies over what could be calculated. */
export interface LineSum {
  /** Index into `units`. */
  unit: number
  /** Null for the levy, which has no code. */
  codeId: number | null
  centreId: number | null
  /** From contracts or the levy. */
  isStaff: boolean
  transfer: 'gagPool' | 'topSlice' | null
  /** The twelve months, or only the year; null if nothing could be calculated. */
  amounts: readonly (Pennies | null)[]
  /** How many monthly figures could not be calculated. */
  missing: number
}

export interface ReportCode {
  id: number
  code: string
  description: string
  facts: CodeFacts
  /** The scheme code that it is grouped under; null if none. */
  scheme: { code: string; description: string; order: number } | null
}

/** What a year starts with: in-year balances of earlier years by code, and opening balances by type; whole pennies. */
export interface OpeningPosition {
  /** `missing`: monthly figures of those years that could not be calculated. */
  before: { unit: number; codeId: number | null; isStaff: boolean; transfer: LineSum['transfer']; total: number; missing: number }[]
  openings: { unit: number; type: number; value: number }[]
}

export interface ReportFacts {
  spread: ReportSpread
  units: readonly ReportUnit[]
  /** Calendar month in which years begin, 1 to 12. */
  startMonth: number
  lines: readonly LineSum[]
  /** All lines, if `lines` are filtered by code, cost centre, fund or tag; shares are of total income. */
  wholeLines?: readonly LineSum[]
  /** Null if the report is filtered, because balances have no cost centre, fund or tag. */
  carried: OpeningPosition | null
  codes: ReadonlyMap<number, ReportCode>
  centres: ReadonlyMap<number, { code: string; description: string }>
  byScheme: boolean
  /** Several locations: payments between them are shown separately (rules.md §19). */
  hasSeveralLocations: boolean
  includeEmpty: boolean
  notCalculated: number
  /** Forecast return only: the last return; null if no budget was approved for one. */
  lastReturn?: LastReturn | null
  /** Forecast return only: codes to merge for readers without staffing permissions, because they would reveal the pay of a few people. */
  hiddenCodes?: ReadonlySet<CodeId>
  /** Forecast return only: the organisation's minimum reserve, as a percentage of income; null if none. */
  reserveFloor?: number | null
  /** Forecast return only: imported actuals. `hidden`: the reader may not see actuals; `narrowed`: the report is filtered. */
  returnActuals?: ReturnActuals | 'hidden' | 'narrowed'
  /** Forecast return only: the previous year and contact ratios; absent if not requested. */
  returnContext?: ReturnContext
}

/** The budget of one code in a year, by month; whole pennies, null if nothing of a month could be calculated. */
export interface CodeBudget extends Pick<LineSum, 'codeId' | 'isStaff' | 'transfer' | 'amounts'> {
  /** By month, how many figures could not be calculated. */
  gaps: readonly number[]
}

/** Actuals and budget of one location in a year, or the sum of locations with the same closed months. */
export interface YearActuals {
  closed: readonly boolean[]
  imported: ReadonlyMap<CodeId, ImportedAmounts>
  methods: LocationYear['methods']
  /** Null if no budget covers the months that are not in. */
  budget: readonly CodeBudget[] | null
}

/** A year of the return that has actuals, or has no other figures. */
export interface ReturnYear {
  year: string
  /** It precedes the budgets. Months without actuals are “not available”, even if a budget covers them. */
  isPrior: boolean
  /** Whether it belongs to the requested budgets, so that later years start from its result. */
  isRequested: boolean
  sums: readonly YearActuals[]
  months: readonly { location: string; closed: readonly boolean[]; hasBudget: boolean }[]
}

/** A year before the requested ones. */
export interface EarlierYear {
  unit: ReportUnit
  /** What it starts with, if budgets say so. */
  carried: OpeningPosition | null
}

/** The actuals for a return (rules.md §20). */
export interface ReturnActuals {
  earlierYears: readonly EarlierYear[]
  years: readonly ReturnYear[]
  /** Whether imports are year to date. */
  cumulative: boolean
}

/** A year with the actuals of every month, summed over its locations. */
export interface CompletedYear {
  /** Such as `2025/26`. */
  name: string
  /** Actuals by budget code, positive for what is usual for the code; whole pennies. */
  byCode: ReadonlyMap<number, Pennies>
}

/** Facts besides the budgets that the forecast return is checked against. */
export interface ReturnContext {
  /** The previous year; null if a month is missing, `hidden` if the reader may not see actuals. */
  outturn: CompletedYear | 'hidden' | null
  /** By school, for the first year; the ratio is null without a timetable or the FTE of teachers. */
  contactRatios: readonly ContactRatio[]
  /** Reasons for changes since the last return; null if the reader cannot see every school concerned. */
  reasons: ReturnReasons | null
}

export interface ContactRatio {
  location: string
  ratio: number | null
}

/** The last return for the years of this one, from the budgets that were approved before it. */
export interface LastReturn {
  /** Covers the years that all those budgets have. */
  facts: ReportFacts
  /** Locations of this return without such a budget. */
  without: readonly string[]
  settings: ExplanationSettings
}

export interface BudgetPupils {
  location: { id: LocationId; name: string }
  /** Calendar year of the October before the budget. */
  before: number
  /** Empty if the school has entered no numbers, so that its pupils are unknown. */
  rows: readonly CountedRow[]
}

export interface PupilFacts {
  spread: 'years' | 'locations'
  /** Calendar years of the Octobers shown; by location only the first. */
  octobers: readonly number[]
  budgets: readonly BudgetPupils[]
}

/** Yearly cost of a contract, whole pennies; null if a month could not be calculated. */
export interface StaffYear {
  basic: Pennies | null
  allowances: Pennies | null
  leave: Pennies | null
  ni: Pennies | null
  pension: Pennies | null
  /** Mean FTE over the days of the year; null if the contract type no longer exists. */
  fte: number | null
}

export interface StaffingContract {
  id: string
  budgetId: BudgetId
  location: string
  /** Its holder; null for a vacancy. */
  personId: StaffId | null
  payrollCode: string
  employee: string
  post: string
  type: string
  isTeacher: boolean
  point: string
  /** FTE or weekly hours, as text. */
  works: string
  startDate: string
  endDate: string | null
  years: readonly StaffYear[]
}

export interface StaffFacts {
  years: readonly string[]
  contracts: readonly StaffingContract[]
  /** False if the reader may not see individual pay; contracts are then summed by payroll code. */
  isNamed: boolean
  notCalculated: number
}
