import { ActionIcon, Button, Skeleton, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconPrinter, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type FilterItem, isFiltered, type RowSelectionState } from '../../../domain/lists/lists.ts'
import type { ListName } from '../../../domain/lists/listViews.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayMoney, displayNumber } from '../../../domain/values/format.ts'
import { maximumListRows } from '../../../domain/words/notices.ts'
import { toMidSentence } from '../../../domain/words/terms.ts'
import { queryClient } from '../../shell/api.ts'
import { createPrefetchHandlers } from '../../shell/screens/prefetchOnHover.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import textStyles from '../../ui/labels/text.module.css'
import cardStyles from '../../ui/layout/Card.module.css'
import { Card } from '../../ui/layout/Card.tsx'
import { Toolbar } from '../../ui/layout/Toolbar.tsx'
import { type ColumnGroup, isColumnGroup, type TableColumn } from '../../ui/table/columns.ts'
import { ListTable, type SidePanelRows } from '../../ui/table/ListTable.tsx'
import { applySavedView } from './browserViews.ts'
import { type FilterableColumn, ListFilters } from './Filters.tsx'
import { ListDisplayMenu } from './ListDisplayMenu.tsx'
import { countSelected, isSelected, type ListState, readRowDensity, rowHeights, toggleSelected } from './listState.ts'
import { ListPager } from './Pager.tsx'
import { SavedViews } from './SavedViews.tsx'
import { usePageFit } from './usePageFit.ts'
import type { PageSize } from './usePageSize.ts'

export interface ServerListRow {
  id: number | string
}

export interface ServerListProps<T extends ServerListRow> {
  label: string
  rows: T[] | undefined
  /** Whether the rows belong to a previous request, because the reply to the current request has not arrived. */
  isEarlier: boolean
  total: number
  columns: readonly (TableColumn<T> | ColumnGroup<T>)[]
  filterable: FilterableColumn[]
  /** The name of the list, for its saved views. */
  list: ListName
  state: ListState
  onState: (state: ListState) => void
  size: PageSize
  searchPlaceholder: string
  /** Actions on selected rows. Leave out if the user has no permission; the rows then have no checkboxes (behaviour B-095). */
  bulk?: ReactNode
  onOpen?: (row: T) => void
  /** Prefetches what a row opens when the pointer is over it. */
  onPoint?: ((row: T) => void) | undefined
  onEditCell?: (row: T, field: string) => void
  /** Opens a row in a panel next to the list; leave out if the list has no panel. */
  beside?: SidePanelRows<T> | undefined
  onNew?: () => void
  empty: ReactNode
  error?: string | null
  /** Initial filters. If only these apply, an empty list says that there are no records; otherwise it says that none match. */
  startFilters?: readonly FilterItem[]
}

/** Whether the list has no search text and only its initial filters. */
function isFresh({ lastSearch, lastFilters }: ListState, startFilters: readonly FilterItem[] = []): boolean {
  return (
    !lastSearch.value.trim() &&
    lastFilters.every((item) => item.static || startFilters.some((one) => one.filter === item.filter && one.value === item.value))
  )
}

const emptySelection: RowSelectionState = { selectAll: false, toggledNodes: [] }

/** A key for the search text and filters. */
const searchKeyOf = ({ lastSearch, lastFilters }: ListState): string => JSON.stringify([lastSearch.value, lastFilters])

/**
 * The selection of a list that searches while the user types. A new search clears the selection. A row that the user ticks before the
 * results arrive stays selected only if the results contain the row, so that nobody changes or deletes a row that is no longer shown.
 */
function useSelected<T extends ServerListRow>({ rows, isEarlier, state, onState }: ServerListProps<T>, isTyped: boolean) {
  const [ahead, setAhead] = useState(emptySelection)
  const [answered, setAnswered] = useState(searchKeyOf(state))
  if (rows && !isEarlier && answered !== searchKeyOf(state)) setAnswered(searchKeyOf(state))
  const isOutdated = isTyped || answered !== searchKeyOf(state)
  useEffect(() => {
    if (isOutdated || ahead === emptySelection) return
    setAhead(emptySelection)
    const isFound = (id: number | string): boolean => Boolean(rows?.some((row) => row.id === id))
    onState({ ...state, selectAll: ahead.selectAll, toggledNodes: ahead.toggledNodes.filter(isFound) })
  }, [isOutdated, ahead, rows, state, onState])
  return { isBehind: isOutdated, selected: isOutdated ? ahead : state, setAhead }
}

