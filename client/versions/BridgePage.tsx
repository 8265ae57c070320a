import { Alert, SegmentedControl, Skeleton } from '@mantine/core'
import { skipToken } from '@tanstack/react-query'
import clsx from 'clsx'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { listViewPermissions } from '../../domain/people/permissions.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../domain/values/calendar.ts'
import { displayCount, displayMoney, displaySignedPounds, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { type api, toPublicError, trpc } from '../shell/api.ts'
import { ChartCard } from '../shell/ChartCard.tsx'
import { usePermissionCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { useSelection } from '../shell/selection.ts'
import { Choice } from '../ui/fields/Choice.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import tableStyles from '../ui/table/DataTable.module.css'
import { DataTable, type RowStyle } from '../ui/table/DataTable.tsx'
import { type ComparisonBudget, type ComparisonSide, ComparisonSidePicker, parseComparisonSide, useComparisonSides } from './sides.tsx'

const Waterfall = lazyComponent(() => import('./Waterfall.tsx'), 'Waterfall')

type Bridge = Awaited<ReturnType<typeof api.moments.bridge.query>>
type Sums = Bridge['from']
type Measure = 'balance' | 'expenditure' | 'staffing' | 'income'

const measures: { value: Measure; label: string }[] = [
  { value: 'balance', label: 'In-year balance' },
  { value: 'expenditure', label: 'Expenditure' },
  { value: 'staffing', label: 'Staffing' },
  { value: 'income', label: 'Income' },
]

/** A row of the bridge, in whole pennies, with a note in place of a missing figure. */
interface BridgeLine {
  name: ReactNode
  pennies: number
  look?: RowStyle
  tone?: string | undefined
  note?: string
}

/** The chosen measure in whole pennies. */
function getMeasure(measure: Measure, { income, staffing, other }: Sums): number {
  const [i, s, o] = [toPennies(income), toPennies(staffing), toPennies(other)]
  if (measure === 'balance') return i - s - o
  return measure === 'expenditure' ? s + o : measure === 'staffing' ? s : i
}

function Steps({
  bridge,
  measure,
  ends,
  isOpenBudget,
}: {
  bridge: Bridge
  measure: Measure
  /** Labels below the columns of the two totals. */
  ends: { a: string; b: string }
  isOpenBudget: boolean
}) {
  const [open, setOpen] = useState<readonly string[]>([])
  const toggle = (cause: string): void =>
    setOpen((before) => (before.includes(cause) ? before.filter((one) => one !== cause) : [...before, cause]))
  const steps = bridge.steps.map((step) => ({ ...step, pennies: getMeasure(measure, step) })).filter((step) => step.pennies !== 0)
  const isGood = (pennies: number): boolean => (measure === 'balance' || measure === 'income' ? pennies > 0 : pennies < 0)
  const bridgeLines: BridgeLine[] = [
    { name: bridge.a, pennies: getMeasure(measure, bridge.from), look: 'total' },
    ...steps.flatMap((step): BridgeLine[] => {
      const items = step.items.map((item) => ({ ...item, pennies: getMeasure(measure, item) })).filter((item) => item.pennies !== 0)
      const isOpen = open.includes(step.cause)
      return [
        {
          pennies: step.pennies,
          tone: isGood(step.pennies) ? textStyles.down : textStyles.up,
          name: (
            <>
              {items.length ? (
                <button type="button" className={tableStyles.figure} aria-expanded={isOpen} onClick={() => toggle(step.cause)}>
                  {isOpen ? '▾' : '▸'} {step.name}
                </button>
              ) : (
                step.name
              )}{' '}
              <span className={textStyles.dim}>{items.length > 0 && displayCount(items.length, 'item')}</span>
            </>
          ),
        },
        ...(isOpen ? items : []).map(
          (item): BridgeLine => ({
            look: 'sub',
            pennies: item.pennies,
            name:
              isOpenBudget && item.contractId ? (
                <Link to={`/staffing/staff-contracts/${item.contractId}/cost`}>
                  {item.person ? `${item.person}: ` : ''}
                  {item.name}
                </Link>
              ) : (
                `${item.person ? `${item.person}: ` : item.code ? `${item.code} ` : ''}${item.name}`
              ),
          }),
        ),
      ]
    }),
    ...(steps.length ? [] : [{ name: '', pennies: 0, note: 'Nothing changes this total.' }]),
    { name: bridge.b, pennies: getMeasure(measure, bridge.to), look: 'total' },
  ]
  return (
    <SectionStack>
      <ChartCard
        label="Waterfall"
        heading={measures.find(({ value }) => value === measure)?.label}
        title={`${measures.find(({ value }) => value === measure)?.label}: ${bridge.a} to ${bridge.b}`}
        height={300}
      >
        <Waterfall
          from={{ name: ends.a, pennies: getMeasure(measure, bridge.from) }}
          steps={steps.map(({ name, pennies }) => ({ name, pennies, isGood: isGood(pennies) }))}
          to={{ name: ends.b, pennies: getMeasure(measure, bridge.to) }}
        />
      </ChartCard>
      <Card className={scrollStyles.scroll} aria-label="Steps">
        <DataTable
          columns={[
            { id: 'cause', label: 'Cause', cell: ({ name }) => name },
            {
              id: 'pounds',
              label: 'Pounds',
              isFigure: true,
              cellProps: ({ pennies, tone }) => ({ title: displayMoney(pennies), className: tone }),
              cell: ({ pennies, look }) => (look === 'total' ? displayWholePounds(pennies) : displaySignedPounds(pennies)),
            },
          ]}
          rows={bridgeLines}
          look={({ look }) => look}
          spanOf={({ note }) => note && <div className={clsx(textStyles.dim, tableStyles.centred)}>{note}</div>}
        />
      </Card>
      <p className={textStyles.dim}>
        Steps are worked out in this order, each by costing every employee again with one more cause changed, so they add up to the penny.
        Anyone in only one budget counts in full as a leaver or starter.
      </p>
    </SectionStack>
  )
}

/** Lists the contracts and codes that the steps leave out because they could not be calculated on either side. */
function LeftOutList({ notCalculated, leftOut }: Bridge) {
  const contracts = Math.max(...notCalculated)
  if (!contracts && !leftOut.length) return null
  return (
    <Alert color="orange" mb="md" role="status">
      {contracts > 0 && (
        <div>
          {displayCount(contracts, 'contract')} could not be calculated and {contracts === 1 ? 'is' : 'are'} left out.
        </div>
      )}
      {leftOut.map((sentence) => (
        <div key={sentence}>{sentence}</div>
      ))}
    </Alert>
  )
}

function YearPicker({
  label,
  budget,
  value,
  onChange,
}: {
  label: string
  budget: ComparisonBudget | undefined
  value: number
  onChange: (year: number) => void
}) {
  const years = Array.from({ length: budget?.numberOfYears ?? 0 }, (_unused, year) => ({
    value: String(year),
    label: formatBudgetYear(assertDefined(budget).firstYear, year),
  }))
  return <Choice label={label} data={years} value={String(value)} onChange={(year) => onChange(Number(year))} w={120} />
}

/** Explains the change from one total to another in steps by cause, which add up exactly. */
export function BridgePage() {
  const { budgetId } = useSelection()
  const [search, setSearch] = useSearchParams()
  const [measure, setMeasure] = useState<Measure>('balance')
  const sides = useComparisonSides()
  const mayOpen = usePermissionCheck()(listViewPermissions('BudgetingStaffing'))
  const parsedSide = parseComparisonSide(search.get('from'))
  const b = parseComparisonSide(search.get('to')) ?? (budgetId ? { budgetId, version: null } : null)
  // By default, the budget's first year compared with its second.
  const a = parsedSide ?? (budgetId ? { budgetId, version: null } : null)
  const [budgetA, budgetB] = [sides.budgetOf(a?.budgetId), sides.budgetOf(b?.budgetId)]
  const last = (budget: ComparisonBudget | undefined): number => Math.max(0, (budget?.numberOfYears ?? 1) - 1)
  const yearA = Math.min(Number(search.get('ya') ?? 0) || 0, last(budgetA))
  const yearB = Math.min(Number(search.get('yb') ?? (parsedSide ? 0 : 1)) || 0, last(budgetB))
  const bridge = trpc.moments.bridge.useQuery(
    a && b && budgetA && budgetB ? { a: { ...a, year: yearA }, b: { ...b, year: yearB } } : skipToken,
    { retry: false },
  )
  const set = (part: { a?: ComparisonSide; b?: ComparisonSide; ya?: number; yb?: number }): void => {
    const next = { a, b, ya: yearA, yb: yearB, ...part }
    const text = (side: ComparisonSide | null): string => `${side?.budgetId}@${side?.version ?? ''}`
    setSearch({ from: text(next.a), to: text(next.b), ya: String(next.ya), yb: String(next.yb) }, { replace: true })
  }
  const years = { a: formatBudgetYear(budgetA?.firstYear ?? 0, yearA), b: formatBudgetYear(budgetB?.firstYear ?? 0, yearB) }
  // Label the two totals by year if the years differ, otherwise by budget or version.
  const ends = bridge.data && years.a === years.b ? bridge.data : years
  const refused = bridge.error && toPublicError(bridge.error).kind === 'invalid' ? toPublicError(bridge.error).message : null
  return (
    <>
      <PageHead title="Bridge" documentTitle="Bridge - Overview" facts="What changed between two totals, cause by cause" />
      <Toolbar style={{ alignItems: 'end' }}>
        <ComparisonSidePicker label="From" groups={sides.groups} value={a} onChange={(side) => set({ a: side })} />
        <YearPicker label="Year" budget={budgetA} value={yearA} onChange={(ya) => set({ ya })} />
        <ComparisonSidePicker label="To" groups={sides.groups} value={b} onChange={(side) => set({ b: side })} />
        <YearPicker label="Year" budget={budgetB} value={yearB} onChange={(yb) => set({ yb })} />
        <SegmentedControl data={measures} value={measure} onChange={setMeasure} aria-label="Total" className={scrollStyles.ways} />
      </Toolbar>
      {sides.query.isError && <LoadFailed query={sides.query} />}
      {refused && (
        <Alert color="orange" role="alert">
          {refused}
        </Alert>
      )}
      {bridge.isError && !refused && <LoadFailed query={bridge} />}
      {(bridge.isLoading || !sides.ready) && <Skeleton height={320} />}
      {bridge.data && <LeftOutList {...bridge.data} />}
      {bridge.data && (
        <Steps
          bridge={bridge.data}
          measure={measure}
          ends={ends}
          isOpenBudget={b?.budgetId === budgetId && b.version === null && mayOpen}
        />
      )}
    </>
  )
}
