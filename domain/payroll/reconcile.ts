import type { Figure } from '../calculation/inputs.ts'
import { compareValues } from '../lists/lists.ts'
import { payrollCodeType, payrollElement } from '../lookups/lookupIds.ts'
import { percentOf } from '../monitoring/figures.ts'
import type { ContractId, LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type { PayComponent } from './calculated.ts'
import type { EmployeeRef, PayrollCell } from './payroll.ts'

/** A part of the calculated pay of a month; whole pennies, null where it could not be calculated. */
export interface CalculatedShare {
  locationId: LocationId
  employee: EmployeeRef
  contractId: ContractId
  serviceTermId: number
  component: PayComponent
  pennies: Figure
}

/** A code of the payroll provider, as it is declared. */
export interface ProviderCode {
  id: number
  code: string
  type: number
  element: number | null
  /** None: all. */
  locations: readonly LocationId[]
  serviceTerms: readonly number[]
}

/** What was brought forward for an employee, and where it stands without a row of theirs. */
export interface BroughtForward {
  amount: number
  locationId: LocationId
}

/** Everything that the rows of a month are made of; whole pennies. */
export interface ToReconcile {
  shares: readonly CalculatedShare[]
  codes: readonly ProviderCode[]
  /** As files have them: a deduction is positive. */
  imported: readonly (PayrollCell & { value: number })[]
  /** In the place of what was imported: a deduction is negative. */
  typed: readonly (PayrollCell & { value: number })[]
  broughtForward: ReadonlyMap<EmployeeRef, BroughtForward>
  carriedForward: ReadonlyMap<EmployeeRef, Pennies>
  /** Up to which a row is matched. */
  tolerance: Pennies
}

export type RowStatus = 'matched' | 'different' | 'onlyInBudget' | 'onlyInPayroll'

/** Location × employee × provider code (rules.md §18); whole pennies. */
export interface ReconciledRow {
  locationId: LocationId
  employee: EmployeeRef
  /** Null: no code of the provider takes the component, or the row holds nothing but what was brought forward. */
  payrollCodeId: number | null
  payrollCode: string
  /** Of the code, by the list `payrollElements`. */
  element: number | null
  calculated: Figure
  /** Null: the payroll says nothing. */
  actual: Pennies | null
  /** What the file said, where a value was typed in its place too; a deduction is negative. */
  imported: Pennies | null
  isTyped: boolean
  broughtForward: Pennies
  /** Null: nothing; it stands on the employee's first row. */
  carriedForward: Pennies | null
  difference: Figure
  /** Two decimals; null where nothing was calculated. */
  differencePercent: number | null
  status: RowStatus
  components: PayComponent[]
  contractIds: ContractId[]
}

const elementOf: Record<PayComponent, number> = {
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

/** The sign with which a value of a file counts (rules.md §18): a deduction is taken off. */
function signOf(type: number): 1 | -1 {
  return type === payrollCodeType.deduction ? -1 : 1
}

/**
 * Sets what the budget calculates beside what the payroll paid, by location, employee and provider code. Rows are by employee, in the order of
 * their codes; what was brought forward for an employee stands on the first of them.
 */
export function reconcile({ shares, codes, imported, typed, broughtForward, carriedForward, tolerance }: ToReconcile): ReconciledRow[] {
  const byId = new Map(codes.map((code) => [code.id, code]))
  const drafts = new Map<string, Draft>()
  const draftOf = (locationId: LocationId, employee: EmployeeRef, payrollCodeId: number | null): Draft => {
    const key = `${locationId} ${payrollCodeId} ${employee}`
    const known = drafts.get(key)
    if (known) return known
    const made: Draft = {
      locationId,
      employee,
      payrollCodeId,
      calculated: undefined,
      imported: null,
      typed: null,
      components: new Set(),
      contractIds: new Set(),
    }
    drafts.set(key, made)
    return made
  }
  const paidUnder = new Set<string>()
  for (const { locationId, employee, payrollCodeId, value } of imported) {
    const draft = draftOf(locationId, employee, payrollCodeId)
    draft.imported = (draft.imported ?? 0) + signOf(byId.get(payrollCodeId)?.type ?? payrollCodeType.payment) * value
    paidUnder.add(`${locationId} ${payrollCodeId} ${employee}`)
  }
  for (const { locationId, employee, payrollCodeId, value } of typed) {
    draftOf(locationId, employee, payrollCodeId).typed = value
    paidUnder.add(`${locationId} ${payrollCodeId} ${employee}`)
  }
  const choose = codeChooser(codes, (locationId, employee, id) => paidUnder.has(`${locationId} ${id} ${employee}`))
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
      byCode(nameOf(a.payrollCodeId), nameOf(b.payrollCodeId)) ||
      a.locationId - b.locationId,
  )
  return sorted.map((draft, index): ReconciledRow => {
    const isFirst = sorted[index - 1]?.employee !== draft.employee
    const brought = isFirst ? (broughtForward.get(draft.employee)?.amount ?? 0) : 0
    const actual = draft.typed ?? draft.imported
    const calculated = draft.calculated === undefined ? 0 : draft.calculated
    const difference = calculated === null ? null : (actual ?? 0) + brought - calculated
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
      broughtForward: brought,
      carriedForward: isFirst ? (carriedForward.get(draft.employee) ?? null) : null,
      difference,
      differencePercent: calculated === null || difference === null ? null : percentOf(difference, calculated),
      status: statusOf(actual, { calculated: draft.calculated, difference, tolerance }),
      components: [...draft.components],
      contractIds: [...draft.contractIds],
    }
  })
}

