import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import clsx from 'clsx'
import { useMemo, useRef, useState } from 'react'
import { formatReportValue } from '../../domain/reports/cells/formatValue.ts'
import {
  describeEmptyCell,
  getCellLineFilter,
  getCellType,
  type Report,
  type ReportColumn,
  type ReportRow,
} from '../../domain/reports/report.ts'
import { displayCount, displayMoney } from '../../domain/values/format.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { useTopOffset } from '../ui/layout/useTopOffset.ts'
import type { TableColumn } from '../ui/table/columns.ts'
import tableStyles from '../ui/table/DataTable.module.css'
import type { RowStyle } from '../ui/table/DataTable.tsx'
import { WindowedTable } from '../ui/table/WindowedTable.tsx'
import { ReasonCell } from './ReasonCell.tsx'
import classes from './Reports.module.css'

/** Tables with more rows than this render only their visible rows. */
const maximumFullyRenderedRows = 150
/** Height of a row in pixels. It must be fixed if only the visible rows are rendered. */
const rowHeight = 33
/** Minimum widths of columns in pixels. Text columns contain a job title or a school's name. */
const nameWidth = 300
const widthOf = (type: ReportColumn['type']): number => (type === 'text' ? 170 : type === 'date' ? 110 : 96)

const looks: Partial<Record<ReportRow['kind'], RowStyle>> = {
  SectionHeader: 'section',
  Description: 'group',
  SectionFooter: 'total',
  Total: 'total',
}

/** Whether the rows below a row can be collapsed. */
const canFold = ({ kind }: ReportRow): boolean => kind === 'SectionHeader' || kind === 'Description'

/** Returns the heading of the first column. The budget forecast return shows both thousands and exact amounts. */
function getFirstHeading({ columns, rows }: Report, hasPence: boolean): string {
  if (!columns.some((one) => one.type === 'money')) return rows.some((row) => row.type) ? 'Measure' : 'Pupils'
  const pounds = hasPence ? 'Pounds and pence' : 'Whole pounds'
  return columns.some((one) => one.title.endsWith('£000')) ? `£000, and exact figures in ${toMidSentence(pounds)}` : pounds
}

/** The number of comments on a figure, and whether all are resolved. */
interface CommentMark {
  count: number
  isSettled: boolean
}

