import { must } from '../../domain/must.ts'
import '@mantine/dates/styles.css'
import { DateInput } from '@mantine/dates'
import dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { isDate } from '../../domain/calendar.ts'
import { calendarLabels } from './calendarLabels.ts'

/** Dates as people type them: 1/9/26, 01 Sep 2026, 2026-09-01; the day and month must exist. */
function parseTypedDate(text: string): string | null {
  const match = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{2}|\d{4})$/.exec(text.trim())
  if (match) {
    const year = must(match[3]).length === 2 ? `20${match[3]}` : must(match[3])
    const iso = `${year}-${must(match[2]).padStart(2, '0')}-${must(match[1]).padStart(2, '0')}`
    return isDate(iso) ? iso : null
  }
  if (isDate(text.trim())) return text.trim()
  const parsed = dayjs(text.trim(), ['DD MMM, YYYY', 'D MMM, YYYY', 'DD MMM YYYY', 'D MMM YYYY', 'DD MMMM YYYY', 'D MMMM YYYY'], true)
  return parsed.isValid() ? parsed.format('YYYY-MM-DD') : null
}

export function DateField({
  label,
  value,
  onChange,
  error,
  disabled,
  required,
  bare,
  description,
  size,
  placeholder = 'DD/MM/YYYY',
  withinPortal = true,
}: {
  size?: 'xs' | 'sm'
  placeholder?: string
  label: string
  value: string | null
  onChange: (value: string | null) => void
  error?: ReactNode
  disabled?: boolean
  required?: boolean
  bare?: boolean
  description?: ReactNode
  /** false: the calendar is part of what the field stands in, which a press outside closes. */
  withinPortal?: boolean
}) {
  return (
    <DateInput
      size={size}
      label={bare ? undefined : label}
      aria-label={label}
      description={description}
      value={value}
      onChange={onChange}
      valueFormat="DD MMM, YYYY"
      dateParser={(text) => parseTypedDate(text) ?? null}
      placeholder={placeholder}
      clearable={!required && !disabled && value !== null && size !== 'xs'}
      error={error}
      disabled={disabled}
      required={required}
      withAsterisk={required}
      ariaLabels={calendarLabels}
      hideOutsideDates
      weekendDays={[]}
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      popoverProps={{ withinPortal }}
    />
  )
}
