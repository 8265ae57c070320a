import { Button, Table } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Field, FieldOf } from '../../../domain/resources/fields.ts'
import { requireRecords } from '../../../domain/values/unknownValues.ts'
import { RemoveButton } from '../../ui/dialogs/RemoveButton.tsx'
import textStyles from '../../ui/labels/text.module.css'

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
      <Table withRowBorders={false} verticalSpacing={4}>
        <Table.Thead>
          <Table.Tr>
            {Object.entries(field.of).map(([name, part]) => (
              <Table.Th key={name} fw={500}>
                {part.label}
              </Table.Th>
            ))}
            <Table.Th w={40} aria-label="Remove" />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, index) => (
            <Table.Tr key={index}>
              {Object.entries(field.of).map(([name, part]) => (
                <Table.Td key={name}>{cell(part, row[name] ?? null, (typed) => set(index, name, typed))}</Table.Td>
              ))}
              <Table.Td>
                {!disabled && (
                  <RemoveButton label={`Remove row ${index + 1}`} onRemove={() => onChange(rows.filter((_row, at) => at !== index))} />
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
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
