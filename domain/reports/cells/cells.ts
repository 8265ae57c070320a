import { keysOf } from '../../values/keysOf.ts'
import { type ReportDeclaration, type ReportName, reports } from '../registry.ts'
import type { ColumnType, Report, ReportRow } from '../report.ts'
import { shownValue } from './shownValue.ts'

/** Reports whose figures are spoken about: a comparison shows those of other reports side by side. */
export type SpokenReport = Exclude<ReportName, 'budgetComparison'>
export const spokenReports = keysOf(reports).filter((name): name is SpokenReport => name !== 'budgetComparison')

/** What a row stands for, where it is the lines of one thing that keeps its id: a code, a centre, a contract. */
const ofOneThing = /(^|&)(code|centre|contract)=/

/** The contract that a row is of, by its key; undefined where it is of anything else. */
export function contractOfRow(key: string): string | undefined {
  return /(?:^| |&)contract=([0-9a-f]{24})(?:&|$)/.exec(key)?.[1]
}

/**
 * What each row of a report is called, so that a word about it is found again after every recalculation: by the ids of a code, a cost centre or
 * a contract, whatever they are called meanwhile; by their words and their section, what has no id. No name of a person stands in one.
 * @param scheme what the rows are put together by: it makes rows of its own
 */
export function rowKeys(name: ReportName, { rows }: Pick<Report, 'rows'>, scheme: number): string[] {
  const declared: ReportDeclaration = reports[name]
  // The rows of a return are its lines, whichever codes map to them; measures are called by what they say.
  const isById = declared.kind === 'staff' || (declared.kind === 'money' && !declared.mapping)
  const times = new Map<string, number>()
  let section = ''
  return rows.map((row) => {
    if (row.kind === 'SectionHeader') section = row.level === 0 ? row.label : `${section.split(' › ')[0]} › ${row.label}`
    // What all of the rows come to stands in no section, whichever was the last.
    if (row.kind === 'Total' && row.level === 0) section = ''
    const key = isById && isOneThing(row) ? `${row.kind} ${row.drill}` : `${row.kind} ${schemeOf(row, scheme)}${section} › ${row.label}`
    const time = (times.get(key) ?? 0) + 1
    times.set(key, time)
    return time === 1 ? key : `${key} (${time})`
  })
}

const isOneThing = ({ kind, drill }: ReportRow): boolean =>
  kind === 'Data' && drill !== null && !drill.includes(',') && ofOneThing.test(drill)

/** Rows of a scheme are other rows than those of another, though they be called the same. */
const schemeOf = ({ kind }: ReportRow, scheme: number): string => (kind === 'Description' ? `${scheme} ` : '')

/** Where a figure stands in a report; null: nowhere any more. */
export function cellAt(
  name: ReportName,
  report: Pick<Report, 'rows' | 'columns'>,
  { row, column, scheme }: { row: string; column: string; scheme: number },
): { row: number; column: number } | null {
  const at = { row: rowKeys(name, report, scheme).indexOf(row), column: report.columns.findIndex(({ key }) => key === column) }
  return at.row < 0 || at.column < 0 ? null : at
}

/** What a figure that something was said of came to, in words. */
export function spokenWords(value: number | string | null, type: ColumnType): string {
  if (value === null) return 'not calculated'
  const words = shownValue(value, type, true)
  return words === '–' ? '0' : words
}
