import { SegmentedControl, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { addUp, type Sum } from '../../domain/calculation/sums.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayMoney, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import { useYears } from '../budget/useYears.ts'
import { type Answers, trpc } from '../shell/api.ts'
import { useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import emptyStyles from '../ui/Empty.module.css'
import figuresStyles from '../ui/figures/Figures.module.css'
import { Figures } from '../ui/figures/Figures.tsx'
import { Gaps } from '../ui/figures/Gaps.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card } from '../ui/layout/Card.tsx'
import scrollStyles from '../ui/layout/scroll.module.css'
import { Tools } from '../ui/layout/Tools.tsx'

type Coding = 'costCentre' | 'fundCode'
type Row = Answers['overview']['byCoding'][number]

const sides = ['income', 'staffing', 'nonStaffing'] as const

/** Income less expenditure; figures missing from either are missing from the balance. */
function balanceOf({ income, staffing, nonStaffing }: Row['years'][number]): Sum {
  const spent = addUp([staffing, nonStaffing])
  return { total: (toPennies(income.total) - toPennies(spent.total)) / 100, missing: income.missing + spent.missing }
}

function Cell({ sum }: { sum: Sum }) {
  const pennies = toPennies(sum.total)
  if (pennies === 0 && sum.missing > 0)
    return (
      <td>
        <span className={textStyles.missing}>not calculated</span>
      </td>
    )
  return (
    <td title={displayMoney(pennies)} className={pennies < 0 ? textStyles.up : undefined}>
      {pennies === 0 ? '–' : displayWholePounds(pennies)}
      <Gaps count={sum.missing} />
    </td>
  )
}

/** All amounts of the budget by cost centre or fund, one year at a time. */
export function ByCodingTab() {
  const term = useTerm()
  const years = useYears()
  const [by, setBy] = useState<Coding>('costCentre')
  const [chosen, setChosen] = useState<string | null>(null)
  const year = Math.max(0, years.indexOf(chosen ?? ''))
  const sums = trpc.overview.byCoding.useQuery({ by })
  if (sums.isError) return <LoadFailed query={sums} />
  const rows = (sums.data ?? [])
    .map((row) => ({ ...row, year: assertDefined(row.years[year]) }))
    .filter((row) => sides.some((side) => row.year[side].total !== 0 || row.year[side].missing > 0))
  const total = {
    income: addUp(rows.map((row) => row.year.income)),
    staffing: addUp(rows.map((row) => row.year.staffing)),
    nonStaffing: addUp(rows.map((row) => row.year.nonStaffing)),
  }
  const name = by === 'costCentre' ? term('CostCentre') : term('FundCode')
  return (
    <>
      <Tools>
        <SegmentedControl
          aria-label="Put together by"
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
      </Tools>
      {!sums.data ? (
        <Skeleton height={320} />
      ) : rows.length === 0 ? (
        <Card className={emptyStyles.empty}>Nothing is budgeted in {years[year]}.</Card>
      ) : (
        <Card className={scrollStyles.scroll} aria-label={`By ${name.singular.toLowerCase()}`}>
          <Figures>
            <thead>
              <tr>
                <th scope="col" className={figuresStyles.text}>
                  {name.singular}
                </th>
                <th scope="col">Income</th>
                <th scope="col">Staffing</th>
                <th scope="col">Non-staffing</th>
                <th scope="col">Balance</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id ?? 'none'}>
                  <th scope="row">
                    {row.id === null ? (
                      <span title="Money that carries none: the apprenticeship levy, pools and top slices among it">None</span>
                    ) : (
                      `${row.code} ${row.description}`.trim()
                    )}
                  </th>
                  {sides.map((side) => (
                    <Cell key={side} sum={row.year[side]} />
                  ))}
                  <Cell sum={balanceOf(row.year)} />
                </tr>
              ))}
              <tr className={figuresStyles.total}>
                <th scope="row">All</th>
                {sides.map((side) => (
                  <Cell key={side} sum={total[side]} />
                ))}
                <Cell sum={balanceOf(total)} />
              </tr>
            </tbody>
          </Figures>
        </Card>
      )}
    </>
  )
}
