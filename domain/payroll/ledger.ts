import { split } from '../calculation/split.ts'
import { payrollElement } from '../lookups/lookupIds.ts'
import { type CalendarMonth, monthIndex } from '../monitoring/monitoring.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { accrualOf, type BackPay, backPayLedger, type MonthDifference } from './backPay.ts'
import type { PayComponent } from './calculated.ts'
import type { EmployeeRef } from './payroll.ts'
import type { CalculatedShare, ProviderCode, ReconciledRow } from './reconcile.ts'

/** A month of payroll as its reconciliation has it. */
export interface LedgerMonth extends CalendarMonth {
  rows: readonly ReconciledRow[]
  shares: readonly CalculatedShare[]
  /** The locations with a budget of the month: what is paid at others cannot be compared. */
  budgeted: ReadonlySet<number>
  /** Why, as it was noted of each employee. */
  notes: ReadonlyMap<EmployeeRef, string>
  /** Whole pennies up to which pay is as calculated. */
  tolerance: Pennies
}

/** Where the cost of a payroll code (service term) goes, by component (rules.md §9). */
export type TermCodes = ReadonlyMap<number, Record<'basic' | 'ni' | 'pension', number>>

/** What is owed of one component of one employee at a location. Whole pennies; positive is still to be paid, negative was paid too much. */
export interface LedgerLine {
  locationId: LocationId
  employee: EmployeeRef
  component: PayComponent
  entries: BackPay[]
  open: Pennies
  /** The open amount by budget code; null: no contract says where it goes. */
  codes: { budgetCodeId: number | null; open: number }[]
}

const componentOf = new Map<number, PayComponent>([
  [payrollElement.basic, 'basic'],
  [payrollElement.allowance, 'allowance'],
  [payrollElement.extendedLeave, 'leavePay'],
  [payrollElement.employerNi, 'ni'],
  [payrollElement.employerPension, 'pension'],
])

const codingOf = { basic: 'basic', allowance: 'basic', leavePay: 'basic', ni: 'ni', pension: 'pension' } as const

/** Months of which a ledger shows what they left open, the one it is asked of among them (choice: a year, as budgets and their audits do). */
export const ledgerMonths = 12

/** Months that it is made of: those before the shown ones are what the shown ones may have paid. */
export const lookedBackMonths = 2 * ledgerMonths

interface Draft {
  locationId: LocationId
  employee: EmployeeRef
  component: PayComponent
  months: MonthDifference[]
}

/**
 * The back-pay ledger of some months: by employee and component, what each month paid more or less than calculated, and what later months paid of
 * it, the oldest first (rules.md §18). What was brought forward is of the month that it came from. What a payroll reports of nobody at a location
 * is not compared there, as where causes are looked for. What no budget calculates, as deductions and the levy, is owed to nobody.
 * @param months in which a payroll was imported, in any order; differences of the last `ledgerMonths` are told, what earlier ones left open is not
 * @returns the lines with something in them, and how many rows could not be calculated and so are in none
 */