/**
 * Returns all rows shown since the last change. Selected rows may be on other pages, and rows from before a change would give a wrong sum.
 */
function useRowsSeen<T extends ServerListRow>(rows: readonly T[] | undefined): ReadonlyMap<number | string, T> {
  const [rowsById] = useState(() => new Map<number | string, T>())
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'invalidate') rowsById.clear()
      }),
    [rowsById],
  )
  for (const row of rows ?? []) rowsById.set(row.id, row)
  return rowsById
}

/** Shows the sums of the selected rows, for each column. */
function Sums<T extends ServerListRow>({ rows, columns }: { rows: readonly T[]; columns: readonly (TableColumn<T> | ColumnGroup<T>)[] }) {
  return columns.map((column) => {
    if (isColumnGroup(column) || !column.pennies) return null
    const values = rows.map(column.pennies)
    const known = values.filter((value) => value !== null)
    return (
      <span key={column.id}>
        {column.label} <b style={{ color: 'var(--ink)' }}>{displayMoney(known.reduce((sum, value) => sum + value, 0))}</b>
        {known.length < values.length && (
          <span className={textStyles.missing}> excludes {values.length - known.length} not calculated</span>
        )}
      </span>
    )
  })
}

/** Prints all rows of a list: loads them as one page, and returns to the page of before once they are printed. */
function usePrintAll<T extends ServerListRow>({
  rows,
  isEarlier,
  error,
  size: { isPrinting, setPrinting },
}: ServerListProps<T>): () => void {
  const isLoaded = isPrinting && rows !== undefined && !isEarlier
  useEffect(() => {
    if (isPrinting && error) setPrinting(false)
    if (!isLoaded) return
    const end = (): void => setPrinting(false)
    window.addEventListener('afterprint', end)
    window.print()
    return () => window.removeEventListener('afterprint', end)
  }, [isLoaded, isPrinting, error, setPrinting])
  return () => setPrinting(true)
}

