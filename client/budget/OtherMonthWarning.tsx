import { Checkbox } from '@mantine/core'
import { type CalendarMonth, formatMonth, toMonthIndex } from '../../domain/monitoring/monitoring.ts'

/** Asks the user to confirm the import of a file that names another month. Renders nothing if the file names this month or no month. */
export function OtherMonthWarning({
  fileMonth,
  month,
  isConfirmed,
  onConfirm,
}: {
  fileMonth: CalendarMonth | null | undefined
  month: CalendarMonth
  isConfirmed: boolean
  onConfirm: (isConfirmed: boolean) => void
}) {
  if (!fileMonth || toMonthIndex(fileMonth) === toMonthIndex(month)) return null
  return (
    <Checkbox
      mb="sm"
      label={`The file says ${formatMonth(fileMonth)}, but you are importing ${formatMonth(month)}`}
      checked={isConfirmed}
      onChange={(event) => onConfirm(event.currentTarget.checked)}
    />
  )
}
