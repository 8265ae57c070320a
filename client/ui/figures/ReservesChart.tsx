import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { listAxisTicks } from '../../../domain/values/axisTicks.ts'
import { displayAxisPounds, displayWholePounds } from '../../../domain/values/format.ts'

/** The reserves at the end of each year, in pounds, with the minimum that the organisation's policy requires. */
export function ReservesChart({
  years,
  values,
  policy,
}: {
  years: readonly string[]
  /** Null for a year whose reserves are not known. */
  values: readonly (number | null)[]
  /** Undefined if the organisation has no policy. */
  policy?: readonly (number | null)[] | undefined
}) {
  const ticks = listAxisTicks([...values, ...(policy ?? [])].filter((value) => value !== null))
  return (
    <LineChart
      h={210}
      data={years.map((year, index) => ({ year, Reserves: values[index], ...(policy && { Policy: policy[index] }) }))}
      dataKey="year"
      xAxisProps={{ padding: { left: 24, right: 24 } }}
      withLegend={policy !== undefined}
      series={[
        { name: 'Reserves', color: 'var(--accent)' },
        ...(policy ? [{ name: 'Policy', color: 'var(--warn)', strokeDasharray: '6 4' }] : []),
      ]}
      curveType="linear"
      referenceLines={values.some((value) => value !== null && value < 0) ? [{ y: 0, color: 'var(--dim)' }] : []}
      valueFormatter={(value) => displayWholePounds(Math.round(value * 100))}
      yAxisProps={{ width: 84, tickFormatter: displayAxisPounds, ticks, domain: [Math.min(...ticks), Math.max(...ticks)], interval: 0 }}
      tickLine="none"
    />
  )
}
