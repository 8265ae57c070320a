import { Button, SegmentedControl, Skeleton } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import clsx from 'clsx'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { formatPeriodMonth } from '../../domain/values/calendar.ts'
import { displayCount, displayFigure, displayNumber, displayPercent, displayWholePounds } from '../../domain/values/format.ts'
import { useSelectedBudget } from '../budget/useBudget.ts'
import { useOrganisationTypeAndSchemes } from '../budget/useOrganisationTypeAndSchemes.ts'
import { useBudgetYearNames } from '../budget/useYearNames.ts'
import { trpc } from '../shell/api.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useUrlParameters } from '../shell/useAddressParameters.ts'
import { findClosestElement } from '../ui/closestElement.ts'
import { Choice } from '../ui/fields/Choice.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { createFigureColumns } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import classes from './BudgetTree.module.css'
import { BudgetCodeComments, useCodeCommentCounts } from './CodeComments.tsx'
import type { BudgetSummary } from './HeadlineFigures.tsx'
import { SourceRows } from './SourceRows.tsx'
import {
  findUnitDivisor,
  listColumnFigures,
  subtractFigures,
  sumColumns,
  type TreeCategory,
  type TreeColumns,
  type TreeFigure,
  type TreeUnit,
} from './treeFigures.ts'

type Scheme = 'cfr' | 'gag' | 'acoa' | 'custom' | 'category'
const sides = { income: 'Income', expenditure: 'Expenditure', balance: 'Balances' } as const

/** A figure in the chosen unit, with exact pennies in its title. */
function Cell({ value, by, unit }: { value: TreeFigure; by: number | null; unit: TreeUnit }) {
  const { pennies, missing } = value
  if (missing > 0 && pennies === 0) return <span className={textStyles.missing}>not calculated</span>
  const text =
    unit === 'pounds'
      ? displayWholePounds(pennies).replace('£', '')
      : by === null
        ? '–'
        : unit === 'perPupil'
          ? displayWholePounds(Math.round(pennies / by)).replace('£', '')
          : displayPercent((pennies / by) * 100)
  return (
    <span
      className={pennies < 0 ? textStyles.up : undefined}
      title={`${displayFigure(pennies)}${missing ? `, ${displayCount(missing, 'monthly figure')} not calculated` : ''}`}
    >
      {text}
      {missing > 0 && <span className={textStyles.missing}>*</span>}
    </span>
  )
}

const nameOf = ({ code, description }: TreeCategory['codes'][number]): string => `${code} ${description}`.trim()

/** The number of comments on a budget code, as a button that opens them. */
function CommentCount({ comments, label, onOpen }: { comments?: { count: number; open: number }; label: string; onOpen: () => void }) {
  if (!comments) return null
  const countText = displayCount(comments.count, 'comment')
  return (
    <button
      type="button"
      // The table is a single Tab stop; the key C on a row opens the comments.
      tabIndex={-1}
      className={clsx(classes.marked, textStyles.unprinted, !comments.open && textStyles.dim)}
      aria-label={`${countText} on ${label}`}
      title={comments.open ? countText : `${countText}, resolved`}
      onClick={onOpen}
    >
      <IconMessage size={14} stroke={1.6} aria-hidden="true" /> {comments.count}
    </button>
  )
}

/** A row of the tree. */
interface Line {
  key: string
  name?: ReactNode
  figures: readonly ReactNode[]
  isTotal?: boolean
  /** Shown instead of the figures. */
  note?: ReactNode
  below?: ReactNode
}

/**
 * Income and expenditure down to the source of every figure. The columns are the budget's years or one year's months, in pounds, per pupil
 * or as a percentage.
 */
