import { keysOf } from '../../values/keysOf.ts'
import { type ReportDeclaration, type ReportName, reports } from '../registry.ts'
import type { ColumnType, Report, ReportRow } from '../report.ts'
import { formatReportValue } from './formatValue.ts'

/** Reports whose figures can have comments. A budget comparison cannot, because it only repeats figures of other reports. */
export type CommentableReport = Exclude<ReportName, 'budgetComparison'>
export const commentableReports = keysOf(reports).filter((name): name is CommentableReport => name !== 'budgetComparison')

/** Matches the key of a row for a single record: a code, a cost centre or a contract. */
const singleRecordPattern = /(^|&)(code|centre|contract)=/

/** The id of the contract of a row, read from the row's key; undefined for other rows. */
export function findContractOfRow(key: string): string | undefined {
  return /(?:^| |&)contract=([0-9a-f]{24})(?:&|$)/.exec(key)?.[1]
}

/**
 * For each row label that has been renamed, the label it had first. Stored comments refer to rows by keys with these labels, so they must
 * not change.
 */
const formerLabels: Readonly<Record<string, string>> = {
  'Average teacher cost (1 FTE), £': 'Cost of a teacher (FTE 1), £',
  'Pupils per teacher (FTE)': 'Pupils for each teacher (FTE)',
  'Pupils per adult (FTE)': 'Pupils for each adult (FTE)',
  'Cost per lesson, £': 'Cost of a lesson, £',
  'No benchmarking group': 'Without a benchmarking group',
  'Debits less credits: the deficit for the year': 'Debits less credits: the deficit of the year',
  'No code in this scheme': 'Without a code of the scheme',
}

/**
 * Creates a stable key for each row, so that a comment still finds its row after a recalculation. It contains the id of a code, cost centre
 * or contract, or else the row's label and section. Keys contain no names of people.
 * @param scheme the coding scheme that rows are grouped by; keys of grouped rows contain it, to tell schemes apart
 */
export function createRowKeys(name: ReportName, { rows }: Pick<Report, 'rows'>, scheme: number): string[] {
  const declared: ReportDeclaration = reports[name]
  // Each row of a return is a line that several codes map to. Measures are identified by their label.
  const isById = declared.kind === 'staff' || (declared.kind === 'money' && !declared.mapping)
  const times = new Map<string, number>()
  let section = ''
  return rows.map((row) => {
    if (row.kind === 'SectionHeader') section = row.level === 0 ? row.label : `${section.split(' › ')[0]} › ${row.label}`
    // A grand total belongs to no section.
    if (row.kind === 'Total' && row.level === 0) section = ''
    const label = formerLabels[row.label] ?? row.label
    const key =
      isById && isSingleRecord(row) ? `${row.kind} ${row.drill}` : `${row.kind} ${createSchemePrefix(row, scheme)}${section} › ${label}`
    const time = (times.get(key) ?? 0) + 1
    times.set(key, time)
    return time === 1 ? key : `${key} (${time})`
  })
}

const isSingleRecord = ({ kind, drill }: ReportRow): boolean =>
  kind === 'Data' && drill !== null && !drill.includes(',') && singleRecordPattern.test(drill)

/** Rows of two schemes are different rows, even if they have the same label. */
const createSchemePrefix = ({ kind }: ReportRow, scheme: number): string => (kind === 'Description' ? `${scheme} ` : '')

/** Finds the position of a figure in a report; null if the figure no longer exists. */
export function findCell(
  name: ReportName,
  report: Pick<Report, 'rows' | 'columns'>,
  { row, column, scheme }: { row: string; column: string; scheme: number },
): { row: number; column: number } | null {
  const at = { row: createRowKeys(name, report, scheme).indexOf(row), column: report.columns.findIndex(({ key }) => key === column) }
  return at.row < 0 || at.column < 0 ? null : at
}

export function describeCellValue(value: number | string | null, type: ColumnType): string {
  if (value === null) return 'not calculated'
  const words = formatReportValue(value, type, true)
  return words === '–' ? '0' : words
}
