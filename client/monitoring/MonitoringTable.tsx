import { IconMessage } from '@tabler/icons-react'
import clsx from 'clsx'
import { type KeyboardEvent, type MouseEvent, memo, useRef } from 'react'
import { broughtForwardLabel, carriedForwardLabel, type MonitoringScreen } from '../../domain/monitoring/rows.ts'
import { displayPercent, figure, money, penniesOf, signedPounds, wholePounds } from '../../domain/values/format.ts'
import { must } from '../../domain/values/must.ts'
import { around } from '../ui/around.ts'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures } from '../ui/figures/Figures.tsx'
import { Gaps } from '../ui/figures/Gaps.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { useTop } from '../ui/layout/useTop.ts'
import { useRowWindow } from '../ui/rows/useRowWindow.ts'
import { WindowedRows } from '../ui/rows/WindowedRows.tsx'
import { rowAfter, useOneStop } from '../ui/rows/walked.ts'
import classes from './MonitoringTable.module.css'
import type { MonitoringRow } from './scope.ts'

/** A share of the year's budget that was received or spent; nothing where nothing is budgeted. */
function share({ actualToDate, fullYearBudget }: MonitoringRow): string {
  return fullYearBudget === 0 ? '–' : displayPercent((actualToDate / fullYearBudget) * 100)
}

/** What is spared or over, with its sign. */
export function Variance({ pounds, hasPence }: { pounds: number; hasPence: boolean }) {
  const pennies = penniesOf(pounds)
  const words = hasPence ? `${pennies > 0 ? '+' : ''}${figure(pennies)}` : signedPounds(pennies).replace('£', '')
  return (
    <span
      className={clsx(pennies < 0 && textStyles.up, pennies > 0 && textStyles.down)}
      title={`${money(pennies)} ${pennies < 0 ? 'adverse' : 'favourable'}`}
    >
      {pennies === 0 ? '–' : words}
    </span>
  )
}

/** An amount as the table's figures are shown: nothing is a dash, and the whole amount stands in the title. */
export function Figure({ pounds, hasPence, isBlank = false }: { pounds: number; hasPence: boolean; isBlank?: boolean }) {
  if (isBlank) return null
  const pennies = penniesOf(pounds)
  if (pennies === 0) return <>–</>
  return <span title={money(pennies)}>{hasPence ? figure(pennies) : wholePounds(pennies).replace('£', '')}</span>
}

/** From how many rows on only those in sight are drawn, each as high as the others. */
export const longTable = 200
export const rowHeight = 33

/** How a row is shown: the same for all rows of a table. */
interface Shown {
  isForecast: boolean
  hasPence: boolean
  /** Without any, what was received and spent is blank, not nothing. */
  hasActuals: boolean
  hasMonth: boolean
}

/**
 * The page that trustees know: income, staff, other expenditure, balances; each code opens what its figures are made of.
 * @param gone which part of the year is gone; null where years begin in different months
 */
export function MonitoringTable({
  versus,
  rows,
  hasActuals,
  isEnded,
  gone,
  hasPence,
  month,
  onOpen,
}: {
  versus: MonitoringScreen
  rows: readonly MonitoringRow[]
  hasActuals: boolean
  /** The month is closed: its figures stand. */
  isEnded: boolean
  gone: number | null
  hasPence: boolean
  /** What the month is called that is shown by itself before the year to date; null: it is not. */
  month: string | null
  /** Null where nothing can be opened. */
  onOpen: ((codeId: number) => void) | null
}) {
  const frame = useRef<HTMLElement>(null)
  useTop(frame)
  const isForecast = versus === 'forecast'
  const totals = rows.filter((row) => row.kind === 'Total')
  const body = rows.filter((row) => row.kind !== 'Total')
  const isLong = body.length > longTable
  const drawn = useRowWindow(frame, body.length, isLong ? rowHeight : null)
  const onFocus = useOneStop(frame, 'tbody th button')
  /** Up and down, the page keys, Home and End go from code to code. */
  const press = (event: KeyboardEvent): void => {
    const row = around(event.target, '[data-index]')
    if (!row) return
    const indexes = body.flatMap((one, index) => (isOpened(one) ? [index] : []))
    const next = indexes[rowAfter(event.key, indexes.indexOf(Number(row.dataset.index)), indexes.length) ?? -1]
    if (next === undefined) return
    event.preventDefault()
    drawn.show(next)
    frame.current?.querySelector<HTMLElement>(`[data-index="${next}"] button`)?.focus()
  }
  const openRow = ({ target }: MouseEvent): void => {
    const row = body[Number(around(target, 'td')?.closest('tr')?.dataset.index ?? -1)]
    if (row?.kind === 'Data' && row.budgetCodeId !== null) onOpen?.(row.budgetCodeId)
  }
  const shown = { isForecast, hasPence, hasActuals, hasMonth: month !== null }
  return (
    <>
      <Card ref={frame} className={clsx(scrollStyles.scroll, classes.frame)} aria-label="Monitoring">
        <Figures
          isTight
          onKeyDown={press}
          onFocus={onFocus}
          onDoubleClick={openRow}
          className={clsx(classes.table, isEnded && classes.ended, isLong && classes.long, month !== null && classes.withMonth)}
          aria-rowcount={isLong ? rows.length + 1 : undefined}
        >
          <thead>
            <tr>
              <th scope="col">{hasPence ? 'Pounds and pence' : 'Whole pounds'}</th>
              {month !== null && (
                <>
                  <th scope="col">{month} budget</th>
                  <th scope="col">{month} actual</th>
                  <th scope="col">
                    {month} variance <span className={classes.more}>+ favourable</span>
                  </th>
                </>
              )}
              {!isForecast && <th scope="col">Budget to date</th>}
              <th scope="col">Actual to date</th>
              <th scope="col">Commitments</th>
              <th scope="col">Adjustment</th>
              {!isForecast && <VarianceHeads />}
              <th scope="col">Full-year budget</th>
              <th scope="col">
                % of year’s budget
                {gone !== null && <span className={classes.more}>{Math.round(gone * 100)}% of year gone</span>}
              </th>
              {isForecast && <th scope="col">Forecast</th>}
              {isForecast && <VarianceHeads />}
            </tr>
          </thead>
          <tbody>
            <WindowedRows drawn={drawn} count={body.length} rowHeight={rowHeight}>
              {(index) => <Row row={must(body[index])} index={index} isLong={isLong} onOpen={onOpen} {...shown} />}
            </WindowedRows>
          </tbody>
          <tfoot>
            {totals.map((row, index) => (
              <Row key={row.description} row={row} index={body.length + index} isLong={isLong} onOpen={onOpen} {...shown} />
            ))}
          </tfoot>
        </Figures>
      </Card>
      <p className={textStyles.since}>
        Open a code to see the lines behind its figures, to explain it and to adjust it. <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Enter</kbd>{' '}
        opens.
      </p>
    </>
  )
}

