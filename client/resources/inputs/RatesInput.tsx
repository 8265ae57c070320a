import { Input, SimpleGrid } from '@mantine/core'
import type { ReactNode } from 'react'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import textStyles from '../../ui/labels/text.module.css'

/** An input for a fixed number of annual percentage rates, next to each other. */
export function RatesInput({
  label,
  count,
  value,
  onChange,
  error,
  disabled,
  bare,
}: {
  label: string
  count: number
  value: readonly (number | null)[]
  onChange: (rates: (number | null)[]) => void
  error?: ReactNode
  disabled?: boolean
  /** Whether the label is only for screen readers, as in a table. */
  bare?: boolean
}) {
  const rates = Array.from({ length: count }, (_unused, index) => value[index] ?? null)
  return (
    <Input.Wrapper label={bare ? undefined : label} error={error} required withAsterisk={!bare} labelElement="div">
      <SimpleGrid cols={{ base: 2, xs: count }} spacing={8} mt={2}>
        {rates.map((rate, index) => (
          <NumberField
            key={index}
            aria-label={`${label}, year ${index + 1}`}
            leftSection={<span className={textStyles.dim}>{index + 1}</span>}
            leftSectionWidth={22}
            value={rate}
            onChange={(typed) => onChange(rates.map((one, at) => (at === index ? typed : one)))}
            decimalScale={4}
            suffix="%"
            hideControls
            disabled={disabled}
            error={Boolean(error)}
            styles={{ input: { textAlign: 'right', fontVariantNumeric: 'tabular-nums' } }}
          />
        ))}
      </SimpleGrid>
    </Input.Wrapper>
  )
}
