import { Alert, Button, SegmentedControl, Skeleton } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'
import clsx from 'clsx'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayCount, displayDateTime, displayMoney, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { api, trpc } from '../shell/api.ts'
import { ExportButton } from '../shell/files/ExportButton.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useSelection } from '../shell/selection.ts'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead, CardNote } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import type { TableColumn } from '../ui/table/columns.ts'
import tableStyles from '../ui/table/DataTable.module.css'
import { DataTable } from '../ui/table/DataTable.tsx'
import { type ComparisonSide, ComparisonSidePicker, parseComparisonSide, useComparisonSides } from './sides.tsx'

type Compared = Awaited<ReturnType<typeof api.moments.compare.query>>
type Pair = Compared['codes'][number]['years'][number]

const changeLabels = { added: 'Added', removed: 'Removed', changed: 'Changed', recosted: 'Costs differ', same: '' }

/** Whether both sides have the year, even if part of it is not calculated. */
function isPaired({ a, b, missing }: Pair): boolean {
  return (a !== null || missing.a > 0) && (b !== null || missing.b > 0)
}

/** One side's amount: a dash if it lacks the year, a label if it is not calculated. */
function Amount({ pair, side }: { pair: Pair; side: 'a' | 'b' }) {
  const pounds = pair[side]
  const missing = pair.missing[side]
  if (pounds === null) return missing > 0 ? <span className={textStyles.missing}>not calculated</span> : '–'
  return (
    <span title={displayMoney(toPennies(pounds))}>
      {displayWholePounds(toPennies(pounds))}
      {missing > 0 && (
        <span className={textStyles.missing} title="Part of it could not be calculated and is left out">
          *
        </span>
      )}
    </span>
  )
}

function Difference({ a, b }: Pair) {
  if (a === null || b === null) return '–'
  const pennies = toPennies(b) - toPennies(a)
  return (
    <span className={pennies > 0 ? textStyles.up : pennies < 0 ? textStyles.down : textStyles.dim} title={displayMoney(pennies)}>
      {pennies > 0 ? `+${displayWholePounds(pennies)}` : pennies === 0 ? '0' : displayWholePounds(pennies)}
    </span>
  )
}

function pairColumns<T>(names: { a: string; b: string }, pairOf: (row: T) => Pair | null): TableColumn<T>[] {
  const shown = (row: T, cell: (pair: Pair) => ReactNode): ReactNode => {
    const pair = pairOf(row)
    return pair && cell(pair)
  }
  return [
    { id: 'a', label: names.a, isFigure: true, cell: (row) => shown(row, (pair) => <Amount pair={pair} side="a" />) },
    { id: 'b', label: names.b, isFigure: true, cell: (row) => shown(row, (pair) => <Amount pair={pair} side="b" />) },
    { id: 'difference', label: 'Difference', isFigure: true, cell: (row) => shown(row, (pair) => <Difference {...pair} />) },
  ]
}

/** A row of a code: a pair of figures, or a note. */
interface CodeLine {
  code: string
  description: string
  isIncome: boolean
  isTotal?: boolean
  pair: Pair | null
}

interface ComparisonProps {
  result: Compared
  /** Index of the year, from the earliest of both sides. */
  year: number
  /** The names of the two sides, with their schools if the schools differ. */
  names: { a: string; b: string }
}

function Codes({ result, year, names }: ComparisonProps) {
  const [all, setAll] = useState(false)
  const differs = ({ years }: Compared['codes'][number]): boolean => {
    const { a, b, missing } = assertDefined(years[year])
    return a !== b || missing.a !== missing.b
  }
  const rows = all ? result.codes : result.codes.filter(differs)
  const total = (side: boolean): Pair => {
    const sum = (pick: 'a' | 'b'): number | null => {
      const known = result.codes.filter((row) => row.isIncome === side).map((row) => assertDefined(row.years[year])[pick])
      return known.every((value) => value === null)
        ? null
        : known.reduce<number>((pennies, value) => pennies + toPennies(value ?? 0), 0) / 100
    }
    const gaps = (pick: 'a' | 'b'): number =>
      result.codes.filter((row) => row.isIncome === side).reduce((all, row) => all + assertDefined(row.years[year]).missing[pick], 0)
    return { a: sum('a'), b: sum('b'), missing: { a: gaps('a'), b: gaps('b') } }
  }
  const lines: CodeLine[] = [
    ...rows.map((row) => ({ ...row, pair: assertDefined(row.years[year]) })),
    ...(rows.length ? [] : [{ code: '', description: '', isIncome: false, pair: null }]),
    { code: '', description: 'All income', isIncome: false, isTotal: true, pair: total(true) },
    { code: '', description: 'All expenditure', isIncome: false, isTotal: true, pair: total(false) },
  ]
  return (
    <Card className={scrollStyles.scroll} aria-label="By budget code">
      <CardHead>
        By budget code{' '}
        <CardNote>
          <Button variant="subtle" size="compact-xs" onClick={() => setAll(!all)}>
            {all ? 'Differences only' : `All ${displayCount(result.codes.length, 'code')}`}
          </Button>
        </CardNote>
      </CardHead>
      <DataTable
        columns={[
          { id: 'code', label: 'Code', cell: ({ code }) => code },
          {
            id: 'description',
            label: 'Description',
            isRowHead: true,
            cell: ({ description, isIncome }) => (
              <>
                {description} {isIncome && !/\bincome$/i.test(description) && <span className={textStyles.dim}>income</span>}
              </>
            ),
          },
          ...pairColumns<CodeLine>(names, ({ pair }) => pair),
        ]}
        rows={lines}
        look={({ isTotal }) => (isTotal ? 'total' : undefined)}
        spanOf={({ pair }) =>
          pair ? undefined : <div className={clsx(textStyles.dim, tableStyles.centred)}>No codes differ in this year.</div>
        }
      />
    </Card>
  )
}

