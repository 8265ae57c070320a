import clsx from 'clsx'
import { describeEmptyCell, type Report, type ReportColumn, type ReportRow } from '../../domain/reports/report.ts'
import { displayDate, displayDecimal, displayOneDecimal, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import textStyles from '../ui/labels/text.module.css'
import scrollStyles from '../ui/layout/scroll.module.css'
import type { TableColumn } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import classes from './Packs.module.css'

/** Formats a cell as the printed pack shows it; amounts are in pounds. */
function formatCell(value: number | string | null, { type }: ReportColumn): string {
  if (value === null) return ''
  if (type === 'date') return displayDate(String(value))
  if (typeof value === 'string') return value
  if (type === 'money') return displayWholePounds(toPennies(value)).replace('£', '')
  return type === 'percent' ? displayOneDecimal(value) : displayDecimal(value)
}

export function PackTable({ report }: { report: Report }) {
  const isWide = report.columns.length > 5
  return (
    // Focusable, so that keyboard users can scroll a wide table.
    <section className={scrollStyles.scroll} aria-label={report.title} tabIndex={isWide ? 0 : undefined}>
      <DataTable
        isTight
        className={clsx(classes.table, report.columns.length > 1 && classes.cards, isWide && classes.wide)}
        // A reason is shown across all columns, below its line.
        spanOf={({ kind, label }) => (kind === 'Empty' ? <span className={classes.reason}>{label}</span> : undefined)}
        columns={[
          {
            id: 'label',
            label: report.title,
            cellProps: ({ level }) => ({ style: { paddingLeft: 12 + level * 16 } }),
          },
          ...report.columns.map(
            (column, position): TableColumn<ReportRow> => ({
              id: column.key,
              label: `${column.title}${column.type === 'money' ? ' £' : ''}`,
              isFigure: column.type !== 'text',
              cellProps: (row) => ({
                'data-label': column.title,
                className: clsx(column.type === 'text' && classes.words, describeEmptyCell(report, row, position) && textStyles.missing),
              }),
              cell: (row) => describeEmptyCell(report, row, position) ?? formatCell(row.values[position] ?? null, column),
            }),
          ),
        ]}
        rows={report.rows}
        look={({ kind }) =>
          kind === 'SectionHeader' || kind === 'Description'
            ? 'section'
            : kind === 'SectionFooter' || kind === 'Total'
              ? 'total'
              : undefined
        }
      />
    </section>
  )
}
