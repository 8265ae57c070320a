import { SegmentedControl } from '@mantine/core'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { Link } from 'react-router'
import { type CostLine, listCostLines, sumLinesByMonth, sumYear } from '../../../domain/calculation/staffing/lines.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear, formatPeriodMonth } from '../../../domain/values/calendar.ts'
import { displayDate, displayFigure, displayMoney } from '../../../domain/values/format.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Amount } from '../../ui/figures/Amount.tsx'
import { Pill } from '../../ui/labels/Pill.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardHead } from '../../ui/layout/Card.tsx'
import splitStyles from '../../ui/layout/Split.module.css'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { createFigureColumns } from '../../ui/table/columns.ts'
import tableStyles from '../../ui/table/DataTable.module.css'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { DerivationPanel } from '../costs/Derivation.tsx'
import { FigureButton } from '../costs/FigureButton.tsx'
import { RecordedDerivation } from '../costs/RecordedDerivation.tsx'
import type { SelectedFigure } from '../costs/selectedFigure.ts'
import classes from '../costs/why.module.css'
import type { CalculatedCost, RecordedCost } from './costContract.ts'
import type { CostingInputs } from './costingInputs.ts'
import styles from './LiveCost.module.css'

/** A row of the cost by year. */
interface YearLine {
  name: ReactNode
  isTotal?: boolean
  cell: (year: number) => ReactNode
}

/** The change from the saved cost: as text for screen readers, and as an arrow with a colour for other users. */
function Change({ now, before }: { now: number | null; before: number | null }) {
  if (now === null || before === null) return <span className={textStyles.dim}>unknown</span>
  return <SignedChange by={now - before} />
}

/** Describes how the first year's cost has changed since it was saved. */
function ChangeSinceSave({ now, before }: { now: number | null; before: number | null }) {
  if (now === null || before === null) return null
  if (now === before) return <span className={textStyles.dim}>as saved</span>
  return (
    <span className={now > before ? textStyles.up : textStyles.down}>
      {now > before ? '▲' : '▼'} {displayMoney(Math.abs(now - before))} {now > before ? 'more' : 'less'} than saved
    </span>
  )
}

function SignedChange({ by }: { by: number }) {
  if (by === 0) return <span className={textStyles.dim}>none</span>
  return (
    <span className={by > 0 ? textStyles.up : textStyles.down}>
      {by > 0 ? '▲' : '▼'} {displayFigure(Math.abs(by))}
    </span>
  )
}

const problemsShown = 4

interface Props {
  inputs: CostingInputs
  shown: CalculatedCost | RecordedCost
  labels: Readonly<Record<string, string>>
  /** Whether the cost is a live calculation. Otherwise it is the recorded cost, which lists and totals use. */
  isLive: boolean
  /** The cost of the saved contract with the same tables, with which the cost is compared; null if unknown. */
  saved: CalculatedCost | null
  /** The months of the cost when calculated in the other way (recorded, or with today's tables); null if they are equal. */
  beside: { title: string; months: readonly (number | null)[] } | null
  /** Explains the difference between the two costs. */
  note: ReactNode
}

