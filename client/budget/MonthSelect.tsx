import { type CalendarMonth, formatIsoMonth } from '../../domain/monitoring/monitoring.ts'
import { Choice } from '../ui/fields/Choice.tsx'
import type { MonthOptionGroup } from './months.ts'

export function MonthSelect({
  label = 'Month',
  width = 190,
  choices,
  month,
  onChange,
}: {
  label?: string
  /** Width in pixels. */
  width?: number
  choices: MonthOptionGroup[]
  month: CalendarMonth
  /** @param month in the form `2026-10` */
  onChange: (month: string) => void
}) {
  return (
    <Choice
      aria-label={label}
      w={width}
      nothingFoundMessage="Month not found"
      data={choices}
      value={formatIsoMonth(month)}
      onChange={(value) => value && onChange(value)}
    />
  )
}
