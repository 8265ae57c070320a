import type { CodeFacts } from '../calculation/nonStaffing/balances.ts'
import type { CountedRow } from '../calculation/nonStaffing/pupils.ts'
import type { CodeId, Imported, LocationYear } from '../monitoring/figures.ts'
import type { Settings } from '../monitoring/monitoring.ts'
import type { BudgetId, LocationId, StaffId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type { ReturnReasons } from './returns/returnReasons.ts'

/** Which figures stand side by side. */
export type Spread = 'years' | 'months' | 'locations' | 'eachLocation' | 'budgets'

/** One bucket into which the database adds lines up: a year, a location in a year, a budget in a year. */
export interface ReportUnit {
  year: string
  /** Where the bucket is of one location. */
  location: { id: LocationId; name: string } | null
  /** Where the bucket is of one budget. */
  budget: { id: string; name: string } | null
  /** Pupils on roll in the October of the year; null: not known of every school in the bucket. */
  pupils: number | null
}

/** Lines of one code and kind in one bucket, added up; whole pennies over what could be calculated. */
export interface LineSum {
  /** Index into `units`. */
  unit: number
  /** Empty for the levy, which is posted to no code. */
  codeId: number | null
  centreId: number | null
  /** Of contracts or the levy. */
  isStaff: boolean
  transfer: 'gagPool' | 'topSlice' | null
  /** The twelve months, or the year alone; null where nothing of it could be calculated. */
  amounts: readonly (Pennies | null)[]
  /** Monthly figures that could not be calculated. */
  missing: number
}

export interface ReportCode {
  id: number
  code: string
  description: string
  facts: CodeFacts
  /** What it is grouped under; null: nothing. */
  scheme: { code: string; description: string; order: number } | null
}

/** What a year begins with: the in-year balances of the years before by code, and the opening balances by type; whole pennies. */
export interface Carried {
  /** `missing`: monthly figures of those years that could not be calculated. */
  before: { unit: number; codeId: number | null; isStaff: boolean; transfer: LineSum['transfer']; total: number; missing: number }[]
  openings: { unit: number; type: number; value: number }[]
}

/** Everything that a report of money is made of. */
export interface ReportFacts {
  spread: Spread
  units: readonly ReportUnit[]
  /** Calendar month, 1 to 12, with which the years begin. */
  startMonth: number
  lines: readonly LineSum[]
  /** Lines of everything, where `lines` are of chosen codes, centres, funds or tags: shares are of the whole income. */
  wholeLines?: readonly LineSum[]
  /** Null where only part of the money was asked for: balances have no cost centre, fund or tag. */
  carried: Carried | null
  codes: ReadonlyMap<number, ReportCode>
  centres: ReadonlyMap<number, { code: string; description: string }>
  byScheme: boolean
  /** Of several locations: what they pay each other is told apart (rules.md §19). */
  isSeveral: boolean
  /** Codes and centres without figures are shown too. */
  includeEmpty: boolean
  notCalculated: number
  /** Of the forecast return: what the last one said; null: nobody's budget was approved for it. */
  lastReturn?: LastReturn | null
  /** Of the forecast return where nobody is named: budget codes that stand together, as they are the pay of few people. */
  notTold?: ReadonlySet<CodeId>
  /** Of the forecast return: the organisation's floor of the reserve, as a percentage of income; null: none. */
  reserveFloor?: number | null
  /** Of the forecast return: what has come in; `hidden`: it is for those who may see actuals, `narrowed`: only part of the money was asked for. */
  cameIn?: CameIn | 'hidden' | 'narrowed'
  /** Of the forecast return: what came before it, and how much teachers teach; left out where nobody asked. */
  beside?: ReturnBeside
}

/** What budgets have of one code in a year, month by month; whole pennies, null where nothing of a month could be calculated. */
export interface BudgetOfCode extends Pick<LineSum, 'codeId' | 'isStaff' | 'transfer' | 'amounts'> {
  /** Of each month, how many figures could not be calculated. */
  gaps: readonly number[]
}

/** A year of a location, or of several of which the same months are in: their figures add up. */
export interface PlacesInYear {
  closed: readonly boolean[]
  imported: ReadonlyMap<CodeId, Imported>
  methods: LocationYear['methods']
  /** Null: no budget stands in for months that are not in. */
  budget: readonly BudgetOfCode[] | null
}

/** A year of the return of which months are in, or which has no other figures. */
export interface YearCame {
  year: string
  /** It came before the budgets: months that are not in are not available, whatever a budget says of them. */
  isPrior: boolean
  /** Whether its budgets are those that were asked for: what the years after it begin with goes through it. */
  isAsked: boolean
  sums: readonly PlacesInYear[]
  /** Which months of each location are in. */
  months: readonly { location: string; closed: readonly boolean[]; hasBudget: boolean }[]
}

/** A year in front of those that were asked for. */
export interface YearInFront {
  unit: ReportUnit
  /** What it begins with, where budgets say so. */
  carried: Carried | null
}

/** What has come in of the years of the return (rules.md §20). */
export interface CameIn {
  front: readonly YearInFront[]
  years: readonly YearCame[]
  /** Whether imports are the year to date. */
  cumulative: boolean
}

/** A year of which the actuals of every month are in, added up over its locations. */
export interface YearThatCame {
  /** As `2025/26`. */
  name: string
  /** What was received or spent by budget code, positive for what is usual for it; whole pennies. */
  byCode: ReadonlyMap<number, Pennies>
}

/** What the forecast return is checked by that is not in its budgets. */
export interface ReturnBeside {
  /** Null: there is no year before with every month in; `hidden`: it is for those who may see actuals. */
  outturn: YearThatCame | 'hidden' | null
  /** Of each school in the first year; null: it has no timetable, or the FTE of its teachers is not known. */
  contactRatios: readonly ContactRatio[]
  /** Why lines differ from the last return; null: the reader does not see every school that the reasons are of. */
  reasons: ReturnReasons | null
}

export interface ContactRatio {
  location: string
  ratio: number | null
}

/** What last year's return said of the years of this one, by the budgets that were approved before it. */
export interface LastReturn {
  /** Of the years that all those budgets tell of. */
  facts: ReportFacts
  /** Locations of this return without such a budget. */
  without: readonly string[]
  /** Which differences are worth explaining. */
  settings: Settings
}

/** The pupil numbers of one budget. */
export interface CountedBudget {
  location: { id: LocationId; name: string }
  /** The calendar year of the October before its first year. */
  before: number
  /** None: the school has typed no numbers, and none of its pupils are known. */
  rows: readonly CountedRow[]
}

export interface PupilFacts {
  spread: 'years' | 'locations'
  /** Calendar years of the Octobers that are shown; by location only the first is. */
  octobers: readonly number[]
  budgets: readonly CountedBudget[]
}

/** What a contract costs in one year, whole pennies; null where a month of it could not be calculated. */
export interface StaffYear {
  basic: Pennies | null
  allowances: Pennies | null
  leave: Pennies | null
  ni: Pennies | null
  pension: Pennies | null
  /** Mean full-time equivalent over the days of the year; null where the contract's type is not known any more. */
  fte: number | null
}

/** A contract as the staffing report lists it. */
export interface StaffedContract {
  id: string
  budgetId: BudgetId
  location: string
  /** Who holds it; null: nobody yet. */
  personId: StaffId | null
  payrollCode: string
  employee: string
  post: string
  type: string
  /** On a teachers' pay scale. */
  isTeacher: boolean
  point: string
  /** FTE or hours a week, in words. */
  works: string
  startDate: string
  endDate: string | null
  /** Of each year that is shown. */
  years: readonly StaffYear[]
}

export interface StaffFacts {
  years: readonly string[]
  contracts: readonly StaffedContract[]
  /** Without it contracts are told as sums of their payroll code: what one person costs is for those who may see staff. */
  isNamed: boolean
  notCalculated: number
}
