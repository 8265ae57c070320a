import { ActionIcon, CheckIcon, CloseButton, Combobox, Group, InputBase, Pill, PillsInput, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconEye } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { getResource } from '../../../domain/resources/all.ts'
import type { NamedReference } from '../../../domain/resources/shape.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { useTerm } from '../../shell/core.ts'
import { sortMatches } from '../../ui/fields/choices.ts'
import { useSelectKeys, useSelectState } from '../../ui/fields/useChoosing.ts'
import { QuickView } from '../list/QuickView.tsx'
import { getResourceHooks, useRecordNames } from '../resourceApi.ts'
import classes from './Picker.module.css'

/** Maximum length of a description that is shown after a name. */
const maximumDescription = 60

interface Common {
  to: string
  label: string
  where?: Readonly<Record<string, number | boolean>>
  error?: ReactNode
  required?: boolean
  disabled?: boolean
  description?: ReactNode
  /** Offers only records that this location can use. */
  locationId?: LocationId | null
  size?: 'xs' | 'sm'
  /** The label is only for screen readers, as in a table. */
  bare?: boolean
}

function useOffered(
  to: string,
  {
    search,
    where,
    locationId,
    opened,
  }: { search: string; where: Common['where']; locationId: LocationId | null | undefined; opened: boolean },
) {
  const [debouncedSearch] = useDebouncedValue(search, 180)
  const query = getResourceHooks(getResource(to)).pick.useQuery(
    { search: debouncedSearch, where, locationId },
    { enabled: opened, placeholderData: (before) => before, staleTime: 30_000 },
  )
  const rows = sortMatches(query.data?.rows ?? [], debouncedSearch, (row) => row.name)
  return { query, rows, total: query.data?.total ?? 0, isLate: debouncedSearch !== search || query.isFetching || query.isPlaceholderData }
}

function Option({ row, chosen, beside }: { row: NamedReference; chosen: boolean; beside?: string }) {
  return (
    <Group gap={8} wrap="nowrap">
      {chosen && <CheckIcon size={11} />}
      <Text size="sm" fw={500}>
        {row.name}
      </Text>
      {row.description && (
        <Text size="sm" c="dimmed" truncate>
          {row.description}
        </Text>
      )}
      {beside && (
        <Text size="sm" c="dimmed" ml="auto" pl={12}>
          {beside}
        </Text>
      )}
    </Group>
  )
}

function renderMore(shown: number, total: number): ReactNode {
  return total > shown ? (
    <Combobox.Footer>
      <Text size="xs" c="dimmed">
        {shown} of {total}. Type to find the others.
      </Text>
    </Combobox.Footer>
  ) : null
}

/** Explains an empty list: no match for the search, or no records yet. */
function NoOptions({ to, search, offered }: { to: string; search: string; offered: ReturnType<typeof useOffered> }) {
  const { plural } = useTerm()(getResource(to).key)
  const none = search.trim() ? 'Nothing matches.' : `No ${toMidSentence(plural)} to choose from.`
  return <Combobox.Empty>{offered.query.isError ? 'The list could not be loaded.' : offered.isLate ? 'Searching' : none}</Combobox.Empty>
}

