import '@mantine/charts/styles.css'
import { BarChart } from '@mantine/charts'
import { formatPeriodMonth } from '../../../domain/values/calendar.ts'
import { displayAxisPounds, displayMoney, toPounds } from '../../../domain/values/format.ts'

export function MonthsChart({ months, startMonth }: { months: readonly (number | null)[]; startMonth: number }) {
  return (
    <BarChart
      h={190}
      data={months.map((pennies, index) => ({
        month: formatPeriodMonth(startMonth, index + 1).slice(0, 3),
        Amount: toPounds(pennies ?? 0),
      }))}
      dataKey="month"
      series={[{ name: 'Amount', color: 'var(--accent)' }]}
      valueFormatter={(value) => displayMoney(Math.round(value * 100))}
      yAxisProps={{ width: 62, tickFormatter: displayAxisPounds }}
      tickLine="none"
    />
  )
}