export function payLedger(
  months: readonly LedgerMonth[],
  { codes, terms, at }: { codes: readonly ProviderCode[]; terms: TermCodes; at: CalendarMonth },
): { lines: LedgerLine[]; notCalculated: number } {
  const isTold = (month: CalendarMonth): boolean => monthIndex(month) > monthIndex(at) - ledgerMonths
  const elements = new Map(codes.map((code) => [code.id, code.element]))
  const drafts = new Map<string, Draft>()
  const weights = new Map<string, { month: number; codes: Map<number, number> }>()
  let notCalculated = 0
  for (const { year, month, rows, shares, budgeted, notes, tolerance } of [...months].sort((a, b) => monthIndex(a) - monthIndex(b))) {
    const reported = new Set(rows.flatMap((row) => (row.actual === null ? [] : [`${row.locationId} ${row.payrollCodeId}`])))
    const differences = new Map<string, Draft & { difference: number }>()
    for (const row of rows) {
      const { locationId, employee, payrollCodeId, actual, calculated } = row
      if (!reported.has(`${locationId} ${payrollCodeId}`)) continue
      const component = componentOf.get(elements.get(payrollCodeId ?? 0) ?? 0)
      if (!component) continue
      if (calculated === null || !budgeted.has(locationId)) {
        if (isTold({ year, month })) notCalculated++
        continue
      }
      const key = `${locationId} ${component} ${employee}`
      const own = differences.get(key) ?? { locationId, employee, component, months: [], difference: 0 }
      own.difference += (actual ?? 0) - calculated
      differences.set(key, own)
    }
    for (const [key, { difference, ...about }] of differences) {
      if (Math.abs(difference) <= tolerance) continue
      const draft = drafts.get(key) ?? about
      draft.months.push({ year, month, difference, cause: notes.get(about.employee) ?? null })
      drafts.set(key, draft)
    }
    weigh(weights, shares, { terms, month: monthIndex({ year, month }) })
  }
  const lines = [...drafts.values()].flatMap(({ locationId, employee, component, months: differences }): LedgerLine[] => {
    const entries = backPayLedger(differences, at).filter(isTold)
    if (!entries.length) return []
    const open = accrualOf(entries)
    // Who is paid at a location without a contract there is a cost of their contracts elsewhere: what one is short and the other is over nets.
    const own = [locationId, null].map((place) => weights.get(weightKey(place, codingOf[component], employee))).find((one) => one)
    return [{ locationId, employee, component, entries, open, codes: byCode(open, own?.codes) }]
  })
  return { lines, notCalculated }
}

/** @param locationId null: wherever the employee has contracts */
const weightKey = (locationId: LocationId | null, coding: string, employee: EmployeeRef): string => `${locationId} ${coding} ${employee}`

/**
 * What each contract calculates goes to the codes of its first payroll code; the last month that has any counts. Basic, allowances and leave pay
 * have one code (rules.md §9), so leave that no budget knows of is of the code of the pay beside it.
 */
function weigh(
  weights: Map<string, { month: number; codes: Map<number, number> }>,
  shares: readonly CalculatedShare[],
  { terms, month }: { terms: TermCodes; month: number },
): void {
  const first = new Map<string, number>()
  for (const { contractId, serviceTermId } of shares) if (!first.has(contractId)) first.set(contractId, serviceTermId)
  for (const { locationId, employee, component, contractId, pennies } of shares) {
    const budgetCodeId = terms.get(assertDefined(first.get(contractId)))?.[codingOf[component]]
    if (budgetCodeId === undefined || !pennies || pennies < 0) continue
    for (const place of [locationId, null]) {
      const key = weightKey(place, codingOf[component], employee)
      let own = weights.get(key)
      if (own?.month !== month) {
        own = { month, codes: new Map() }
        weights.set(key, own)
      }
      own.codes.set(budgetCodeId, (own.codes.get(budgetCodeId) ?? 0) + pennies)
    }
  }
}

function byCode(open: number, weights: ReadonlyMap<number, number> | undefined): LedgerLine['codes'] {
  if (open === 0) return []
  if (!weights?.size) return [{ budgetCodeId: null, open }]
  const codes = [...weights].sort(([a], [b]) => a - b)
  const parts = split(
    open,
    codes.map(([, weight]) => weight),
  )
  return codes.map(([budgetCodeId], index) => ({ budgetCodeId, open: assertDefined(parts[index]) })).filter((one) => one.open !== 0)
}

/** The open amount of each budget code: the accrual of a month. Codes that nothing is open of are left out. */
export function accrualByCode(lines: readonly Pick<LedgerLine, 'codes'>[]): Map<number, number> {
  const sums = new Map<number, number>()
  for (const { budgetCodeId, open } of lines.flatMap((line) => line.codes))
    if (budgetCodeId !== null) sums.set(budgetCodeId, (sums.get(budgetCodeId) ?? 0) + open)
  return new Map([...sums].filter(([, open]) => open !== 0))
}
