import { describe, expect, it } from 'vitest'
import { clearPayroll, importPayroll, refuseFileOfOtherMonth, selectLinesToImport } from '../../../domain/payroll/decide.ts'
import { describePayrollEvent } from '../../../domain/payroll/describe.ts'
import type { PayrollEvent } from '../../../domain/payroll/events.ts'
import { countDifferingEmployees, countRowsByStatus } from '../../../domain/payroll/overview.ts'
import { buildActualsKey, type EmployeeRef, type PayrollLine, toStaffRef } from '../../../domain/payroll/payroll.ts'
import {
  type ProviderCode,
  proveImport,
  type ReconciliationInput,
  reconcile,
  sumReconciledRows,
} from '../../../domain/payroll/reconcile.ts'
import { toContractId, toLocationId, toStaffId } from '../../../domain/values/ids.ts'
import { givenPayroll } from '../../support/stories/logStory.ts'

const march = { year: 2027, month: 3 }
const [ann, ben, cat] = [toStaffRef(toStaffId(1)), toStaffRef(toStaffId(2)), toStaffRef(toStaffId(3))]
const line = (employee: EmployeeRef, payrollCodeId: number, value: number): PayrollLine => ({
  employee,
  sealedNumber: null,
  payrollCodeId,
  value,
})
const imported = (...lines: PayrollLine[]): PayrollEvent => ({
  type: 'PayrollImported',
  data: { ...march, digest: 'file', rows: lines.length, sum: lines.reduce((sum, one) => sum + one.value, 0), lines },
})
const linesIn = (...events: PayrollEvent[]) => {
  const item = givenPayroll(...events).item(buildActualsKey(march)) as { lines: PayrollLine[] } | undefined
  return item?.lines.map(({ employee, payrollCodeId, value }) => [employee, payrollCodeId, value])
}

describe('importing a payroll', () => {
  it('stores the lines of the file in the month', () => {
    const file = { ...march, digest: 'file', rows: 1, sum: 150_000, lines: [line(ann, 100, 150_000)] }
    givenPayroll()
      .when(() => importPayroll(file))
      .gives({ type: 'PayrollImported', data: file })
  })
  it('B-223 a second time replaces the employees and codes in the second file, and keeps everything else', () => {
    const first = imported(line(ann, 100, 150_000), line(ann, 110, 2_000), line(ben, 100, 90_000))
    expect(linesIn(first, imported(line(ann, 100, 100_000)))).toEqual([
      [ann, 100, 100_000],
      [ann, 110, 2_000],
      [ben, 100, 90_000],
    ])
  })
  it('a file without rows changes nothing', () => {
    givenPayroll()
      .when(() => importPayroll({ ...march, digest: 'file', rows: 0, sum: 0, lines: [] }))
      .changesNothing()
  })
  it('never stores another total than the file’s', () => {
    const file = { ...march, digest: 'file', rows: 1, sum: 150_001, lines: [line(ann, 100, 150_000)] }
    expect(() => importPayroll(file)).toThrow('The file adds up to 150001 and its lines to 150000.')
  })
  it('reports the number of lines and their total', () => {
    const names = { employee: String, code: String }
    expect(describePayrollEvent(imported(line(ann, 100, 2_000)), names)).toBe('imported 1 line of payroll for March 2027: £20.00')
  })
  it('can be cleared, and clearing an empty month changes nothing', () => {
    givenPayroll(imported(line(ann, 100, 1)))
      .when((state) => clearPayroll(state, march))
      .gives({ type: 'PayrollCleared', data: march })
    givenPayroll()
      .when((state) => clearPayroll(state, march))
      .changesNothing()
    expect(linesIn(imported(line(ann, 100, 1)), { type: 'PayrollCleared', data: march })).toBeUndefined()
  })
  it('says for which other month the same file was imported', () => {
    givenPayroll()
      .when(() => refuseFileOfOtherMonth({ ...march, at: '2027-04-02T08:30:00.000Z' }))
      .isRefused({
        code: 'sameFile',
        message:
          'The same file was imported for March 2027 on 02 Apr 2027, 09:30. Choose that month, or import the file for this month only if you are sure that it is right.',
      })
  })
})