/** Shows the rows of a report, in whole pennies. Sections can be collapsed. A figure that is a sum of lines opens the lines. */
export function ReportTable({
  report,
  hasPence,
  isPrevious,
  marks,
  commentableColumns,
  onOpen,
}: {
  report: Report
  hasPence: boolean
  /** The comments on each figure, by `row column`. */
  marks: ReadonlyMap<string, CommentMark>
  /** Keys of the columns that take comments; null if the report takes none. */
  commentableColumns: ReadonlySet<string> | null
  /** Whether the figures are still those of the previous request. */
  isPrevious: boolean
  onOpen: (row: number, column: number) => void
}) {
  const frame = useRef<HTMLElement>(null)
  useTopOffset(frame)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const keyed = useMemo(() => {
    let parentLabel = ''
    return report.rows.map((row, index) => {
      if (row.kind === 'SectionHeader' && row.level === 0) parentLabel = row.label
      // Sections with the same name at different locations need different keys.
      return { row, index, key: `${row.level ? parentLabel : ''} ${row.kind} ${row.label}` }
    })
  }, [report.rows])
  const body = useMemo(() => {
    const visible: typeof keyed = []
    let hiddenBelow = Number.POSITIVE_INFINITY
    for (const one of keyed) {
      if (one.row.level > hiddenBelow) continue
      hiddenBelow = canFold(one.row) && folded.has(one.key) ? one.row.level : Number.POSITIVE_INFINITY
      visible.push(one)
    }
    return visible
  }, [keyed, folded])
  const isLong = body.length > maximumFullyRenderedRows
  const foldable = keyed.filter(({ row }) => canFold(row))
  const toggle = (key: string): void =>
    setFolded((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  const isOpened = (row: ReportRow, column: ReportColumn, isFigure: boolean): boolean =>
    !isPrevious && isFigure && (Boolean(commentableColumns?.has(column.key)) || getCellLineFilter(row, column) !== null)
  const figureColumn = (column: ReportColumn, position: number): TableColumn<(typeof body)[number]> => ({
    id: column.key,
    label: column.title,
    isFigure: column.type !== 'text',
    className: wordsClass(column),
    headProps: isLong ? { style: { width: widthOf(column.type) } } : {},
    cellProps: ({ row }) => {
      const unknown = describeEmptyCell(report, row, position)
      const text = unknown ?? formatReportValue(row.values[position] ?? null, getCellType(row, column), hasPence)
      return {
        className: clsx(column.key === 'reason' && classes.written, unknown && (column.without ? classes.absent : textStyles.missing)),
        title: column.type === 'text' && text ? text : undefined,
      }
    },
    cell: ({ row, index }) => {
      const value = row.values[position] ?? null
      const type = getCellType(row, column)
      const unknown = describeEmptyCell(report, row, position)
      const text = unknown ?? formatReportValue(value, type, hasPence)
      if (column.key === 'reason' && row.reason && report.reasons?.mayWrite && !isPrevious)
        return <ReasonCell row={row} value={text} reasons={report.reasons} />
      const isFigure = (value !== null || unknown !== null) && column.type !== 'text' && column.type !== 'date'
      if (!isOpened(row, column, isFigure)) return text
      const mark = marks.get(`${index} ${position}`)
      return (
        <button
          type="button"
          className={clsx(tableStyles.figure, mark && classes.spoken, mark?.isSettled && classes.settled)}
          tabIndex={-1}
          data-stop
          data-cell={`${index} ${position}`}
          title={typeof value === 'number' && type === 'money' ? displayMoney(value) : undefined}
          aria-label={`${row.label}, ${column.title}: ${text === '–' ? '0' : text}${mark ? `, ${displayCount(mark.count, 'comment')}` : ''}`}
          onClick={() => onOpen(index, position)}
        >
          {text}
        </button>
      )
    },
  })
  const columns: TableColumn<(typeof body)[number]>[] = [
    {
      id: 'name',
      label: getFirstHeading(report, hasPence),
      headProps: isLong ? { style: { width: nameWidth } } : {},
      cellProps: ({ row }) => ({ style: { paddingLeft: 12 + row.level * 16 }, title: row.label }),
      cell: ({ row, key }) => {
        const Chevron = folded.has(key) ? IconChevronRight : IconChevronDown
        return (
          <>
            {canFold(row) ? (
              <button
                type="button"
                className={classes.fold}
                tabIndex={-1}
                aria-expanded={!folded.has(key)}
                data-stop
                onClick={() => toggle(key)}
              >
                <Chevron size={14} stroke={1.8} aria-hidden />
                {row.label}
              </button>
            ) : (
              row.label
            )}
            <IncompleteSumNote count={row.missing} />
          </>
        )
      },
    },
    ...report.columns.map(figureColumn),
  ]
  return (
    <>
      <Card
        ref={frame}
        className={clsx(scrollStyles.scroll, classes.frame, isPrevious && classes.before)}
        aria-label={report.title}
        aria-busy={isPrevious}
        tabIndex={commentableColumns || report.rows.some((row) => row.drill !== null || canFold(row)) ? undefined : 0}
      >
        <WindowedTable
          isTight
          isHeadSticky
          isFirstPinned
          className={classes.table}
          style={{ minWidth: nameWidth + report.columns.reduce((sum, { type }) => sum + widthOf(type), 0) }}
          arrowKeyStops="cells"
          windowed={isLong ? { frame, rowHeight } : undefined}
          columns={columns}
          rows={body}
          keyOf={({ index }) => index}
          look={({ row: { kind } }) => looks[kind]}
        />
      </Card>
      <Toolbar className={classes.under}>
        {foldable.length > 0 && (
          <>
            <Button size="compact-sm" variant="subtle" onClick={() => setFolded(new Set(foldable.map((one) => one.key)))}>
              Close all
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => setFolded(new Set())}>
              Open all
            </Button>
          </>
        )}
        {(commentableColumns || report.rows.some((row) => row.drill !== null)) && (
          <span className={textStyles.since}>
            Open a figure to see {commentableColumns ? 'its lines and comments' : 'its lines'}. <kbd>↑</kbd> <kbd>↓</kbd> <kbd>←</kbd>{' '}
            <kbd>→</kbd> move, <kbd>Enter</kbd> opens.
          </span>
        )}
      </Toolbar>
    </>
  )
}

/** Returns the CSS class of a text column. The `reason` column stays visible while the figures scroll. */
const wordsClass = ({ key, type }: ReportColumn): string | undefined =>
  type === 'text' ? clsx(classes.words, key === 'reason' && classes.beside) : undefined
