import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Field, FieldOf } from '../../../domain/resources/fields.ts'
import { requireRecords } from '../../../domain/values/unknownValues.ts'
import { RemoveButton } from '../../ui/dialogs/RemoveButton.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { FieldTable } from '../../ui/table/FieldTable.tsx'

/** A small table of rows with effective dates. */
export function RowsInput({
  field,
  value,
  onChange,
  error,
  disabled,
  cell,
}: {
  field: FieldOf<'rows'>
  value: unknown
  onChange: (rows: Record<string, unknown>[]) => void
  error?: ReactNode
  disabled?: boolean
  /** Renders the input of one cell. */
  cell: (part: Field, value: unknown, onChange: (value: unknown) => void) => ReactNode
}) {
  const rows = requireRecords(value)
  const set = (index: number, name: string, typed: unknown): void =>
    onChange(rows.map((row, at) => (at === index ? { ...row, [name]: typed } : row)))
  return (
    <div>
      <FieldTable
        headings={[...Object.values(field.of).map(({ label }) => ({ label })), { label: '', name: 'Remove', style: { width: 40 } }]}
      >
        {rows.map((row, index) => (
          <tr key={index}>
            {Object.entries(field.of).map(([name, part]) => (
              <td key={name}>{cell(part, row[name] ?? null, (typed) => set(index, name, typed))}</td>
            ))}
            <td>
              {!disabled && (
                <RemoveButton label={`Remove row ${index + 1}`} onRemove={() => onChange(rows.filter((_row, at) => at !== index))} />
              )}
            </td>
          </tr>
        ))}
      </FieldTable>
      {error && (
        <p className={textStyles.up} role="alert" style={{ margin: '4px 0', fontSize: 13 }}>
          {error}
        </p>
      )}
      {!disabled && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconPlus size={14} />}
          mt={4}
          onClick={() => onChange([...rows, Object.fromEntries(Object.keys(field.of).map((name) => [name, null]))])}
        >
          Add row
        </Button>
      )}
    </div>
  )
}
