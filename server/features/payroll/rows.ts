import { countRowsByStatus, type RowCounts } from '../../../domain/payroll/overview.ts'
import { type EmployeeRef, type PayrollMonthItem, parseStaffRef } from '../../../domain/payroll/payroll.ts'
import { type ReconciledRow, type RowStatus, sumReconciledRows } from '../../../domain/payroll/reconcile.ts'
import { toPounds } from '../../../domain/values/format.ts'
import type { ContractId, LocationId, StaffId } from '../../../domain/values/ids.ts'
import type { Pennies, Pounds } from '../../../domain/values/units.ts'
import type { PayrollImportResult } from '../../shared/payroll/commands.ts'
import type { PayrollPeople } from '../../shared/payroll/people/queries.ts'
import type { Reconciliation } from '../../shared/payroll/queries.ts'

/** A row of a reconciliation as the API shows it, in pounds (endpoints.json PayrollReconciliationRow). */
export interface PayrollRow {
  locationId: LocationId
  /** The staff member; null for a payroll number that no staff member has. */
  staffId: StaffId | null
  employeeNumber: string
  name: string | null
  payrollCode: string
  element: number | null
  /** Null if it could not be calculated. */
  calculated: Pounds | null
  actual: Pounds | null
  isTyped: boolean
  imported: Pounds | null
  broughtForward: Pounds
  carriedForward: Pounds | null
  difference: Pounds | null
  differencePercent: number | null
  status: RowStatus
  note: string | null
  /** The contracts that the pay is for. */
  contractIds: ContractId[]
  components: ReconciledRow['components']
}

const pounds = (pennies: Pennies | null): number | null => (pennies === null ? null : toPounds(pennies))

/** An employee as the caller may see them: employees of other locations appear only as a payroll number. */
export function presentPerson(
  { members }: PayrollPeople,
  employee: EmployeeRef,
  { numbers, locationIds }: { numbers: ReadonlyMap<EmployeeRef, string>; locationIds: readonly LocationId[] | null },
): { staffId: StaffId | null; employeeNumber: string; name: string | null } {
  const staffId = parseStaffRef(employee)
  const member = staffId === null ? undefined : members.get(staffId)
  if (!member) return { staffId: null, employeeNumber: numbers.get(employee) ?? '', name: null }
  const isSeen = !locationIds || !member.locations.length || member.locations.some((id) => locationIds.includes(id))
  return { staffId, employeeNumber: member.employeeNumber, name: isSeen ? `${member.forename} ${member.surname}` : null }
}

/** A reconciliation in pounds. */
export function presentReconciliation(found: Reconciliation, locationIds: readonly LocationId[] | null) {
  const { rows, notes, people, month, proof, numbers } = found
  const totals = sumReconciledRows(rows)
  const persons = new Map<EmployeeRef, ReturnType<typeof presentPerson>>()
  const personOf = (employee: EmployeeRef) => {
    const known = persons.get(employee) ?? presentPerson(people, employee, { numbers, locationIds })
    persons.set(employee, known)
    return known
  }
  return {
    state: month.state,
    rows: rows.map((row): PayrollRow => {
      const { staffId, employeeNumber, name } = personOf(row.employee)
      return {
        locationId: row.locationId,
        staffId,
        employeeNumber,
        name,
        payrollCode: row.payrollCode,
        element: row.element,
        calculated: pounds(row.calculated),
        actual: pounds(row.actual),
        isTyped: row.isTyped,
        imported: pounds(row.imported),
        broughtForward: toPounds(row.broughtForward),
        carriedForward: pounds(row.carriedForward),
        difference: pounds(row.difference),
        differencePercent: row.differencePercent,
        status: row.status,
        note: notes.get(row.employee) ?? null,
        contractIds: row.contractIds,
        components: row.components,
      }
    }),
    totals: {
      calculated: toPounds(totals.calculated),
      actual: toPounds(totals.actual),
      difference: toPounds(totals.difference),
      notCalculated: totals.notCalculated,
    },
    tolerance: toPounds(found.tolerance),
    // The file's total covers all its locations, so only callers who see all of them receive it.
    proof: rows.length === found.allRows.length ? { file: toPounds(proof.file), rows: toPounds(proof.rows), holds: proof.holds } : null,
    importedAt: found.importedAt,
  }
}

/** The totals of a month. */
export interface PayrollMonthTotals extends RowCounts {
  year: number
  month: number
  state: number
  calculated: number
  actual: number
  difference: number
  notCalculated: number
  importedAt: string | null
}

export function presentOverview({
  level,
  month,
  rows,
  importedAt,
}: Pick<Reconciliation, 'level' | 'month' | 'rows' | 'importedAt'>): PayrollMonthTotals {
  const totals = sumReconciledRows(rows)
  return {
    year: level.year,
    month: level.month,
    state: month.state,
    ...countRowsByStatus(rows),
    calculated: toPounds(totals.calculated),
    actual: toPounds(totals.actual),
    difference: toPounds(totals.difference),
    notCalculated: totals.notCalculated,
    importedAt,
  }
}

/** The result of an import, in pounds. */
export function presentImport({ sum, doubled, ...done }: PayrollImportResult) {
  return { ...done, sum: toPounds(sum), doubled: doubled.map((one) => ({ ...one, value: toPounds(one.value) })) }
}

export function presentMonth({ year, month, groupId, state, completionType, figures }: PayrollMonthItem) {
  return {
    year,
    month,
    budgetGroupId: groupId,
    state,
    completionType,
    figures: figures && { ...figures, calculated: toPounds(figures.calculated), actual: toPounds(figures.actual) },
  }
}
