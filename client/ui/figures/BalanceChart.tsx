import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { listAxisTicks } from '../../../domain/values/axisTicks.ts'
import { displayAxisPounds, displayWholePounds } from '../../../domain/values/format.ts'

/** The surplus or deficit of each year, in pounds, as bars above and below zero. A year without a known amount has no bar. */
export function BalanceChart({ years, values }: { years: readonly string[]; values: readonly (number | null)[] }) {
  const ticks = listAxisTicks(values.filter((value) => value !== null))
  return (
    <BarChart
      h={210}
      data={years.map((year, index) => ({ year, 'In-year balance': values[index] }))}
      dataKey="year"
      maxBarWidth={56}
      series={[{ name: 'In-year balance', color: 'var(--good)' }]}
      getBarColor={(value) => (value < 0 ? 'var(--bad)' : 'var(--good)')}
      withBarValueLabel
      valueLabelProps={{ fill: 'var(--ink)', fontSize: 12 }}
      referenceLines={[{ y: 0, color: 'var(--dim)' }]}
      valueFormatter={(value) => displayWholePounds(Math.round(value * 100))}
      yAxisProps={{
        width: 84,
        tickFormatter: displayAxisPounds,
        ticks,
        domain: [Math.min(...ticks), Math.max(...ticks)],
        interval: 0,
        // Room for the amounts beyond the bars.
        padding: { top: 16, bottom: 16 },
      }}
      tickLine="none"
    />
  )
}
