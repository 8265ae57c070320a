import { IconMessage } from '@tabler/icons-react'
import clsx from 'clsx'
import { type KeyboardEvent, useRef } from 'react'
import { figure, money, penniesOf, signedPounds, wholePounds } from '../../domain/format.ts'
import type { Versus } from '../../domain/monitoring/rows.ts'
import { Card } from '../ui/Card.tsx'
import figuresStyles from '../ui/Figures.module.css'
import { Figures } from '../ui/Figures.tsx'
import { Gaps } from '../ui/Gaps.tsx'
import scrollStyles from '../ui/scroll.module.css'
import textStyles from '../ui/text.module.css'
import classes from './MonitoringTable.module.css'
import type { MonitoringRow } from './scope.ts'

const percent = (value: number): string => `${value.toFixed(1).replace('-', '−')} %`

/** A share of the year's budget that was received or spent; nothing where nothing is budgeted. */
function share({ actualToDate, fullYearBudget }: MonitoringRow): string {
  return fullYearBudget === 0 ? '–' : percent((actualToDate / fullYearBudget) * 100)
}

function Variance({ pounds, hasPence }: { pounds: number; hasPence: boolean }) {
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

function Figure({ pounds, hasPence, isBlank = false }: { pounds: number; hasPence: boolean; isBlank?: boolean }) {
  if (isBlank) return null
  const pennies = penniesOf(pounds)
  if (pennies === 0) return <>–</>
  return <span title={money(pennies)}>{hasPence ? figure(pennies) : wholePounds(pennies).replace('£', '')}</span>
}

/**
 * The page that trustees know: income, staff, other expenditure, balances; each code opens what its figures are made of.
 * @param gone which part of the year is gone; null where years begin in different months
 * @param hasActuals without any, what was received and spent is blank, not nothing
 */
export function MonitoringTable({
  versus,
  rows,
  hasActuals,
  isEnded,
  gone,
  hasPence,
  leftOut,
  onOpen,
}: {
  versus: Versus
  rows: readonly MonitoringRow[]
  hasActuals: boolean
  /** The month is closed: its figures stand. */
  isEnded: boolean
  gone: number | null
  hasPence: boolean
  leftOut: readonly string[]
  onOpen: (codeId: number) => void
}) {
  const body = useRef<HTMLTableElement>(null)
  const isForecast = versus === 'forecast'
  /** Up and down go from code to code. */
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const button = (event.target as HTMLElement).closest<HTMLElement>('button[data-row]')
    if (!step || !button) return
    event.preventDefault()
    const buttons = [...(body.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    buttons[buttons.indexOf(button) + step]?.focus()
  }
  const figure = (pounds: number, isBlank = false) => (
    <td>
      <Figure pounds={pounds} hasPence={hasPence} isBlank={isBlank} />
    </td>
  )
  return (
    <>
      <Card className={clsx(scrollStyles.scroll, classes.frame)} aria-label="Monitoring">
        <Figures isTight ref={body} onKeyDown={press} className={clsx(classes.table, isEnded && classes.ended)}>
          <thead>
            <tr>
              <th scope="col">{hasPence ? 'Pounds and pence' : 'Whole pounds'}</th>
              {!isForecast && <th scope="col">Budget to date</th>}
              <th scope="col">Actual to date</th>
              <th scope="col">Commitments</th>
              <th scope="col">Adjustment</th>
              {!isForecast && <VarianceHeads />}
              <th scope="col">Full-year budget</th>
              <th scope="col">
                % of year’s budget
                {gone !== null && <span className={textStyles.dim}> ({Math.round(gone * 100)} % of year gone)</span>}
              </th>
              {isForecast && <th scope="col">Forecast</th>}
              {isForecast && <VarianceHeads />}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => {
              if (row.kind === 'SectionHeader')
                return (
                  <tr key={index} className={classes.section}>
                    <th scope="rowgroup" colSpan={9}>
                      {row.description}
                    </th>
                  </tr>
                )
              const isBalance = row.kind === 'Total' && row.description !== 'Total expenditure'
              const isVarianceBlank = !isForecast && !hasActuals
              const variance = (
                <>
                  <td>{!isVarianceBlank && <Variance pounds={row.variance} hasPence={hasPence} />}</td>
                  <td>{isVarianceBlank ? '' : row.variancePercent === null ? '–' : percent(row.variancePercent)}</td>
                </>
              )
              return (
                <tr
                  key={row.budgetCodeId ?? index}
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
            })}
          </tbody>
        </Figures>
      </Card>
      {leftOut.length > 0 && (
        <p className={textStyles.since}>
          Left out, because they have no budget of record for that year: {leftOut.join(', ')}. A budget of record is an approved one, else
          the first working one.
        </p>
      )}
      <p className={textStyles.since}>
        Open a code to see the lines behind its figures, to explain it and to adjust it. <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>Enter</kbd>{' '}
        opens.
      </p>
    </>
  )
}

function VarianceHeads() {
  return (
    <>
      <th scope="col">
        Variance <span className={textStyles.dim}>(+ favourable)</span>
      </th>
      <th scope="col">%</th>
    </>
  )
}

function Name({ row, onOpen }: { row: MonitoringRow; onOpen: (codeId: number) => void }) {
  const words = `${row.code ?? ''} ${row.description}`.trim()
  const { budgetCodeId } = row
  if (row.kind !== 'Data' || budgetCodeId === null) return <>{words}</>
  return (
    <button type="button" className={classes.name} data-row onClick={() => onOpen(budgetCodeId)}>
      {words}
      {row.note && (
        <span title={[row.note, row.action].filter(Boolean).join('\n')} className={classes.note}>
          <IconMessage size={14} stroke={1.6} aria-label="Has a note" />
        </span>
      )}
      {row.needsExplaining && <span className={classes.explain}>explain</span>}
      {row.needsAction && <span className={classes.explain}>action</span>}
    </button>
  )
}
