import { type CalendarMonth, monthWords } from '../monitoring/monitoring.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { displayDateTime } from '../values/format.ts'
import { type EmployeePay, type EmployeeRow, partOf, payParts } from './employees.ts'
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
  /** Those that the totals are of. */
  rows: readonly EmployeeRow[]
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

/** What stands in the place of a figure that could not be calculated. */
const notCalculated = 'not calculated'
/** What a total is called: rows that could not be calculated are in no difference (rules.md §19), and stand on a line of their own. */
const totalName = (isWhole: boolean): string => (isWhole ? 'Total' : 'Total of what is calculated')

interface Pay {
  calculated: number | null
  actual: number | null
  broughtForward: number
}

/** Sums of pay; what is null adds nothing, so only what is calculated has a difference. Whole pennies. */
function sumsOf(own: readonly Pay[]): { calculated: number; actual: number; broughtForward: number } {
  const of = (pick: (one: Pay) => number | null): number => own.reduce((sum, one) => sum + (pick(one) ?? 0), 0)
  return { calculated: of((one) => one.calculated), actual: of((one) => one.actual), broughtForward: of((one) => one.broughtForward) }
}

function summary({ totals, proof, employees, rows: own, completed, reopened }: PayrollReportFacts): PayrollReportTable {
  const count = (status: RowStatus): string => String(employees.filter((one) => one.status === status).length)
  const calculated = own.filter((row) => row.calculated !== null)
  const unknown = own.filter((row) => row.calculated === null)
  const [known, paidBeside] = [sumsOf(calculated), sumsOf(unknown)]
  const line = (name: string, of: { calculated: number; actual: number }): PayrollReportRow => ({
    cells: [name, of.calculated, of.actual, of.actual - of.calculated],
  })
  const other = sumsOf(calculated.filter((row) => partOf(row) === null))
  const rows: PayrollReportRow[] = [
    ...payParts.map(({ id, name }) => line(name, sumsOf(calculated.filter((row) => partOf(row) === id)))),
    ...(other.calculated || other.actual ? [line('Other', other)] : []),
    { ...line(totalName(!unknown.length), known), weight: 'total' },
    ...(unknown.length
      ? [
          { cells: ['Not calculated', notCalculated, paidBeside.actual, notCalculated] },
          { cells: ['Total paid', null, totals.actual, null], weight: 'total' as const },
        ]
      : []),
    { cells: ['Brought forward', null, null, known.broughtForward] },
    { cells: ['Difference with what was brought forward', null, null, totals.difference], weight: 'total' },
    ...(paidBeside.broughtForward
      ? [{ cells: ['Brought forward where pay is not calculated', null, null, paidBeside.broughtForward] }]
      : []),
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
  const unknown = own.filter((one) => one.difference === null)
  const known = sumsOf(own.filter((one) => one.difference !== null))
  const beside = sumsOf(unknown)
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
          totalName(!unknown.length),
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
          own.some((one) => one.difference === null) ? notCalculated : own.reduce((sum, one) => sum + (one.difference ?? 0), 0),
          own.reduce((sum, one) => sum + assertDefined(one.carriedForward), 0),
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
