import { assertDefined, elementAt } from '../values/assertDefined.ts'
import { perPupil, shareIn } from './measures/measures.ts'
import { type Report, type ReportColumn, readPlace } from './report.ts'

/** What may be shown beside each column of money. */
export interface Beside {
  perPupil: boolean
  ofIncome: boolean
  /** What a year has more than the one before it in the report. */
  change: boolean
}

export const nothingBeside: Beside = { perPupil: false, ofIncome: false, change: false }

interface Shown {
  column: ReportColumn
  base: Report['bases'][number]
  valueOf: (values: Report['rows'][number]['values']) => number | string | null
}

const none = { income: null, pupils: null }
const amountOf = (value: number | string | null | undefined): number | null => (typeof value === 'number' ? value : null)

/** The report with more columns, worked out from those it has; whole pennies. */
export function withColumns(report: Report, beside: Beside): Report {
  const { columns, bases } = report
  const shown = columns.flatMap((column, index): Shown[] => {
    const own: Shown = { column, base: assertDefined(bases[index]), valueOf: (values) => elementAt(values, index) }
    if (column.type !== 'money') return [own]
    const { income, pupils } = assertDefined(bases[index])
    const before = beside.change ? columnBefore(columns, index) : -1
    return [
      own,
      ...(beside.perPupil && pupils !== null
        ? [
            {
              column: { key: `pupil ${column.key}`, title: `${column.title}: per pupil`, type: 'money' as const },
              base: none,
              valueOf: (values: Report['rows'][number]['values']) => perPupil(amountOf(values[index]), pupils),
            },
          ]
        : []),
      ...(beside.ofIncome && income !== null
        ? [
            {
              column: { key: `share ${column.key}`, title: `${column.title}: % of income`, type: 'percent' as const },
              base: none,
              valueOf: (values: Report['rows'][number]['values']) => shareIn(amountOf(values[index]), income),
            },
          ]
        : []),
      ...(before >= 0
        ? [
            {
              column: { key: `change ${column.key}`, title: `${column.title}: change`, type: 'money' as const },
              base: none,
              valueOf: (values: Report['rows'][number]['values']) => {
                const [now, then] = [amountOf(values[index]), amountOf(values[before])]
                return now === null || then === null ? null : now - then
              },
            },
          ]
        : []),
    ]
  })
  return {
    ...report,
    columns: shown.map((one) => one.column),
    bases: shown.map((one) => one.base),
    rows: report.rows.map((row) => ({ ...row, values: shown.map((one) => one.valueOf(row.values)) })),
  }
}

/** The column of the year before, all else the same; -1 where there is none. */
function columnBefore(columns: readonly ReportColumn[], index: number): number {
  const place = readPlace(assertDefined(columns[index]).key)
  if (!place?.year || place.month) return -1
  const year = Number(place.year.slice(0, 4)) - 1
  return columns.findIndex(({ key }) => {
    const other = readPlace(key)
    return other?.year?.startsWith(`${year}/`) && !other.month && other.location === place.location && other.budget === place.budget
  })
}
