import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { resources } from '../../domain/resources/all.ts'
import { findNumberColumns } from '../../domain/resources/columns.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { buildNewRecord, checkRecord } from '../../domain/resources/schema.ts'
import { hasLocationField } from '../../domain/resources/sharing.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { displayDate } from '../../domain/values/format.ts'
import { maximumListRows } from '../../domain/words/notices.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { InlineList } from '../resources/inline/InlineList.tsx'
import { RecordDialog } from '../resources/record/RecordDialog.tsx'
import { getResourceCalls, getResourceHooks, useResourceMutations } from '../resources/resourceApi.ts'
import { type ChangeReference, useResourceUndo, useUndoKey } from '../resources/useResourceUndo.ts'
import { useOrganisationWideCheck, usePermissionCheck, useTerm } from '../shell/core.ts'
import { ExportButton } from '../shell/files/ExportButton.tsx'
import { lazyComponent } from '../shell/lazyComponent.ts'
import { PageSection } from '../shell/PageSection.tsx'
import { confirmDiscard } from '../shell/unsavedChanges.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { Card } from '../ui/layout/Card.tsx'
import { PageHead } from '../ui/layout/PageHead.tsx'

const ImportDialog = lazyComponent(() => import('../resources/import/ImportDialog.tsx'), 'ImportDialog')

/** Identifies the change from one state of a table to another, for undo; undefined if the table has not changed. */
function findChange(before: AnyRecord | null, saved: AnyRecord | null): ChangeReference | undefined {
  if (saved) return saved.version === before?.version ? undefined : saved
  return before ? { id: before.id, version: null } : undefined
}

/** A screen for choosing a dated table, editing or importing its rows, or adding another table. */
function DatedTables({ tables, rows, by }: { tables: AnyResource; rows: AnyResource; by: string }) {
  const term = useTerm()
  const [tableTerm, rowTerm] = [term(tables.key), term(rows.key)]
  const [feature] = rows.access.write === 'administrator' ? [] : rows.access.write
  const mayEdit = usePermissionCheck()(feature ? [feature] : 'administrator')
  const mayEditTables = useOrganisationWideCheck()(feature ? [feature] : 'administrator')
  const [chosen, setChosen] = useState<number | null>(null)
  const [importing, setImporting] = useState(false)
  const [editing, setEditing] = useState<{ record: AnyRecord | null } | null>(null)
  const list = getResourceHooks(tables).list.useQuery({
    pageNumber: 1,
    pageSize: maximumListRows,
    sort: 'effectiveDate',
    sortDirection: 'desc',
  })
  const found = list.data?.rows ?? []
  const table = found.find((row) => row.id === chosen) ?? found.find((row) => row.active) ?? found[0]
  const saves = useResourceMutations(tables)
  const { import: importRows } = useResourceMutations(rows)
  const undo = useResourceUndo(tables)
  const undoRows = useResourceUndo(rows)
  useUndoKey([tables, rows])
  return (
    <>
      <PageHead title={rowTerm.plural} documentTitle={`${rowTerm.plural} - Console`} facts={rows.purpose}>
        {(hasLocationField(rows) ? mayEdit : mayEditTables) && (
          <Button variant="default" onClick={() => setImporting(true)}>
            Import
          </Button>
        )}
        <ExportButton file={() => getResourceCalls(rows).export.query({})} kinds={findNumberColumns(rows)} disabled={!found.length} />
        {mayEditTables && <Button onClick={() => setEditing({ record: null })}>Add {toMidSentence(tableTerm.singular)}</Button>}
      </PageHead>
      {list.isSuccess && !table && (
        <Card>
          <EmptyState>
            <h2>No {toMidSentence(tableTerm.plural)} yet</h2>
            <p>{tables.purpose}</p>
            {mayEditTables && <Button onClick={() => setEditing({ record: null })}>Add {toMidSentence(tableTerm.singular)}</Button>}
          </EmptyState>
        </Card>
      )}
      {table && (
        <>
          <Group mb="md" align="flex-end">
            <Choice
              label={tableTerm.singular}
              w={420}
              maw="100%"
              data={found.map((row) => ({
                value: String(row.id),
                label: `${row.name}, from ${displayDate(String(row.effectiveDate))}${row.active ? '' : ' (not active)'}`,
              }))}
              value={String(table.id)}
              onChange={async (value) => value && (await confirmDiscard()) && setChosen(Number(value))}
            />
            {mayEditTables && (
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
            mayEdit={hasLocationField(rows) ? mayEdit : mayEditTables}
            empty={
              <>
                <h2>No {toMidSentence(rowTerm.plural)} in this table yet</h2>
                <p>Add a row for each location, or import them.</p>
              </>
            }
          />
        </>
      )}
      {importing && (
        <PageSection height={0}>
          <ImportDialog
            resource={rows}
            calls={{ import: importRows, template: getResourceCalls(rows).template }}
            isHidden={() => false}
            onClose={() => setImporting(false)}
            undo={undoRows.of}
          />
        </PageSection>
      )}
      {editing && (
        <RecordDialog
          term={tableTerm}
          isNew={!editing.record}
          fields={tables.fields}
          start={editing.record ?? buildNewRecord(tables)}
          check={(values) => checkRecord(tables, values).problems}
          save={(values) =>
            editing.record ? saves.update({ ...values, id: editing.record.id, version: editing.record.version }) : saves.create(values)
          }
          remove={editing.record ? () => saves.delete({ id: assertDefined(editing.record).id }) : undefined}
          removeHint={`Its rows are deleted with it. ${undo.hint}`}
          undo={(saved) => undo.of(findChange(editing.record, saved))}
          onClose={() => setEditing(null)}
          onDone={(saved) => {
            setEditing(null)
            setChosen(saved?.id ?? null)
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
