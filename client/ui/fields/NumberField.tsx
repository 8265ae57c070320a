import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

/** More digits than a number holds to the last one are not taken. */
const mostDigits = 15

/** The number that a typed text is, as far as it is one: of a minus alone nothing yet. */
function numberOf(typed: number | string): number | null {
  const number = typed === '' ? Number.NaN : Number(typed)
  return Number.isFinite(number) ? number : null
}

/**
 * A number as people in Britain type it: a comma parts thousands and never decimals. It holds a number or nothing, also while only its sign is
 * typed.
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
  // What is half typed, `-` or `1.`, stands as it is as long as it says what the form holds.
  const [typed, setTyped] = useState<number | string>('')
  return (
    <NumberInput
      {...more}
      min={min}
      allowNegative={min === undefined || Number(min) < 0}
      allowedDecimalSeparators={['.']}
      isAllowed={({ value: text }) => text.replace(/\D/g, '').length <= mostDigits}
      value={numberOf(typed) === (value ?? null) ? typed : (value ?? '')}
      onChange={(next) => {
        setTyped(next)
        onChange(numberOf(next))
      }}
      onBlur={(event) => {
        setTyped('')
        onBlur?.(event)
      }}
    />
  )
}
