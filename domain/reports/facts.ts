import type { CodeFacts } from '../calculation/nonStaffing/balances.ts'
import type { CountedRow } from '../calculation/nonStaffing/pupils.ts'
import type { CodeId, ImportedAmounts, LocationYear } from '../monitoring/figures.ts'
import type { ExplanationSettings } from '../monitoring/monitoring.ts'
import type { BudgetId, LocationId, StaffId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type { ReturnReasons } from './returns/returnReasons.ts'

/** What the columns of a report represent. */
export type ReportSpread = 'years' | 'months' | 'locations' | 'eachLocation' | 'budgets'

/** The unit for which the database sums lines: a year, a location in a year, or a budget in a year. */
export interface ReportUnit {
  year: string
  /** Set only if the unit is one location. */
  location: { id: LocationId; name: string } | null
  /** Set only if the unit is one budget. */
  budget: { id: string; name: string } | null
  /** Pupils on roll in October of the year; null if they are unknown for any school of the unit. */
  pupils: number | null
}

/** The sum of lines of one code and kind in a unit: whole pennies, without amounts that could not be calculated. */
export interface LineSum {
  /** Index into `units`. */
  unit: number
  /** Null for the levy, which has no code. */
  codeId: number | null
  centreId: number | null
  /** Whether the lines come from contracts or the levy. */
  isStaff: boolean
  transfer: 'gagPool' | 'topSlice' | null
  /** The twelve monthly amounts, or only the amount of the year; null if nothing could be calculated. */
  amounts: readonly (Pennies | null)[]
  /** How many monthly figures could not be calculated. */
  missing: number
}

export interface ReportCode {
  id: number
  code: string
  description: string
  facts: CodeFacts
  /** The scheme code under which the budget code is grouped; null if there is none. */
  scheme: { code: string; description: string; order: number } | null
}

/**
 * The balances at the start of each unit, as the in-year balances of earlier years by code and the opening balances by type; whole pennies.
 */
export interface OpeningPosition {
  /** `missing` is the number of monthly figures of the earlier years that could not be calculated. */
  before: { unit: number; codeId: number | null; isStaff: boolean; transfer: LineSum['transfer']; total: number; missing: number }[]
  openings: { unit: number; type: number; value: number }[]
}

export interface ReportFacts {
  spread: ReportSpread
  units: readonly ReportUnit[]
  /** Calendar month in which years begin, 1 to 12. */
  startMonth: number
  lines: readonly LineSum[]
  /**
   * All lines of the report, if `lines` are filtered by code, cost centre, fund or tag. Shares are percentages of total income, so they
   * need all lines.
   */
  wholeLines?: readonly LineSum[]
  /** The balances at the start; null if the report is filtered, because balances have no cost centre, fund or tag. */
  carried: OpeningPosition | null
  codes: ReadonlyMap<number, ReportCode>
  centres: ReadonlyMap<number, { code: string; description: string }>
  byScheme: boolean
  /** Whether the report covers several locations. If so, payments between them are shown separately (rules.md §19). */
  hasSeveralLocations: boolean
  includeEmpty: boolean
  notCalculated: number
  /** Only for the forecast return: the last return; null if no budget was approved before this one. */
  lastReturn?: LastReturn | null
  /**
   * Only for the forecast return: codes to merge for readers without staffing permissions, because they would reveal the pay of a few
   * people.
   */
  hiddenCodes?: ReadonlySet<CodeId>
  /** Only for the forecast return: the organisation's minimum reserve, as a percentage of income; null if there is none. */
  reserveFloor?: number | null
  /** Only for the forecast return: imported actuals. `hidden`: the reader may not see actuals. `narrowed`: the report is filtered. */
  returnActuals?: ReturnActuals | 'hidden' | 'narrowed'
  /** Only for the forecast return: the previous year and contact ratios; absent if not requested. */
  returnContext?: ReturnContext
}

/** The budget of one code in a year, by month: whole pennies, or null for a month in which nothing could be calculated. */
export interface CodeBudget extends Pick<LineSum, 'codeId' | 'isStaff' | 'transfer' | 'amounts'> {
  /** By month, how many figures could not be calculated. */
  gaps: readonly number[]
}

/** Actuals and budget of one location in a year, or of several locations with the same closed months, summed. */
export interface YearActuals {
  closed: readonly boolean[]
  imported: ReadonlyMap<CodeId, ImportedAmounts>
  methods: LocationYear['methods']
  /** Null if no budget covers the months without imported actuals. */
  budget: readonly CodeBudget[] | null
}

/** A year of the return that has actuals, or that no budget covers. */
export interface ReturnYear {
  year: string
  /**
   * Whether the year is before the first year of the budgets. Its months without actuals are “not available”, even if a budget covers them.
   */
  isPrior: boolean
  /** Whether the year belongs to the requested budgets. If so, later years start from its result. */
  isRequested: boolean
  sums: readonly YearActuals[]
  months: readonly { location: string; closed: readonly boolean[]; hasBudget: boolean }[]
}

/** A year before the requested years. */
export interface EarlierYear {
  unit: ReportUnit
  /** The balances at the start of the year; null if no budget has them. */
  carried: OpeningPosition | null
}

/** The imported actuals for a return (rules.md §20). */
export interface ReturnActuals {
  earlierYears: readonly EarlierYear[]
  years: readonly ReturnYear[]
  /** Whether imported actuals are cumulative amounts for the year to date. */
  cumulative: boolean
}

/** A year in which every month has actuals, summed over its locations. */
export interface CompletedYear {
  /** The name of the year, such as `2025/26`. */
  name: string
  /** Actuals by budget code in whole pennies; positive for income on an income code and for expenditure on others. */
  byCode: ReadonlyMap<number, Pennies>
}

/** Facts from outside the budgets, for comparison with the forecast return. */
export interface ReturnContext {
  /** The previous year; null if a month has no actuals, `hidden` if the reader may not see actuals. */
  outturn: CompletedYear | 'hidden' | null
  /** The ratio of each school in the first year. It is null without a timetable or without the FTE of teachers. */
  contactRatios: readonly ContactRatio[]
  /** The reasons for changes since the last return; null if the reader may not see every school concerned. */
  reasons: ReturnReasons | null
}

export interface ContactRatio {
  location: string
  ratio: number | null
}

/** The last return for the same years, from the budgets that were approved before. */
export interface LastReturn {
  /** Figures for the years that all of the earlier budgets have. */
  facts: ReportFacts
  /** The locations of this return for which no earlier budget was approved. */
  without: readonly string[]
  settings: ExplanationSettings
}

export interface BudgetPupils {
  location: { id: LocationId; name: string }
  /** Calendar year of the October before the budget begins. */
  before: number
  /** Empty if the school has entered no pupil numbers. They are then unknown, not zero. */
  rows: readonly CountedRow[]
}

export interface PupilFacts {
  spread: 'years' | 'locations'
  /** The calendar years of the Octobers shown; a report by location shows only the first. */
  octobers: readonly number[]
  budgets: readonly BudgetPupils[]
}

/** The cost of a contract in a year by part, in whole pennies; a part is null if a month of it could not be calculated. */
export interface ContractYearCost {
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
  /** The person who holds the contract; null for a vacancy. */
  personId: StaffId | null
  payrollCode: string
  employee: string
  post: string
  type: string
  isTeacher: boolean
  point: string
  /** FTE or weekly hours, formatted as text. */
  works: string
  startDate: string
  endDate: string | null
  years: readonly ContractYearCost[]
}

export interface StaffFacts {
  years: readonly string[]
  contracts: readonly StaffingContract[]
  /** Whether the reader may see individual pay. If not, contracts are summed by payroll code. */
  isNamed: boolean
  notCalculated: number
}
