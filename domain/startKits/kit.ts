/** A budget code of a kit. */
export interface KitBudgetCode {
  code: string
  description: string
  type: 'income' | 'expenditure'
  category: 'staffing' | 'nonStaffing' | 'capital'
  /** The code of the return, in the scheme of the kit. */
  reportsTo: string
  /** Line of the Budget Forecast Return; null if it has none or it is not known. */
  bfr: string | null
}

/** A kind of cost in a chart: its code, description, and the line of the Budget Forecast Return if it has one. */
export type ChartRow = readonly [code: string, description: string, bfr?: string]

/** The chart of accounts of a kind of school, except the codes for its staff. */
export interface Chart {
  income: readonly ChartRow[]
  expenditure: readonly ChartRow[]
  capitalIncome: readonly ChartRow[]
  capitalExpenditure: readonly ChartRow[]
}

/**
 * A line of staff costs. It becomes three budget codes: gross pay, employer national insurance and employer pension.
 * @param bfr line of the Budget Forecast Return
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
