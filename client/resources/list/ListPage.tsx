import { Button } from '@mantine/core'
import { useCallback, useState } from 'react'
import { useNavigate } from 'react-router'
import { isFiltered } from '../../../domain/lists/lists.ts'
import { requestType } from '../../../domain/lookups/lookupIds.ts'
import { getResource } from '../../../domain/resources/all.ts'
import { findNumberColumns } from '../../../domain/resources/columns.ts'
import type { AnyRecord } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayTermCount, toMidSentence } from '../../../domain/words/terms.ts'
import { toPublicError } from '../../shell/api.ts'
import { updateOptimistically } from '../../shell/calls/updateOptimistically.ts'
import { useTerm } from '../../shell/core.ts'
import { ExportButton } from '../../shell/files/ExportButton.tsx'
import { lazyComponent } from '../../shell/lazyComponent.ts'
import { PageSection } from '../../shell/PageSection.tsx'
import { hasSubPage, preloadSubPage, type Screen } from '../../shell/screens/screen.ts'
import { useScreenTitle } from '../../shell/screens/useScreens.ts'
import { getSelection, useSelection } from '../../shell/selection.ts'
import { Pill } from '../../ui/labels/Pill.tsx'
import { ShortcutHint } from '../../ui/labels/ShortcutHint.tsx'
import { PageHead } from '../../ui/layout/PageHead.tsx'
import { confirmDelete } from '../confirmDelete.tsx'
import { useEntityExtras } from '../entityExtras.ts'
import { NationalTablePicker } from '../inputs/NationalTablePicker.tsx'
import { getCachedAnswers, listIncludesNames, RecordNamesContext } from '../resourceApi.ts'
import { useResourceUndo, useUndoKey } from '../useResourceUndo.ts'
import { createFixedFilters, findTableField, useScreenResource, useStaticFilters } from '../useScreenResource.ts'
import { deleteOptimistically } from './deleteOptimistically.ts'
import { focusSidePanel, ListWithSidePanel, useSidePanel } from './ListWithSidePanel.tsx'
import { createListColumns } from './listColumns.tsx'
import { countSelected, createListKey, isSelected } from './listState.ts'
import { ServerList } from './ServerList.tsx'
import { createFirstListRequest, useListState } from './useList.ts'

const CellEditor = lazyComponent(() => import('./CellEditor.tsx'), 'ListCellEditor')
const ImportDialog = lazyComponent(() => import('../import/ImportDialog.tsx'), 'ImportDialog')

const noNames = {}

/** The cell that is being edited. */
interface Cell {
  row: AnyRecord
  field: string
}

/** The national table that each list shows. It is remembered while one of the table's rows is open. */
const chosenTables = new Map<string, number | null>()

/** Whether a screen's replies are cached under its entity. The staff of a location have other calls than the entity. */
const isCachedByEntity = ({ resource, own }: Screen): boolean => !(own && resource === 'staffMember')

/** If the entity's list can include the names of referenced records, adds these to the list request. */
function listRequest<R extends object>({ resource, requestType }: Screen, request: R) {
  return { ...request, requestType, ...(listIncludesNames(assertDefined(resource)) ? { withNames: true } : {}) }
}

/** Prefetches the page of the list that will be shown. It skips lists by national table, because only the page itself knows the table. */
function prepare(screen: Screen): void {
  if (screen.tableTypes || !isCachedByEntity(screen)) return
  const { organisationId, locationId } = getSelection()
  const request = createFirstListRequest(createListKey(screen, organisationId, locationId), {
    fixed: createFixedFilters(screen),
    startFilters: screen.startFilters,
  })
  const answers = getCachedAnswers(getResource(assertDefined(screen.resource)), screen.own)
  void answers.list.prefetch(listRequest(screen, request))
}

