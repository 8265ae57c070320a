import { describe, expect, it } from 'vitest'
import { normaliseEmployeeNumber, toStaffRef } from '../../../domain/payroll/payroll.ts'
import {
  type CalculatedShare,
  type ProviderCode,
  proveImport,
  type ReconciliationInput,
  reconcile,
  sumDifferencesByEmployee,
  sumReconciledRows,
} from '../../../domain/payroll/reconcile.ts'
import { toContractId, toLocationId, toStaffId } from '../../../domain/values/ids.ts'

const teacher = toStaffRef(toStaffId(1))
const code = (id: number, name: string, element: number, more: Partial<ProviderCode> = {}): ProviderCode => ({
  id,
  code: name,
  type: 1,
  element,
  locations: [],
  serviceTerms: [],
  ...more,
})
const share = (pennies: number | null, more: Partial<CalculatedShare> = {}): CalculatedShare => ({
  locationId: toLocationId(7),
  employee: teacher,
  contractId: toContractId('c1'),
  serviceTermId: 3,
  component: 'basic',
  pennies,
  ...more,
})
const paid = (payrollCodeId: number, value: number, employee = teacher) => ({ locationId: toLocationId(7), employee, payrollCodeId, value })
const month = (given: Partial<ReconciliationInput>): ReconciliationInput => ({
  shares: [],
  codes: [code(1, '100', 1)],
  imported: [],
  typed: [],
  broughtForward: new Map(),
  carriedForward: new Map(),
  tolerance: 0,
  ...given,
})

describe('the example in the rules', () => {
  it('a late award is a difference in September, carried forward, and matched in October', () => {
    const september = reconcile(month({ shares: [share(391_167)], imported: [paid(1, 377_933)] }))
    expect(september).toMatchObject([
      { calculated: 391_167, actual: 377_933, difference: -13_234, differencePercent: -3.38, status: 'different' },
    ])
    const carried = sumDifferencesByEmployee(september).get(teacher)!
    expect(carried).toEqual({ difference: -13_234, locationId: toLocationId(7) })
    const broughtForward = new Map([[teacher, { amount: carried.difference!, locationId: toLocationId(7) }]])
    expect(reconcile(month({ shares: [share(391_167)], imported: [paid(1, 404_401)], broughtForward }))).toMatchObject([
      { broughtForward: -13_234, difference: 0, status: 'matched' },
    ])
  })
})

describe('the provider code of a component', () => {
  const chosen = (codes: ProviderCode[], imported: ReconciliationInput['imported'] = []) =>
    reconcile(month({ shares: [share(100)], codes, imported })).find((row) => row.components.length)!.payrollCode
  it('is one of its element, at its location, and of one of its payroll codes', () => {
    const others = [code(1, '100', 2), code(2, '101', 1, { locations: [toLocationId(8)] }), code(3, '102', 1, { serviceTerms: [4] })]
    expect(chosen([...others, code(4, '103', 1)])).toBe('103')
    expect(chosen(others)).toBe('')
  })
  it('if there are several, is the one that the payroll uses for the employee, then one that names a payroll code, then the lowest', () => {
    const codes = [code(1, '100', 1), code(2, '90', 1), code(3, '200', 1, { serviceTerms: [3] })]
    expect(chosen(codes.slice(0, 2))).toBe('90')
    expect(chosen(codes)).toBe('200')
    expect(chosen(codes, [paid(1, 5)])).toBe('100')
  })
})

describe('rows', () => {
  it('only in the budget, only in the payroll, and within the tolerance are distinguished', () => {
    const codes = [code(1, '100', 1), code(2, '110', 2), code(3, '800', 3)]
    const shares = [share(100_00), share(20_00, { component: 'allowance' })]
    const rows = reconcile(month({ codes, shares, imported: [paid(1, 100_05), paid(3, 9_00)], tolerance: 5 }))
    expect(rows.map((row) => [row.payrollCode, row.status])).toEqual([
      ['100', 'matched'],
      ['110', 'onlyInBudget'],
      ['800', 'onlyInPayroll'],
    ])
  })
  it('a deduction counts negative, and a typed value replaces the imported one', () => {
    const codes = [code(1, '100', 1), code(2, '500', 7, { type: 2 })]
    const given = month({ codes, shares: [share(100)], imported: [paid(1, 90), paid(2, 30)], typed: [paid(1, 100)] })
    const rows = reconcile(given)
    expect(rows).toMatchObject([
      { actual: 100, imported: 90, isTyped: true, status: 'matched' },
      { actual: -30, status: 'onlyInPayroll' },
    ])
    expect(proveImport(rows, given)).toEqual({ file: 60, rows: 60, holds: true })
  })
  it('a figure that cannot be calculated is shown as such and is in no total', () => {
    const rows = reconcile(month({ shares: [share(null)], imported: [paid(1, 90)] }))
    expect(rows).toMatchObject([{ calculated: null, difference: null, differencePercent: null, status: 'different' }])
    expect(sumReconciledRows(rows)).toEqual({ calculated: 0, actual: 90, difference: 0, notCalculated: 1 })
    expect(sumDifferencesByEmployee(rows).get(teacher)?.difference).toBeNull()
  })
  it('the amount brought forward is on the first row by code, or on a separate one if the employee has none', () => {
    const codes = [code(1, '100', 1), code(2, '90', 2)]
    const broughtForward = new Map([
      [teacher, { amount: 5, locationId: toLocationId(7) }],
      [toStaffRef(toStaffId(2)), { amount: 9, locationId: toLocationId(8) }],
    ])
    const rows = reconcile(month({ codes, shares: [share(1), share(2, { component: 'allowance' })], broughtForward }))
    expect(rows.map((row) => [row.employee, row.payrollCode, row.broughtForward])).toEqual([
      ['staff 1', '90', 5],
      ['staff 1', '100', 0],
      ['staff 2', '', 9],
    ])
  })
})

it('employee numbers match without spaces and leading zeros', () => {
  expect(['00 12', '12', '0012 '].map(normaliseEmployeeNumber)).toEqual(['12', '12', '12'])
  expect([normaliseEmployeeNumber('0'), normaliseEmployeeNumber('A007')]).toEqual(['0', 'a007'])
})
