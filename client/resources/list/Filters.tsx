import { Button, CloseButton, Group, Popover, Stack, TextInput } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import type { FilterItem } from '../../../domain/lists/lists.ts'
import { booleanFilterOptions, numberFilterOptions, textFilterOptions } from '../../../domain/lookups/filterOptions.ts'
import { lookups } from '../../../domain/lookups/lookups.ts'
import type { Field } from '../../../domain/resources/fields.ts'
import { displayDate } from '../../../domain/values/format.ts'
import { requireNumbers } from '../../../domain/values/unknownValues.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import { DateField } from '../../ui/fields/DateField.tsx'
import { MultiChoice } from '../../ui/fields/MultiChoice.tsx'
import { NumberField } from '../../ui/fields/NumberField.tsx'
import { MultiRecordPicker } from '../inputs/RecordPicker.tsx'
import { useRecordNames } from '../resourceApi.ts'

/** A column that can be filtered, with the kind of filter. */
export interface FilterableColumn {
  name: string
  label: string
  field: Field | { kind: 'set'; items: { id: number; name: string }[] }
}

type FilterKind = FilterItem['filterType']

function getFilterKind({ field }: FilterableColumn): FilterKind {
  switch (field.kind) {
    case 'integer':
    case 'money':
    case 'percent':
    case 'decimal':
      return 'number'
    case 'date':
      return 'date'
    case 'flag':
      return 'boolean'
    case 'choice':
    case 'flags':
    case 'reference':
    case 'references':
    case 'set':
      return 'set'
    default:
      return 'text'
  }
}

function listFilterChoices({ field }: FilterableColumn): { id: number; name: string }[] | null {
  if (field.kind === 'set') return field.items
  return field.kind === 'choice' || field.kind === 'flags' ? lookups[field.lookup] : null
}

/** A chip that describes a filter, with a button that removes the filter. */
function Chip({ column, item, onRemove }: { column: FilterableColumn; item: FilterItem; onRemove: () => void }) {
  const to = 'to' in column.field ? column.field.to : null
  const names = useRecordNames(to ?? 'location', to ? (item.values ?? []).map(Number) : [])
  const option = [...textFilterOptions, ...numberFilterOptions].find((one) => one.id === item.type)?.name ?? 'Equals'
  const words =
    item.filterType === 'set'
      ? (item.values ?? [])
          .map(
            (value) => listFilterChoices(column)?.find((one) => one.id === Number(value))?.name ?? names.get(Number(value))?.name ?? value,
          )
          .join(', ')
      : item.filterType === 'date'
        ? `${displayDate(item.dateFrom ?? null) || 'any'} to ${displayDate(item.dateTo ?? null) || 'any'}`
        : item.filterType === 'boolean'
          ? String(item.value)
          : `${option.toLowerCase()} ${item.value}`
  return (
    <Button.Group>
      <Button variant="default" size="sm" component="span" style={{ cursor: 'default' }} pr={6}>
        {column.label}: {words}
      </Button>
      <Button variant="default" size="sm" px={4} style={{ borderLeft: 0 }} component="span">
        <CloseButton size="sm" onClick={onRemove} aria-label={`Remove the filter on ${column.label}`} />
      </Button>
    </Button.Group>
  )
}

