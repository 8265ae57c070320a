import { keysOf } from '../../values/keysOf.ts'
import { type ReportDeclaration, type ReportName, reports } from '../registry.ts'
import type { ColumnType, Report, ReportRow } from '../report.ts'
import { formatValue } from './formatValue.ts'

/** Reports with comments on figures. A budget comparison only repeats figures of other reports. */
export type CommentableReport = Exclude<ReportName, 'budgetComparison'>
export const commentableReports = keysOf(reports).filter((name): name is CommentableReport => name !== 'budgetComparison')

/** A row for a single record with an id: a code, a cost centre or a contract. */
const singleRecordPattern = /(^|&)(code|centre|contract)=/

/** The contract of a row, from its key; undefined for other rows. */
export function findContractOfRow(key: string): string | undefined {
  return /(?:^| |&)contract=([0-9a-f]{24})(?:&|$)/.exec(key)?.[1]
}

/**
 * Creates a stable key for each row, so that a comment finds its row after recalculation: the id of a code, cost centre or contract, or
 * else label and section. Keys contain no names of people.
 * @param scheme the grouping of the rows, which has rows of its own
 */
export function createRowKeys(name: ReportName, { rows }: Pick<Report, 'rows'>, scheme: number): string[] {
  const declared: ReportDeclaration = reports[name]
  // Rows of a return are lines to which several codes map; measures are identified by their label.
  const isById = declared.kind === 'staff' || (declared.kind === 'money' && !declared.mapping)
  const times = new Map<string, number>()
  let section = ''
  return rows.map((row) => {
    if (row.kind === 'SectionHeader') section = row.level === 0 ? row.label : `${section.split(' › ')[0]} › ${row.label}`
    // A grand total belongs to no section.
    if (row.kind === 'Total' && row.level === 0) section = ''
    const key =
      isById && isSingleRecord(row) ? `${row.kind} ${row.drill}` : `${row.kind} ${schemePrefix(row, scheme)}${section} › ${row.label}`
    const time = (times.get(key) ?? 0) + 1
    times.set(key, time)
    return time === 1 ? key : `${key} (${time})`
  })
}

const isSingleRecord = ({ kind, drill }: ReportRow): boolean =>
  kind === 'Data' && drill !== null && !drill.includes(',') && singleRecordPattern.test(drill)

/** The rows of two schemes differ, even if they have the same label. */
const schemePrefix = ({ kind }: ReportRow, scheme: number): string => (kind === 'Description' ? `${scheme} ` : '')

/** Position of a figure in a report; null if it no longer exists. */
export function findCell(
  name: ReportName,
  report: Pick<Report, 'rows' | 'columns'>,
  { row, column, scheme }: { row: string; column: string; scheme: number },
): { row: number; column: number } | null {
  const at = { row: createRowKeys(name, report, scheme).indexOf(row), column: report.columns.findIndex(({ key }) => key === column) }
  return at.row < 0 || at.column < 0 ? null : at
}

export function formatCellValue(value: number | string | null, type: ColumnType): string {
  if (value === null) return 'not calculated'
  const words = formatValue(value, type, true)
  return words === '–' ? '0' : words
}
