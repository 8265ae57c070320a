import '@mantine/charts/styles.css'
import { CompositeChart } from '@mantine/charts'
import { displayAxisPounds, displayWholePounds } from '../../domain/values/format.ts'
import { useYearNames } from '../budget/useYearNames.ts'
import type { api } from '../shell/api.ts'

type Overview = Awaited<ReturnType<typeof api.overview.summary.query>>

/** Income and expenditure by year as bars, with the closing balance as a line. */
export function YearsChart({ overview }: { overview: Overview }) {
  const years = useYearNames()
  return (
    <CompositeChart
      h={210}
      data={overview.years.map((year, index) => ({
        year: years[index],
        Income: year.income,
        Staffing: year.staffing,
        'Non-staffing': year.nonStaffing,
        'Closing balance': year.closing,
      }))}
      dataKey="year"
      maxBarWidth={42}
      withLegend
      series={[
        { name: 'Income', type: 'bar', color: 'var(--accent)' },
        { name: 'Staffing', type: 'bar', color: 'gray.6' },
        { name: 'Non-staffing', type: 'bar', color: 'gray.4' },
        { name: 'Closing balance', type: 'line', color: 'var(--warn)' },
      ]}
      valueFormatter={(value) => displayWholePounds(Math.round(value * 100))}
      yAxisProps={{ width: 84, tickFormatter: displayAxisPounds }}
      tickLine="none"
    />
  )
}
