import { SegmentedControl, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { addSums, type Sum } from '../../domain/calculation/sums.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayMoney, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { useBudgetYearNames } from '../budget/useYearNames.ts'
import { type RouterOutputs, trpc } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import emptyStyles from '../ui/Empty.module.css'
import { IncompleteSumNote } from '../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Toolbar } from '../ui/layout/Toolbar.tsx'
import { createFigureColumns } from '../ui/table/columns.ts'
import { DataTable } from '../ui/table/DataTable.tsx'

type Coding = 'costCentre' | 'fundCode'
type Row = RouterOutputs['overview']['byCoding'][number]

const sides = ['income', 'staffing', 'nonStaffing'] as const

/** Calculates income less expenditure. A figure missing from income or expenditure is also missing from the balance. */
function calculateBalance({ income, staffing, nonStaffing }: Row['years'][number]): Sum {
  const expenditure = addSums([staffing, nonStaffing])
  return { total: (toPennies(income.total) - toPennies(expenditure.total)) / 100, missing: income.missing + expenditure.missing }
}

function Cell({ sum }: { sum: Sum }) {
  const pennies = toPennies(sum.total)
  if (pennies === 0 && sum.missing > 0) return <span className={textStyles.missing}>not calculated</span>
  return (
    <span title={displayMoney(pennies)} className={pennies < 0 ? textStyles.up : undefined}>
      {pennies === 0 ? '–' : displayWholePounds(pennies)}
      <IncompleteSumNote count={sum.missing} />
    </span>
  )
}

interface CodingLine {
  id: number | null
  code: string
  description: string
  year: Record<(typeof sides)[number], Sum>
}

/** All amounts of the budget by cost centre or fund, for one year at a time. */
export function ByCodingTab() {
  const term = useTerm()
  const years = useBudgetYearNames()
  const [by, setBy] = useState<Coding>('costCentre')
  const [chosen, setChosen] = useState<string | null>(null)
  const year = Math.max(0, years.indexOf(chosen ?? ''))
  const sums = trpc.overview.byCoding.useQuery({ by })
  if (sums.isError) return <LoadFailed query={sums} />
  const rows = (sums.data ?? [])
    .map((row) => ({ ...row, year: assertDefined(row.years[year]) }))
    .filter((row) => sides.some((side) => row.year[side].total !== 0 || row.year[side].missing > 0))
  const total = {
    income: addSums(rows.map((row) => row.year.income)),
    staffing: addSums(rows.map((row) => row.year.staffing)),
    nonStaffing: addSums(rows.map((row) => row.year.nonStaffing)),
  }
  const all: CodingLine = { id: 0, code: '', description: 'All', year: total }
  const name = by === 'costCentre' ? term('CostCentre') : term('FundCode')
  return (
    <>
      <Toolbar>
        <SegmentedControl
          aria-label="Group by"
          value={by}
          onChange={setBy}
          data={[
            { value: 'costCentre', label: term('CostCentre').plural },
            { value: 'fundCode', label: term('FundCode').plural },
          ]}
        />
        {years.length > 1 && (
          <SegmentedControl aria-label="Year" className={scrollStyles.ways} data={years} value={years[year]} onChange={setChosen} />
        )}
      </Toolbar>
      {!sums.data ? (
        <Skeleton height={320} />
      ) : rows.length === 0 ? (
        <Card className={emptyStyles.empty}>Nothing is budgeted in {years[year]}.</Card>
      ) : (
        <Card className={scrollStyles.scroll} aria-label={`By ${toMidSentence(name.singular)}`}>
          <DataTable
            columns={[
              {
                id: 'name',
                label: name.singular,
                cell: (row) =>
                  row.id === null ? (
                    <span title="Amounts without one, including the apprenticeship levy, pools and top slices">None</span>
                  ) : (
                    `${row.code} ${row.description}`.trim()
                  ),
              },
              ...createFigureColumns<CodingLine>(['Income', 'Staffing', 'Non-staffing', 'Balance'], ({ year }, at) => {
                const side = sides[at]
                return <Cell sum={side ? year[side] : calculateBalance(year)} />
              }),
            ]}
            rows={[...rows, all]}
            look={(row) => (row === all ? 'total' : undefined)}
          />
        </Card>
      )}
    </>
  )
}
