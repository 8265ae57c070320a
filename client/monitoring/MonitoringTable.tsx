import { IconMessage } from '@tabler/icons-react'
import clsx from 'clsx'
import { type MouseEvent, useRef } from 'react'
import { broughtForwardLabel, carriedForwardLabel, type MonitoringScreen } from '../../domain/monitoring/rows.ts'
import {
  displayFigure,
  displayMoney,
  displayPercent,
  displaySignedPounds,
  displayWholePounds,
  toPennies,
} from '../../domain/values/format.ts'
import { findClosestElement } from '../ui/closestElement.ts'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { useTopOffset } from '../ui/layout/useTopOffset.ts'
import type { TableColumn } from '../ui/table/columns.ts'
import type { RowStyle } from '../ui/table/DataTable.tsx'
import { WindowedTable } from '../ui/table/WindowedTable.tsx'
import classes from './MonitoringTable.module.css'
import type { MonitoringRow } from './scope.ts'

/** Formats the percentage of the year's budget received or spent so far; a dash if the budget is zero. */
function formatShareUsed({ actualToDate, fullYearBudget }: MonitoringRow): string {
  return fullYearBudget === 0 ? '–' : displayPercent((actualToDate / fullYearBudget) * 100)
}

/** A variance with its sign. */
export function VarianceAmount({ pounds, hasPence }: { pounds: number; hasPence: boolean }) {
  const pennies = toPennies(pounds)
  const text = hasPence ? `${pennies > 0 ? '+' : ''}${displayFigure(pennies)}` : displaySignedPounds(pennies).replace('£', '')
  return (
    <span
      className={clsx(pennies < 0 && textStyles.up, pennies > 0 && textStyles.down)}
      title={`${displayMoney(pennies)} ${pennies < 0 ? 'adverse' : 'favourable'}`}
    >
      {pennies === 0 ? '–' : text}
    </span>
  )
}

/** An amount in the table: zero as a dash, with the exact amount in the title. */
export function MonitoringAmount({
  pounds,
  hasPence,
  isBlank = false,
  isBalance = false,
}: {
  pounds: number
  hasPence: boolean
  isBlank?: boolean
  /** Whether the amount is a balance. A balance below zero is a deficit, which is red on every page. */
  isBalance?: boolean
}) {
  if (isBlank) return null
  const pennies = toPennies(pounds)
  if (pennies === 0) return <>–</>
  return (
    <span title={displayMoney(pennies)} className={isBalance && pennies < 0 ? textStyles.up : undefined}>
      {hasPence ? displayFigure(pennies) : displayWholePounds(pennies).replace('£', '')}
    </span>
  )
}

/** Tables with more rows than this render only their visible rows. */
export const maximumFullyRenderedRows = 200
/** Height of a row in pixels. It must be fixed if only the visible rows are rendered. */
export const rowHeightPixels = 33

/** Returns the style of a row in these tables; undefined for an ordinary row. */
export function getMonitoringRowStyle({ kind }: { kind: string }): RowStyle | undefined {
  if (kind === 'Data') return undefined
  return kind === 'SectionHeader' ? 'section' : kind === 'Description' ? 'group' : 'total'
}

/**
 * The monitoring table in the layout that trustees know: income, staff, other expenditure, balances. Selecting a code opens its details.
 * @param gone the fraction of the year that has passed; null if the locations' years start in different months
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
  /** Whether the month is closed. If so, its figures are final. */
  isEnded: boolean
  gone: number | null
  hasPence: boolean
  /** Names of the month that is shown before the year to date; null if the month is not shown. */
  month: { short: string; full: string } | null
  /** Opens a code; null if codes cannot be opened. */
  onOpen: ((codeId: number) => void) | null
}) {
  const frame = useRef<HTMLElement>(null)
  useTopOffset(frame)
  const isForecast = versus === 'forecast'
  const totals = rows.filter((row) => row.kind === 'Total')
  const body = rows.filter((row) => row.kind !== 'Total')
  const isLong = body.length > maximumFullyRenderedRows
  const openRow = ({ target }: MouseEvent): void => {
    const row = body[Number(findClosestElement(target, 'td')?.closest('tr')?.dataset.index ?? -1)]
    if (row?.kind === 'Data' && row.budgetCodeId !== null) onOpen?.(row.budgetCodeId)
  }
  const amount = (id: Amount, group: string, { label, head }: { label: string; head?: string }): TableColumn<MonitoringRow> => ({
    id,
    label,
    head,
    group,
    isFigure: true,
    cell: (row) => (
      <MonitoringAmount
        pounds={row[id] ?? 0}
        hasPence={hasPence}
        isBalance={isBalance(row) && id !== 'commitments' && id !== 'adjustment'}
      />
    ),
  })
  const isUsed = (id: Amount): boolean => rows.some((row) => row[id])
  const variances: TableColumn<MonitoringRow>[] = [
    {
      id: 'variance',
      label: 'Variance',
      head: <Favourable label="Variance" />,
      group: isForecast ? fullYear : toDate,
      isFigure: true,
      cell: (row) => <VarianceAmount pounds={row.variance} hasPence={hasPence} />,
    },
    {
      id: 'variancePercent',
      label: '%',
      group: isForecast ? fullYear : toDate,
      isFigure: true,
      // A percentage of a balance has little meaning, because balances can be close to zero.
      cell: (row) => (isBalance(row) ? '' : row.variancePercent === null ? '–' : displayPercent(row.variancePercent)),
    },
  ]
  const share: TableColumn<MonitoringRow> = {
    id: 'share',
    label: '% of full-year budget',
    head: (
      <>
        % used
        {gone !== null && <span className={classes.more}>{Math.round(gone * 100)}% of year gone</span>}
      </>
    ),
    group: fullYear,
    isFigure: true,
    cell: (row) => (isBalance(row) ? '' : formatShareUsed(row)),
  }
  const columns: TableColumn<MonitoringRow>[] = [
    {
      id: 'name',
      label: hasPence ? 'Pounds and pence' : 'Whole pounds',
      cell: (row) => (
        <>
          <Name row={row} onOpen={onOpen} />
          <IncompleteSumNote count={row.missing} />
        </>
      ),
    },
    ...(month === null ? [] : monthColumns(month, { hasPence, hasActuals: rows.some(({ monthActual }) => monthActual !== null) })),
    // If there is no figure for a column, the column is left out, so that the other columns have more space.
    ...(isForecast ? [] : [amount('budgetToDate', toDate, { label: 'Budget to date', head: 'Budget' })]),
    ...(hasActuals ? [amount('actualToDate', toDate, { label: 'Actual to date', head: 'Actual' })] : []),
    ...(isUsed('commitments') ? [amount('commitments', toDate, { label: 'Commitments' })] : []),
    ...(isUsed('adjustment') ? [amount('adjustment', toDate, { label: 'Adjustment' })] : []),
    ...(isForecast || !hasActuals ? [] : variances),
    amount('fullYearBudget', fullYear, { label: 'Full-year budget', head: 'Budget' }),
    ...(hasActuals ? [share] : []),
    ...(isForecast ? [amount('forecast', fullYear, { label: 'Forecast' }), ...variances] : []),
  ]
  return (
    <>
      <Card ref={frame} className={clsx(scrollStyles.scroll, classes.frame)} aria-label="Monitoring">
        <WindowedTable
          isTight
          isHeadSticky
          onDoubleClick={openRow}
          className={clsx(classes.table, isEnded && classes.ended, isLong && classes.long, month !== null && classes.withMonth)}
          arrowKeyStops="rows"
          windowed={isLong ? { frame, rowHeight: rowHeightPixels } : undefined}
          columns={columns}
          rows={body}
          foot={totals}
          look={getMonitoringRowStyle}
          rowProps={(row) => ({ 'data-explain': row.needsExplaining || undefined })}
          spanOf={(row) => (row.kind === 'SectionHeader' ? row.description : undefined)}
        />
      </Card>
      <p className={textStyles.since}>
        Open a code to see the lines behind its figures, to explain it and to adjust it. <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Enter</kbd>{' '}
        opens.
      </p>
    </>
  )
}

