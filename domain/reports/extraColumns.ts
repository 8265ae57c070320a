import { assertDefined, requireItemAt } from '../values/assertDefined.ts'
import { calculateShare, dividePerPupil } from './measures/measures.ts'
import { parseLineFilter, type Report, type ReportColumn } from './report.ts'

export interface ExtraColumns {
  perPupil: boolean
  ofIncome: boolean
  /** Whether to add the change from the year before, if the report contains that year. */
  change: boolean
}

export const noExtraColumns: ExtraColumns = { perPupil: false, ofIncome: false, change: false }

interface DerivedColumn {
  column: ReportColumn
  base: Report['bases'][number]
  valueOf: (values: Report['rows'][number]['values']) => number | string | null
}

const none = { income: null, pupils: null }
const amountOf = (value: number | string | null | undefined): number | null => (typeof value === 'number' ? value : null)

/** Adds columns that are calculated from the existing ones: per pupil, share of income, change. Money is in whole pennies. */
export function addExtraColumns(report: Report, beside: ExtraColumns): Report {
  const { columns, bases } = report
  const shown = columns.flatMap((column, index): DerivedColumn[] => {
    const derived: DerivedColumn = { column, base: assertDefined(bases[index]), valueOf: (values) => requireItemAt(values, index) }
    if (column.type !== 'money') return [derived]
    const { income, pupils } = assertDefined(bases[index])
    const before = beside.change ? findPreviousYearColumn(columns, index) : -1
    return [
      derived,
      ...(beside.perPupil && pupils !== null
        ? [
            {
              column: { key: `pupil ${column.key}`, title: `${column.title}: per pupil`, type: 'money' as const },
              base: none,
              valueOf: (values: Report['rows'][number]['values']) => dividePerPupil(amountOf(values[index]), pupils),
            },
          ]
        : []),
      ...(beside.ofIncome && income !== null
        ? [
            {
              column: { key: `share ${column.key}`, title: `${column.title}: % of income`, type: 'percent' as const },
              base: none,
              valueOf: (values: Report['rows'][number]['values']) => calculateShare(amountOf(values[index]), income),
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

/** Finds the index of the same column for the year before; -1 if there is none. */
function findPreviousYearColumn(columns: readonly ReportColumn[], index: number): number {
  const filter = parseLineFilter(assertDefined(columns[index]).key)
  if (!filter?.year || filter.month) return -1
  const year = Number(filter.year.slice(0, 4)) - 1
  return columns.findIndex(({ key }) => {
    const other = parseLineFilter(key)
    return other?.year?.startsWith(`${year}/`) && !other.month && other.location === filter.location && other.budget === filter.budget
  })
}
