import { Button, Group, Text, TextInput } from '@mantine/core'
import { useEffect, useState } from 'react'
import { type ConnectionKindName, findConnectionKind } from '../../../domain/integrations/connections/all.ts'
import {
  type FieldMapping,
  listConnectionColumns,
  type MappedColumn,
  maximumFieldLength,
  type RecordList,
} from '../../../domain/integrations/connections/mapping.ts'
import { displayCount, displayDateTime } from '../../../domain/values/format.ts'
import { type RouterOutputs, trpc } from '../../shell/api.ts'
import { Choice } from '../../ui/fields/Choice.tsx'
import { SuggestionField } from '../../ui/fields/SuggestionField.tsx'
import textStyles from '../../ui/labels/text.module.css'
import { Card, CardBody, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import scrollStyles from '../../ui/layout/scroll.module.css'
import { DataTable } from '../../ui/table/DataTable.tsx'
import classes from '../Integrations.module.css'
import type { Connection } from './connectionState.tsx'

type Sample = RouterOutputs['connections']['sample']

/** Returns the fields that a connection's latest test found; undefined until they are loaded. */
export function useSampleFields(connection: Connection | null): Sample | undefined {
  const isIncoming = connection && findConnectionKind(connection.kind).direction === 'in'
  const { data, refetch } = trpc.connections.sample.useQuery(
    { id: connection?.id ?? 0 },
    { enabled: Boolean(isIncoming), staleTime: 0, retry: false },
  )
  const isUnderWay = connection?.isUnderWay
  useEffect(() => {
    // A test has ended, so load the fields that it found.
    if (isIncoming && !isUnderWay) void refetch()
  }, [isIncoming, isUnderWay, refetch])
  return data
}

/**
 * Previews the first rows. If any column is mapped, the headings are Bursar's columns; otherwise they are the fields of the other system.
 */
function FirstRows({ list, columns }: { list: RecordList; columns: readonly MappedColumn[] }) {
  const mappedColumns = columns.filter(({ field, text }) => field || text)
  const shown = columns.length ? mappedColumns : list.fields.map((field) => ({ column: field, field, text: '' }))
  if (!shown.length) return null
  return (
    <div className={scrollStyles.scroll}>
      <DataTable
        label="The first rows"
        isTight
        columns={shown.map(({ column, field, text }, at) => ({
          id: String(at),
          label: column,
          cell: (row: RecordList['rows'][number]) => (field ? row[field] : text),
        }))}
        rows={list.rows}
      />
    </div>
  )
}

/** Maps each column of a connection to a field of the other system. The fields that a test found are suggested. */
export function ColumnMapping({
  kind,
  isFile,
  mapping,
  sample,
  set,
  error,
}: {
  kind: ConnectionKindName
  /** Whether the connection reads CSV. CSV needs no path to the list of records; JSON does. */
  isFile: boolean
  mapping: FieldMapping
  sample: Sample | undefined
  set: (mapping: FieldMapping) => void
  error: (field: string) => string | undefined
}) {
  const [showsAll, setShowsAll] = useState(false)
  const { records, columns } = mapping
  const kindColumns = listConnectionColumns(findConnectionKind(kind))
  const lists = sample?.lists ?? []
  const list = isFile ? lists[0] : lists.find((one) => one.records === records)
  const isMapped = columns.length > 0
  const findMapping = (column: string): MappedColumn => columns.find((one) => one.column === column) ?? { column, field: '', text: '' }
  const listed = kindColumns.filter(({ heading, required }) => showsAll || required || columns.some(({ column }) => column === heading))
  const change = (column: string, part: Partial<MappedColumn>): void => {
    const next = { ...findMapping(column), ...part }
    const isKnown = columns.some((one) => one.column === column)
    set({ records, columns: isKnown ? columns.map((one) => (one.column === column ? next : one)) : [...columns, next] })
  }
  /** Returns the suggested mapping, with an empty row for each required column that is not mapped. */
  const addRequiredColumns = (suggested: readonly MappedColumn[]): MappedColumn[] =>
    kindColumns.flatMap(({ heading, required }) => {
      const one = suggested.find(({ column }) => column === heading)
      return one || required ? [one ?? { column: heading, field: '', text: '' }] : []
    })
  return (
    <Card style={{ overflow: 'visible', maxWidth: 720, marginTop: 16 }} aria-label="Fields">
      <CardHead>
        Fields <CardNote>What the other system calls the columns.</CardNote>
      </CardHead>
      <CardBody className={classes.fields}>
        {!isFile && (
          <div data-field="mapping.records">
            <SuggestionField
              label="Path to the records"
              description="In the response, such as data.items. Leave empty if the response is the list itself."
              suggestions={lists.map((one) => one.records).filter(Boolean)}
              value={records}
              maxLength={maximumFieldLength}
              onChange={(value) => set({ records: value, columns })}
              error={error('mapping.records')}
              spellCheck={false}
            />
            {sample && !list && lists.length > 0 && (
              <Text size="sm" mt={4}>
                The response has no list of records there. Use {lists.map((one) => one.records || 'an empty path').join(' or ')}.
              </Text>
            )}
          </div>
        )}
        <div data-field="mapping">
          <Choice
            label="Field names"
            data={[
              { value: 'same', label: 'The same as the columns in the example' },
              { value: 'mapped', label: 'Different: match them below' },
            ]}
            value={isMapped ? 'mapped' : 'same'}
            onChange={(value) => set({ records, columns: value === 'mapped' ? addRequiredColumns(list?.suggested ?? []) : [] })}
            error={error('mapping')}
          />
        </div>
        {isMapped && (
          <>
            <DataTable
              label="Columns"
              className={classes.table}
              isWrapped
              columns={[
                {
                  id: 'heading',
                  label: 'Column',
                  cell: ({ heading, required }) => (
                    <>
                      {heading}
                      {required && <span className={textStyles.dim}> required</span>}
                    </>
                  ),
                },
                {
                  id: 'field',
                  label: 'Their field',
                  cell: ({ heading, required }) => {
                    const { field, text } = findMapping(heading)
                    return (
                      <SuggestionField
                        size="xs"
                        aria-label={`Field for ${heading}`}
                        placeholder={required ? 'Choose or type' : 'Left out'}
                        suggestions={list?.fields ?? []}
                        value={field}
                        maxLength={maximumFieldLength}
                        onChange={(value) => change(heading, { field: value })}
                        error={!field && !text && error(`columns.${heading}`)}
                        spellCheck={false}
                      />
                    )
                  },
                },
                {
                  id: 'text',
                  label: 'Or fixed text',
                  cell: ({ heading }) => {
                    const { field, text } = findMapping(heading)
                    return (
                      <TextInput
                        size="xs"
                        aria-label={`Fixed text for ${heading}`}
                        disabled={Boolean(field)}
                        value={field ? '' : text}
                        maxLength={maximumFieldLength}
                        onChange={(event) => change(heading, { text: event.currentTarget.value })}
                      />
                    )
                  },
                },
              ]}
              rows={listed}
              keyOf={({ heading }) => heading}
              rowProps={({ heading }) => ({ 'data-field': `columns.${heading}` })}
            />
            <Group gap="xs">
              {list && (
                <Button size="compact-sm" variant="default" onClick={() => set({ records, columns: addRequiredColumns(list.suggested) })}>
                  Match recognised columns
                </Button>
              )}
              {(listed.length < kindColumns.length || showsAll) && (
                <Button size="compact-sm" variant="subtle" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
                  {showsAll ? 'Show fewer columns' : `Show all ${displayCount(kindColumns.length, 'column')}`}
                </Button>
              )}
            </Group>
          </>
        )}
        {list && sample ? (
          <div>
            <Text size="sm" c="dimmed" mb={4}>
              {isMapped ? 'First rows as they would be imported' : 'First rows as received'}, fetched {displayDateTime(sample.at)}
            </Text>
            <FirstRows list={list} columns={columns} />
          </div>
        ) : (
          !lists.length && (
            <Text size="sm" c="dimmed">
              Test the connection to see its first rows here and to choose from its fields.
            </Text>
          )
        )}
      </CardBody>
    </Card>
  )
}
