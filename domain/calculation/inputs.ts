import type { IsoDate } from '../values/calendar.ts'
import type { Pennies, Percent } from '../values/units.ts'

/** The inputs of a calculation: plain data, frozen, and identified by its SHA-256 (rules.md §16). Money and rates are decimal strings. */
export type PayScaleKind = 'teacher' | 'customTeacher' | 'support' | 'customSupport'
export type PayArea = 'main' | 'inner' | 'outer' | 'fringe'

/** The bit for each kind in a contract type's `payScaleTypes` (rules.md §3). */
export const payScaleFlags: Record<PayScaleKind, number> = { teacher: 1, customTeacher: 2, support: 4, customSupport: 8 }

export interface PayPoint {
  scale: string
  point: string
  increment: number
  mainRate: string
  /** Null if the table has no rate for this pay area. */
  innerRate: string | null
  outerRate: string | null
  fringeRate: string | null
}

/** A point that a pay table has dropped, and the point that replaces it. */
export interface PointReplacement {
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

/** A pay award with the date from which it applies. */
export interface DatedAward extends DatedRate {
  /** The percentage that the pay table of the same date already includes. Its rates are raised to `liftedTo` instead, or else to `rate`. */
  inTable?: string
  /** The percentage to which the table is raised, if it differs from `rate`. `rate` then applies only to pay outside the table. */
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
  /** Caps the weekly rate at this percentage of weekly earnings; no cap if absent. */
  rateCapPercentage?: string | null
  erPensionCalculation: 0 | 1 | 2
}

/** All shared inputs that one budget's staff costs depend on. Tables, types and allowances are identified by key. */
export interface CalculationInputs {
  budget: { firstYear: number; years: number; startMonth: number; payArea: PayArea }
  tables: {
    payScales: Record<string, { points: PayPoint[]; moves?: PointReplacement[] }>
    nationalInsurance: Record<string, NationalInsuranceRow[]>
    /**
     * Statutory pay by type of leave, in pounds a week. `earningsFloor` is the weekly earnings that a person needs to qualify, if there is
     * a floor.
     */
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

/** A contract as the budget log stores it, limited to what its cost depends on. */
export interface LoggedContract {
  id: string
  /** Null for a vacancy. */
  staffId: number | null
  contractTypeId: number
  startDate: IsoDate
  endDate: IsoDate | null
  maximumScalePoint: ScalePoint | null
  apprentice: boolean
  attritionContract: boolean
  /** Payroll codes; the first one determines where the cost is posted. */
  serviceTerms: readonly number[]
  fundCodes: readonly FundShare[]
  salary: readonly LoggedSalaryRow[]
}

export interface LoggedSalaryRow {
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

/** The share of a cost that a fund code bears. */
export interface FundShare {
  fundCodeId: number
  /** At most four decimals; the shares of a cost add up to 100. */
  percentage: Percent
}

export interface AppliedLeave {
  ruleset: string
  type: string
  startDate: IsoDate
  endDate: IsoDate
  /** Weekly earnings before the leave in pounds, by contract, stored when a budget is rolled forward; calculated if absent. */
  weekly?: Record<string, string>
}

/**
 * When a person reaches each age at which national insurance changes: a date, `always` (before the budget) or `never` (after it). The log
 * stores this instead of a date of birth. Null if the date of birth is not known.
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
  /** The first day on which the problem applies. */
  from: IsoDate
}

/**
 * A condition that does not prevent calculation but should be reported: without a date of birth the full national insurance rates apply;
 * below the earnings floor no statutory pay is due.
 */
export type Warning = 'NO_DATE_OF_BIRTH' | 'BELOW_EARNINGS_FLOOR'

/** Whole pennies; null if the figure could not be calculated, never 0 instead (rules.md §8 Problems). */
export type Figure = Pennies | null

/** Twelve figures each, for periods 1 to 12. */
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

/** One line of a derivation: a calculation, its result, and the section of rules.md it follows. */
export interface DerivationStep {
  figure: string
  label: string
  value: string
  rule: string
}

/** Records the derivation steps of one contract and month during the calculation. It is passed only if a derivation was requested. */
export type StepRecorder = (step: DerivationStep) => void