/** Picks one record by code and description. Archived records remain if already chosen but are not offered. */
export function RecordPicker({
  to,
  value,
  onChange,
  where,
  locationId,
  label,
  bare,
  ...input
}: Common & { value: number | null; onChange: (id: number | null) => void }) {
  const [viewing, setViewing] = useState(false)
  const typing = useSelectState()
  const { combobox, typed, isTyping } = typing
  const chosen = useRecordNames(to, value === null ? [] : [value]).get(value ?? -1)
  const offered = useOffered(to, { search: typed.text, where, locationId, opened: isTyping })
  const { rows } = offered
  const choose = (id: string): void => onChange(Number(id))
  const first = rows[0]?.id
  const keys = useSelectKeys(typing, {
    first: first === undefined ? undefined : String(first),
    isLate: offered.isLate,
    onTake: choose,
    onClear: value === null || input.required ? undefined : () => onChange(null),
  })
  const { name = '', description } = chosen ?? {}
  // A long description would hide the name in the field, so it only appears in the list.
  const shown = description && description.length <= maximumDescription ? `${name} · ${description}` : name
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        choose(id)
        combobox.closeDropdown()
      }}
      width="max-content"
      position="bottom-start"
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          {...input}
          label={bare ? undefined : label}
          aria-label={bare ? label : undefined}
          {...keys}
          autoComplete="off"
          value={isTyping ? typed.text : shown}
          placeholder={isTyping ? shown || 'Type to search' : undefined}
          onKeyDown={(event) => {
            if (event.altKey && event.key === 'Enter' && value !== null) {
              event.preventDefault()
              setViewing(true)
            } else keys.onKeyDown(event)
          }}
          rightSectionWidth={value !== null && !input.size && !bare ? 58 : undefined}
          rightSection={
            <Group gap={2} wrap="nowrap" justify="flex-end">
              {value !== null && !input.size && !bare && (
                <ActionIcon
                  size="sm"
                  variant="subtle"
                  color="gray"
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => setViewing(true)}
                  aria-label={`Quick view of ${label}`}
                  title="Quick view, Alt Enter"
                  tabIndex={-1}
                >
                  <IconEye size={15} stroke={1.6} />
                </ActionIcon>
              )}
              {value !== null && !input.required && !input.disabled ? (
                <CloseButton
                  size="sm"
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onChange(null)}
                  aria-label={`Clear ${label}`}
                  tabIndex={-1}
                />
              ) : (
                <Combobox.Chevron />
              )}
            </Group>
          }
          rightSectionPointerEvents={value !== null ? 'all' : 'none'}
        />
      </Combobox.Target>
      <Combobox.Dropdown miw={240} maw={480}>
        <Combobox.Options aria-label={label}>
          {rows.map((row) => (
            <Combobox.Option key={row.id} value={String(row.id)} active={row.id === value} aria-selected={row.id === value}>
              <Option row={row} chosen={row.id === value} />
            </Combobox.Option>
          ))}
          {!rows.length && <NoOptions to={to} search={typed.text} offered={offered} />}
        </Combobox.Options>
        {renderMore(rows.length, offered.total)}
      </Combobox.Dropdown>
      {viewing && value !== null && <QuickView to={to} id={value} onClose={() => setViewing(false)} />}
    </Combobox>
  )
}

/**
 * Picks several records, shown as chips; choosing none may mean all.
 * @param withinPortal false keeps the list inside its container, such as a popover that closes on an outside click
 * @param beside a detail that helps to choose, such as an amount, shown beside the name
 */
export function MultiRecordPicker({
  to,
  value,
  onChange,
  where,
  locationId,
  label,
  bare,
  emptyText,
  beside,
  withinPortal,
  ...input
}: Common & {
  value: readonly number[]
  onChange: (ids: number[]) => void
  emptyText?: string
  beside?: (id: number) => { short: string; whole: string } | undefined
  withinPortal?: boolean
}) {
  const typing = useSelectState()
  const { combobox, typed, setTyped, isTyping } = typing
  const names = useRecordNames(to, value)
  const offered = useOffered(to, { search: typed.text, where, locationId, opened: isTyping })
  const { rows } = offered
  const toggle = (id: number): void => onChange(value.includes(id) ? value.filter((one) => one !== id) : [...value, id])
  const first = rows[0]?.id
  const keys = useSelectKeys(typing, {
    first: first === undefined ? undefined : String(first),
    isLate: offered.isLate,
    onTake: (id) => toggle(Number(id)),
    onClear: value.length ? () => onChange(value.slice(0, -1)) : undefined,
  })
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        toggle(Number(id))
        setTyped({ text: '', isAwaited: false })
      }}
      width="max-content"
      position="bottom-start"
      withinPortal={withinPortal}
    >
      <Combobox.DropdownTarget>
        <PillsInput {...input} label={bare ? undefined : label} onClick={() => combobox.openDropdown()}>
          <Pill.Group>
            {value.map((id) => (
              <Pill
                key={id}
                className={beside && classes.withBeside}
                withRemoveButton={!input.disabled}
                onRemove={() => toggle(id)}
                removeButtonProps={{ 'aria-label': `Remove ${names.get(id)?.name ?? id}` }}
              >
                {names.get(id)?.name ?? '…'} {beside && <span className={classes.beside}>{beside(id)?.short}</span>}
              </Pill>
            ))}
            <Combobox.EventsTarget withExpandedAttribute>
              <PillsInput.Field
                aria-label={label}
                disabled={input.disabled}
                {...keys}
                autoComplete="off"
                value={typed.text}
                placeholder={value.length ? undefined : emptyText}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown miw={240} maw={480}>
        <Combobox.Options aria-label={label} aria-multiselectable>
          {rows.map((row) => (
            <Combobox.Option key={row.id} value={String(row.id)} active={value.includes(row.id)} aria-selected={value.includes(row.id)}>
              <Option row={row} chosen={value.includes(row.id)} beside={beside?.(row.id)?.whole} />
            </Combobox.Option>
          ))}
          {!rows.length && <NoOptions to={to} search={typed.text} offered={offered} />}
        </Combobox.Options>
        {renderMore(rows.length, offered.total)}
      </Combobox.Dropdown>
    </Combobox>
  )
}
