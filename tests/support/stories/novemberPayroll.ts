import { type EmployeeRef, parseStaffRef } from '../../../domain/payroll/payroll.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { BudgetGroupId } from '../../../domain/values/ids.ts'
import type { OrganisationTx } from '../../../server/core/database/database.ts'
import { readResourceRecords } from '../../../server/core/database/tables.ts'
import type { LimitedCaller } from '../../../server/shared/monitoring/requests/queries.ts'
import { readProviderCodes, readReconciliation } from '../../../server/shared/payroll/queries.ts'

/** The files of a month in two layouts, as providers write them. */
export interface PayrollFiles {
  long: string
  wide: string
}

/**
 * The payroll of the demo’s November, after October was reconciled: paid as calculated, plus what was still owed of the award. One employee
 * is again paid without pension, and one is unknown.
 */
export async function novemberPayroll(tx: OrganisationTx, caller: LimitedCaller, groupId: BudgetGroupId): Promise<PayrollFiles> {
  const month = (number: number) => readReconciliation({ ...caller, tx }, { year: 2026, month: number, groupId, useInflation: false })
  const [october, november] = [await month(10), await month(11)]
  const codes = (await readProviderCodes(tx, caller.organisationId)).filter(({ element }) => element !== null)
  const recIds = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [caller.organisationId] })).map((location) => [
      location.id,
      location.payrollRecId!,
    ]),
  )
  const numberOf = (employee: EmployeeRef): string => november.people.members.get(parseStaffRef(employee)!)!.employeeNumber
  const ofRow = (row: { employee: EmployeeRef; payrollCode: string }): string => `${row.employee} ${row.payrollCode}`
  // Employees whose September award was not paid in October either: both months are paid now.
  const late = october.rows.filter((row) => row.broughtForward < 0 && row.actual !== null && row.actual < row.calculated!)
  const owed = new Map<string, number>()
  for (const { employee } of late)
    for (const row of [...(await month(9)).rows, ...october.rows].filter((one) => one.employee === employee))
      owed.set(ofRow(row), (owed.get(ofRow(row)) ?? 0) + row.calculated! - (row.actual ?? 0))
  const withoutPension = october.rows.filter(({ actual, components }) => actual === null && components.includes('pension'))
  const isUnpaid = (row: { employee: EmployeeRef; payrollCode: string }): boolean => withoutPension.some((one) => ofRow(one) === ofRow(row))
  const paid = november.rows
    .filter((row) => row.payrollCode && row.calculated && !isUnpaid(row))
    .map((row) => ({
      recId: recIds.get(row.locationId)!,
      number: numberOf(row.employee),
      code: row.payrollCode,
      pennies: row.calculated! + (owed.get(ofRow(row)) ?? 0),
    }))
  paid.push({ recId: 'PR1', number: '009999', code: '100', pennies: 41_230 })
  paid.sort((a, b) => (`${a.recId} ${a.number} ${a.code}` < `${b.recId} ${b.number} ${b.code}` ? -1 : 1))
  const pounds = (pennies: number): string => (pennies / 100).toFixed(2)
  const long = [
    'PayrollRecId,EmployeeNumber,PayrollCode,Actual,Month',
    ...paid.map(({ recId, number, code, pennies }) => `${recId},${number},${code},${pounds(pennies)},2026-11`),
  ]
  const used = codes.filter(({ code }) => paid.some((one) => one.code === code)).sort((a, b) => Number(a.code) - Number(b.code))
  const columns = await descriptionsOf(tx, used)
  const people = [...new Set(paid.map(({ recId, number }) => `${recId},${number}`))]
  const cell = (person: string | null, code: string): string => {
    const matchingRows = paid.filter((one) => one.code === code && (person === null || `${one.recId},${one.number}` === person))
    return matchingRows.length ? pounds(matchingRows.reduce((sum, one) => sum + one.pennies, 0)) : ''
  }
  const wide = [
    `Harbour Learning Trust: payroll of November 2026${','.repeat(used.length + 1)}`,
    `School,Employee No,${columns.join(',')}`,
    // A spreadsheet has removed the leading zeros of the employee numbers.
    ...people.map((person) => `${person.replace(/,0+/, ',')},${used.map(({ code }) => cell(person, code)).join(',')}`),
    `Total,,${used.map(({ code }) => cell(null, code)).join(',')}`,
  ]
  return { long: `${long.join('\n')}\n`, wide: `${wide.join('\n')}\n` }
}

async function descriptionsOf(tx: OrganisationTx, codes: readonly { id: number }[]): Promise<string[]> {
  const rows = await readResourceRecords(tx, resources.payrollCode)
  return codes.map(({ id }) => rows.find((row) => row.id === id)!.description ?? '')
}
