import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import clsx from 'clsx'
import { type KeyboardEvent, memo, useMemo, useRef, useState } from 'react'
import { formatValue } from '../../domain/reports/cells/formatValue.ts'
import {
  cellType,
  describeEmptyCell,
  lineFilterOfCell,
  type Report,
  type ReportColumn,
  type ReportRow,
} from '../../domain/reports/report.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayMoney } from '../../domain/values/format.ts'
import { around } from '../ui/around.ts'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures } from '../ui/figures/Figures.tsx'
import { Gaps } from '../ui/figures/Gaps.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Tools } from '../ui/layout/Tools.tsx'
import { useRowWindow } from '../ui/rows/useRowWindow.ts'
import { WindowedRows } from '../ui/rows/WindowedRows.tsx'
import { rowAfter, useOneStop } from '../ui/rows/walked.ts'
import { ReasonCell } from './ReasonCell.tsx'
import classes from './Reports.module.css'

/** Longer tables are windowed: only visible rows are rendered, each of this height in pixels. */
const longTable = 150
const rowHeight = 33
/** Minimum widths in pixels; text columns hold a job title or a school's name. */
const nameWidth = 300
const widthOf = (type: ReportColumn['type']): number => (type === 'text' ? 170 : type === 'date' ? 110 : 96)

/** Whether a row has rows below it that can be collapsed. */
const canFold = ({ kind }: ReportRow): boolean => kind === 'SectionHeader' || kind === 'Description'

/** The heading of the first column. The budget forecast return shows thousands beside exact amounts. */
function headingOf({ columns, rows }: Report, hasPence: boolean): string {
  if (!columns.some((one) => one.type === 'money')) return rows.some((row) => row.type) ? 'Measure' : 'Pupils'
  const pounds = hasPence ? 'Pounds and pence' : 'Whole pounds'
  return columns.some((one) => one.title.endsWith('£000')) ? `£000, and exact in ${pounds.toLowerCase()}` : pounds
}

/** A cell; column −1 holds the names of the rows. */
interface Place {
  row: number
  column: number
}

/**
 * The cell that a key moves to, and the direction to search from there for one with a figure; undefined for other keys.
 */
function wayOf(
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
  { row, column }: Place,
  { rows, columns }: { rows: number; columns: number },
): { from: Place; down: number; right: number } | undefined {
  if (key === 'ArrowLeft') return { from: { row, column: column - 1 }, down: 0, right: -1 }
  if (key === 'ArrowRight') return { from: { row, column: column + 1 }, down: 0, right: 1 }
  if (key === 'Home' && !ctrlKey) return { from: { row, column: -1 }, down: 0, right: 1 }
  if (key === 'End' && !ctrlKey) return { from: { row, column: columns - 1 }, down: 0, right: -1 }
  const to = rowAfter(key, row, rows)
  if (to === undefined) return undefined
  // If Page Up or Page Down lands on a row without figures, continue to the next row with one; at either end of the
  // report, turn back.
  const isDown = to === 0 || (to > row && to < rows - 1) || (key === 'ArrowDown' && to > row)
  return to === row ? undefined : { from: { row: to, column }, down: isDown ? 1 : -1, right: 0 }
}

/** The comments on a figure, in brief. */
interface Mark {
  count: number
  isSettled: boolean
}

/** A text per row of its comment counts; a row re-renders when its text changes. */
function marksByRow(marks: ReadonlyMap<string, Mark>): Map<number, string> {
  const rows = new Map<number, string>()
  for (const [key, { count, isSettled }] of marks) {
    const [row = 0, column = 0] = key.split(' ').map(Number)
    rows.set(row, `${rows.get(row) ?? ''} ${column}:${count}:${isSettled ? 1 : 0}`)
  }
  return rows
}

