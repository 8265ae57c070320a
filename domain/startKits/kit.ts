/** A budget code of a kit. */
export interface KitBudgetCode {
  code: string
  description: string
  type: 'income' | 'expenditure'
  category: 'staffing' | 'nonStaffing' | 'capital'
  /** The code of the return or chart of accounts of the kit’s scheme. */
  reportsTo: string
  /** Line of the Budget Forecast Return; null if there is none or it is not known. */
  bfr: string | null
}

/** A kind of cost in a chart: its code, its description and, if it has one, its line of the Budget Forecast Return. */
export type ChartRow = readonly [code: string, description: string, bfr?: string]

/** The chart of accounts of a kind of school, without the codes for its staff. */
export interface ChartOfAccounts {
  income: readonly ChartRow[]
  expenditure: readonly ChartRow[]
  capitalIncome: readonly ChartRow[]
  capitalExpenditure: readonly ChartRow[]
}

/**
 * A line of staff costs. It becomes three budget codes: gross pay, employer national insurance and employer pension. `bfr` is a line of the
 * Budget Forecast Return.
 */
export interface StaffLine {
  line: string
  name: string
  bfr?: string
}

/** A payroll code of a kit and the staff line to which it posts. */
export interface KitPayrollCode {
  code: string
  description: string
  line: string
  isLeadership?: boolean
}

/** A contract type of a kit. `scheme` decides where its employer pension rate comes from. */
export interface KitContractType {
  name: string
  description: string
  calculation: 'fte' | 'hoursAndWeeks' | 'hourly'
  payScales: 'teacher' | 'support'
  fullTimeHours: number
  scheme: 'TPS' | 'LGPS'
}

/** A profile of a kit: twelve weights from September to August. */
export interface KitProfile {
  name: string
  description: string
  weights: readonly number[]
}
