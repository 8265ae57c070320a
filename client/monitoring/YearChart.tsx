import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { displayAxisPounds, displayMoney } from '../../domain/values/format.ts'

/** A month of the chart, in pounds. An amount is null if its line has no point in the month. */
export interface ChartMonth {
  month: string
  Actual: number | null
  Forecast: number | null
  Budget: number
  'Last year': number | null
}

/** A line chart: actuals as a solid line, the forecast as a dashed line, with the budget and last year's outturn. */
export function ForecastChart({ months, hasLastYear }: { months: ChartMonth[]; hasLastYear: boolean }) {
  return (
    <LineChart
      h={230}
      data={months.map((month) => ({ ...month }))}
      dataKey="month"
      withLegend
      curveType="linear"
      connectNulls={false}
      series={[
        { name: 'Budget', color: 'gray.6' },
        ...(hasLastYear ? [{ name: 'Last year', color: 'var(--warn)' }] : []),
        { name: 'Actual', color: 'var(--accent)' },
        // The forecast is drawn last, so that its dashes stay visible where it equals the budget.
        { name: 'Forecast', color: 'indigo.5', strokeDasharray: '6 5' },
      ]}
      valueFormatter={(value) => displayMoney(Math.round(value * 100))}
      yAxisProps={{ width: 84, tickFormatter: displayAxisPounds }}
      tickLine="none"
    />
  )
}