/** The rows of a report in whole pennies. Sections collapse; a figure that is a sum of lines opens them. */
export function ReportTable({
  report,
  hasPence,
  isOfBefore,
  marks,
  spokenColumns,
  onOpen,
}: {
  report: Report
  hasPence: boolean
  /** Comments per figure, by `row column`. */
  marks: ReadonlyMap<string, Mark>
  /** Keys of the columns that take comments; null if none do. */
  spokenColumns: ReadonlySet<string> | null
  /** The figures belong to the previous request, until those of the current one arrive. */
  isOfBefore: boolean
  onOpen: (row: number, column: number) => void
}) {
  const frame = useRef<HTMLElement>(null)
  const said = useMemo(() => marksByRow(marks), [marks])
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const keyed = useMemo(() => {
    let under = ''
    return report.rows.map((row, index) => {
      if (row.kind === 'SectionHeader' && row.level === 0) under = row.label
      // Sections with the same name under different locations need different keys.
      return { row, index, key: `${row.level ? under : ''} ${row.kind} ${row.label}` }
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
  const isLong = body.length > longTable
  const drawn = useRowWindow(frame, body.length, isLong ? rowHeight : null)
  const foldable = keyed.filter(({ row }) => canFold(row))
  const toggle = (key: string): void =>
    setFolded((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  const onFocus = useOneStop(frame, '[data-cell]')
  /** Arrow keys move between figures; Home and End to the ends of the row, with Ctrl to the ends of the report. */
  const press = (event: KeyboardEvent): void => {
    const cell = around(event.target, '[data-cell]')
    if (!cell) return
    const [row = 0, column = 0] = assertDefined(cell.dataset.cell).split(' ').map(Number)
    const way = wayOf(event, { row, column }, { rows: body.length, columns: report.columns.length })
    if (!way) return
    event.preventDefault()
    for (let { row: at, column: across } = way.from; at >= 0 && at < body.length && across >= -1 && across < report.columns.length; ) {
      if (at !== row) drawn.show(at)
      const next = frame.current?.querySelector<HTMLElement>(`[data-cell="${at} ${across}"]`)
      next?.focus()
      if (next) return
      at += way.down
      across += way.right
    }
  }
  return (
    <>
      <Card
        ref={frame}
        className={clsx(scrollStyles.scroll, classes.frame, isOfBefore && classes.before)}
        aria-label={report.title}
        aria-busy={isOfBefore}
        tabIndex={spokenColumns || report.rows.some((row) => row.drill !== null || canFold(row)) ? undefined : 0}
      >
        <Figures
          isTight
          onKeyDown={press}
          onFocus={onFocus}
          className={clsx(classes.table, isLong && classes.long)}
          aria-rowcount={isLong ? body.length + 1 : undefined}
          style={{ minWidth: nameWidth + report.columns.reduce((sum, { type }) => sum + widthOf(type), 0) }}
        >
          <thead>
            <tr>
              <th scope="col">{headingOf(report, hasPence)}</th>
              {report.columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  className={wordsClass(column)}
                  style={isLong ? { width: widthOf(column.type) } : undefined}
                >
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <WindowedRows drawn={drawn} count={body.length} rowHeight={rowHeight}>
              {(at) => {
                const { row, index, key } = assertDefined(body[at])
                return (
                  <Row
                    row={row}
                    report={report}
                    at={at}
                    index={index}
                    isLong={isLong}
                    hasPence={hasPence}
                    isOfBefore={isOfBefore}
                    marks={said.get(index) ? marks : undefined}
                    markText={said.get(index) ?? ''}
                    spokenColumns={spokenColumns}
                    isFolded={folded.has(key)}
                    onFold={canFold(row) ? () => toggle(key) : undefined}
                    onOpen={onOpen}
                  />
                )
              }}
            </WindowedRows>
          </tbody>
        </Figures>
      </Card>
      <Tools className={classes.under}>
        {foldable.length > 0 && (
          <>
            <Button size="compact-sm" variant="subtle" onClick={() => setFolded(new Set(foldable.map((one) => one.key)))}>
              Fold all
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => setFolded(new Set())}>
              Open all
            </Button>
          </>
        )}
        {(spokenColumns || report.rows.some((row) => row.drill !== null)) && (
          <span className={textStyles.since}>
            A figure opens {spokenColumns ? 'the lines it is the sum of, and what is said of it' : 'the lines it is the sum of'}.{' '}
            <kbd>↑</kbd> <kbd>↓</kbd> <kbd>←</kbd> <kbd>→</kbd> move, <kbd>Enter</kbd> opens.
          </span>
        )}
      </Tools>
    </>
  )
}

/** Classes of a text column; the reasons stay visible while figures scroll. */
const wordsClass = ({ key, type }: ReportColumn): string | undefined =>
  type === 'text' ? clsx(figuresStyles.text, classes.words, key === 'reason' && classes.beside) : undefined

interface RowProps {
  row: ReportRow
  report: Pick<Report, 'columns' | 'bases' | 'reasons'>
  /** Index among the visible rows, and in the report. */
  at: number
  index: number
  isLong: boolean
  hasPence: boolean
  isOfBefore: boolean
  /** Comments on this row's figures; undefined if there are none. */
  marks: ReadonlyMap<string, Mark> | undefined
  markText: string
  spokenColumns: ReadonlySet<string> | null
  isFolded: boolean
  onFold: (() => void) | undefined
  onOpen: (row: number, column: number) => void
}

const Row = memo(
  function Row({ row, report, at, index, isLong, hasPence, isOfBefore, marks, spokenColumns, isFolded, onFold, onOpen }: RowProps) {
    const place = { 'data-index': at, 'aria-rowindex': isLong ? at + 2 : undefined }
    const Chevron = isFolded ? IconChevronRight : IconChevronDown
    return (
      <tr
        {...place}
        className={clsx(
          row.kind === 'SectionHeader' && classes.section,
          row.kind === 'Description' && classes.group,
          (row.kind === 'SectionFooter' || row.kind === 'Total') && figuresStyles.total,
        )}
      >
        <th scope="row" style={{ paddingLeft: 12 + row.level * 16 }} title={row.label}>
          {onFold ? (
            <button type="button" className={classes.fold} tabIndex={-1} aria-expanded={!isFolded} data-cell={`${at} -1`} onClick={onFold}>
              <Chevron size={14} stroke={1.8} aria-hidden />
              {row.label}
            </button>
          ) : (
            row.label
          )}
          <Gaps count={row.missing} />
        </th>
        {report.columns.map((column, position) => {
          const value = row.values[position] ?? null
          const type = cellType(row, column)
          const unknown = describeEmptyCell(report, row, position)
          const words = unknown ?? formatValue(value, type, hasPence)
          const isFigure = (value !== null || unknown !== null) && column.type !== 'text' && column.type !== 'date'
          const isOpened = !isOfBefore && isFigure && (spokenColumns?.has(column.key) || lineFilterOfCell(row, column) !== null)
          const mark = marks?.get(`${index} ${position}`)
          if (column.key === 'reason' && row.reason && report.reasons?.mayWrite && !isOfBefore)
            return (
              <td key={column.key} className={wordsClass(column)}>
                <ReasonCell row={row} value={words} reasons={report.reasons} />
              </td>
            )
          return (
            <td
              key={column.key}
              className={clsx(
                wordsClass(column),
                column.key === 'reason' && classes.written,
                unknown && (column.without ? classes.absent : textStyles.missing),
              )}
              title={column.type === 'text' && words ? words : undefined}
            >
              {isOpened ? (
                <button
                  type="button"
                  className={clsx(figuresStyles.figure, mark && classes.spoken, mark?.isSettled && classes.settled)}
                  tabIndex={-1}
                  data-cell={`${at} ${position}`}
                  title={typeof value === 'number' && type === 'money' ? displayMoney(value) : undefined}
                  aria-label={`${row.label}, ${column.title}: ${words === '–' ? '0' : words}${mark ? `, ${displayCount(mark.count, 'comment')}` : ''}`}
                  onClick={() => onOpen(index, position)}
                >
                  {words}
                </button>
              ) : (
                words
              )}
            </td>
          )
        })}
      </tr>
    )
  },
  // `onPress` is a new function each time but always does the same, so it is not compared.
  (before, after) =>
    before.row === after.row &&
    before.report.columns === after.report.columns &&
    before.report.reasons?.mayWrite === after.report.reasons?.mayWrite &&
    before.at === after.at &&
    before.isLong === after.isLong &&
    before.hasPence === after.hasPence &&
    before.isOfBefore === after.isOfBefore &&
    before.markText === after.markText &&
    before.spokenColumns === after.spokenColumns &&
    before.isFolded === after.isFolded,
)