function Form({ columns, onAdd }: { columns: FilterableColumn[]; onAdd: (item: FilterItem) => void }) {
  const [name, setName] = useState<string | null>(columns[0]?.name ?? null)
  const [draft, setDraft] = useState<Partial<FilterItem>>({})
  const column = columns.find((one) => one.name === name)
  const kind = column && getFilterKind(column)
  const ready =
    kind === 'set'
      ? Boolean(draft.values?.length)
      : kind === 'date'
        ? Boolean(draft.dateFrom || draft.dateTo)
        : draft.value !== undefined && draft.value !== null && draft.value !== ''
  const items = column ? listFilterChoices(column) : null
  const add = (): void => {
    if (!column || !kind || !ready) return
    onAdd({
      filter: column.name,
      filterType: kind,
      type:
        kind === 'date'
          ? 'inRange'
          : kind === 'text'
            ? (draft.type ?? 'contains')
            : kind === 'number'
              ? (draft.type ?? 'equals')
              : undefined,
      ...draft,
    })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Stack gap="xs">
        <Choice
          label="Column"
          data={columns.map((one) => ({ value: one.name, label: one.label }))}
          value={name}
          onChange={(value) => {
            setName(value)
            setDraft({})
          }}
          withinPortal={false}
          openOnFocus
          data-autofocus
        />
        {(kind === 'text' || kind === 'number') && (
          <Choice
            label="Condition"
            data={(kind === 'text' ? textFilterOptions : numberFilterOptions).map(({ id, name: label }) => ({ value: id, label }))}
            value={draft.type ?? (kind === 'text' ? 'contains' : 'equals')}
            onChange={(type) => setDraft({ ...draft, type })}
            withinPortal={false}
          />
        )}
        {kind === 'text' && (
          <TextInput
            label="Text"
            value={String(draft.value ?? '')}
            onChange={(event) => setDraft({ ...draft, value: event.currentTarget.value })}
          />
        )}
        {kind === 'number' && (
          <NumberField
            label="Number"
            value={typeof draft.value === 'number' ? draft.value : null}
            onChange={(value) => setDraft({ ...draft, value })}
            hideControls
          />
        )}
        {kind === 'boolean' && (
          <Choice
            label="Value"
            data={booleanFilterOptions.map(({ id, name: label }) => ({ value: id, label }))}
            value={typeof draft.value === 'string' ? draft.value : null}
            onChange={(value) => setDraft({ ...draft, value })}
            withinPortal={false}
          />
        )}
        {kind === 'date' && (
          <Group grow>
            <DateField
              label="From"
              value={draft.dateFrom ?? null}
              onChange={(dateFrom) => setDraft({ ...draft, dateFrom })}
              withinPortal={false}
            />
            <DateField label="To" value={draft.dateTo ?? null} onChange={(dateTo) => setDraft({ ...draft, dateTo })} withinPortal={false} />
          </Group>
        )}
        {kind === 'set' &&
          (items ? (
            <MultiChoice
              label="One of"
              data={items.map((item) => ({ value: String(item.id), label: item.name }))}
              value={(draft.values ?? []).map(String)}
              onChange={(values) => setDraft({ ...draft, values: values.map(Number) })}
              withinPortal={false}
            />
          ) : (
            column &&
            'to' in column.field && (
              <MultiRecordPicker
                to={column.field.to}
                label="One of"
                value={requireNumbers(draft.values)}
                onChange={(values) => setDraft({ ...draft, values })}
                withinPortal={false}
              />
            )
          ))}
        <Button type="submit" disabled={!ready}>
          Add filter
        </Button>
      </Stack>
    </form>
  )
}

/** Whether a list or calendar of a field is open. Escape first closes it, and closes the form only when pressed again. */
const isFieldOpen = ({ currentTarget }: KeyboardEvent): boolean =>
  [...currentTarget.querySelectorAll('[role=listbox], [data-dates-dropdown]')].some((one) => one.checkVisibility())

/** The filters of a list as chips that can be removed, and a form that adds a filter. Rows must match the filters of all columns. */
export function ListFilters({
  columns,
  filters,
  onChange,
}: {
  columns: FilterableColumn[]
  filters: FilterItem[]
  onChange: (filters: FilterItem[]) => void
}) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      {filters.map((item, index) => {
        const column = columns.find((one) => one.name === item.filter)
        return column && !item.static ? (
          <Chip
            key={`${item.filter}${index}`}
            column={column}
            item={item}
            onRemove={() => onChange(filters.filter((_one, at) => at !== index))}
          />
        ) : null
      })}
      <Popover
        opened={opened}
        onChange={setOpened}
        width={320}
        position="bottom-start"
        closeOnEscape={false}
        trapFocus
        returnFocus
        withinPortal
      >
        <Popover.Target>
          <Button variant="default" leftSection={<IconFilter size={15} />} onClick={() => setOpened((open) => !open)}>
            Filter
          </Button>
        </Popover.Target>
        <Popover.Dropdown onKeyDown={(event) => event.key === 'Escape' && !isFieldOpen(event) && setOpened(false)}>
          <Form
            columns={columns}
            onAdd={(item) => {
              onChange([...filters.filter((one) => one.filter !== item.filter || one.static), item])
              setOpened(false)
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </>
  )
}
