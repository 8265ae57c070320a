import { Button, Checkbox, Skeleton, TextInput } from '@mantine/core'
import { useElementSize, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import {
  CellStyleModule,
  ClientSideRowModelModule,
  type ColDef,
  type ColGroupDef,
  ColumnAutoSizeModule,
  type GridApi,
  ModuleRegistry,
  RowStyleModule,
} from 'ag-grid-community'
import { AgGridProvider, AgGridReact } from 'ag-grid-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { displayNumber } from '../../domain/format.ts'
import { type FilterItem, isFiltered } from '../../domain/lists.ts'
import { gridTheme } from '../theme.ts'
import { type Filterable, Filters } from './Filters.tsx'
import { isSelected, type ListState, selectedCount, storedDensity, toggled } from './listState.ts'
import { Pager } from './Pager.tsx'
import { rowHeights, ViewMenu } from './ViewMenu.tsx'

const modules = [ClientSideRowModelModule, ColumnAutoSizeModule, CellStyleModule, RowStyleModule]
ModuleRegistry.registerModules(modules)

/** Pixels of the grid's head and of its sideways bar. */
const headHeight = 35
const barHeight = 18

export interface GridRow {
  id: number | string
}

export interface GridProps<T extends GridRow> {
  label: string
  rows: T[] | undefined
  total: number
  columns: (ColDef<T> | ColGroupDef<T>)[]
  filterable: Filterable[]
  state: ListState
  onState: (state: ListState) => void
  pageSize: number
  onPageSize: (size: number) => void
  searchPlaceholder: string
  /** Row checkboxes and what can be done with them; none without the permission (behaviour B-095). */
  bulk?: ReactNode
  onOpen?: (row: T) => void
  onEditCell?: (row: T, field: string) => void
  onNew?: () => void
  empty: ReactNode
  error?: string | null
  /** Filters a fresh list begins with: with these alone an empty list is empty, not one in which nothing matches. */
  startFilters?: readonly FilterItem[]
}

/** Whether nothing was searched for, and only the filters stand that the list began with. */
function isFresh({ lastSearch, lastFilters }: ListState, startFilters: readonly FilterItem[] = []): boolean {
  return (
    !lastSearch.value.trim() &&
    lastFilters.every((item) => item.static || startFilters.some((one) => one.filter === item.filter && one.value === item.value))
  )
}

/** Pixels a column takes at least. */
function leastWidth<T>(column: ColDef<T> | ColGroupDef<T>): number {
  if ('children' in column) return column.children.reduce((sum, child) => sum + leastWidth(child), 0)
  return column.minWidth ?? (column.flex === undefined ? column.width : undefined) ?? 90
}

/** A server-side list: search, filter chips, sort, paging, selection over all pages, keyboard. The page is what the server sent. */
export function Grid<T extends GridRow>(props: GridProps<T>) {
  const { rows, total, columns, filterable, state, onState, pageSize, bulk, onOpen } = props
  const search = useRef<HTMLInputElement>(null)
  const grid = useRef<GridApi<T> | null>(null)
  const [typed, setTyped] = useState(state.lastSearch.value)
  const timer = useRef<number>(undefined)
  const [density, setDensity] = useState(storedDensity)
  // Where lists scroll sideways the bar needs a place of its own, or it hides the last row.
  const { ref: frame, width } = useElementSize()
  useHotkeys([
    ['/', () => search.current?.focus()],
    ['N', () => props.onNew?.()],
  ])
  const change = (part: Partial<ListState>): void => onState({ ...state, ...part })
  const refilter = (part: Partial<ListState>): void => change({ ...part, pageNumber: 1, selectAll: false, toggledNodes: [] })
  const type = (value: string): void => {
    setTyped(value)
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => refilter({ lastSearch: { value } }), 250)
  }
  const selectColumn: ColDef<T> = {
    colId: 'select',
    width: 46,
    maxWidth: 46,
    sortable: false,
    resizable: false,
    suppressMovable: true,
    pinned: 'left',
    headerComponent: () => (
      <Checkbox
        size="xs"
        aria-label="Select all rows on all pages"
        checked={state.selectAll && !state.toggledNodes.length}
        indeterminate={selectedCount(state, total) > 0 && !(state.selectAll && !state.toggledNodes.length)}
        onChange={() => change({ selectAll: selectedCount(state, total) === 0, toggledNodes: [] })}
      />
    ),
    cellRenderer: ({ data }: { data?: T }) =>
      data ? (
        <Checkbox
          size="xs"
          tabIndex={-1}
          aria-label="Select row"
          checked={isSelected(state, data.id)}
          onChange={() => onState(toggled(state, data.id))}
          onClick={(event) => event.stopPropagation()}
        />
      ) : null,
    cellStyle: { display: 'flex', alignItems: 'center' },
  }
  const shown = columns
    .filter((column) => !('colId' in column) || !state.hiddenColumns.includes(column.colId ?? ''))
    .map((column) => ('colId' in column && column.colId === state.sort && state.sort ? { ...column, sort: state.sortDirection } : column))
  const isNarrow = width > 0 && shown.reduce((sum, column) => sum + leastWidth(column), bulk ? 46 : 0) > width
  // Grouped columns have a head over their heads.
  const heads = shown.some((column) => 'children' in column) ? 2 : 1
  const count = selectedCount(state, total)
  const filtered = isFiltered(state.lastSearch.value, state.lastFilters)
  const defaultColumn = useMemo<ColDef<T>>(
    () => ({
      sortable: true,
      resizable: true,
      cellDataType: false,
      comparator: () => 0,
      sortingOrder: ['asc', 'desc', null],
      minWidth: 90,
      flex: 1,
    }),
    [],
  )
  return (
    <>
      <div className="tools">
        <TextInput
          ref={search}
          value={typed}
          onChange={(event) => type(event.currentTarget.value)}
          placeholder={props.searchPlaceholder}
          aria-label={`Search ${props.label}`}
          leftSection={<IconSearch size={15} />}
          w={300}
          maw="100%"
        />
        <Filters columns={filterable} filters={state.lastFilters} onChange={(lastFilters) => refilter({ lastFilters })} />
        {filtered && (
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              setTyped('')
              refilter({ lastSearch: { value: '' }, lastFilters: state.lastFilters.filter((item: FilterItem) => item.static) })
            }}
          >
            Clear
          </Button>
        )}
        <ViewMenu
          columns={columns}
          hidden={state.hiddenColumns}
          onHide={(hiddenColumns) => change({ hiddenColumns })}
          density={density}
          onDensity={setDensity}
        />
      </div>
      <section className="card" aria-label={props.label} ref={frame}>
        {props.error ? (
          <div className="empty" role="alert">
            <h2>The list could not be read</h2>
            <p>{props.error}</p>
          </div>
        ) : rows === undefined ? (
          <div style={{ padding: 14 }}>
            {Array.from({ length: 8 }, (_unused, index) => (
              <Skeleton key={index} height={18} mb={16} />
            ))}
          </div>
        ) : rows.length === 0 ? (
          <div className="empty">
            {filtered && !isFresh(state, props.startFilters) ? (
              <>
                <h2>Nothing matches</h2>
                <p>Change or clear the search and the filters.</p>
              </>
            ) : (
              props.empty
            )}
          </div>
        ) : (
          <div style={isNarrow ? { height: heads * headHeight + rows.length * rowHeights[density] + barHeight } : undefined}>
            <AgGridProvider modules={modules}>
              <AgGridReact<T>
                theme={gridTheme}
                rowHeight={rowHeights[density]}
                key={`${density} ${isNarrow}`}
                rowData={rows}
                columnDefs={bulk ? [selectColumn, ...shown] : shown}
                defaultColDef={defaultColumn}
                domLayout={isNarrow ? 'normal' : 'autoHeight'}
                getRowId={({ data }) => String(data.id)}
                suppressCellFocus={false}
                ensureDomOrder
                getRowStyle={({ data }) => (data && bulk && isSelected(state, data.id) ? { background: 'var(--chosen)' } : undefined)}
                onGridReady={({ api }) => {
                  grid.current = api
                }}
                onSortChanged={({ api, source }) => {
                  if (source !== 'uiColumnSorted') return
                  const sorted = api.getColumnState().find((column) => column.sort)
                  change({ sort: sorted?.colId ?? null, sortDirection: sorted?.sort === 'desc' ? 'desc' : 'asc', pageNumber: 1 })
                }}
                onRowClicked={({ data, event }) => {
                  const target = event?.target as HTMLElement | null
                  if (data && onOpen && !target?.closest('a, button, input, [col-id="select"]')) onOpen(data)
                }}
                onCellKeyDown={(pressed) => {
                  if (!('column' in pressed)) return
                  const { data, event, column } = pressed
                  const { key } = event as KeyboardEvent
                  if (!data) return
                  if (key === 'Enter') onOpen?.(data)
                  if (key === 'F2' && props.onEditCell) props.onEditCell(data, column.getColId())
                  if (key === ' ' && bulk) {
                    event?.preventDefault()
                    onState(toggled(state, data.id))
                  }
                }}
                onCellContextMenu={({ data, column, event }) => {
                  if (!data || !props.onEditCell) return
                  event?.preventDefault()
                  props.onEditCell(data, column.getColId())
                }}
                preventDefaultOnContextMenu={Boolean(props.onEditCell)}
              />
            </AgGridProvider>
          </div>
        )}
        <div className="foot" hidden={!total}>
          {bulk && count > 0 ? (
            <>
              <b style={{ color: 'var(--ink)' }}>{count} selected</b>
              {!state.selectAll && total > rows!.length && (
                <Button variant="subtle" size="compact-sm" onClick={() => change({ selectAll: true, toggledNodes: [] })}>
                  Select all {displayNumber(total)}
                </Button>
              )}
              <Button variant="subtle" size="compact-sm" color="gray" onClick={() => change({ selectAll: false, toggledNodes: [] })}>
                Select none
              </Button>
              {bulk}
            </>
          ) : (
            <span>{props.onEditCell ? 'Enter opens a row, F2 changes a cell' : onOpen ? 'Enter opens a row' : ''}</span>
          )}
          <Pager
            total={total}
            pageNumber={state.pageNumber}
            pageSize={pageSize}
            onPage={(pageNumber) => change({ pageNumber })}
            onPageSize={(size) => {
              props.onPageSize(size)
              change({ pageNumber: 1 })
            }}
          />
        </div>
      </section>
    </>
  )
}