const toDate = 'Year to date'
const fullYear = 'Full year'

/** The columns that show one amount of a row. */
type Amount = 'budgetToDate' | 'actualToDate' | 'commitments' | 'adjustment' | 'fullYearBudget' | 'forecast'

const isOpened = ({ kind, budgetCodeId }: MonitoringRow): boolean => kind === 'Data' && budgetCodeId !== null

const isBalance = ({ kind, description }: MonitoringRow): boolean => kind === 'Total' && description !== 'Total expenditure'

/**
 * Builds the columns of a single month, or only its budget if nothing was imported for it. The cells of opening and closing balances are
 * blank.
 */
function monthColumns(
  { short, full: group }: { short: string; full: string },
  { hasPence, hasActuals }: { hasPence: boolean; hasActuals: boolean },
): TableColumn<MonitoringRow>[] {
  const isYearBalance = ({ description }: MonitoringRow): boolean =>
    description === broughtForwardLabel || description === carriedForwardLabel
  const budget: TableColumn<MonitoringRow> = {
    id: 'monthBudget',
    label: `${short} budget`,
    head: 'Budget',
    group,
    isFigure: true,
    cell: (row) => (
      <MonitoringAmount pounds={row.monthBudget} hasPence={hasPence} isBlank={isYearBalance(row)} isBalance={isBalance(row)} />
    ),
  }
  if (!hasActuals) return [budget]
  return [
    budget,
    {
      id: 'monthActual',
      label: `${short} actual`,
      head: 'Actual',
      group,
      isFigure: true,
      cell: (row) => (
        <MonitoringAmount
          pounds={row.monthActual ?? 0}
          hasPence={hasPence}
          isBlank={isYearBalance(row) || row.monthActual === null}
          isBalance={isBalance(row)}
        />
      ),
    },
    {
      id: 'monthVariance',
      label: `${short} variance`,
      head: <Favourable label="Variance" />,
      group,
      isFigure: true,
      cell: (row) => !isYearBalance(row) && row.monthVariance !== null && <VarianceAmount pounds={row.monthVariance} hasPence={hasPence} />,
    },
  ]
}

function Favourable({ label }: { label: string }) {
  return (
    <>
      {label} <span className={classes.more}>+ favourable</span>
    </>
  )
}

function Name({ row, onOpen }: { row: MonitoringRow; onOpen: ((codeId: number) => void) | null }) {
  const label = `${row.code ?? ''} ${row.description}`.trim()
  const { budgetCodeId } = row
  if (!isOpened(row) || budgetCodeId === null) return <>{label}</>
  const note = row.note && (
    <span title={[row.note, row.action].filter(Boolean).join('\n')} className={classes.note}>
      <IconMessage size={14} stroke={1.6} aria-label="Has a reason" />
    </span>
  )
  if (!onOpen)
    return (
      <>
        {label}
        {note}
      </>
    )
  return (
    <button type="button" className={classes.name} data-stop title={label} onClick={() => onOpen(budgetCodeId)}>
      {label}
      {note}
      {row.needsExplaining && <span className={classes.explain}>explain</span>}
      {row.needsAction && <span className={classes.explain}>action</span>}
    </button>
  )
}