function statusOf(
  actual: number | null,
  { calculated, difference, tolerance }: { calculated: Figure | undefined; difference: Figure; tolerance: number },
): RowStatus {
  if (actual === null) return 'onlyInBudget'
  if (calculated === undefined) return 'onlyInPayroll'
  return difference !== null && Math.abs(difference) <= tolerance ? 'matched' : 'different'
}

/** Codes as people order them: 90 before 100; a row without a code comes last. */
function byCode(a: string, b: string): number {
  if (!a || !b) return a === b ? 0 : a ? -1 : 1
  return compareValues(a, b)
}

/**
 * Which provider code takes a component (rules.md §18): of those with its element, its location and one of its payroll codes, one that the
 * payroll has for this employee, then one that names a payroll code, then the lowest.
 */
export function codeChooser(
  codes: readonly ProviderCode[],
  isPaidUnder: (locationId: LocationId, employee: EmployeeRef, id: number) => boolean,
): (share: CalculatedShare) => number | null {
  const fitting = new Map<string, ProviderCode[]>()
  return ({ locationId, employee, serviceTermId, component }) => {
    const key = `${locationId} ${serviceTermId} ${component}`
    let own = fitting.get(key)
    if (!own) {
      own = codes
        .filter(
          ({ element, locations, serviceTerms }) =>
            element === elementOf[component] &&
            (!locations.length || locations.includes(locationId)) &&
            (!serviceTerms.length || serviceTerms.includes(serviceTermId)),
        )
        .sort((a, b) => Number(b.serviceTerms.length > 0) - Number(a.serviceTerms.length > 0) || byCode(a.code, b.code))
      fitting.set(key, own)
    }
    return (own.find((code) => isPaidUnder(locationId, employee, code.id)) ?? own[0])?.id ?? null
  }
}

/** What the rows of a month add up to; whole pennies. */
export interface ReconciledTotals {
  calculated: Pennies
  actual: Pennies
  difference: Pennies
  /** Rows that could not be calculated, and are not in the difference. */
  notCalculated: number
}

export function totalsOf(rows: readonly ReconciledRow[]): ReconciledTotals {
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
 * Whether a month holds all that was imported, to the penny (rules.md §18): the sum of the rows beside the sum of the lines, with the same signs.
 */
export function proofOf(
  rows: readonly ReconciledRow[],
  { imported, codes }: Pick<ToReconcile, 'imported' | 'codes'>,
): { file: number; rows: number; holds: boolean } {
  const types = new Map(codes.map((code) => [code.id, code.type]))
  const file = imported.reduce((sum, line) => sum + signOf(types.get(line.payrollCodeId) ?? payrollCodeType.payment) * line.value, 0)
  const kept = rows.reduce((sum, row) => sum + (row.imported ?? 0), 0)
  return { file, rows: kept, holds: file === kept }
}

/** The whole difference of each employee; null where a row of theirs could not be calculated. */
export function differencesByEmployee(rows: readonly ReconciledRow[]): Map<EmployeeRef, { difference: Figure; locationId: LocationId }> {
  const all = new Map<EmployeeRef, { difference: Figure; locationId: LocationId }>()
  for (const { employee, difference, locationId } of rows) {
    const before = all.get(employee)
    if (!before) all.set(employee, { difference, locationId })
    else before.difference = before.difference === null || difference === null ? null : before.difference + difference
  }
  return all
}
