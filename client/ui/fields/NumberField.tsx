import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

/** Longer numbers would lose precision, so further digits are refused. */
const maximumDigits = 15

/** The number in a typed text; null while there is only a minus sign. */
function parseNumber(typed: number | string): number | null {
  const number = typed === '' ? Number.NaN : Number(typed)
  return Number.isFinite(number) ? number : null
}

/**
 * A number field in British format: a comma separates thousands, never decimals. Its value is a number or null, even
 * while only a sign is typed.
 */
export function NumberField({
  value,
  onChange,
  onBlur,
  min,
  ...more
}: Omit<NumberInputProps, 'value' | 'defaultValue' | 'onChange' | 'allowedDecimalSeparators' | 'isAllowed'> & {
  value: number | null | undefined
  onChange: (value: number | null) => void
}) {
  // Partial text such as `-` or `1.` stays visible while it represents the form's value.
  const [typed, setTyped] = useState<number | string>('')
  return (
    <NumberInput
      {...more}
      min={min}
      allowNegative={min === undefined || Number(min) < 0}
      allowedDecimalSeparators={['.']}
      isAllowed={({ value: text }) => text.replace(/\D/g, '').length <= maximumDigits}
      value={parseNumber(typed) === (value ?? null) ? typed : (value ?? '')}
      onChange={(next) => {
        setTyped(next)
        onChange(parseNumber(next))
      }}
      onBlur={(event) => {
        setTyped('')
        onBlur?.(event)
      }}
    />
  )
}