export function BudgetTree({ overview }: { overview: BudgetSummary }) {
  const { startMonth } = useSelectedBudget()
  const years = useBudgetYearNames()
  const { schemes: codings } = useOrganisationTypeAndSchemes()
  const schemes: { value: Scheme; label: string }[] = [
    ...codings.map(({ name, label }) => ({ value: name, label })),
    { value: 'category' as const, label: 'Category' },
  ]
  const [scheme, setScheme] = useState<Scheme>(assertDefined(schemes[0]).value)
  const [columns, setColumns] = useState<TreeColumns>('years')
  const [unit, setUnit] = useState<TreeUnit>('pounds')
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set(['income', 'expenditure']))
  const comments = useCodeCommentCounts()
  const [address, putAddress] = useUrlParameters()
  const tree = trpc.overview.tree.useQuery({ scheme }, { placeholderData: (before) => before })
  const names =
    columns === 'years' ? years : Array.from({ length: 12 }, (_unused, month) => formatPeriodMonth(startMonth, month + 1).slice(0, 3))
  const bySide = useMemo(() => {
    const categories = tree.data ?? []
    return (['income', 'expenditure', 'balance'] as const).map((side) => ({
      side,
      categories: categories.filter((one) => one.side === side),
    }))
  }, [tree.data])
  if (tree.isError) return <LoadFailed query={tree} />
  if (!tree.data) return <Skeleton height={320} />
  const toggle = (key: string): void => {
    const next = new Set(open)
    if (!next.delete(key)) next.add(key)
    setOpen(next)
  }
  const zeros = names.map((): TreeFigure => ({ pennies: 0, missing: 0 }))
  const totalOf = (categories: readonly TreeCategory[]): TreeFigure[] => {
    const rows = categories.flatMap((one) => one.codes.map((code) => listColumnFigures(code, columns)))
    return rows.length ? sumColumns(rows) : zeros
  }
  const shown = (figures: readonly TreeFigure[]): ReactNode[] =>
    figures.map((value, column) => (
      <Cell
        key={names[column]}
        value={value}
        by={unit === 'pounds' ? null : findUnitDivisor(overview, { unit, columns, column })}
        unit={unit}
      />
    ))
  /** The right arrow expands a row, the left arrow collapses it, and C shows the comments on a code. */
  const press = (event: KeyboardEvent): void => {
    // If the focus is on the comment button of a row, the keys act on the button that expands the row.
    const button =
      findClosestElement(event.target, '[data-stop]') ?? findClosestElement(event.target, 'tr')?.querySelector<HTMLElement>('[data-stop]')
    if (!button) return
    const opened = button.getAttribute('aria-expanded')
    if ((event.key === 'ArrowRight' && opened === 'false') || (event.key === 'ArrowLeft' && opened === 'true')) button.click()
    if (event.key.toLowerCase() === 'c' && button.dataset.code && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      putAddress({ code: button.dataset.code })
    }
  }
  const branch = (key: string, level: number, { label, codeId }: { label: string; codeId?: string }) => (
    <>
      <button
        type="button"
        className={classes.branch}
        data-stop
        data-code={codeId}
        aria-expanded={open.has(key)}
        style={{ paddingLeft: level * 18 }}
        onClick={() => toggle(key)}
      >
        <span aria-hidden="true">{open.has(key) ? '▾' : '▸'}</span> {label}
      </button>
      {codeId !== undefined && <CommentCount comments={comments.get(codeId)} label={label} onOpen={() => putAddress({ code: codeId })} />}
    </>
  )
  const codeParameter = address.get('code')
  const commentedCode = tree.data.flatMap((category) => category.codes).find(({ id }) => id !== null && String(id) === codeParameter)
  const everything = new Set(bySide.flatMap(({ side, categories }) => [side, ...categories.map((one) => one.key)]))
  const lines: Line[] = []
  for (const { side, categories } of bySide) {
    if (side === 'balance' && !categories.length) continue
    lines.push({ key: side, name: branch(side, 0, { label: sides[side] }), figures: shown(totalOf(categories)), isTotal: true })
    if (!open.has(side)) continue
    if (!categories.length)
      lines.push({ key: `${side} none`, figures: [], note: <span className={classes.none}>Nothing is budgeted yet.</span> })
    for (const category of categories) {
      lines.push({ key: category.key, name: branch(category.key, 1, { label: category.name }), figures: shown(totalOf([category])) })
      for (const code of open.has(category.key) ? category.codes : []) {
        const key = `${category.key} ${code.id}`
        const codeId = code.id === null ? undefined : String(code.id)
        lines.push({
          key,
          name: branch(key, 2, { label: nameOf(code), codeId }),
          figures: shown(listColumnFigures(code, columns)),
          below: open.has(key) && (
            <SourceRows
              codeId={code.id}
              columns={columns}
              width={names.length}
              shown={shown}
              onComment={codeId === undefined ? null : () => putAddress({ code: codeId })}
            />
          ),
        })
      }
    }
  }
  const [income, expenditure] = [totalOf(assertDefined(bySide[0]).categories), totalOf(assertDefined(bySide[1]).categories)]
  lines.push({ key: 'inYear', name: 'In-year balance', figures: shown(subtractFigures(income, expenditure)), isTotal: true })
  if (columns === 'years' && unit === 'pounds') {
    const balance = (of: 'opening' | 'closing') =>
      shown(overview.years.map((year) => ({ pennies: Math.round(year[of] * 100), missing: year.gaps[of] })))
    lines.push(
      { key: 'opening', name: 'Opening balance', figures: balance('opening') },
      { key: 'closing', name: 'Closing balance', figures: balance('closing'), isTotal: true },
      {
        key: 'staffShare',
        name: 'Staff cost as a share of income',
        figures: overview.years.map((year) => (year.staffShare === null ? '–' : displayPercent(year.staffShare))),
      },
      {
        key: 'pupils',
        name: 'Pupils on roll',
        figures: overview.years.map((year, index) =>
          year.pupils === null ? (
            <span key={index} className={textStyles.dim}>
              not entered
            </span>
          ) : (
            displayNumber(Math.round(year.pupils))
          ),
        ),
      },
    )
  }
  return (
    <>
      <Toolbar>
        {schemes.length > 1 && <SegmentedControl aria-label="Group by" data={schemes} value={scheme} onChange={setScheme} />}
        <Choice
          aria-label="Columns"
          w={180}
          data={[
            { value: 'years', label: 'All years' },
            ...years.map((name, year) => ({ value: String(year), label: `Periods of ${name}` })),
          ]}
          value={String(columns)}
          onChange={(value) => setColumns(value === 'years' || value === null ? 'years' : Number(value))}
        />
        <SegmentedControl
          aria-label="Unit"
          value={unit}
          onChange={setUnit}
          data={[
            { value: 'pounds', label: '£' },
            { value: 'perPupil', label: '£ per pupil' },
            { value: 'percent', label: '% of income' },
          ]}
        />
        <Button variant="subtle" size="compact-sm" onClick={() => setOpen(open.size > 2 ? new Set() : everything)}>
          {open.size > 2 ? 'Close all' : 'Open all'}
        </Button>
        <Button variant="default" size="compact-md" onClick={() => window.print()}>
          Print
        </Button>
      </Toolbar>
      <Card className={scrollStyles.scroll} aria-label="Budget tree">
        <DataTable
          className={classes.tree}
          arrowKeyStops="rows"
          onKeyDown={press}
          columns={[
            {
              id: 'name',
              label: unit === 'pounds' ? 'Pounds' : unit === 'perPupil' ? 'Pounds per pupil' : 'Per cent of income',
              cell: ({ name }) => name,
            },
            ...createFigureColumns<Line>(names, ({ figures }, column) => figures[column]),
          ]}
          rows={lines}
          keyOf={({ key }) => key}
          look={({ isTotal }) => (isTotal ? 'total' : undefined)}
          spanOf={({ note }) => note}
          below={({ below }) => below}
        />
      </Card>
      <p className={clsx(textStyles.since, textStyles.dim, textStyles.unprinted)}>
        Expand a row to see what it is made of. <kbd>↑</kbd> <kbd>↓</kbd> move, <kbd>→</kbd> opens, <kbd>←</kbd> closes, <kbd>C</kbd> shows
        the comments on a budget code.
      </p>
      {codeParameter && (
        <BudgetCodeComments
          key={codeParameter}
          codeId={codeParameter}
          name={commentedCode ? nameOf(commentedCode) : null}
          onClose={() => putAddress({ code: null })}
        />
      )}
    </>
  )
}