/** The cost of a contract by year, or by month of one year. Selecting a monthly figure shows how it is calculated. */
export function ContractCostCards({ inputs, shown: cost, labels, isLive, saved, beside, note }: Props) {
  const { firstYear, years, startMonth } = inputs.frozen.budget
  const [shown, setShown] = useState('years')
  const [selected, setSelected] = useState<SelectedFigure | null>(null)
  const year = shown === 'years' ? null : Number(shown)
  const lines = useMemo(() => (cost.cost ? listCostLines(cost.cost, labels) : []), [cost, labels])
  const before = useMemo(() => (saved?.cost ? sumLinesByMonth(listCostLines(saved.cost, inputs.shared.labels)) : null), [saved, inputs])
  useEffect(() => {
    if (year !== null && year >= years) setShown('years')
  }, [year, years])
  if (!cost.cost)
    return (
      <Card>
        <CardHead>Cost</CardHead>
        <EmptyState role="status">{cost.reason}</EmptyState>
      </Card>
    )
  const totals = sumLinesByMonth(lines)
  const firstCost = sumYear(totals, 0)
  const columns =
    year === null
      ? Array.from({ length: years }, (_unused, index) => index)
      : Array.from({ length: 12 }, (_unused, index) => year * 12 + index)
  const selection = { selected, lines, budget: { firstYear, startMonth }, onSelect: setSelected }
  const ask = (line: CostLine | null, ofYear: number, month: number | null) => (
    <FigureButton {...selection} figure={{ line: line?.figure ?? null, year: ofYear, month }} />
  )
  const yearCell = (label: string, months: CostLine['months'], index: number) => (
    <button
      type="button"
      className={tableStyles.figure}
      aria-label={`${label} ${formatBudgetYear(firstYear, index)}: show its months`}
      onClick={() => setShown(String(index))}
    >
      <Amount pennies={sumYear(months, index)} />
    </button>
  )
  const yearLines: YearLine[] = [
    ...lines.map((line) => ({ name: line.label, cell: (index: number) => yearCell(line.label, line.months, index) })),
    { name: 'Total', isTotal: true, cell: (index) => yearCell('Total', totals, index) },
  ]
  if (cost.leave?.some((change) => change !== 0))
    yearLines.push({
      name:
        inputs.staffId === null ? 'Changed by leave' : <Link to={`/staffing/staff-members/${inputs.staffId}#leave`}>Changed by leave</Link>,
      cell: (index) =>
        cost.leave?.[index] == null ? (
          <span className={textStyles.missing}>cannot be calculated</span>
        ) : (
          <SignedChange by={cost.leave[index]} />
        ),
    })
  if (beside) yearLines.push({ name: beside.title, cell: (index) => <Amount pennies={sumYear(beside.months, index)} /> })
  if (before && isLive)
    yearLines.push(
      { name: 'As saved', cell: (index) => <Amount pennies={sumYear(before, index)} /> },
      { name: 'Change', cell: (index) => <Change now={sumYear(totals, index)} before={sumYear(before, index)} /> },
    )
  return (
    <Card className={splitStyles.sticky} aria-label="Cost">
      <CardHead style={{ flexWrap: 'wrap' }}>
        Cost {isLive ? <Pill tone="good">live</Pill> : <Pill>last costing</Pill>}
        <SegmentedControl
          size="xs"
          ml="auto"
          aria-label="What to show"
          value={shown}
          onChange={(value) => {
            setShown(value)
            setSelected(null)
          }}
          data={[
            { value: 'years', label: 'Years' },
            ...Array.from({ length: years }, (_unused, index) => ({ value: String(index), label: formatBudgetYear(firstYear, index) })),
          ]}
        />
      </CardHead>
      {year === null && (
        <div className={styles.headline}>
          <span className={styles.cost}>{firstCost === null ? <Amount pennies={null} /> : displayMoney(firstCost)}</span>
          <span className={textStyles.dim}>in {formatBudgetYear(firstYear, 0)}</span>
          {before && isLive && <ChangeSinceSave now={firstCost} before={sumYear(before, 0)} />}
        </div>
      )}
      {beside && <div className={classes.why}>{note}</div>}
      <div className={scrollStyles.scroll}>
        {year === null ? (
          <DataTable
            isTight
            label="Cost by year in pounds"
            columns={[
              { id: 'component', label: 'Component', isLabelHidden: true, cell: ({ name }) => name },
              ...createFigureColumns<YearLine>(
                columns.map((index) => formatBudgetYear(firstYear, index)),
                (line, index) => line.cell(index),
              ).map((column, index) => ({
                ...column,
                cellProps: ({ isTotal }: YearLine) => ({ 'data-total': isTotal ? index : undefined }),
              })),
            ]}
            rows={yearLines}
            look={({ isTotal }) => (isTotal ? 'total' : undefined)}
          />
        ) : (
          <DataTable
            isTight
            label={`Cost of ${formatBudgetYear(firstYear, year)} by month in pounds`}
            columns={[
              {
                id: 'month',
                label: 'Month',
                cell: (month) => (month === null ? 'Year' : formatPeriodMonth(startMonth, (month % 12) + 1).slice(0, 3)),
              },
              ...createFigureColumns<number | null>(
                lines.map(({ label }) => label),
                (month, at) => ask(assertDefined(lines[at]), year, month),
              ),
              { id: 'total', label: 'Total', isFigure: true, cell: (month) => ask(null, year, month) },
            ]}
            rows={[...columns, null]}
            look={(month) => (month === null ? 'total' : undefined)}
          />
        )}
      </div>
      {selected &&
        ('recordedFor' in cost ? (
          <RecordedDerivation {...selection} selected={selected} contractId={cost.recordedFor} />
        ) : (
          <DerivationPanel {...selection} selected={selected} explain={cost.explain} />
        ))}
      {cost.cost.problems.length > 0 && (
        <div className={classes.why} role="status">
          <b className={textStyles.up}>Not calculated</b>
          {cost.cost.problems.slice(0, problemsShown).map((problem) => (
            <div key={problem.code}>
              {problem.text} <span className={textStyles.dim}>From {displayDate(problem.from)}.</span>
            </div>
          ))}
        </div>
      )}
      {cost.cost.warnings.includes('NO_DATE_OF_BIRTH') && (
        <p className={textStyles.dim} style={{ margin: 10, fontSize: 13 }}>
          No date of birth is known, so national insurance uses the rows without an upper age.
        </p>
      )}
      {cost.cost.warnings.includes('BELOW_EARNINGS_FLOOR') && (
        <p className={textStyles.dim} style={{ margin: 10, fontSize: 13 }}>
          Weekly earnings before the leave are below the lower earnings limit, so no statutory pay is due.
        </p>
      )}
    </Card>
  )
}
