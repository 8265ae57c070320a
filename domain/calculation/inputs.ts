import type { IsoDate } from '../values/calendar.ts'
import type { Pennies, Percent } from '../values/units.ts'

/** What a calculation reads: plain data, frozen and named by its SHA-256 (rules.md §16). Money and rates are decimal strings. */
export type PayScaleKind = 'teacher' | 'customTeacher' | 'support' | 'customSupport'
export type PayArea = 'main' | 'inner' | 'outer' | 'fringe'

/** The bit of each kind in a contract type's `payScaleTypes` (rules.md §3). */
export const payScaleFlags: Record<PayScaleKind, number> = { teacher: 1, customTeacher: 2, support: 4, customSupport: 8 }

export interface PayPoint {
  scale: string
  point: string
  increment: number
  mainRate: string
  /** Null: the table has no rate in this pay area. */
  innerRate: string | null
  outerRate: string | null
  fringeRate: string | null
}

/** A point that a pay table no longer has, and the one that takes its place. */
export interface PointMove {
  scale: string
  increment: number
  toScale: string
  toIncrement: number
}

export interface NationalInsuranceRow {
  name: string
  bandStart: string
  bandEnd: string | null
  rate: string
  rebate: string
  base: string
  minAge: number
  maxAge: number | null
  apprentice: boolean
  pension: boolean | null
}

export interface EffectiveTable {
  effectiveDate: IsoDate
  table: string
}

export interface DatedRate {
  effectiveDate: IsoDate
  rate: string
}

/** A pay award from a day on. */
export interface DatedAward extends DatedRate {
  /** Per cent of it that the pay table of the very same date already holds: the difference lifts what that table says. */
  inTable?: string
  /** What that table is lifted to where it is not the rate, which other pay follows. */
  liftedTo?: string
}

export interface ContractTypeInput {
  calculationType: 1 | 2 | 3
  payScaleTypes: number
  fullTimeHours?: string
  fullTimeWeeks?: string
  incrementMonth?: number | null
}

export interface AllowanceInput {
  proRate: boolean
  erPension: boolean
  inflationSetting: 'staff' | 'none'
  rates: { effectiveDate: IsoDate; value: string }[]
}

export interface LeaveRule {
  periodName: string
  firstWeek: number
  lastWeek: number
  payPercentage: string
  useAWE: boolean
  payInclusive: boolean
  payRecoveryPercentage: string
  extendedLeaveRatePercentage: string
  extendedLeaveRateRecoveryPercentage: string
  /** Per cent of weekly earnings that the weekly rate is paid up to; absent: no cap. */
  rateCapPercentage?: string | null
  erPensionCalculation: 0 | 1 | 2
}

/** Everything shared that one budget's staff costs depend on. Tables, types and allowances are named by key. */
export interface CalculationInputs {
  budget: { firstYear: number; years: number; startMonth: number; payArea: PayArea }
  tables: {
    payScales: Record<string, { points: PayPoint[]; moves?: PointMove[] }>
    nationalInsurance: Record<string, NationalInsuranceRow[]>
    /** By type of leave: pounds a week, and what must be earned a week to be paid it; absent: nothing. */
    extendedLeave: Record<string, { name: string; rate: string; earningsFloor?: string | null }[]>
  }
  budgetElements: {
    teacherPayScales: EffectiveTable[]
    supportPayScales: EffectiveTable[]
    customTeacherPayScales: EffectiveTable[]
    customSupportPayScales: EffectiveTable[]
    nationalInsurance: EffectiveTable[]
    extendedLeave: EffectiveTable[]
  }
  contractTypes: Record<string, ContractTypeInput>
  assumptions: Record<string, { erPension: DatedRate[]; inflation: DatedAward[] }>
  allowances: Record<string, AllowanceInput>
  leaveRulesets: Record<string, LeaveRule[]>
}

export interface ScalePoint {
  kind: PayScaleKind
  scale: string
  increment: number
}

