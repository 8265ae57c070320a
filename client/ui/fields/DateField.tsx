import { assertDefined } from '../../../domain/values/assertDefined.ts'
import '@mantine/dates/styles.css'
import { DateInput } from '@mantine/dates'
import dayjs from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat'
import { type ReactNode, useRef, useState } from 'react'
import { isDate } from '../../../domain/values/calendar.ts'
import { calendarLabels } from './calendarLabels.ts'

// Without this plugin, dayjs leaves other formats to the browser, which reads any number as a date.
dayjs.extend(customParseFormat)

/** Parses typed dates such as 1/9/26, 01 Sep 2026 and 2026-09-01. The date must exist. */
function parseTypedDate(text: string): string | null {
  const match = /^(\d{1,2})[/. -](\d{1,2})[/. -](\d{2}|\d{4})$/.exec(text.trim())
  if (match) {
    const year = assertDefined(match[3]).length === 2 ? `20${match[3]}` : assertDefined(match[3])
    const iso = `${year}-${assertDefined(match[2]).padStart(2, '0')}-${assertDefined(match[1]).padStart(2, '0')}`
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
  /** False keeps the calendar inside its container, such as a popover that closes on an outside click. */
  withinPortal?: boolean
}) {
  // The value when the field got the focus. A date with a half-typed year is already valid and becomes the value; if the finished text is
  // invalid, the original value is restored.
  const before = useRef(value)
  const [unread, setUnread] = useState<string | null>(null)
  const isRefused = ({ value: text }: HTMLInputElement): boolean => {
    const typed = text.trim()
    if (!typed || parseTypedDate(typed)) return false
    if (before.current !== value) onChange(before.current)
    setUnread(typed)
    return true
  }
  return (
    <DateInput
      size={size}
      label={bare ? undefined : label}
      aria-label={label}
      description={description}
      value={value}
      onChange={(next) => {
        setUnread(null)
        onChange(next)
      }}
      onInput={() => setUnread(null)}
      onFocus={() => {
        before.current = value
      }}
      onBlur={(event) => void isRefused(event.currentTarget)}
      onKeyDown={(event) => {
        if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's' || !isRefused(event.currentTarget)) return
        event.preventDefault()
        event.stopPropagation()
      }}
      valueFormat="DD MMM, YYYY"
      dateParser={parseTypedDate}
      placeholder={placeholder}
      clearable={!required && !disabled && value !== null && size !== 'xs'}
      error={unread ? `${unread} is not a valid date. Enter day, month and year, such as 01/09/2026.` : error}
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
