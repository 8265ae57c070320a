import { Skeleton } from '@mantine/core'
import { useDeferredValue } from 'react'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { formatPeriodMonth } from '../../domain/values/calendar.ts'
import { displayFigure, toPennies } from '../../domain/values/format.ts'
import { trpc } from '../shell/api.ts'
import { ChartCard } from '../shell/ChartCard.tsx'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { lazyComponent } from '../shell/lazyComponent.ts'
import textStyles from '../ui/labels/text.module.css'
import { CardNote } from '../ui/layout/Card.tsx'
import type { MonitoringParameters } from './scope.ts'
import type { ChartMonth } from './YearChart.tsx'

const YearChart = lazyComponent(() => import('./YearChart.tsx'), 'ForecastChart')

/**
 * The months of a year as a chart or a table, for a code or for all income or expenditure.
 * @param typed unsaved monthly values, in pounds
 */
export function MonthlyFiguresCard({
  of,
  parameters,
  typed = null,
}: {
  of: number | 'income' | 'expenditure'
  parameters: MonitoringParameters
  typed?: readonly number[] | null
}) {
  // Deferred, so that drawing the chart does not slow typing.
  const draft = useDeferredValue(typed)
  const year = trpc.monitoring.year.useQuery({ ...parameters, of }, { placeholderData: (before) => before })
  if (year.isError) return <LoadFailed query={year} />
  if (!year.data) return <Skeleton height={280} />
  const { months, budget, approved, lastYear } = year.data
  const values = year.data.values.map((one, period) => (draft && !one.isActual ? { ...one, value: draft[period] ?? one.value } : one))
  const comparedBudget = approved ?? budget
  const lastActual = values.map((one) => one.isActual).lastIndexOf(true)
  const nameOf = (period: number): string => {
    const month = months?.[period]
    return month ? formatPeriodMonth(month.month, 1).slice(0, 3) : `P${period + 1}`
  }
  const rows: ChartMonth[] = values.map(({ value, isActual }, period) => ({
    month: nameOf(period),
    Actual: isActual ? value : null,
    // The dashed line of the forecast starts where the solid line of actuals ends.
    Forecast: isActual && period !== lastActual ? null : value,
    Budget: assertDefined(comparedBudget[period]),
    'Last year': lastYear?.[period] ?? null,
  }))
  const describeMonthCount = (amounts: readonly (number | null)[]): string =>
    displayFigure(amounts.reduce<number>((sum, one) => sum + toPennies(one ?? 0), 0))
  const shown = (amount: number | null | undefined): string => (amount == null ? '' : displayFigure(toPennies(amount)))
  return (
    <ChartCard
      label="The year"
      heading={
        <>
          The year <CardNote>{approved ? 'against the approved budget' : 'against the budget'}</CardNote>
        </>
      }
      title={`The year against the ${approved ? 'approved ' : ''}budget`}
      height={230}
      table={{
        corner: 'Month',
        columns: ['Actual or forecast', approved ? 'Approved budget' : 'Budget', ...(lastYear ? ['Last year'] : [])],
        rows: [
          ...values.map(({ value, isActual }, period) => ({
            key: String(period),
            name: (
              <>
                {nameOf(period)} <span className={textStyles.dim}>{isActual ? 'actual' : 'forecast'}</span>
              </>
            ),
            values: [shown(value), shown(comparedBudget[period]), ...(lastYear ? [shown(lastYear[period])] : [])],
          })),
          {
            key: 'year',
            name: 'Year',
            values: [
              describeMonthCount(values.map((one) => one.value)),
              describeMonthCount(comparedBudget),
              ...(lastYear ? [describeMonthCount(lastYear)] : []),
            ],
            isTotal: true,
          },
        ],
      }}
    >
      <YearChart months={rows} hasLastYear={lastYear !== null} />
    </ChartCard>
  )
}
