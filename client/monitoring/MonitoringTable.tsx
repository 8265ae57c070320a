import { IconMessage } from '@tabler/icons-react'
import clsx from 'clsx'
import { type KeyboardEvent, type MouseEvent, memo, useRef } from 'react'
import { broughtForwardLabel, carriedForwardLabel, type MonitoringScreen } from '../../domain/monitoring/rows.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import {
  displayFigure,
  displayMoney,
  displayPercent,
  displaySignedPounds,
  displayWholePounds,
  toPennies,
} from '../../domain/values/format.ts'
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

/** Percentage of the year's budget received or spent so far; a dash if the budget is zero. */
function share({ actualToDate, fullYearBudget }: MonitoringRow): string {
  return fullYearBudget === 0 ? '–' : displayPercent((actualToDate / fullYearBudget) * 100)
}

/** A variance with its sign. */
export function Variance({ pounds, hasPence }: { pounds: number; hasPence: boolean }) {
  const pennies = toPennies(pounds)
  const words = hasPence ? `${pennies > 0 ? '+' : ''}${displayFigure(pennies)}` : displaySignedPounds(pennies).replace('£', '')
  return (
    <span
      className={clsx(pennies < 0 && textStyles.up, pennies > 0 && textStyles.down)}
      title={`${displayMoney(pennies)} ${pennies < 0 ? 'adverse' : 'favourable'}`}
    >
      {pennies === 0 ? '–' : words}
    </span>
  )
}

/** An amount in the table: zero as a dash, with the exact amount in the title. */
export function Figure({ pounds, hasPence, isBlank = false }: { pounds: number; hasPence: boolean; isBlank?: boolean }) {
  if (isBlank) return null
  const pennies = toPennies(pounds)
  if (pennies === 0) return <>–</>
  return <span title={displayMoney(pennies)}>{hasPence ? displayFigure(pennies) : displayWholePounds(pennies).replace('£', '')}</span>
}

/** Longer tables are windowed: only visible rows are rendered, each of this height in pixels. */
export const longTable = 200
export const rowHeight = 33

/** Display options shared by all rows of a table. */
interface Shown {
  isForecast: boolean
  hasPence: boolean
  /** Without any imports, actuals are blank, not zero. */
  hasActuals: boolean
  hasMonth: boolean
}

/**
 * The monitoring table in the layout that trustees know: income, staff, other expenditure, balances. Selecting a code
 * opens its details.
 * @param gone the fraction of the year elapsed; null if the locations' years start in different months
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
  /** The month is closed, so its figures are final. */
  isEnded: boolean
  gone: number | null
  hasPence: boolean
  /** Name of the month shown before the year to date; null hides it. */
  month: string | null
  /** Null if codes cannot be opened. */
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
  /** Moves between codes with the arrow keys, Page Up, Page Down, Home and End. */
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
              {(index) => <Row row={assertDefined(body[index])} index={index} isLong={isLong} onOpen={onOpen} {...shown} />}
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

/** Memoised: re-renders only when its figures change. */
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
      {/* A percentage of a balance means little: balances can be close to zero. */}
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

/** The cells of a single month: blank without imports, and for opening balances, which belong to no month. */
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