/** A list that the server searches, filters, sorts and divides into pages. Rows can be selected on several pages, and with the keyboard. */
export function ServerList<T extends ServerListRow>(props: ServerListProps<T>) {
  const { rows, total, columns, filterable, state, onState, size, bulk, onOpen, onPoint } = props
  const search = useRef<HTMLInputElement>(null)
  const searched = state.lastSearch.value
  const [typed, setTyped] = useState(searched)
  const [lastSearched, setLastSearched] = useState(searched)
  // An import resets the search of the list, so clear its text too.
  if (lastSearched !== searched) {
    setLastSearched(searched)
    setTyped(searched)
  }
  const isTyped = typed !== searched
  const { isBehind, selected, setAhead } = useSelected(props, isTyped)
  const [density, setDensity] = useState(readRowDensity)
  useHotkeys([
    ['/', () => search.current?.focus()],
    ['N', () => props.onNew?.()],
  ])
  const print = usePrintAll(props)
  useHotkeys([['mod+P', print]], [])
  const change = (part: Partial<ListState>): void => onState({ ...state, ...part })
  const refilter = (part: Partial<ListState>): void => change({ ...part, ...emptySelection, firstRow: 0 })
  const find = (): void => refilter({ lastSearch: { value: typed } })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search depends only on the text and the state
  useEffect(() => {
    if (!isTyped) return
    const timer = window.setTimeout(find, 250)
    return () => window.clearTimeout(timer)
  }, [typed, state])
  const select = (next: RowSelectionState): void => {
    // Ticking a row ends the typing, so search now.
    if (isTyped) find()
    if (isBehind) setAhead(next)
    else change(next)
  }
  const shown = columns.filter((column) => isColumnGroup(column) || !state.hiddenColumns.includes(column.id))
  const count = countSelected(selected, total)
  const rowsSeen = useRowsSeen(rows)
  const rowsOf = (): T[] => {
    if (selected.selectAll) return rows && rows.length === total ? rows.filter(({ id }) => isSelected(selected, id)) : []
    return selected.toggledNodes.flatMap((id) => rowsSeen.get(id) ?? [])
  }
  const selectedRows = count > 0 ? rowsOf() : []
  const filtered = isFiltered(state.lastSearch.value, state.lastFilters)
  // Selected rows make the footer taller, and a side panel makes the list narrower. Neither may reduce the number of rows.
  const card = usePageFit({
    list: props.list,
    size,
    firstRow: state.firstRow,
    rows,
    isAtRest: !props.isEarlier && !size.isPrinting && count === 0 && !props.beside?.isOpen,
  })
  return (
    <>
      <Toolbar>
        <TextInput
          ref={search}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          placeholder={props.searchPlaceholder}
          aria-label={`Search ${toMidSentence(props.label)}`}
          leftSection={<IconSearch size={15} />}
          w={300}
          maw="100%"
        />
        <ListFilters columns={filterable} filters={state.lastFilters} onChange={(lastFilters) => refilter({ lastFilters })} />
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
        <SavedViews list={props.list} state={state} onView={(look) => refilter(applySavedView(state, look))} />
        <ListDisplayMenu
          columns={columns}
          hidden={state.hiddenColumns}
          onHide={(hiddenColumns) => change({ hiddenColumns })}
          density={density}
          onDensity={setDensity}
        />
        {total > 0 && (
          <ActionIcon
            variant="default"
            size={36}
            aria-label="Print"
            title="Print all rows (Ctrl P)"
            loading={size.isPrinting}
            onClick={print}
          >
            <IconPrinter size={17} stroke={1.6} />
          </ActionIcon>
        )}
      </Toolbar>
      <Card ref={card} aria-label={props.label}>
        {props.error ? (
          <EmptyState role="alert">
            <h2>The list could not be loaded</h2>
            <p>{props.error}</p>
          </EmptyState>
        ) : rows === undefined ? (
          <div style={{ padding: 14 }}>
            {Array.from({ length: 8 }, (_unused, index) => (
              <Skeleton key={index} height={18} mb={16} />
            ))}
          </div>
        ) : rows.length === 0 ? (
          <EmptyState>
            {filtered && !isFresh(state, props.startFilters) ? (
              <>
                <h2>Nothing matches</h2>
                <p>Change or clear the search and the filters.</p>
              </>
            ) : (
              props.empty
            )}
          </EmptyState>
        ) : (
          <ListTable<T>
            label={props.label}
            rows={rows}
            columns={columns}
            hidden={state.hiddenColumns}
            rowHeight={rowHeights[density]}
            sort={state.sort}
            sortDirection={state.sortDirection}
            onSort={(sort, sortDirection) => change({ sort, sortDirection, firstRow: 0 })}
            select={
              bulk
                ? {
                    all: selected.selectAll && !selected.toggledNodes.length,
                    some: count > 0,
                    has: ({ id }) => isSelected(selected, id),
                    toggle: ({ id }) => select(toggleSelected(selected, id)),
                    toggleAll: () => select({ selectAll: count === 0, toggledNodes: [] }),
                  }
                : undefined
            }
            onOpen={onOpen}
            rowProps={onPoint && ((row) => createPrefetchHandlers(() => onPoint(row)))}
            onEditCell={props.onEditCell}
            beside={props.beside}
          />
        )}
        {size.isPrinting && total > maximumListRows && (
          <p>
            Rows 1 to {displayNumber(maximumListRows)} of {displayNumber(total)}. To print other rows, filter the list.
          </p>
        )}
        <div className={cardStyles.foot} hidden={!total}>
          {bulk && count > 0 ? (
            <>
              <b style={{ color: 'var(--ink)' }}>{count} selected</b>
              {selectedRows.length === count && <Sums rows={selectedRows} columns={shown} />}
              {!selected.selectAll && total > assertDefined(rows).length && (
                <Button variant="subtle" size="compact-sm" onClick={() => select({ selectAll: true, toggledNodes: [] })}>
                  Select all {displayNumber(total)}
                </Button>
              )}
              <Button variant="subtle" size="compact-sm" color="gray" onClick={() => select(emptySelection)}>
                Select none
              </Button>
              {!isBehind && bulk}
            </>
          ) : (
            <span className={cardStyles.keys}>
              {[onOpen && 'Enter opens a row', props.beside && 'O opens it beside the list', props.onEditCell && 'F2 edits a cell']
                .filter(Boolean)
                .join(', ')}
            </span>
          )}
          <ListPager total={total} firstRow={state.firstRow} size={size} onFirstRow={(firstRow) => change({ firstRow })} />
        </div>
      </Card>
    </>
  )
}
