import { comparedMeasures, findComparedMeasure } from '../reports/measures/comparators.ts'
import type { Report } from '../reports/report.ts'
import { requireItemAt } from '../values/assertDefined.ts'
import type { PackComparators, PackMeasure } from './pack.ts'

/** Takes the comparators from the first year of a report of measures; null if the report has none. */
export function readPackComparators({ columns, rows }: Report): PackComparators | null {
  const [words, median] = ['comparators', 'median'].map((key) => columns.findIndex((column) => column.key === key))
  const note = rows.findLast((row) => row.kind === 'Empty')?.label
  if (words === undefined || median === undefined || words < 0 || !columns[0] || note === undefined) return null
  const figure = (value: number | string | null): number | null => (typeof value === 'number' ? value : null)
  let section = ''
  const measures = rows.flatMap((row): PackMeasure[] => {
    if (row.kind === 'SectionHeader') section = row.label
    const place = row.values[words]
    const measure = row.kind === 'Data' ? findComparedMeasure(row.label) : undefined
    if (!measure || typeof place !== 'string') return []
    const label = section.startsWith('Per pupil') ? `${row.label}, £ per pupil` : row.label
    return [
      {
        label,
        type: comparedMeasures[measure].type,
        own: figure(requireItemAt(row.values, 0)),
        place,
        median: figure(requireItemAt(row.values, median)),
      },
    ]
  })
  return { year: columns[0].title, rows: measures, note }
}
