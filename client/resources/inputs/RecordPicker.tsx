import { ActionIcon, CloseButton, Group, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconEye } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { getResource } from '../../../domain/resources/all.ts'
import type { NamedReference } from '../../../domain/resources/shape.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { useTerm } from '../../shell/core.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import { sortMatches } from '../../ui/fields/choices.ts'
import { MultiChoice } from '../../ui/fields/MultiChoice.tsx'
import { RecordQuickView } from '../list/QuickView.tsx'
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
  { search, where, locationId }: { search: string | null; where: Common['where']; locationId: LocationId | null | undefined },
) {
  const [debouncedSearch] = useDebouncedValue(search ?? '', 180)
  const query = getResourceHooks(getResource(to)).pick.useQuery(
    { search: debouncedSearch, where, locationId },
    { enabled: search !== null, placeholderData: (before) => before, staleTime: 30_000 },
  )
  const { plural } = useTerm()(getResource(to).key)
  const rows = sortMatches(query.data?.rows ?? [], debouncedSearch, (row) => row.name)
  const total = query.data?.total ?? 0
  const none = search?.trim() ? 'Nothing matches.' : `No ${toMidSentence(plural)} to choose from.`
  return {
    rows,
    data: rows.map((row) => ({ value: String(row.id), label: row.name })),
    isLate: search === null || debouncedSearch !== search || query.isFetching || query.isPlaceholderData,
    nothingFoundMessage: query.isError ? 'The list could not be loaded.' : none,
    footer: total > rows.length && (
      <Text size="xs" c="dimmed">
        {rows.length} of {total}. Type to find the others.
      </Text>
    ),
  }
}

function Option({ row, beside }: { row: NamedReference | undefined; beside?: string }) {
  return (
    <Group gap={8} wrap="nowrap" flex={1} miw={0}>
      <Text size="sm" fw={500}>
        {row?.name}
      </Text>
      {row?.description && (
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
  const [search, setSearch] = useState<string | null>(null)
  const { name = '', description } = useRecordNames(to, value === null ? [] : [value]).get(value ?? -1) ?? {}
  const { rows, isLate, ...list } = useOffered(to, { search, where, locationId })
  const canClear = value !== null && !input.required && !input.disabled
  const canView = value !== null && !input.size && !bare
  return (
    <>
      <Choice
        {...input}
        {...list}
        label={bare ? undefined : label}
        aria-label={bare ? label : undefined}
        value={value === null ? null : String(value)}
        onChange={(id) => onChange(id === null ? null : Number(id))}
        // A long description would hide the name in the field, so it only appears in the list.
        shown={description && description.length <= maximumDescription ? `${name} · ${description}` : name}
        search={{ onSearch: setSearch, isLate }}
        clearable={!input.required}
        isWide
        renderOption={({ value: id }) => <Option row={rows.find((row) => String(row.id) === id)} />}
        onKeyDown={(event) => {
          if (!event.altKey || event.key !== 'Enter' || value === null) return
          event.preventDefault()
          setViewing(true)
        }}
        rightSectionWidth={canView ? 58 : undefined}
        rightSection={
          canView || canClear ? (
            <Group gap={2} wrap="nowrap" justify="flex-end">
              {canView && (
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
              {canClear && (
                <CloseButton
                  size="sm"
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => onChange(null)}
                  aria-label={`Clear ${label}`}
                  tabIndex={-1}
                />
              )}
            </Group>
          ) : undefined
        }
      />
      {viewing && value !== null && <RecordQuickView to={to} id={value} onClose={() => setViewing(false)} />}
    </>
  )
}

/**
 * Picks several records, shown as chips; choosing none may mean all.
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
  ...input
}: Common & {
  value: readonly number[]
  onChange: (ids: number[]) => void
  emptyText?: string
  beside?: (id: number) => { short: string; whole: string } | undefined
  withinPortal?: boolean
}) {
  const [search, setSearch] = useState<string | null>(null)
  const names = useRecordNames(to, value)
  const { rows, isLate, ...list } = useOffered(to, { search, where, locationId })
  return (
    <MultiChoice
      {...input}
      {...list}
      label={bare ? undefined : label}
      aria-label={label}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      nameOf={(id) => names.get(Number(id))?.name ?? '…'}
      placeholder={emptyText}
      search={{ onSearch: setSearch, isLate }}
      isWide
      rightSection={bare ? null : undefined}
      renderOption={({ value: id }) => <Option row={rows.find((row) => String(row.id) === id)} beside={beside?.(Number(id))?.whole} />}
      chipClassName={beside && classes.withBeside}
      renderBeside={beside && ((id) => <span className={classes.beside}>{beside(Number(id))?.short}</span>)}
    />
  )
}