function ItemComparison({ result, year, names }: ComparisonProps) {
  if (!result.things.length)
    return (
      <Alert color="teal" role="status">
        There are no differences.
      </Alert>
    )
  return (
    <Card className={scrollStyles.scroll} aria-label="Differences">
      <CardHead>
        Differences <CardNote>{result.unchanged} unchanged</CardNote>
      </CardHead>
      <DataTable
        columns={[
          {
            id: 'name',
            label: 'Contract, entry, pool, top slice or levy',
            cell: (thing) => `${thing.person ? `${thing.person}: ` : thing.code ? `${thing.code} ` : ''}${thing.name}`,
          },
          {
            id: 'why',
            label: 'Changes, and who made them',
            cellProps: () => ({ className: tableStyles.wrap }),
            cell: (thing) => (
              <>
                <b>{changeLabels[thing.what]}</b>
                {thing.changes.map((change) => (
                  <div key={change.field}>
                    {change.field}: {change.before} → {change.after}
                  </div>
                ))}
                {thing.touches.map((touch) => (
                  <div className={textStyles.dim} key={touch.at}>
                    {touch.actor}, {displayDateTime(touch.at)}
                  </div>
                ))}
              </>
            ),
          },
          ...pairColumns<Compared['things'][number]>(names, ({ years }) => assertDefined(years[year])),
        ]}
        rows={result.things}
        keyOf={({ kind, root }) => `${kind} ${root}`}
      />
    </Card>
  )
}

/** Compares two budgets, or two versions of one, by code, contract and entry. */
export function ComparePage() {
  const { budgetId } = useSelection()
  const [search, setSearch] = useSearchParams()
  const sides = useComparisonSides()
  const a = parseComparisonSide(search.get('from')) ?? sides.suggestion()
  const b = parseComparisonSide(search.get('to')) ?? (budgetId ? { budgetId, version: null } : null)
  const [chosenYear, setYear] = useState<string | null>(null)
  const result = trpc.moments.compare.useQuery(a && b ? { a, b } : skipToken)
  const set = (key: 'a' | 'b', side: ComparisonSide): void => {
    const next = { a, b, [key]: side }
    setSearch(
      { from: `${next.a?.budgetId}@${next.a?.version ?? ''}`, to: `${next.b?.budgetId}@${next.b?.version ?? ''}` },
      { replace: true },
    )
  }
  const schools = { a: sides.schoolOf(a?.budgetId), b: sides.schoolOf(b?.budgetId) }
  const hasTwoSchools = schools.a !== schools.b
  const names = {
    a: [hasTwoSchools && schools.a, result.data?.a].filter(Boolean).join(': '),
    b: [hasTwoSchools && schools.b, result.data?.b].filter(Boolean).join(': '),
  }
  const years = result.data?.years ?? []
  // Open the first year that both sides have.
  const shared = years.findIndex((_year, index) => result.data?.codes.some((row) => isPaired(assertDefined(row.years[index]))))
  const year = chosenYear !== null && years.includes(chosenYear) ? years.indexOf(chosenYear) : Math.max(0, shared)
  return (
    <>
      <PageHead
        title="Compare"
        documentTitle="Compare - Overview"
        facts="Any two budgets or versions, by code and by contract, with who changed what and when"
      >
        <ExportButton file={() => api.moments.compareFile.query({ a: assertDefined(a), b: assertDefined(b) })} disabled={!result.data} />
      </PageHead>
      <Toolbar style={{ alignItems: 'end' }}>
        <ComparisonSidePicker label="From" groups={sides.groups} value={a} onChange={(side) => set('a', side)} />
        <ComparisonSidePicker label="To" groups={sides.groups} value={b} onChange={(side) => set('b', side)} />
        {years.length > 1 && <SegmentedControl data={years} value={years[year]} onChange={setYear} aria-label="Year" />}
      </Toolbar>
      {sides.query.isError && <LoadFailed query={sides.query} />}
      {result.isError && <LoadFailed query={result} />}
      {(result.isLoading || !sides.ready) && <Skeleton height={300} />}
      {result.data && (
        <SectionStack>
          <Codes result={result.data} year={year} names={names} />
          <ItemComparison result={result.data} year={year} names={names} />
        </SectionStack>
      )}
    </>
  )
}
