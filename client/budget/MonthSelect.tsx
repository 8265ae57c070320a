import { Select } from '@mantine/core'
import { type CalendarMonth, formatIsoMonth } from '../../domain/monitoring/monitoring.ts'
import type { MonthOptionGroup } from './months.ts'

export function MonthSelect({
  label = 'Month',
  width = 190,
  choices,
  month,
  onChange,
}: {
  label?: string
  /** In pixels. */
  width?: number
  choices: MonthOptionGroup[]
  month: CalendarMonth
  /** @param month as in an address: `2026-10` */
  onChange: (month: string) => void
}) {
  return (
    <Select
      aria-label={label}
      w={width}
      searchable
      allowDeselect={false}
      nothingFoundMessage="Month not found"
      data={choices}
      value={formatIsoMonth(month)}
      onChange={(value) => value && onChange(value)}
    />
  )
}
