import { Button, Group, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { displayDate } from '../../domain/format.ts'
import { fullListSize } from '../../domain/notices.ts'
import { resources } from '../../domain/resources/all.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { checkRecord, newRecord } from '../../domain/resources/schema.ts'
import { inSentence } from '../../domain/terms.ts'
import { queries } from '../api/api.ts'
import { download, failed } from '../api/notify.tsx'
import { ImportDialog } from '../resources/ImportDialog.tsx'
import { InlineList } from '../resources/InlineList.tsx'
import { RecordDialog } from '../resources/RecordDialog.tsx'
import { callsOf } from '../resources/resourceApi.ts'
import { PageHead } from '../shell/PageHead.tsx'
import { useMay, useTerm } from '../state/core.ts'
import { useSelection } from '../state/selection.ts'
import { mayDiscard } from '../state/unsaved.ts'

/** Rows that belong to dated tables: choose a table, edit its rows in place, import them, make another table. */
function DatedTables({ tables, rows, by }: { tables: AnyResource; rows: AnyResource; by: string }) {
  const term = useTerm()
  const [tableTerm, rowTerm] = [term(tables.key), term(rows.key)]
  const { organisationId } = useSelection()
  const [feature] = rows.access.write === 'administrator' ? [] : rows.access.write
  const mayEdit = useMay()(feature ? [feature] : 'administrator')
  const [chosen, setChosen] = useState<number | null>(null)
  const [importing, setImporting] = useState(false)
  const [editing, setEditing] = useState<{ record: AnyRecord | null } | null>(null)
  const list = useQuery({
    queryKey: ['list', tables.name, organisationId],
    queryFn: () => callsOf(tables).list.query({ pageNumber: 1, pageSize: fullListSize, sort: 'effectiveDate', sortDirection: 'desc' }),
  })
  const found = list.data?.rows ?? []
  const table = found.find((row) => row.id === chosen) ?? found.find((row) => row.active) ?? found[0]
  const refresh = (): void =>
    void queries.invalidateQueries({ predicate: ({ queryKey }) => ['list', 'inline', 'names', 'pick'].includes(String(queryKey[0])) })
  const exportRows = async (): Promise<void> => {
    try {
      download(await callsOf(rows).export.query({}))
    } catch (error) {
      failed(error)
    }
  }
  return (
    <>
      <PageHead title={rowTerm.plural} documentTitle={`${rowTerm.plural} - Console`} facts={rows.purpose}>
        {mayEdit && (
          <Button variant="default" onClick={() => setImporting(true)}>
            Import
          </Button>
        )}
        <Button variant="default" onClick={() => void exportRows()} disabled={!found.length}>
          Export
        </Button>
        {mayEdit && <Button onClick={() => setEditing({ record: null })}>Add {inSentence(tableTerm.singular)}</Button>}
      </PageHead>
      {list.isSuccess && !table && (
        <div className="card">
          <div className="empty">
            <h2>No {inSentence(tableTerm.plural)} yet</h2>
            <p>{tables.purpose}</p>
            {mayEdit && <Button onClick={() => setEditing({ record: null })}>Add {inSentence(tableTerm.singular)}</Button>}
          </div>
        </div>
      )}
      {table && (
        <>
          <Group mb="md" align="flex-end">
            <Select
              label={tableTerm.singular}
              w={420}
              maw="100%"
              data={found.map((row) => ({
                value: String(row.id),
                label: `${row.name}, from ${displayDate(String(row.effectiveDate))}${row.active ? '' : ' (not active)'}`,
              }))}
              value={String(table.id)}
              onChange={async (value) => value && (await mayDiscard()) && setChosen(Number(value))}
              allowDeselect={false}
              searchable
            />
            {mayEdit && (
              <Button variant="default" onClick={() => setEditing({ record: table })}>
                Edit table
              </Button>
            )}
          </Group>
          <InlineList
            key={table.id}
            resource={rows}
            fixed={{ [by]: table.id }}
            columns={Object.keys(rows.fields).filter((name) => name !== by)}
            mayEdit={mayEdit}
            empty={
              <>
                <h2>No {inSentence(rowTerm.plural)} in this table yet</h2>
                <p>Add a row for each location, or import them.</p>
              </>
            }
          />
        </>
      )}
      {importing && (
        <ImportDialog resource={rows} calls={callsOf(rows)} isHidden={() => false} onClose={() => setImporting(false)} onDone={refresh} />
      )}
      {editing && (
        <RecordDialog
          term={tableTerm}
          isNew={!editing.record}
          fields={tables.fields}
          start={editing.record ?? newRecord(tables)}
          check={(values) => checkRecord(tables, values).problems}
          save={(values) =>
            editing.record
              ? callsOf(tables).update.mutate({ ...values, id: editing.record.id, version: editing.record.version })
              : callsOf(tables).create.mutate(values)
          }
          remove={editing.record ? () => callsOf(tables).delete.mutate({ id: editing.record!.id }) : undefined}
          removeHint="Its rows are deleted with it. This cannot be undone."
          onClose={() => setEditing(null)}
          onDone={(saved) => {
            setEditing(null)
            setChosen(saved?.id ?? null)
            refresh()
          }}
        />
      )}
    </>
  )
}

export function TopSlicesPage() {
  return <DatedTables tables={resources.topSliceTable} rows={resources.topSlice} by="topSliceTableId" />
}

export function GagPoolingPage() {
  return <DatedTables tables={resources.gagPoolTable} rows={resources.gagPool} by="gagPoolTableId" />
}