const isOpened = ({ kind, budgetCodeId }: MonitoringRow): boolean => kind === 'Data' && budgetCodeId !== null

/** Drawn once as long as its figures stay. */
const Row = memo(function Row({
  row,
  index,
  isLong,
  isForecast,
  hasPence,
  hasActuals,
  hasMonth,
  onOpen,
}: Shown & {
  row: MonitoringRow
  index: number
  isLong: boolean
  onOpen: ((codeId: number) => void) | null
}) {
  const place = { 'data-index': index, 'aria-rowindex': isLong ? index + 2 : undefined }
  if (row.kind === 'SectionHeader')
    return (
      <tr {...place} className={classes.section}>
        <th scope="rowgroup" colSpan={hasMonth ? 12 : 9}>
          {row.description}
        </th>
      </tr>
    )
  const figure = (pounds: number, isBlank = false) => (
    <td>
      <Figure pounds={pounds} hasPence={hasPence} isBlank={isBlank} />
    </td>
  )
  const isBalance = row.kind === 'Total' && row.description !== 'Total expenditure'
  const isVarianceBlank = !isForecast && !hasActuals
  const variance = (
    <>
      <td>{!isVarianceBlank && <Variance pounds={row.variance} hasPence={hasPence} />}</td>
      {/* Of a balance, which may be near nothing, a share says nothing. */}
      <td>{isVarianceBlank || isBalance ? '' : row.variancePercent === null ? '–' : displayPercent(row.variancePercent)}</td>
    </>
  )
  return (
    <tr
      {...place}
      className={clsx(
        row.kind !== 'Data' && row.kind !== 'Description' && figuresStyles.total,
        row.kind === 'Description' && classes.group,
      )}
      data-explain={row.needsExplaining || undefined}
    >
      <th scope="row">
        <Name row={row} onOpen={onOpen} />
        <Gaps count={row.missing} />
      </th>
      {hasMonth && <MonthCells row={row} hasPence={hasPence} />}
      {!isForecast && figure(row.budgetToDate)}
      {figure(row.actualToDate, !hasActuals)}
      {figure(row.commitments)}
      {figure(row.adjustment)}
      {!isForecast && variance}
      {figure(row.fullYearBudget)}
      <td>{isBalance || !hasActuals ? '' : share(row)}</td>
      {isForecast && figure(row.forecast ?? 0)}
      {isForecast && variance}
    </tr>
  )
})

/** The chosen month by itself: blank where nothing of it is in, and what the year begins with is no month's. */
function MonthCells({
  row: { description, monthBudget, monthActual, monthVariance },
  hasPence,
}: {
  row: MonitoringRow
  hasPence: boolean
}) {
  const isOfYear = description === broughtForwardLabel || description === carriedForwardLabel
  return (
    <>
      <td>
        <Figure pounds={monthBudget} hasPence={hasPence} isBlank={isOfYear} />
      </td>
      <td>
        <Figure pounds={monthActual ?? 0} hasPence={hasPence} isBlank={isOfYear || monthActual === null} />
      </td>
      <td>{!isOfYear && monthVariance !== null && <Variance pounds={monthVariance} hasPence={hasPence} />}</td>
    </>
  )
}

function VarianceHeads() {
  return (
    <>
      <th scope="col">
        Variance <span className={classes.more}>+ favourable</span>
      </th>
      <th scope="col">%</th>
    </>
  )
}

function Name({ row, onOpen }: { row: MonitoringRow; onOpen: ((codeId: number) => void) | null }) {
  const words = `${row.code ?? ''} ${row.description}`.trim()
  const { budgetCodeId } = row
  if (!isOpened(row) || budgetCodeId === null) return <>{words}</>
  const note = row.note && (
    <span title={[row.note, row.action].filter(Boolean).join('\n')} className={classes.note}>
      <IconMessage size={14} stroke={1.6} aria-label="Has a reason" />
    </span>
  )
  if (!onOpen)
    return (
      <>
        {words}
        {note}
      </>
    )
  return (
    <button type="button" className={classes.name} data-row title={words} onClick={() => onOpen(budgetCodeId)}>
      {words}
      {note}
      {row.needsExplaining && <span className={classes.explain}>explain</span>}
      {row.needsAction && <span className={classes.explain}>action</span>}
    </button>
  )
}
