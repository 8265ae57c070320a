import { type CalendarMonth, formatMonth } from '../monitoring/monitoring.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayDateTime } from '../values/format.ts'
import { type EmployeePay, findPayColumn, payColumns, type RowToSummarise } from './employees.ts'
import type { ReconciledTotals, RowStatus } from './reconcile.ts'

export interface ReportedEmployee extends EmployeePay {
  location: string
  employeeNumber: string
  /** Null for an unknown employee number. */
  name: string | null
  note: string | null
}

/** The facts that the signatory confirms; whole pennies. */
export interface PayrollReportFacts {
  organisation: string
  /** Name of the budget group, or of the whole organisation. */
  level: string
  month: CalendarMonth
  isComplete: boolean
  completed: { by: string; at: string } | null
  reopened: { by: string; at: string; reason: string | null } | null
  totals: ReconciledTotals
  /** Null if the reader may not see every location of the file. */
  proof: { file: number; rows: number; holds: boolean } | null
  employees: readonly ReportedEmployee[]
  rows: readonly RowToSummarise[]
  at: string
}

/** A row of a report: each cell is text, whole pennies, or null. */
export interface PayrollReportRow {
  cells: (string | number | null)[]
  weight?: 'heading' | 'total'
}

export interface PayrollReportTable {
  title: string
  columns: { title: string; kind: 'text' | 'money' }[]
  rows: PayrollReportRow[]
}

/** A month's report for signing (field.md), as a value from which both the workbook and the PDF are made. */
export interface PayrollReport {
  title: string
  about: string[]
  facts: [name: string, value: string][]
  tables: PayrollReportTable[]
}

const statusNames: Record<RowStatus, string> = {
  matched: 'Matched',
  different: 'Different',
  onlyInBudget: 'Only in budget',
  onlyInPayroll: 'Only in payroll',
}

const text = (title: string) => ({ title, kind: 'text' as const })
const amount = (title: string) => ({ title, kind: 'money' as const })

export function buildPayrollReport(facts: PayrollReportFacts): PayrollReport {
  const words = formatMonth(facts.month)
  return {
    title: `Payroll reconciliation for ${words}`,
    about: [
      `Payroll reconciliation for ${words} · ${facts.level} · ${facts.isComplete ? 'complete' : 'open'}`,
      `${facts.organisation} · as at ${displayDateTime(facts.at)} · pounds · positive means paid more than calculated`,
    ],
    facts: [
      ['Organisation', facts.organisation],
      ['Over', facts.level],
      ['Month', words],
      [
        'Status',
        facts.completed && facts.isComplete ? `Completed by ${facts.completed.by}, ${displayDateTime(facts.completed.at)}` : 'Open',
      ],
      ['Date and time', `As at ${displayDateTime(facts.at)}`],
      ['How to read it', 'Pounds and pence; positive means paid more than calculated'],
    ],
    tables: [buildSummary(facts), buildDifferences(facts), buildCarriedForward(facts)],
  }
}

const notCalculated = 'not calculated'
/** Rows that could not be calculated are left out of the total difference (rules.md §19) and listed in a separate row. */
const labelTotal = (isWhole: boolean): string => (isWhole ? 'Total' : 'Total calculated')

interface PayAmounts {
  calculated: number | null
  actual: number | null
  broughtForward: number
}

/** Adds up pay in whole pennies. A null counts as 0, so the difference is correct only for rows that were calculated. */
function sumPay(all: readonly PayAmounts[]): { calculated: number; actual: number; broughtForward: number } {
  const total = (pick: (one: PayAmounts) => number | null): number => all.reduce((sum, one) => sum + (pick(one) ?? 0), 0)
  return {
    calculated: total((one) => one.calculated),
    actual: total((one) => one.actual),
    broughtForward: total((one) => one.broughtForward),
  }
}

