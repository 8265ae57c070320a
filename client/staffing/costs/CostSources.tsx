import { Skeleton } from '@mantine/core'
import { Link } from 'react-router'
import { addSums, toKnownTotal } from '../../../domain/calculation/sums.ts'
import { formatPeriodMonth } from '../../../domain/values/calendar.ts'
import { displayCount, displayWholePounds, toPennies } from '../../../domain/values/format.ts'
import { useSelectedBudget } from '../../budget/useBudget.ts'
import { type api, trpc } from '../../shell/api.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { Amount } from '../../ui/figures/Amount.tsx'
import barsStyles from '../../ui/figures/bars.module.css'
import { IncompleteSumNote } from '../../ui/figures/IncompleteSumNote.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { DataTable } from '../../ui/table/DataTable.tsx'

/** The coding to group costs by. */
export type CostGrouping = Parameters<typeof api.lines.sums.query>[0]['by']

/**
 * The contracts behind a figure, most expensive first, each with a link to its monthly costs. Without a key: all
 * contracts of the year.
 */
export function CostSources({ by, sumKey, year }: { by: CostGrouping; sumKey: string | null | undefined; year: number }) {
  const { startMonth } = useSelectedBudget()
  const query = trpc.lines.sources.useQuery({ by, key: sumKey, year })
  if (query.isError) return <LoadFailed query={query} />
  if (!query.data) return <Skeleton height={240} />
  const total = addSums(query.data)
  const months = Array.from({ length: 12 }, (_unused, month) => {
    const amounts = query.data.flatMap((line) => line.months[month] ?? [])
    return amounts.length ? amounts.reduce((sum, pounds) => sum + toPennies(pounds), 0) : null
  })
  const highest = Math.max(1, ...months.map((pennies) => Math.abs(pennies ?? 0)))
  return (
    <>
      <div className={barsStyles.bars} style={{ marginBottom: 16 }}>
        {months.map((pennies, month) => (
          <div key={month}>
            <span>{formatPeriodMonth(startMonth, month + 1).slice(0, 3)}</span>
            <span className={barsStyles.track}>
              <span style={{ width: `${(100 * Math.abs(pennies ?? 0)) / highest}%` }} />
            </span>
            <span className={barsStyles.value}>
              {pennies === null ? <span className={textStyles.missing}>–</span> : displayWholePounds(pennies)}
            </span>
          </div>
        ))}
      </div>
      <DataTable
        columns={[
          {
            id: 'name',
            label: displayCount(query.data.length, 'line'),
            cell: (line) =>
              line?.sourceKind === 'contract' ? (
                <Link to={`/staffing/staff-contracts/${line.sourceId}/cost`}>{line.name}</Link>
              ) : (
                (line?.name ?? 'All')
              ),
          },
          {
            id: 'year',
            label: 'Year',
            isFigure: true,
            cell: (line) => (
              <>
                <Amount pennies={toKnownTotal(line ?? total)} />
                {!line && <IncompleteSumNote count={total.missing} />}
                {line && line.missing > 0 && toKnownTotal(line) !== null && (
                  <div className={textStyles.missing}>
                    excludes {displayCount(line.missing, 'monthly figure')} that could not be calculated
                  </div>
                )}
              </>
            ),
          },
        ]}
        rows={[...query.data, null]}
        look={(line) => (line ? undefined : 'total')}
      />
    </>
  )
}
