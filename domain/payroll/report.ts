import { displayDateTime } from '../format.ts'
import { type CalendarMonth, monthWords } from '../monitoring/monitoring.ts'
import { type EmployeePay, type PayPart, payParts } from './employees.ts'
import type { ReconciledTotals, RowStatus } from './reconcile.ts'

/** An employee of a reconciliation as a report names them; whole pennies. */
export interface ReportedEmployee extends EmployeePay {
  location: string
  employeeNumber: string
  /** Null: nobody here has the number. */
  name: string | null
  note: string | null
}

/** Everything that is signed for; whole pennies. */
export interface PayrollReportFacts {
  organisation: string
  /** The budget group, or what the whole organisation is called. */
  level: string
  month: CalendarMonth
  isComplete: boolean
  completed: { by: string; at: string } | null
  reopened: { by: string; at: string; reason: string | null } | null
  totals: ReconciledTotals
  /** Null: not all of the file is of locations that the reader sees. */
  proof: { file: number; rows: number; holds: boolean } | null
  employees: readonly ReportedEmployee[]
  /** When the report was made. */
  at: string
}

/** A row of a report: its cells are words, or whole pennies, or null for none. */
export interface PayrollReportRow {
  cells: (string | number | null)[]
  weight?: 'heading' | 'total'
}

/** One table of the report. */
export interface PayrollReportTable {
  title: string
  columns: { title: string; kind: 'text' | 'money' }[]
  rows: PayrollReportRow[]
}

/** The report of a month that is signed (field.md): values, which a workbook and a page render alike. */
export interface PayrollReport {
  title: string
  about: string[]
  /** What the report is of, by name. */
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

export function payrollReport(facts: PayrollReportFacts): PayrollReport {
  const words = monthWords(facts.month)
  return {
    title: `Payroll reconciliation of ${words}`,
    about: [
      `Payroll reconciliation of ${words} · ${facts.level} · ${facts.isComplete ? 'complete' : 'open'}`,
      `${facts.organisation} · as at ${displayDateTime(facts.at)} · pounds · positive was paid more than calculated`,
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
      ['Reading it', 'Pounds and pence; positive was paid more than calculated'],
    ],
    tables: [summary(facts), differences(facts), carried(facts)],
  }
}

function summary({ totals, proof, employees, completed, reopened }: PayrollReportFacts): PayrollReportTable {
  const count = (status: RowStatus): string => String(employees.filter((one) => one.status === status).length)
  const part = (of: 'calculated' | 'actual', id: PayPart): number => employees.reduce((sum, one) => sum + (one.parts[id][of] ?? 0), 0)
  const sumOf = (of: 'calculated' | 'actual'): number => payParts.reduce((sum, { id }) => sum + part(of, id), 0)
  const [otherCalculated, otherActual] = [totals.calculated - sumOf('calculated'), totals.actual - sumOf('actual')]
  const rows: PayrollReportRow[] = [
    ...payParts.map(({ id, name }) => ({
      cells: [name, part('calculated', id), part('actual', id), part('actual', id) - part('calculated', id)],
    })),
    ...(otherCalculated || otherActual ? [{ cells: ['Other', otherCalculated, otherActual, otherActual - otherCalculated] }] : []),
    { cells: ['Total', totals.calculated, totals.actual, totals.actual - totals.calculated], weight: 'total' },
    { cells: ['Brought forward', null, null, employees.reduce((sum, one) => sum + one.broughtForward, 0)] },
    { cells: ['Difference with what was brought forward', null, null, totals.difference], weight: 'total' },
    { cells: ['Carried forward', null, null, employees.reduce((sum, one) => sum + (one.carriedForward ?? 0), 0)] },
    ...(proof
      ? [
          {
            cells: [
              proof.holds ? 'Total of the file, proved to the penny' : 'Total of the file, which does not agree',
              null,
              proof.file,
              proof.rows - proof.file,
            ],
          },
        ]
      : []),
    { cells: ['Employees', String(employees.length), null, null], weight: 'heading' },
    ...(['matched', 'different', 'onlyInBudget', 'onlyInPayroll'] as const).map((status) => ({
      cells: [statusNames[status], count(status), null, null],
    })),
    ...(totals.notCalculated
      ? [{ cells: ['Rows not calculated, which are in no difference', String(totals.notCalculated), null, null] }]
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

/** Each employee who was paid otherwise, by location and the largest first. */
function differences({ employees }: PayrollReportFacts): PayrollReportTable {
  const own = employees.filter((one) => one.status !== 'matched').toSorted(byName)
  const sum = (of: (one: ReportedEmployee) => number | null): number => own.reduce((total, one) => total + (of(one) ?? 0), 0)
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
      ...own.map((one) => ({
        cells: [
          one.name ?? 'Not in the list of staff',
          one.employeeNumber,
          one.location,
          one.calculated ?? 'not calculated',
          one.actual,
          one.broughtForward || null,
          one.difference ?? 'not calculated',
          statusNames[one.status],
          one.note ?? 'Not explained',
        ],
      })),
      {
        cells: [
          'Total',
          null,
          null,
          sum((one) => one.calculated),
          sum((one) => one.actual),
          sum((one) => one.broughtForward),
          sum((one) => one.difference),
          null,
          null,
        ],
        weight: 'total',
      },
    ],
  }
}

function carried({ employees }: PayrollReportFacts): PayrollReportTable {
  const own = employees.filter((one) => one.carriedForward !== null).toSorted(byName)
  return {
    title: 'Carried forward',
    columns: [text('Employee'), text('Number'), text('Location'), amount('Difference £'), amount('Carried forward £'), text('Reason')],
    rows: [
      ...own.map((one) => ({
        cells: [
          one.name ?? 'Not in the list of staff',
          one.employeeNumber,
          one.location,
          one.difference ?? 'not calculated',
          one.carriedForward,
          one.note ?? 'Not explained',
        ],
      })),
      {
        cells: [
          'Total',
          null,
          null,
          own.reduce((sum, one) => sum + (one.difference ?? 0), 0),
          own.reduce((sum, one) => sum + one.carriedForward!, 0),
          null,
        ],
        weight: 'total',
      },
    ],
  }
}

/** Lines to sign on, for a workbook that is printed. */
export function signatureTable(): PayrollReportTable {
  const line = '________________________'
  return {
    title: 'Signatures',
    columns: [text('For'), text('Name'), text('Signature'), text('Date')],
    rows: [{ cells: ['Prepared by', line, line, line] }, { cells: ['Headteacher', line, line, line] }],
  }
}
