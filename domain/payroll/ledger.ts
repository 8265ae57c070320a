import { split } from '../calculation/split.ts'
import { payrollElement } from '../lookups/lookupIds.ts'
import { type CalendarMonth, toMonthIndex } from '../monitoring/monitoring.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { type BackPay, calculateBackPayAccrual, type MonthDifference, settleDifferences } from './backPay.ts'
import type { PayComponent } from './calculatedPay.ts'
import type { EmployeeRef } from './payroll.ts'
import type { CalculatedShare, ProviderCode, ReconciledRow } from './reconcile.ts'

export interface ReconciledMonth extends CalendarMonth {
  rows: readonly ReconciledRow[]
  shares: readonly CalculatedShare[]
  /** Locations with a budget for the month. Pay at other locations cannot be compared. */
  budgetedLocations: ReadonlySet<number>
  notes: ReadonlyMap<EmployeeRef, string>
  /** The largest difference that counts as matched, in whole pennies. */
  tolerance: Pennies
}

/** Budget codes of a payroll code (service term), by component (rules.md §9). */
export type ServiceTermCodes = ReadonlyMap<number, Record<'basic' | 'ni' | 'pension', number>>

/** The back pay of one component, employee and location. Whole pennies: positive is still to be paid, negative was overpaid. */
export interface BackPayLine {
  locationId: LocationId
  employee: EmployeeRef
  component: PayComponent
  entries: BackPay[]
  open: Pennies
  /** The unsettled amount by budget code. The code is null if no contract determines it. */
  codes: { budgetCodeId: number | null; open: number }[]
}

const componentByElement = new Map<number, PayComponent>([
  [payrollElement.basic, 'basic'],
  [payrollElement.allowance, 'allowance'],
  [payrollElement.extendedLeave, 'leavePay'],
  [payrollElement.employerNi, 'ni'],
  [payrollElement.employerPension, 'pension'],
])

const codingByComponent = { basic: 'basic', allowance: 'basic', leavePay: 'basic', ni: 'ni', pension: 'pension' } as const

/** The number of months that a ledger shows, up to and including its own month. Our choice: a year, like budgets and audits. */
export const ledgerMonths = 12

/** The number of months that a ledger is built from. It includes earlier months because the months shown may settle their differences. */
export const lookBackMonths = 2 * ledgerMonths

interface Draft {
  locationId: LocationId
  employee: EmployeeRef
  component: PayComponent
  months: MonthDifference[]
}

/**
 * Builds the back-pay ledger. For each employee and component it says what each month over- or underpaid and which later months settled
 * that, oldest first (rules.md §18). Amounts brought forward count in their original month. A code under which a payroll reports nobody at
 * a location is not compared there. Pay that no budget calculates, such as deductions and the levy, is not back pay.
 * @param months with an imported payroll, in any order. Only differences of the last `ledgerMonths` are returned.
 * @returns lines with differences, and how many rows could not be calculated and are left out
 */
