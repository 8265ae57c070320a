import { describe, expect, it } from 'vitest'
import { type RowToSummarise, summariseEmployeePay } from '../../../domain/payroll/employees.ts'
import {
  buildPayrollReport,
  buildSignatureTable,
  type PayrollReportFacts,
  type PayrollReportTable,
} from '../../../domain/payroll/report.ts'

const row = (element: number, calculated: number, actual: number | null, more: Partial<RowToSummarise> = {}): RowToSummarise => ({
  element,
  components: [],
  calculated,
  actual,
  broughtForward: 0,
  carriedForward: null,
  difference: (actual ?? 0) + (more.broughtForward ?? 0) - calculated,
  status: actual === null ? 'onlyInBudget' : actual === calculated ? 'matched' : 'different',
  ...more,
})
/** Three employees: one paid September’s award in October, one not in the pension scheme, one with a deduction that is in no pay element. */
const settledRows = [row(1, 391_167, 404_401, { broughtForward: -13_234 }), row(3, 5000, 5000)]
const outsideRows = [row(1, 100_000, 100_000), row(4, 20_000, null, { carriedForward: -15_000 })]
const otherRows = [row(7, 0, -2000, { status: 'onlyInPayroll' })]
const [settled, outside, other] = [
  summariseEmployeePay(settledRows, 0),
  summariseEmployeePay(outsideRows, 0),
  summariseEmployeePay(otherRows, 0),
]

describe('the pay of an employee', () => {
  it('is matched if the amount owed was paid on several rows and nothing is left', () => {
    expect(settled).toMatchObject({ status: 'matched', difference: 0, calculated: 396_167, actual: 409_401 })
    const two = [row(1, 1000, 1100, { broughtForward: -120 }), row(3, 200, 220)]
    expect(summariseEmployeePay(two, 0)).toMatchObject({ status: 'matched', difference: 0 })
    expect(summariseEmployeePay([row(1, 1000, 1100), row(2, 200, 100)], 0)).toMatchObject({ status: 'different', difference: 0 })
  })
  it('is shown under basic pay, allowances, NI and pension, by the element of its code', () => {
    expect(outside.parts).toMatchObject({ basic: { calculated: 100_000, actual: 100_000 }, pension: { calculated: 20_000, actual: null } })
    expect(outside).toMatchObject({ status: 'different', difference: -20_000, carriedForward: -15_000 })
    expect(other).toMatchObject({ status: 'onlyInPayroll', calculated: 0, actual: -2000 })
  })
  it('is unknown if a part could not be calculated', () => {
    expect(summariseEmployeePay([row(1, 1, 1), row(3, 0, 1, { calculated: null, difference: null })], 0)).toMatchObject({
      calculated: null,
      difference: null,
    })
  })
})

