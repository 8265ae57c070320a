import type { Figure } from '../calculation/inputs.ts'
import { compareValues } from '../lists/lists.ts'
import { payrollCodeType, payrollElement } from '../lookups/lookupIds.ts'
import { calculatePercentOfBase } from '../monitoring/figures.ts'
import type { ContractId, LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type { PayComponent } from './calculatedPay.ts'
import type { EmployeeRef, PayrollCell } from './payroll.ts'

/** A part of a month's calculated pay; whole pennies, null if it could not be calculated. */
export interface CalculatedShare {
  locationId: LocationId
  employee: EmployeeRef
  contractId: ContractId
  serviceTermId: number
  component: PayComponent
  pennies: Figure
}

export interface ProviderCode {
  id: number
  code: string
  type: number
  element: number | null
  /** An empty list means all locations. */
  locations: readonly LocationId[]
  serviceTerms: readonly number[]
}

/** The amount brought forward for an employee, and the location where it is shown if the employee has no row. */
export interface BroughtForward {
  amount: number
  locationId: LocationId
}

/** Everything that a month's reconciliation needs; whole pennies. */
export interface ReconciliationInput {
  shares: readonly CalculatedShare[]
  codes: readonly ProviderCode[]
  /** Imported values with the sign of the file, where deductions are positive. */
  imported: readonly (PayrollCell & { value: number })[]
  /** Entered values, which replace imported ones; deductions are negative. */
  typed: readonly (PayrollCell & { value: number })[]
  broughtForward: ReadonlyMap<EmployeeRef, BroughtForward>
  carriedForward: ReadonlyMap<EmployeeRef, Pennies>
  /** The largest difference that counts as matched, in whole pennies. */
  tolerance: Pennies
}

export type RowStatus = 'matched' | 'different' | 'onlyInBudget' | 'onlyInPayroll'

/** A row of the reconciliation, for a location, employee and provider code (rules.md §18); whole pennies. */
export interface ReconciledRow {
  locationId: LocationId
  employee: EmployeeRef
  /** Null if no provider code matches the component, or if the row holds only an amount brought forward. */
  payrollCodeId: number | null
  payrollCode: string
  /** The element of the code, from the list `payrollElementTypes`. */
  element: number | null
  calculated: Figure
  /** Null if the payroll has no value for the row. */
  actual: Pennies | null
  /** The imported value, even if a user has entered another one; deductions are negative. */
  imported: Pennies | null
  isTyped: boolean
  broughtForward: Pennies
  /** Set on the employee's first row; null if the employee has no amount carried forward. */
  carriedForward: Pennies | null
  difference: Figure
  /** At most two decimals; null if there is no calculated pay. */
  differencePercent: number | null
  status: RowStatus
  components: PayComponent[]
  contractIds: ContractId[]
}

const elementByComponent: Record<PayComponent, number> = {
  basic: payrollElement.basic,
  allowance: payrollElement.allowance,
  leavePay: payrollElement.extendedLeave,
  ni: payrollElement.employerNi,
  pension: payrollElement.employerPension,
}

interface Draft {
  locationId: LocationId
  employee: EmployeeRef
  payrollCodeId: number | null
  calculated: Figure | undefined
  imported: number | null
  typed: number | null
  components: Set<PayComponent>
  contractIds: Set<ContractId>
}

/** The sign of an imported value (rules.md §18): deductions are subtracted. */
function findSign(type: number): 1 | -1 {
  return type === payrollCodeType.deduction ? -1 : 1
}

/**
 * Compares calculated with actual pay by location, employee and provider code. Rows are sorted by employee and code. The first row of an
 * employee holds the amount brought forward.
 */
export function reconcile({
  shares,
  codes,
  imported,
  typed,
  broughtForward,
  carriedForward,
  tolerance,
}: ReconciliationInput): ReconciledRow[] {
  const byId = new Map(codes.map((code) => [code.id, code]))
  const drafts = new Map<string, Draft>()
  const draftOf = (locationId: LocationId, employee: EmployeeRef, payrollCodeId: number | null): Draft => {
    const key = `${locationId} ${payrollCodeId} ${employee}`
    const known = drafts.get(key)
    if (known) return known
    const draft: Draft = {
      locationId,
      employee,
      payrollCodeId,
      calculated: undefined,
      imported: null,
      typed: null,
      components: new Set(),
      contractIds: new Set(),
    }
    drafts.set(key, draft)
    return draft
  }
  const paidUnder = new Set<string>()
  for (const { locationId, employee, payrollCodeId, value } of imported) {
    const draft = draftOf(locationId, employee, payrollCodeId)
    draft.imported = (draft.imported ?? 0) + findSign(byId.get(payrollCodeId)?.type ?? payrollCodeType.payment) * value
    paidUnder.add(`${locationId} ${payrollCodeId} ${employee}`)
  }
  for (const { locationId, employee, payrollCodeId, value } of typed) {
    draftOf(locationId, employee, payrollCodeId).typed = value
    paidUnder.add(`${locationId} ${payrollCodeId} ${employee}`)
  }
  const choose = createCodeChooser(codes, (locationId, employee, id) => paidUnder.has(`${locationId} ${id} ${employee}`))
  for (const share of shares) {
    const draft = draftOf(share.locationId, share.employee, choose(share))
    draft.calculated = share.pennies === null || draft.calculated === null ? null : (draft.calculated ?? 0) + share.pennies
    draft.components.add(share.component)
    draft.contractIds.add(share.contractId)
  }
  const present = new Set([...drafts.values()].map((draft) => draft.employee))
  for (const [employee, { locationId }] of broughtForward) if (!present.has(employee)) draftOf(locationId, employee, null)
  const nameOf = (id: number | null): string => (id === null ? '' : (byId.get(id)?.code ?? ''))
  const sorted = [...drafts.values()].sort(
    (a, b) =>
      (a.employee < b.employee ? -1 : a.employee > b.employee ? 1 : 0) ||
      compareCodes(nameOf(a.payrollCodeId), nameOf(b.payrollCodeId)) ||
      a.locationId - b.locationId,
  )
  return sorted.map((draft, index): ReconciledRow => {
    const isFirst = sorted[index - 1]?.employee !== draft.employee
    const carriedIn = isFirst ? (broughtForward.get(draft.employee)?.amount ?? 0) : 0
    const actual = draft.typed ?? draft.imported
    const calculated = draft.calculated === undefined ? 0 : draft.calculated
    const difference = calculated === null ? null : (actual ?? 0) + carriedIn - calculated
    return {
      locationId: draft.locationId,
      employee: draft.employee,
      payrollCodeId: draft.payrollCodeId,
      payrollCode: nameOf(draft.payrollCodeId),
      element: byId.get(draft.payrollCodeId ?? -1)?.element ?? null,
      calculated,
      actual,
      imported: draft.imported,
      isTyped: draft.typed !== null,
      broughtForward: carriedIn,
      carriedForward: isFirst ? (carriedForward.get(draft.employee) ?? null) : null,
      difference,
      differencePercent: calculated === null || difference === null ? null : calculatePercentOfBase(difference, calculated),
      status: determineStatus(actual, { calculated: draft.calculated, difference, tolerance }),
      components: [...draft.components],
      contractIds: [...draft.contractIds],
    }
  })
}

function determineStatus(
  actual: number | null,
  { calculated, difference, tolerance }: { calculated: Figure | undefined; difference: Figure; tolerance: number },
): RowStatus {
  if (actual === null) return 'onlyInBudget'
  if (calculated === undefined) return 'onlyInPayroll'
  return difference !== null && Math.abs(difference) <= tolerance ? 'matched' : 'different'
}

/** Compares codes by the numbers in them, so that 90 comes before 100. A row without a code comes last. */
function compareCodes(a: string, b: string): number {
  if (!a || !b) return a === b ? 0 : a ? -1 : 1
  return compareValues(a, b)
}

/**
 * Returns a function that chooses the provider code of a component (rules.md §18) among the codes for its element, location and payroll
 * code. It prefers a code under which the payroll paid this employee, then a code that is limited to certain payroll codes, then the lowest
 * code.
 */
export function createCodeChooser(
  codes: readonly ProviderCode[],
  isPaidUnder: (locationId: LocationId, employee: EmployeeRef, id: number) => boolean,
): (share: CalculatedShare) => number | null {
  const fitting = new Map<string, ProviderCode[]>()
  return ({ locationId, employee, serviceTermId, component }) => {
    const key = `${locationId} ${serviceTermId} ${component}`
    let candidates = fitting.get(key)
    if (!candidates) {
      candidates = codes
        .filter(
          ({ element, locations, serviceTerms }) =>
            element === elementByComponent[component] &&
            (!locations.length || locations.includes(locationId)) &&
            (!serviceTerms.length || serviceTerms.includes(serviceTermId)),
        )
        .sort((a, b) => Number(b.serviceTerms.length > 0) - Number(a.serviceTerms.length > 0) || compareCodes(a.code, b.code))
      fitting.set(key, candidates)
    }
    return (candidates.find((code) => isPaidUnder(locationId, employee, code.id)) ?? candidates[0])?.id ?? null
  }
}

export interface ReconciledTotals {
  calculated: Pennies
  actual: Pennies
  difference: Pennies
  /** The number of rows that could not be calculated and are left out of the difference. */
  notCalculated: number
}

export function sumReconciledRows(rows: readonly ReconciledRow[]): ReconciledTotals {
  const totals: ReconciledTotals = { calculated: 0, actual: 0, difference: 0, notCalculated: 0 }
  for (const { calculated, actual, difference } of rows) {
    totals.calculated += calculated ?? 0
    totals.actual += actual ?? 0
    totals.difference += difference ?? 0
    if (calculated === null) totals.notCalculated++
  }
  return totals
}

/**
 * Proves that the rows of the month contain the whole import, to the penny (rules.md §18): with the same signs, the rows add up to the same
 * sum as the imported lines.
 */
export function proveImport(
  rows: readonly ReconciledRow[],
  { imported, codes }: Pick<ReconciliationInput, 'imported' | 'codes'>,
): { file: number; rows: number; holds: boolean } {
  const types = new Map(codes.map((code) => [code.id, code.type]))
  const file = imported.reduce((sum, line) => sum + findSign(types.get(line.payrollCodeId) ?? payrollCodeType.payment) * line.value, 0)
  const rowsSum = rows.reduce((sum, row) => sum + (row.imported ?? 0), 0)
  return { file, rows: rowsSum, holds: file === rowsSum }
}

/** The total difference of each employee; null if a row of the employee could not be calculated. */
export function sumDifferencesByEmployee(rows: readonly ReconciledRow[]): Map<EmployeeRef, { difference: Figure; locationId: LocationId }> {
  const all = new Map<EmployeeRef, { difference: Figure; locationId: LocationId }>()
  for (const { employee, difference, locationId } of rows) {
    const before = all.get(employee)
    if (!before) all.set(employee, { difference, locationId })
    else before.difference = before.difference === null || difference === null ? null : before.difference + difference
  }
  return all
}
