import { SegmentedControl, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { sharedSourceNames } from '../../../domain/budget/sharedSources.ts'
import { addSums, toKnownTotal } from '../../../domain/calculation/sums.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { displayFigure } from '../../../domain/values/format.ts'
import { useSelectedBudget } from '../../budget/useBudget.ts'
import { answerCache, type api, trpc } from '../../shell/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { SideDialog } from '../../ui/dialogs/Dialog.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Amount } from '../../ui/figures/Amount.tsx'
import { IncompleteSumNote } from '../../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card } from '../../ui/layout/Card.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { createFigureColumns } from '../../ui/table/columns.ts'
import tableStyles from '../../ui/table/DataTable.module.css'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { type CostGrouping, CostSources } from './CostSources.tsx'

type Sum = Awaited<ReturnType<typeof api.lines.sums.query>>[number]

const groupings: { value: CostGrouping; label: string }[] = [
  { value: 'budgetCode', label: 'Budget codes' },
  { value: 'costCentre', label: 'Cost centres' },
  { value: 'fundCode', label: 'Fund codes' },
  { value: 'component', label: 'Types of cost' },
]
const components: Record<string, string> = {
  pay: 'Pay: basic, allowances and leave pay',
  recovery: 'Recovered on leave',
  ni: 'Employer national insurance',
  pension: 'Employer pension',
  ...sharedSourceNames,
}

function nameOf(by: CostGrouping, { key, name }: Sum): string {
  if (by === 'component') return components[key ?? ''] ?? key ?? ''
  return name ?? (by === 'budgetCode' ? 'Apprenticeship levy (no code)' : 'None')
}

interface SelectedCost {
  /** Null for the total. */
  sum: Sum | null
  year: number
}

function inWords(pennies: number | null): string {
  return pennies === null ? 'not calculated' : displayFigure(pennies)
}

function prepare(): void {
  void answerCache.lines.sums.prefetch({ by: 'budgetCode' })
}

/** The budget's staff costs by code. Every figure opens the contracts behind it, and each contract's cost opens its derivation. */
export function StaffCostsPage() {
  const budget = useSelectedBudget()
  const [by, setBy] = useState<CostGrouping>('budgetCode')
  const [selectedCost, setSelectedCost] = useState<SelectedCost | null>(null)
  const query = trpc.lines.sums.useQuery({ by })
  const years = Array.from({ length: budget.numberOfYears }, (_unused, year) => formatBudgetYear(budget.firstYear, year))
  const totals = years.map((_year, year) => addSums((query.data ?? []).map((sum) => assertDefined(sum.years[year]))))
  const titleOf = ({ sum, year }: SelectedCost): string => `${sum ? nameOf(by, sum) : 'All staff costs'}, ${years[year]}`
  const cell = (cost: SelectedCost) => {
    const figures = assertDefined((cost.sum?.years ?? totals)[cost.year])
    return (
      <>
        <button
          type="button"
          className={tableStyles.figure}
          aria-label={`${titleOf(cost)}: ${inWords(toKnownTotal(figures))}, breakdown`}
          onClick={() => setSelectedCost(cost)}
        >
          <Amount pennies={toKnownTotal(figures)} />
        </button>
        <IncompleteSumNote count={figures.missing} />
      </>
    )
  }
  const hasGaps = totals.some(({ missing }) => missing > 0)
  return (
    <>
      <PageHead
        title="Staffing costs"
        documentTitle="Staffing costs - Staffing"
        facts={
          <>
            Choose a figure to see the contracts behind it
            {hasGaps && (
              <>
                {' '}
                · <span className={textStyles.up}>* some months could not be calculated and are left out</span>
              </>
            )}
          </>
        }
      >
        <SegmentedControl className={scrollStyles.ways} data={groupings} value={by} onChange={setBy} aria-label="Group by" />
      </PageHead>
      {query.isError ? (
        <LoadFailed query={query} />
      ) : !query.data ? (
        <Skeleton height={320} />
      ) : query.data.length === 0 ? (
        <Card>
          <EmptyState>
            <h2>No costs yet</h2>
            <p>Add a staff contract, or recalculate the budget group.</p>
          </EmptyState>
        </Card>
      ) : (
        <Card className={scrollStyles.scroll}>
          <DataTable
            columns={[
              {
                id: 'name',
                label: assertDefined(groupings.find((grouping) => grouping.value === by)).label,
                cell: (sum) => (sum ? nameOf(by, sum) : 'All'),
              },
              ...createFigureColumns<SelectedCost['sum']>(years, (sum, year) => cell({ sum, year })),
            ]}
            rows={[...query.data, null]}
            look={(sum) => (sum ? undefined : 'total')}
          />
        </Card>
      )}
      {selectedCost && (
        <SideDialog onClose={() => setSelectedCost(null)} position="right" size="xl" title={titleOf(selectedCost)}>
          <CostSources by={by} sumKey={selectedCost.sum ? selectedCost.sum.key : undefined} year={selectedCost.year} />
        </SideDialog>
      )}
    </>
  )
}
StaffCostsPage.prepare = prepare