function buildSummary({ totals, proof, employees, rows: employeeRows, completed, reopened }: PayrollReportFacts): PayrollReportTable {
  const count = (status: RowStatus): string => String(employees.filter((one) => one.status === status).length)
  const calculated = employeeRows.filter((row) => row.calculated !== null)
  const unknown = employeeRows.filter((row) => row.calculated === null)
  const [known, paidBeside] = [sumPay(calculated), sumPay(unknown)]
  const line = (name: string, amounts: { calculated: number; actual: number }): PayrollReportRow => ({
    cells: [name, amounts.calculated, amounts.actual, amounts.actual - amounts.calculated],
  })
  const other = sumPay(calculated.filter((row) => findPayColumn(row) === null))
  const rows: PayrollReportRow[] = [
    ...payColumns.map(({ id, name }) => line(name, sumPay(calculated.filter((row) => findPayColumn(row) === id)))),
    ...(other.calculated || other.actual ? [line('Other', other)] : []),
    { ...line(labelTotal(!unknown.length), known), weight: 'total' },
    ...(unknown.length
      ? [
          { cells: ['Not calculated', notCalculated, paidBeside.actual, notCalculated] },
          { cells: ['Total paid', null, totals.actual, null], weight: 'total' as const },
        ]
      : []),
    { cells: ['Brought forward', null, null, known.broughtForward] },
    { cells: ['Difference including amounts brought forward', null, null, totals.difference], weight: 'total' },
    ...(paidBeside.broughtForward
      ? [{ cells: ['Brought forward where pay is not calculated', null, null, paidBeside.broughtForward] }]
      : []),
    { cells: ['Carried forward', null, null, employees.reduce((sum, one) => sum + (one.carriedForward ?? 0), 0)] },
    ...(proof
      ? [
          {
            cells: [proof.holds ? 'File total, agreed to the penny' : 'File total, not agreed', null, proof.file, proof.rows - proof.file],
          },
        ]
      : []),
    { cells: ['Employees', String(employees.length), null, null], weight: 'heading' },
    ...(['matched', 'different', 'onlyInBudget', 'onlyInPayroll'] as const).map((status) => ({
      cells: [statusNames[status], count(status), null, null],
    })),
    ...(totals.notCalculated
      ? [{ cells: ['Rows not calculated, which are not included in any difference', String(totals.notCalculated), null, null] }]
      : []),
    ...(completed ? [{ cells: [`Completed by ${completed.by}, ${displayDateTime(completed.at)}`, null, null, null] }] : []),
    ...(reopened
      ? [
          {
            cells: [
              `Last reopened by ${reopened.by}, ${displayDateTime(reopened.at)}${reopened.reason ? `: ${reopened.reason}` : ''}`,
              null,
              null,
              null,
            ],
          },
        ]
      : []),
  ]
  return { title: 'Summary', columns: [text('Summary'), amount('Budget £'), amount('Actual £'), amount('Difference £')], rows }
}

const byName = (a: ReportedEmployee, b: ReportedEmployee): number =>
  a.location.localeCompare(b.location) ||
  Math.abs(b.difference ?? 0) - Math.abs(a.difference ?? 0) ||
  a.employeeNumber.localeCompare(b.employeeNumber)

/** Builds the table of employees with a difference, by location, the largest difference first. */
function buildDifferences({ employees }: PayrollReportFacts): PayrollReportTable {
  const differing = employees.filter((one) => one.status !== 'matched').toSorted(byName)
  const unknown = differing.filter((one) => one.difference === null)
  const known = sumPay(differing.filter((one) => one.difference !== null))
  const beside = sumPay(unknown)
  return {
    title: 'Differences',
    columns: [
      text('Employee'),
      text('Number'),
      text('Location'),
      amount('Budget £'),
      amount('Actual £'),
      amount('Brought forward £'),
      amount('Difference £'),
      text('Status'),
      text('Reason'),
    ],
    rows: [
      ...differing.map((one) => ({
        cells: [
          one.name ?? 'Not in the list of staff',
          one.employeeNumber,
          one.location,
          one.calculated ?? notCalculated,
          one.actual,
          one.broughtForward || null,
          one.difference ?? notCalculated,
          statusNames[one.status],
          one.note ?? 'Not explained',
        ],
      })),
      {
        cells: [
          labelTotal(!unknown.length),
          null,
          null,
          known.calculated,
          known.actual,
          known.broughtForward,
          known.actual + known.broughtForward - known.calculated,
          null,
          null,
        ],
        weight: 'total',
      },
      ...(unknown.length
        ? [
            {
              cells: ['Not calculated', null, null, notCalculated, beside.actual, beside.broughtForward || null, notCalculated, null, null],
            },
          ]
        : []),
    ],
  }
}

function buildCarriedForward({ employees }: PayrollReportFacts): PayrollReportTable {
  const carriedEmployees = employees.filter((one) => one.carriedForward !== null).toSorted(byName)
  return {
    title: 'Carried forward',
    columns: [text('Employee'), text('Number'), text('Location'), amount('Difference £'), amount('Carried forward £'), text('Reason')],
    rows: [
      ...carriedEmployees.map((one) => ({
        cells: [
          one.name ?? 'Not in the list of staff',
          one.employeeNumber,
          one.location,
          one.difference ?? notCalculated,
          one.carriedForward,
          one.note ?? 'Not explained',
        ],
      })),
      {
        cells: [
          'Total',
          null,
          null,
          carriedEmployees.some((one) => one.difference === null)
            ? notCalculated
            : carriedEmployees.reduce((sum, one) => sum + (one.difference ?? 0), 0),
          carriedEmployees.reduce((sum, one) => sum + assertDefined(one.carriedForward), 0),
          null,
        ],
        weight: 'total',
      },
    ],
  }
}

export function buildSignatureTable(): PayrollReportTable {
  const line = '________________________'
  return {
    title: 'Signatures',
    columns: [text('For'), text('Name'), text('Signature'), text('Date')],
    rows: [{ cells: ['Prepared by', line, line, line] }, { cells: ['Headteacher', line, line, line] }],
  }
}