describe('the report for signature', () => {
  const totals = { calculated: 516_167, actual: 507_401, difference: -22_000, notCalculated: 0 }
  const named = { location: 'Northgate', name: 'Bilal Sato', note: null }
  const facts: PayrollReportFacts = {
    organisation: 'Harbour',
    level: 'Harbour 2026/27',
    month: { year: 2026, month: 10 },
    isComplete: true,
    completed: { by: 'Ruth Mensah', at: '2026-11-02T09:00:00.000Z' },
    reopened: null,
    totals,
    proof: { file: 507_401, rows: 507_401, holds: true },
    employees: [
      { ...named, ...settled, employeeNumber: '1' },
      { ...named, ...outside, employeeNumber: '2', note: 'Out of the pension' },
      { ...named, ...other, employeeNumber: '3', name: null },
    ],
    rows: [...settledRows, ...outsideRows, ...otherRows],
    at: '2026-11-03T09:00:00.000Z',
  }
  const report = buildPayrollReport(facts)
  const [summary, differences, carried] = report.tables as [PayrollReportTable, PayrollReportTable, PayrollReportTable]
  const cells = (table: PayrollReportTable, name: string) => table.rows.find((one) => one.cells[0] === name)?.cells
  it('totals to the pennies of the screen, part by part', () => {
    expect(cells(summary, 'Total')).toEqual(['Total', 516_167, 507_401, -8766])
    const parts = ['Basic', 'Allowances', 'NI', 'Pension', 'Other'].map((name) => cells(summary, name) as [string, number, number, number])
    expect([1, 2].map((at) => parts.reduce((sum, one) => sum + (one[at] as number), 0))).toEqual([516_167, 507_401])
    expect(cells(summary, 'Brought forward')?.[3]).toBe(-13_234)
    expect(cells(summary, 'Difference including amounts brought forward')?.[3]).toBe(-22_000)
    expect(cells(summary, 'File total, agreed to the penny')).toEqual(['File total, agreed to the penny', null, 507_401, 0])
  })
  it('lists the differing employees with or without a reason, and the amount carried forward, largest first', () => {
    expect(differences.rows.map(({ cells: [name, number] }) => [name, number])).toEqual([
      ['Bilal Sato', '2'],
      ['Not in the list of staff', '3'],
      ['Total', null],
    ])
    expect(differences.rows.map((one) => one.cells.at(-1))).toEqual(['Out of the pension', 'Not explained', null])
    expect(carried.rows.map((one) => one.cells[4])).toEqual([-15_000, -15_000])
    expect(buildSignatureTable().rows.map((one) => one.cells[0])).toEqual(['Prepared by', 'Headteacher'])
  })
  describe('for an employee whose pay is not calculated', () => {
    const unknown = (element: number, actual: number, broughtForward = 0): RowToSummarise =>
      row(element, 0, actual, { calculated: null, difference: null, status: 'different', broughtForward })
    const tablesOf = (all: RowToSummarise[][], own: PayrollReportFacts['totals']): PayrollReportTable[] =>
      buildPayrollReport({
        ...facts,
        totals: own,
        proof: null,
        employees: all.map((rows, index) => ({ ...named, ...summariseEmployeePay(rows, 0), employeeNumber: String(index) })),
        rows: all.flat(),
      }).tables
    it('has the amount paid on a separate line, without a difference', () => {
      const [sums, differs] = tablesOf([[unknown(1, 300_000)]], { calculated: 0, actual: 300_000, difference: 0, notCalculated: 1 })
      expect(cells(sums!, 'Basic')).toEqual(['Basic', 0, 0, 0])
      expect(cells(sums!, 'Total calculated')).toEqual(['Total calculated', 0, 0, 0])
      expect(cells(sums!, 'Not calculated')).toEqual(['Not calculated', 'not calculated', 300_000, 'not calculated'])
      expect(cells(sums!, 'Total paid')).toEqual(['Total paid', null, 300_000, null])
      expect(cells(sums!, 'Difference including amounts brought forward')?.[3]).toBe(0)
      expect(cells(differs!, 'Total calculated')?.slice(3, 7)).toEqual([0, 0, 0, 0])
      expect(cells(differs!, 'Not calculated')?.slice(3, 7)).toEqual(['not calculated', 300_000, null, 'not calculated'])
    })
    it('keeps the calculated rows in their column', () => {
      const both = [row(1, 100_000, 110_000, { broughtForward: -4000 }), unknown(1, 50_000, -700), row(3, 2000, null)]
      const [sums] = tablesOf([both], { calculated: 102_000, actual: 160_000, difference: 4000, notCalculated: 1 })
      expect(cells(sums!, 'Basic')).toEqual(['Basic', 100_000, 110_000, 10_000])
      expect(cells(sums!, 'Other')).toBeUndefined()
      expect(cells(sums!, 'Total calculated')).toEqual(['Total calculated', 102_000, 110_000, 8000])
      expect(cells(sums!, 'Not calculated')?.[2]).toBe(50_000)
      expect(cells(sums!, 'Brought forward')?.[3]).toBe(-4000)
      expect(cells(sums!, 'Difference including amounts brought forward')?.[3]).toBe(4000)
      expect(cells(sums!, 'Brought forward where pay is not calculated')?.[3]).toBe(-700)
    })
  })
})