export function buildBackPayLedger(
  months: readonly ReconciledMonth[],
  { codes, terms, at }: { codes: readonly ProviderCode[]; terms: ServiceTermCodes; at: CalendarMonth },
): { lines: BackPayLine[]; notCalculated: number } {
  const isShown = (month: CalendarMonth): boolean => toMonthIndex(month) > toMonthIndex(at) - ledgerMonths
  const elements = new Map(codes.map((code) => [code.id, code.element]))
  const drafts = new Map<string, Draft>()
  const weights = new Map<string, { month: number; codes: Map<number, number> }>()
  let notCalculated = 0
  for (const { year, month, rows, shares, budgetedLocations, notes, tolerance } of [...months].sort(
    (a, b) => toMonthIndex(a) - toMonthIndex(b),
  )) {
    const reported = new Set(rows.flatMap((row) => (row.actual === null ? [] : [`${row.locationId} ${row.payrollCodeId}`])))
    const differences = new Map<string, Draft & { difference: number }>()
    for (const row of rows) {
      const { locationId, employee, payrollCodeId, actual, calculated } = row
      if (!reported.has(`${locationId} ${payrollCodeId}`)) continue
      const component = componentByElement.get(elements.get(payrollCodeId ?? 0) ?? 0)
      if (!component) continue
      if (calculated === null || !budgetedLocations.has(locationId)) {
        if (isShown({ year, month })) notCalculated++
        continue
      }
      const key = `${locationId} ${component} ${employee}`
      const sum = differences.get(key) ?? { locationId, employee, component, months: [], difference: 0 }
      sum.difference += (actual ?? 0) - calculated
      differences.set(key, sum)
    }
    for (const [key, { difference, ...about }] of differences) {
      if (Math.abs(difference) <= tolerance) continue
      const draft = drafts.get(key) ?? about
      draft.months.push({ year, month, difference, cause: notes.get(about.employee) ?? null })
      drafts.set(key, draft)
    }
    addCodeWeights(weights, shares, { terms, month: toMonthIndex({ year, month }) })
  }
  const lines = [...drafts.values()].flatMap(({ locationId, employee, component, months: differences }): BackPayLine[] => {
    const entries = settleDifferences(differences, at).filter(isShown)
    if (!entries.length) return []
    const open = calculateBackPayAccrual(entries)
    // Pay at a location where the employee has no contract is charged to the codes of their contracts elsewhere. Underpayment at one
    // location and overpayment at another then cancel out.
    const codeWeights = [locationId, null]
      .map((locationId) => weights.get(weightKey(locationId, codingByComponent[component], employee)))
      .find((one) => one)
    return [{ locationId, employee, component, entries, open, codes: splitByCode(open, codeWeights?.codes) }]
  })
  return { lines, notCalculated }
}

/** @param locationId null for all locations of the employee */
const weightKey = (locationId: LocationId | null, coding: string, employee: EmployeeRef): string => `${locationId} ${coding} ${employee}`

/**
 * Adds the calculated pay of contracts as weights of their budget codes, which come from each contract's first payroll code. Only the last
 * month with pay counts. Basic pay, allowances and leave pay share a budget code (rules.md §9), so leave pay that the budget does not
 * contain goes to the code of basic pay.
 */
function addCodeWeights(
  weights: Map<string, { month: number; codes: Map<number, number> }>,
  shares: readonly CalculatedShare[],
  { terms, month }: { terms: ServiceTermCodes; month: number },
): void {
  const first = new Map<string, number>()
  for (const { contractId, serviceTermId } of shares) if (!first.has(contractId)) first.set(contractId, serviceTermId)
  for (const { locationId, employee, component, contractId, pennies } of shares) {
    const budgetCodeId = terms.get(assertDefined(first.get(contractId)))?.[codingByComponent[component]]
    if (budgetCodeId === undefined || !pennies || pennies < 0) continue
    for (const id of [locationId, null]) {
      const key = weightKey(id, codingByComponent[component], employee)
      let weight = weights.get(key)
      if (weight?.month !== month) {
        weight = { month, codes: new Map() }
        weights.set(key, weight)
      }
      weight.codes.set(budgetCodeId, (weight.codes.get(budgetCodeId) ?? 0) + pennies)
    }
  }
}

function splitByCode(open: number, weights: ReadonlyMap<number, number> | undefined): BackPayLine['codes'] {
  if (open === 0) return []
  if (!weights?.size) return [{ budgetCodeId: null, open }]
  const codes = [...weights].sort(([a], [b]) => a - b)
  const parts = split(
    open,
    codes.map(([, weight]) => weight),
  )
  return codes.map(([budgetCodeId], index) => ({ budgetCodeId, open: assertDefined(parts[index]) })).filter((one) => one.open !== 0)
}

/** The month's accrual by budget code: the unsettled amounts, without codes where they are zero. */
export function sumAccrualByCode(lines: readonly Pick<BackPayLine, 'codes'>[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { budgetCodeId, open } of lines.flatMap((line) => line.codes))
    if (budgetCodeId !== null) sums.set(budgetCodeId, (sums.get(budgetCodeId) ?? 0) + open)
  return new Map([...sums].filter(([, open]) => open !== 0))
}