export interface SalaryRow {
  effectiveDate: IsoDate
  calculationCeaseDate: IsoDate | null
  scalePoint: ScalePoint | null
  spotAdjustment: string | null
  allowances: string[]
  erPension: boolean
  fte: string | null
  hoursPerWeek: string | null
  weeksPerYear: string | null
}

export interface ContractInput {
  name: string
  contractType: string
  startDate: IsoDate
  endDate: IsoDate | null
  maximumScalePoint: ScalePoint | null
  apprentice: boolean
  attritionContract: boolean
  rows: SalaryRow[]
}

/** A contract as the log of a budget keeps it, as far as its cost depends on it. */
export interface KeptContract {
  id: string
  /** Null: a vacancy. */
  staffId: number | null
  contractTypeId: number
  startDate: IsoDate
  endDate: IsoDate | null
  maximumScalePoint: ScalePoint | null
  apprentice: boolean
  attritionContract: boolean
  /** Payroll codes; the first says where its cost is posted. */
  serviceTerms: readonly number[]
  fundCodes: readonly FundShare[]
  salary: readonly KeptSalaryRow[]
}

export interface KeptSalaryRow {
  effectiveDate: IsoDate
  calculationCeaseDate: IsoDate | null
  scalePoint: ScalePoint | null
  /** Pounds. */
  spotAdjustment: number | null
  allowances: readonly number[]
  erPension: boolean
  fte: number | null
  hoursPerWeek: number | null
  weeksPerYear: number | null
}

/** What a fund code bears of a cost. */
export interface FundShare {
  fundCodeId: number
  /** The shares of a cost add up to 100, with at most four decimals each. */
  percentage: Percent
}

export interface AppliedLeave {
  ruleset: string
  type: string
  startDate: IsoDate
  endDate: IsoDate
  /** Weekly earnings before the leave in pounds, by contract, that a budget rolled forward keeps; absent: they are worked out. */
  weekly?: Record<string, string>
}

/**
 * When a person reaches the ages at which national insurance changes: a date, `always` (before the budget), or `never` (after it). The log
 * keeps this in place of a date of birth. `null`: the date of birth is not known.
 */
export type AgesReached = Record<string, IsoDate | 'always' | 'never'> | null

export interface EmployeeInput {
  ages: AgesReached
  leaves: AppliedLeave[]
  contracts: ContractInput[]
}

export type ProblemCode =
  | 'NO_SALARY_ROW'
  | 'NO_PAY_TABLE'
  | 'NO_PAY_POINT'
  | 'NO_LEAVE_TABLE'
  | 'NO_PENSION_RATE'
  | 'NO_NI_TABLE'
  | 'NO_NI_BAND'

export interface Problem {
  code: ProblemCode
  text: string
  /** The first day it stands in the way. */
  from: IsoDate
}

/** What stands in the way of no figure, and should be known: without a date of birth the full rates of national insurance count; nothing statutory is paid below the floor. */
export type Warning = 'NO_DATE_OF_BIRTH' | 'BELOW_EARNINGS_FLOOR'

/** A figure that could not be calculated is null, never 0 (rules.md §8 Problems). Whole pennies otherwise. */
export type Figure = Pennies | null

/** Twelve figures each, period 1 to 12. */
export interface YearCost {
  year: string
  basic: Figure[]
  allowances: Record<string, Figure[]>
  leavePay: Figure[]
  leaveRecovery: Figure[]
  gross: Figure[]
  ni: Figure[]
  pension: Figure[]
}

export interface ContractCost {
  name: string
  problems: Problem[]
  warnings: Warning[]
  years: YearCost[]
}

/** One line of a derivation: what was done, with which figure, and the section of rules.md it follows. */
export interface Step {
  figure: string
  label: string
  value: string
  rule: string
}

/** Takes the steps of one contract and month while they are calculated; absent when nobody asks. */
export type Note = (step: Step) => void
