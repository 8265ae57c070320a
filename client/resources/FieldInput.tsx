import { ActionIcon, Button, Checkbox, ColorInput, Group, NumberInput, Select, Table, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import dayjs from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat'
import type { ReactNode } from 'react'
import { lookups } from '../../domain/lookups.ts'
import type { Field, Kind } from '../../domain/resources/fields.ts'
import { DateField } from './DateField.tsx'
import { ManyPicker, Picker } from './Picker.tsx'

dayjs.extend(customParseFormat)

export interface InputProps<F extends Field = Field> {
  field: F
  value: unknown
  onChange: (value: unknown) => void
  error?: ReactNode
  disabled?: boolean
  /** In a table: the label is for screen readers only. */
  bare?: boolean
}

type Render<K extends Kind> = (props: InputProps<Extract<Field, { kind: K }>>) => ReactNode

function common({ field, error, disabled, bare }: InputProps) {
  return {
    label: bare ? undefined : field.label,
    'aria-label': bare ? field.label : undefined,
    description: bare ? undefined : field.help,
    error,
    disabled,
    required: Boolean(field.required),
    withAsterisk: Boolean(field.required),
  }
}

const amount = (props: InputProps, decimals: number, prefix?: string, suffix?: string): ReactNode => (
  <NumberInput
    {...common(props)}
    value={(props.value as number | null) ?? ''}
    onChange={(value) => props.onChange(value === '' ? null : Number(value))}
    decimalScale={decimals}
    fixedDecimalScale={prefix === '£'}
    thousandSeparator=","
    prefix={prefix}
    suffix={suffix}
    hideControls
    styles={{ input: { textAlign: 'right', fontVariantNumeric: 'tabular-nums' } }}
  />
)

/** One input for each kind of field; a missing one does not compile. */
const inputs: { [K in Kind]: Render<K> } = {
  text: (props) => (
    <TextInput
      {...common(props)}
      value={(props.value as string | null) ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      maxLength={props.field.max}
      type={props.field.format === 'email' ? 'email' : 'text'}
    />
  ),
  longText: (props) => (
    <Textarea
      {...common(props)}
      value={(props.value as string | null) ?? ''}
      onChange={(event) => props.onChange(event.currentTarget.value)}
      autosize
      minRows={2}
      maxLength={props.field.max}
    />
  ),
  integer: (props) => (
    <NumberInput
      {...common(props)}
      value={(props.value as number | null) ?? ''}
      onChange={(value) => props.onChange(value === '' ? null : Number(value))}
      allowDecimal={false}
      hideControls
      styles={{ input: { textAlign: 'right' } }}
    />
  ),
  money: (props) => amount(props, 2, '£'),
  percent: (props) => amount(props, 4, undefined, ' %'),
  decimal: (props) => amount(props, 6),
  date: (props) => (
    <DateField
      label={props.field.label}
      value={props.value as string | null}
      onChange={props.onChange}
      error={props.error}
      disabled={props.disabled}
      required={props.field.required}
      bare={props.bare}
      description={props.field.help}
    />
  ),
  flag: (props) =>
    props.field.either ? (
      <Select
        {...common(props)}
        data={[
          { value: 'yes', label: 'Yes' },
          { value: 'no', label: 'No' },
        ]}
        value={props.value === null ? null : props.value ? 'yes' : 'no'}
        onChange={(value) => props.onChange(value === null ? null : value === 'yes')}
        clearable
        placeholder="Either"
      />
    ) : (
      <Checkbox
        label={props.field.label}
        description={props.field.help}
        checked={Boolean(props.value)}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
        error={props.error}
        disabled={props.disabled}
        mt={props.bare ? 0 : 26}
      />
    ),
  choice: (props) => (
    <Select
      {...common(props)}
      data={lookups[props.field.lookup].map((item) => ({ value: String(item.id), label: item.name }))}
      value={props.value === null || props.value === undefined ? null : String(props.value)}
      onChange={(value) => props.onChange(value === null ? null : Number(value))}
      clearable={!props.field.required}
      searchable={lookups[props.field.lookup].length > 8}
      allowDeselect={!props.field.required}
    />
  ),
  flags: (props) => (
    <Checkbox.Group
      {...common(props)}
      value={lookups[props.field.lookup].filter((item) => Number(props.value) & item.id).map((item) => String(item.id))}
      onChange={(values) => props.onChange(values.reduce((sum, value) => sum + Number(value), 0))}
    >
      <Group gap="md" mt={6}>
        {lookups[props.field.lookup].map((item) => (
          <Checkbox key={item.id} value={String(item.id)} label={item.name} disabled={props.disabled} />
        ))}
      </Group>
    </Checkbox.Group>
  ),
  reference: (props) => (
    <Picker
      to={props.field.to}
      where={props.field.where}
      value={(props.value as number | null) ?? null}
      onChange={props.onChange}
      label={props.field.label}
      bare={props.bare}
      error={props.error}
      disabled={props.disabled}
      required={props.field.required}
      description={props.field.help}
    />
  ),
  references: (props) => (
    <ManyPicker
      to={props.field.to}
      value={(props.value as number[] | null) ?? []}
      onChange={props.onChange}
      label={props.field.label}
      bare={props.bare}
      error={props.error}
      disabled={props.disabled}
      description={props.field.help}
      emptyText={props.field.to === 'location' ? 'All locations' : 'None'}
    />
  ),
  rows: (props) => <RowsInput {...props} />,
  colour: (props) => (
    <ColorInput
      {...common(props)}
      value={`#${(props.value as string | null) ?? '000000'}`}
      onChange={(value) => props.onChange(value.replace('#', '').toLowerCase())}
      format="hex"
      withEyeDropper={false}
    />
  ),
}

/** Effective-dated rows in a small table. */
function RowsInput({ field, value, onChange, error, disabled }: InputProps<Extract<Field, { kind: 'rows' }>>) {
  const rows = (value as Record<string, unknown>[] | null) ?? []
  const set = (index: number, name: string, cell: unknown): void =>
    onChange(rows.map((row, at) => (at === index ? { ...row, [name]: cell } : row)))
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
                <Table.Td key={name}>
                  <FieldInput field={part} value={row[name] ?? null} onChange={(cell) => set(index, name, cell)} disabled={disabled} bare />
                </Table.Td>
              ))}
              <Table.Td>
                {!disabled && (
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Remove row ${index + 1}`}
                    onClick={() => onChange(rows.filter((_row, at) => at !== index))}
                  >
                    <IconTrash size={16} />
                  </ActionIcon>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {error && (
        <p className="up" role="alert" style={{ margin: '4px 0', fontSize: 13 }}>
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

/** The input of a field, by its kind. */
export function FieldInput(props: InputProps) {
  return (inputs[props.field.kind] as (props: InputProps) => ReactNode)(props)
}
