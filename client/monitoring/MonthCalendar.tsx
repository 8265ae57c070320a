import { IconCheck, IconLock } from '@tabler/icons-react'
import clsx from 'clsx'
import { type CalendarMonth, formatIsoMonth, formatMonth, fromMonthIndex, toMonthIndex } from '../../domain/monitoring/monitoring.ts'
import { formatPeriodMonth } from '../../domain/values/calendar.ts'
import type { RouterOutputs } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import type { TableColumn } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import classes from './MonthEndPage.module.css'

type Row = RouterOutputs['monitoring']['monthEnd']['list'][number]
type Month = RouterOutputs['monitoring']['months'][number]

/** A calendar of the year by location. It shows for each month whether actuals are imported and whether the month end is closed. */
export function MonthCalendar({
  rows,
  months,
  now,
  chosen,
  onMonth,
}: {
  rows: readonly Row[]
  months: readonly Month[]
  /** The current month. */
  now: CalendarMonth
  chosen: CalendarMonth
  /** @param month in the form `2026-10` */
  onMonth: (month: string) => void
}) {
  const term = useTerm()('Location')
  const starts = rows.flatMap((row) => (row.start ? [toMonthIndex(row.start)] : []))
  const first = Math.min(...starts)
  const columns = starts.length ? Array.from({ length: Math.max(...starts) + 12 - first }, (_unused, at) => first + at) : []
  const found = new Map(months.map((month) => [`${month.locationId} ${toMonthIndex(month)}`, month]))
  const isPastMonth = (at: number): boolean => at < toMonthIndex(now)
  const missing = (at: number): number =>
    rows.filter((row) => isInYear(row, at) && isPastMonth(at) && !found.get(`${row.locationId} ${at}`)?.isClosed).length
  return (
    <>
      <Card className={scrollStyles.scroll} aria-label="The year">
        <DataTable
          isTight
          isFirstPinned
          className={classes.months}
          columns={[
            { id: 'location', label: term.singular, cell: (row) => row?.location ?? 'Missing' },
            ...columns.map((at): TableColumn<(typeof rows)[number] | null> => {
              const month = fromMonthIndex(at)
              const label = `${formatPeriodMonth(month.month, 1).slice(0, 3)} ${String(month.year).slice(2)}`
              return {
                id: String(at),
                label,
                head: (
                  <button
                    type="button"
                    className={classes.month}
                    aria-label={formatMonth(month)}
                    onClick={() => onMonth(formatIsoMonth(month))}
                  >
                    {label}
                  </button>
                ),
                headProps: { 'aria-current': at === toMonthIndex(chosen) ? 'date' : undefined },
                cellProps: (row) => ({ className: clsx(!row && missing(at) > 0 && classes.missing) }),
                cell: (row) =>
                  row
                    ? isInYear(row, at) && <State month={found.get(`${row.locationId} ${at}`)} isBehind={isPastMonth(at)} />
                    : missing(at) || '',
              }
            }),
          ]}
          rows={rows}
          foot={columns.some((at) => missing(at) > 0) ? [null] : []}
        />
      </Card>
      <p className={textStyles.since} style={{ marginTop: 10 }}>
        <span>
          <IconLock size={15} stroke={1.8} aria-hidden className={classes.in} /> closed
        </span>
        <span>
          <IconCheck size={15} stroke={1.8} aria-hidden className={classes.in} /> actuals are in
        </span>
        <span className={classes.missing}>missing</span>
      </p>
    </>
  )
}

function isInYear({ start }: Row, at: number): boolean {
  return start !== null && at >= toMonthIndex(start) && at < toMonthIndex(start) + 12
}

function State({ month, isBehind }: { month: Month | undefined; isBehind: boolean }) {
  if (month?.isEnded) return <IconLock size={17} stroke={1.8} aria-label="Closed" className={classes.in} />
  if (month?.isClosed) return <IconCheck size={17} stroke={1.8} aria-label="Actuals are in" className={classes.in} />
  if (isBehind) return <span className={classes.missing}>missing</span>
  return null
}
