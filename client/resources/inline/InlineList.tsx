import { Button, Skeleton, Text, TextInput } from '@mantine/core'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import type { FilterItem } from '../../../domain/lists/lists.ts'
import { type Field, getNumberUnit } from '../../../domain/resources/fields.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import type { RecordValues } from '../../../domain/resources/schema.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayCount, displayDate } from '../../../domain/values/format.ts'
import { numberOrNull, requireNumber, textOrNull } from '../../../domain/values/unknownValues.ts'
import { maximumListRows } from '../../../domain/words/notices.ts'
import { displayTermCount, toMidSentence } from '../../../domain/words/terms.ts'
import { useTerm } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { RemoveButton } from '../../ui/dialogs/RemoveButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import textStyles from '../../ui/labels/text.module.css'
import cardStyles from '../../ui/layout/Card.module.css'
import { Card, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { FieldTable } from '../../ui/table/FieldTable.tsx'
import { ConcurrentChangeNotice } from '../editor/ConcurrentChangeNotice.tsx'
import { FieldInput } from '../inputs/FieldInput.tsx'
import { RecordValue } from '../record/RecordValue.tsx'
import { getResourceCalls, getResourceHooks, useRecordNames } from '../resourceApi.ts'
import classes from './InlineList.module.css'
import { type InlineRow, type SavedInlineRows, useInlineRows } from './useInlineRows.ts'

/** Rows shown at first. The user can show more; because pickers are slow to render, not all are shown at once. */
const rowsPerStep = 50

const widths: Partial<Record<Field['kind'], number>> = {
  text: 190,
  flag: 90,
  integer: 84,
  percent: 104,
  rates: 520,
  reference: 236,
  references: 220,
  date: 150,
  choice: 214,
}

interface InlineListProps {
  resource: AnyResource
  /** Values that all rows of the list share, such as their parent record. */
  fixed: RecordValues
  columns: readonly string[]
  mayEdit: boolean
  /** Columns that are now read-only. */
  readOnly?: readonly string[]
  actions?: ReactNode
  empty: ReactNode
}

/** A list edited in place, with one button that saves all changed rows (behaviour B-193). */
export function InlineList(props: InlineListProps) {
  const { resource, fixed } = props
  const filters = Object.entries(fixed).map(
    ([filter, value]): FilterItem => ({ filter, filterType: 'set', values: [requireNumber(value)], static: true }),
  )
  const request = { pageNumber: 1, pageSize: maximumListRows, filters }
  const list = getResourceHooks(resource).list.useQuery(request)
  const rows = list.data?.rows
  const loaded = useMemo((): SavedInlineRows | null => (rows ? { rows, version: null } : null), [rows])
  const reload = async (): Promise<SavedInlineRows> => ({
    rows: (await getResourceCalls(resource).list.query(request)).rows,
    version: null,
  })
  if (list.isLoadingError) return <LoadFailed query={list} />
  return loaded ? <Rows {...props} loaded={loaded} reload={reload} /> : <Skeleton height={220} />
}

function Rows({
  resource,
  fixed,
  columns,
  mayEdit,
  readOnly = [],
  actions,
  empty,
  loaded,
  reload,
}: InlineListProps & { loaded: SavedInlineRows; reload: () => Promise<SavedInlineRows> }) {
  const term = useTerm()(resource.key)
  const list = useInlineRows(resource, { fixed, loaded, reload, isReadOnly: !mayEdit })
  const { editor } = list
  const [search, setSearch] = useState('')
  const [shown, setShown] = useState(rowsPerStep)
  const main = assertDefined(resource.fields[resource.naming[0]])
  const to = main.kind === 'reference' ? main.to : null
  const names = useRecordNames(to ?? 'location', to ? list.rows.flatMap((row) => numberOrNull(row.values[resource.naming[0]]) ?? []) : [])
  const nameOf = (row: InlineRow): string => {
    const value = row.values[resource.naming[0]]
    if (main.kind === 'date') return displayDate(textOrNull(value))
    const named = to && typeof value === 'number' ? names.get(value) : undefined
    return named ? `${named.name} ${named.description ?? ''}`.trim() : String(value ?? '')
  }
  const found = list.rows.filter((row) => !search.trim() || nameOf(row).toLowerCase().includes(search.trim().toLowerCase()))
  const cell = (row: InlineRow, name: string): ReactNode => {
    const field = assertDefined(resource.fields[name])
    const unit = getNumberUnit(field, row.values)
    if (!mayEdit || readOnly.includes(name)) return <RecordValue field={field} value={row.values[name]} unit={unit} />
    return (
      <FieldInput
        field={field}
        value={row.values[name]}
        unit={unit}
        onChange={(value) => list.change(row.key, { [name]: value })}
        error={list.problemOf(row.key, name)}
        bare
      />
    )
  }
  return (
    <Card className={classes.inline} aria-label={term.plural} data-field="rows">
      <CardHead>
        {list.rows.length > 10 && (
          <TextInput
            size="xs"
            aria-label={`Search ${toMidSentence(term.plural)}`}
            placeholder="Search"
            leftSection={<IconSearch size={14} />}
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
          />
        )}
        <CardNote>{term.singular === term.plural ? displayCount(found.length, 'row') : displayTermCount(found.length, term)}</CardNote>
        <span style={{ flex: 1 }} />
        {actions}
        {list.changed > 0 && (
          <Button variant="default" size="compact-md" onClick={editor.discard}>
            Discard
          </Button>
        )}
        {mayEdit && (
          <Button size="compact-md" onClick={() => void editor.save()} loading={editor.busy} disabled={!list.changed}>
            Save {list.changed ? displayCount(list.changed, 'row') : ''}
          </Button>
        )}
      </CardHead>
      {editor.newer && (
        <div style={{ padding: '12px 14px 0' }}>
          <ConcurrentChangeNotice newer={editor.newer} busy={editor.busy} />
        </div>
      )}
      {list.rows.length === 0 ? (
        <EmptyState>{empty}</EmptyState>
      ) : (
        <FieldTable
          minWidth={640}
          headings={[
            ...columns.map((name) => {
              const { label, kind } = assertDefined(resource.fields[name])
              return { label, style: { minWidth: widths[kind] ?? 120 } }
            }),
            ...(mayEdit ? [{ label: '', name: 'Remove', style: { width: 44 } }] : []),
          ]}
        >
          {found.slice(0, shown).map((row) => (
            <tr key={row.key} data-changed={list.isChanged(row) || undefined}>
              {columns.map((name) => (
                <td key={name}>{cell(row, name)}</td>
              ))}
              {mayEdit && (
                <td>
                  <RemoveButton mt={4} label={`Remove ${nameOf(row) || 'the new row'}`} onRemove={() => list.remove(row.key)} />
                </td>
              )}
            </tr>
          ))}
        </FieldTable>
      )}
      {list.general && (
        <p className={textStyles.up} role="alert" style={{ margin: '8px 14px' }}>
          {list.general}
        </p>
      )}
      <div className={cardStyles.foot} hidden={!mayEdit && found.length <= shown}>
        {mayEdit && (
          <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={list.add}>
            Add row
          </Button>
        )}
        {found.length > shown && (
          <Button variant="subtle" size="compact-sm" onClick={() => setShown(shown + 4 * rowsPerStep)}>
            Show more ({found.length - shown} left)
          </Button>
        )}
        {list.removed > 0 && (
          <Text size="sm" c="dimmed">
            {displayCount(list.removed, 'row')} will be removed when you save
          </Text>
        )}
      </div>
    </Card>
  )
}
