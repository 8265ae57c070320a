import '@mantine/charts/styles.css'
import { LineChart } from '@mantine/charts'
import { formatPeriodMonth } from '../../domain/values/calendar.ts'
import { displayAxisPounds, displayMoney } from '../../domain/values/format.ts'
import type { RouterOutputs } from '../shell/api.ts'

type Cash = RouterOutputs['monitoring']['cash']['forecast']

/** Closing cash by month, with the minimum cash level. */
export function CashChart({ cash }: { cash: Cash }) {
  const { floor } = cash
  return (
    <LineChart
      h={240}
      data={cash.months.map((month) => ({
        month: `${formatPeriodMonth(month.month, 1).slice(0, 3)} ${String(month.year).slice(2)}`,
        'Closing cash': month.closing,
      }))}
      dataKey="month"
      series={[{ name: 'Closing cash', color: 'var(--accent)' }]}
      curveType="linear"
      connectNulls={false}
      referenceLines={floor === null ? [] : [{ y: floor, label: 'Floor', color: 'var(--warn)' }]}
      valueFormatter={(value) => displayMoney(Math.round(value * 100))}
      yAxisProps={{ width: 92, tickFormatter: displayAxisPounds }}
      tickLine="none"
    />
  )
}