describe('the lines of a file compared with those of the month', () => {
  const standing = [line(ann, 100, 10_000), line(ann, 800, 2_000)]
  const resolve = (employee: EmployeeRef): EmployeeRef => employee
  it('are counted as new, or as replacing existing ones', () => {
    const file = [line(ann, 100, 9_000), line(ben, 100, 500)]
    expect(selectLinesToImport(file, standing, { resolve, dropNewZeros: false })).toEqual({ lines: file, created: 1, updated: 1 })
  })
  it('in a wide file report no pay only if there was some before: everybody has a cell in every column', () => {
    const file = [line(ann, 100, 9_000), line(ann, 800, 0), line(ben, 100, 20_000), line(ben, 800, 0)]
    expect(selectLinesToImport(file, standing, { resolve, dropNewZeros: true })).toEqual({
      lines: [line(ann, 100, 9_000), line(ann, 800, 0), line(ben, 100, 20_000)],
      created: 1,
      updated: 2,
    })
    expect(selectLinesToImport(file, standing, { resolve, dropNewZeros: false }).lines).toEqual(file)
  })
})

describe('a month compared with the calculated pay', () => {
  const code = (id: number, name: string, element: number): ProviderCode => ({
    id,
    code: name,
    type: 1,
    element,
    locations: [],
    serviceTerms: [],
  })
  const share = (employee: EmployeeRef, pennies: number) => ({
    locationId: toLocationId(7),
    employee,
    contractId: toContractId('c'),
    serviceTermId: 3,
    component: 'basic' as const,
    pennies,
  })
  const month = (
    paid: [EmployeeRef, number, number][],
    broughtForward: ReconciliationInput['broughtForward'] = new Map(),
  ): ReconciliationInput => ({
    shares: [share(ann, 150_000), share(ben, 90_000)],
    codes: [code(100, '100', 1), code(800, '800', 3)],
    imported: paid.map(([employee, payrollCodeId, value]) => ({ locationId: toLocationId(7), employee, payrollCodeId, value })),
    typed: [],
    broughtForward,
    carriedForward: new Map(),
    tolerance: 0,
  })
  it('B-225 is only in the budget, row by row, before a file is imported', () => {
    const rows = reconcile(month([]))
    expect(rows.map((row) => [row.employee, row.payrollCode, row.calculated, row.actual, row.status])).toEqual([
      [ann, '100', 150_000, null, 'onlyInBudget'],
      [ben, '100', 90_000, null, 'onlyInBudget'],
    ])
    expect(sumReconciledRows(rows)).toEqual({ calculated: 240_000, actual: 0, difference: -240_000, notCalculated: 0 })
    expect(proveImport(rows, month([]))).toEqual({ file: 0, rows: 0, holds: true })
  })
  it('is matched by a file of the calculated pay, and proved to the penny', () => {
    const paid = month([
      [ann, 100, 150_000],
      [ben, 100, 90_000],
    ])
    const rows = reconcile(paid)
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set(['matched']))
    expect(proveImport(rows, paid)).toEqual({ file: 240_000, rows: 240_000, holds: true })
  })
  it('is summarised in numbers: rows, employees, and how they compare', () => {
    const rows = reconcile(
      month([
        [ann, 100, 150_000],
        [ann, 800, 4_000],
        [cat, 100, 500],
      ]),
    )
    expect(countRowsByStatus(rows)).toEqual({ rows: 4, employees: 3, matched: 1, different: 0, onlyInBudget: 1, onlyInPayroll: 2 })
    // Ann is paid as calculated plus another amount; Ben is not paid at all; Cat is unknown.
    expect(countDifferingEmployees(rows, 0)).toEqual({ different: 3, onlyInBudget: 1, onlyInPayroll: 1 })
  })
  it('does not count an employee as differing who was paid what was owed from the previous month', () => {
    const owed = new Map([[ben, { amount: -13_234, locationId: toLocationId(7) }]])
    const rows = reconcile(
      month(
        [
          [ann, 100, 150_000],
          [ben, 100, 103_234],
        ],
        owed,
      ),
    )
    expect(countDifferingEmployees(rows, 0)).toEqual({ different: 0, onlyInBudget: 0, onlyInPayroll: 0 })
    expect(countRowsByStatus([])).toEqual({ rows: 0, employees: 0, matched: 0, different: 0, onlyInBudget: 0, onlyInPayroll: 0 })
  })
})
