import { Checkbox } from '@mantine/core'
import { type CalendarMonth, formatMonth, toMonthIndex } from '../../domain/monitoring/monitoring.ts'

/** Asks the user to confirm a file that names another month. Renders nothing when the file names this month or none. */
export function OtherMonthWarning({
  said,
  month,
  isMeant,
  onMeant,
}: {
  said: CalendarMonth | null | undefined
  month: CalendarMonth
  isMeant: boolean
  onMeant: (isMeant: boolean) => void
}) {
  if (!said || toMonthIndex(said) === toMonthIndex(month)) return null
  return (
    <Checkbox
      mb="sm"
      label={`The file says ${formatMonth(said)}, but it is for ${formatMonth(month)}`}
      checked={isMeant}
      onChange={(event) => onMeant(event.currentTarget.checked)}
    />
  )
}
