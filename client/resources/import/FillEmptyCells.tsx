import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { TemplateChoice } from '../../../domain/resources/template.ts'
import { displayCount } from '../../../domain/values/format.ts'
import { SuggestionField } from '../../ui/fields/SuggestionField.tsx'

/** Fills the empty cells of a column in several rows with one value. */
export function FillEmptyCells({
  name,
  rows,
  choices,
  onFill,
}: {
  /** Label of the column. */
  name: string
  /** The number of rows in which the cell of the column is empty. */
  rows: number
  /** The allowed values of the column; empty if any text may be entered. */
  choices: readonly TemplateChoice[]
  onFill: (value: string) => void
}) {
  const [value, setValue] = useState('')
  return (
    <Group gap="xs" mb="xs" align="flex-end">
      <SuggestionField
        size="xs"
        label={`${name}: missing in ${displayCount(rows, 'row')}`}
        style={{ flex: '1 1 220px', maxWidth: 420 }}
        suggestions={choices}
        takesFirst={choices.length > 0}
        value={value}
        onChange={setValue}
      />
      <Button size="xs" variant="default" disabled={!value.trim()} onClick={() => onFill(value)}>
        Use for all {displayCount(rows, 'row')}
      </Button>
    </Group>
  )
}
