import '@mantine/charts/styles.css'
import { CompositeChart } from '@mantine/charts'
import { listAxisTicks } from '../../domain/values/axisTicks.ts'
import { displayAxisPounds, displayWholePounds, toPennies } from '../../domain/values/format.ts'
import type { RouterOutputs } from '../shell/api.ts'
import classes from './HowSure.module.css'

type Year = RouterOutputs['uncertainty']['run']['years'][number]

const range = '8 of 10 futures'
const pounds = (amount: number | null | undefined): string =>
  typeof amount === 'number' ? displayWholePounds(toPennies(amount)) : 'not calculated'

/** The closing reserves that the futures reach, as a band that widens with the years, with the reserve in the budget. */
export function FanChart({
  years,
  floor,
}: {
  years: readonly Year[]
  /** The reserve floor of each year, in pounds; null if the organisation has none. */
  floor: readonly number[] | null
}) {
  const ticks = listAxisTicks(
    [0, ...(floor ?? []), ...years.flatMap(({ planned, p10, p90 }) => [planned, p10, p90])].filter((value) => value !== null),
  )
  return (
    <CompositeChart
      h={280}
      data={years.map(({ year, planned, p10, p50, p90 }, index) => ({
        year,
        [range]: p10 === null || p90 === null ? null : [p10, p90],
        'Middle of all futures': p50,
        'The budget': planned,
        ...(floor && { 'Reserve floor': floor[index] }),
      }))}
      dataKey="year"
      withLegend
      curveType="linear"
      series={[
        { name: range, color: 'var(--accent)', type: 'area' },
        { name: 'Middle of all futures', color: 'var(--accent)', type: 'line' },
        { name: 'The budget', color: 'var(--ink)', type: 'line', strokeDasharray: '6 5' },
        ...(floor ? [{ name: 'Reserve floor', color: 'var(--warn)', type: 'line' as const, strokeDasharray: '2 4' }] : []),
      ]}
      areaProps={{ dot: false, activeDot: false, strokeOpacity: 0 }}
      xAxisProps={{ padding: { left: 24, right: 24 } }}
      referenceLines={[{ y: 0, color: 'var(--bad)' }]}
      yAxisProps={{ width: 84, tickFormatter: displayAxisPounds, ticks, domain: [Math.min(...ticks), Math.max(...ticks)], interval: 0 }}
      tickLine="none"
      tooltipProps={{
        content: ({ label }) => {
          const at = years.findIndex(({ year }) => year === label)
          const year = years[at]
          return year ? (
            <div className={classes.tooltip}>
              <strong>{year.year}</strong>
              <p>In the budget: {pounds(year.planned)}</p>
              <p>
                8 of 10 futures: {pounds(year.p10)} to {pounds(year.p90)}
              </p>
              <p>Half end below: {pounds(year.p50)}</p>
              {floor && <p>Reserve floor: {pounds(floor[at])}</p>}
            </div>
          ) : null
        },
      }}
    />
  )
}
