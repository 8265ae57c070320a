import clsx from 'clsx'
import { describeEmptyCell, type Report, type ReportColumn } from '../../domain/reports/report.ts'
import { displayDate, displayDecimal, displayOneDecimal, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures } from '../ui/figures/Figures.tsx'
import textStyles from '../ui/labels/text.module.css'
import scrollStyles from '../ui/layout/scroll.module.css'
import classes from './Packs.module.css'

/** A cell's text as the printed pack shows it; amounts are in pounds. */
function shown(value: number | string | null, { type }: ReportColumn): string {
  if (value === null) return ''
  if (type === 'date') return displayDate(String(value))
  if (typeof value === 'string') return value
  if (type === 'money') return displayWholePounds(toPennies(value)).replace('£', '')
  return type === 'percent' ? displayOneDecimal(value) : displayDecimal(value)
}

export function PackTable({ report }: { report: Report }) {
  const isWide = report.columns.length > 5
  return (
    // Focusable, so that the keyboard can scroll a wide table.
    <section className={scrollStyles.scroll} aria-label={report.title} tabIndex={isWide ? 0 : undefined}>
      <Figures isTight className={classes.table} style={isWide ? { minWidth: 900 } : undefined}>
        <thead>
          <tr>
            <th scope="col">{report.title}</th>
            {report.columns.map((column) => (
              <th key={column.key} scope="col" className={clsx(column.type === 'text' && figuresStyles.text)}>
                {column.title}
                {column.type === 'money' && ' £'}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {report.rows.map((row, index) => (
            <tr
              key={index}
              className={clsx(
                (row.kind === 'SectionHeader' || row.kind === 'Description') && classes.section,
                (row.kind === 'SectionFooter' || row.kind === 'Total') && figuresStyles.total,
              )}
            >
              <th scope="row" style={{ paddingLeft: 12 + row.level * 16 }}>
                {row.label}
              </th>
              {report.columns.map((column, position) => {
                const unknown = describeEmptyCell(report, row, position)
                return (
                  <td
                    key={column.key}
                    className={clsx(
                      column.type === 'text' && figuresStyles.text,
                      column.type === 'text' && classes.words,
                      unknown && textStyles.missing,
                    )}
                  >
                    {unknown ?? shown(row.values[position] ?? null, column)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </Figures>
    </section>
  )
}