/** The list of any declared entity. */
export function ListPage({ screen }: { screen: Screen }) {
  const { resource, calls, hooks, saves, isHidden, isShared, mayEdit, mayBulk, offers } = useScreenResource(screen)
  const { organisationId, locationId } = useSelection()
  const term = useTerm()(resource.key)
  const title = useScreenTitle()(screen)
  const navigate = useNavigate()
  const undo = useResourceUndo(resource, screen.own)
  useUndoKey([resource])
  const [importing, setImporting] = useState(false)
  const [adding, setAdding] = useState(false)
  const [cell, setCell] = useState<Cell | null>(null)
  const [table, setTable] = useState<number | null | undefined>(chosenTables.get(screen.path))
  const fixed = useStaticFilters(screen, table)
  const chooseTable = useCallback(
    (id: number | null): void => {
      chosenTables.set(screen.path, id)
      setTable(id)
    },
    [screen.path],
  )
  const view = useListState(createListKey(screen, organisationId, locationId), {
    fixed: fixed.filters,
    startFilters: screen.startFilters,
    hiddenColumns: [...(resource.gridHidden ?? [])],
  })
  const { state, selection } = view
  const request = listRequest(screen, view.request)
  const list = hooks.list.useQuery(request, { enabled: fixed.ready, placeholderData: (before) => before })
  const isOpenable = mayEdit && hasSubPage(screen, ':id')
  const sidePanel = useSidePanel()
  const rowsBeside = {
    has: ({ id }: AnyRecord): boolean => String(id) === sidePanel.id,
    isOpen: sidePanel.id !== null,
    show: ({ id }: AnyRecord): void => sidePanel.show(id),
  }
  const open = (row: AnyRecord): void => {
    if (!rowsBeside.isOpen) void navigate(`${screen.path}/${row.id}`)
    else if (rowsBeside.has(row)) focusSidePanel()
    else rowsBeside.show(row)
  }
  const point = ({ id }: AnyRecord): void => {
    preloadSubPage(screen, ':id')
    if (isCachedByEntity(screen)) void getCachedAnswers(resource, screen.own).get.prefetch({ id })
  }
  const showAtOnce = <Saved,>({ row, field }: Cell, value: unknown, save: () => Promise<Saved>): Promise<Saved> =>
    isCachedByEntity(screen)
      ? updateOptimistically(
          { query: getCachedAnswers(resource, screen.own).list, input: request },
          (now) => ({ ...now, rows: now.rows.map((one) => (one.id === row.id ? { ...one, [field]: value } : one)) }),
          save,
        )
      : save()
  const deleteSelected = () => saves.bulkDelete({ ...view.chosen, requestType: screen.requestType })
  const remove = (): void =>
    confirmDelete({
      term,
      count: countSelected(state, list.data?.total ?? 0),
      run: () =>
        isCachedByEntity(screen)
          ? deleteOptimistically(
              { query: getCachedAnswers(resource, screen.own).list, input: request, state },
              (row) => row.id,
              deleteSelected,
            )
          : deleteSelected(),
      hint: undo.hint,
      lost: undo.lost,
      undo: ({ change }) => undo.of(change),
      after: view.unselect,
    })
  const exported = () =>
    calls.export.query({ sort: state.sort, sortDirection: state.sortDirection, requestType: screen.requestType, ...selection })
  const extras = useEntityExtras(resource.name)
  const EmptyAction = extras.emptyAction
  const AddDialog = screen.own && mayEdit ? extras.addDialog : undefined
  const add = AddDialog
    ? (): void => setAdding(true)
    : offers('create') && hasSubPage(screen, 'add')
      ? (): void => void navigate(`${screen.path}/add`)
      : undefined
  const mayImport = offers('import')
  const isSharedChosen = list.data?.rows.some((row) => isSelected(state, row.id) && isShared(row))
  const bulk =
    mayBulk && !isSharedChosen && screen.edit !== 'nobody' && (offers('bulkDelete') || hasSubPage(screen, 'bulk')) ? (
      <>
        {hasSubPage(screen, 'bulk') && (
          <Button variant="subtle" size="compact-sm" onClick={() => void navigate(`${screen.path}/bulk`)}>
            Bulk edit
          </Button>
        )}
        {offers('bulkDelete') && (
          <Button variant="subtle" size="compact-sm" color="red" onClick={remove}>
            Delete
          </Button>
        )}
      </>
    ) : undefined
  const filterable = resource.grid
    .filter((name) => !isHidden(assertDefined(resource.fields[name])) && !(name in (screen.fixed ?? {})))
    .map((name) => ({ name, label: assertDefined(resource.fields[name]).label, field: assertDefined(resource.fields[name]) }))
  const total = list.data?.total ?? 0
  return (
    <>
      <PageHead
        title={title}
        documentTitle={`${title} - ${screen.area}`}
        pills={
          list.data && (
            <Pill>
              {displayTermCount(total, term)}
              {isFiltered(state.lastSearch.value, state.lastFilters) ? ' match' : ''}
            </Pill>
          )
        }
        facts={screen.edit === 'nobody' ? 'National data, maintained by Bursar’s administrators.' : undefined}
      >
        {mayImport && (
          <Button variant="default" onClick={() => setImporting(true)}>
            Import
          </Button>
        )}
        <ExportButton file={exported} kinds={findNumberColumns(resource)} disabled={!total} />
        {add && (
          <Button onClick={add} rightSection={<ShortcutHint>N</ShortcutHint>}>
            Add {toMidSentence(term.singular)}
          </Button>
        )}
      </PageHead>
      {screen.tableTypes && (
        <NationalTablePicker types={screen.tableTypes} value={table} onChange={chooseTable} startsWithNewest={screen.edit === 'nobody'} />
      )}
      <ListWithSidePanel screen={screen} beside={isOpenable ? sidePanel : { ...sidePanel, id: null }} name={term.singular}>
        <RecordNamesContext value={list.data?.names ?? noNames}>
          <ServerList<AnyRecord>
            label={title}
            rows={list.data?.rows}
            isEarlier={list.isPlaceholderData}
            total={total}
            columns={createListColumns(resource, isHidden, [
              ...Object.keys(screen.fixed ?? {}),
              ...(typeof table === 'number' ? [findTableField(screen)] : []),
            ])}
            filterable={filterable}
            {...view.grid}
            searchPlaceholder={`Search ${resource.naming.map((name) => assertDefined(resource.fields[name]).label.toLowerCase()).join(', ')}`}
            bulk={bulk}
            onOpen={isOpenable ? open : undefined}
            onPoint={isOpenable ? point : undefined}
            beside={isOpenable && sidePanel.hasRoom ? rowsBeside : undefined}
            onNew={add}
            startFilters={screen.startFilters}
            onEditCell={
              offers('edit')
                ? (row, field) => resource.fields[field] && field !== 'organisationId' && !isShared(row) && setCell({ row, field })
                : undefined
            }
            error={list.isError ? toPublicError(list.error).message : null}
            empty={
              <>
                <h2>No {toMidSentence(term.plural)} yet</h2>
                <p>{resource.purpose}</p>
                {add && (
                  <Button onClick={add} mr="xs">
                    Add {toMidSentence(term.singular)}
                  </Button>
                )}
                {mayImport && (
                  <Button variant="default" onClick={() => setImporting(true)}>
                    Import
                  </Button>
                )}
                {mayEdit && EmptyAction && <EmptyAction />}
              </>
            }
          />
        </RecordNamesContext>
      </ListWithSidePanel>
      {importing && (
        <PageSection height={0}>
          <ImportDialog
            resource={resource}
            calls={{ import: saves.import, template: calls.template }}
            ownOnly={screen.requestType === requestType.own}
            fixed={screen.fixed}
            isHidden={isHidden}
            onClose={() => setImporting(false)}
            onDone={view.reset}
            undo={undo.of}
          />
        </PageSection>
      )}
      {adding && AddDialog && (
        <PageSection height={0}>
          <AddDialog screen={screen} onClose={() => setAdding(false)} />
        </PageSection>
      )}
      {cell && (
        <PageSection height={0}>
          <CellEditor
            key={`${cell.row.id} ${cell.field}`}
            resource={resource}
            save={saves.edit}
            shown={(value, save) => showAtOnce(cell, value, save)}
            row={cell.row}
            name={cell.field}
            term={term.singular}
            own={screen.own}
            onClose={() => setCell((now) => (now === cell ? null : now))}
          />
        </PageSection>
      )}
    </>
  )
}
ListPage.prepare = prepare
