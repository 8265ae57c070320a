import { Button, Skeleton, TextInput } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { type FilterItem, isFiltered, type ListEditState } from '../../../domain/lists/lists.ts'
import type { ListName } from '../../../domain/lists/listViews.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { displayMoney, displayNumber } from '../../../domain/values/format.ts'
import { queryClient } from '../../shell/api.ts'
import { prefetchOnHover } from '../../shell/screens/prefetchOnHover.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import textStyles from '../../ui/labels/text.module.css'
import cardStyles from '../../ui/layout/Card.module.css'
import { Card } from '../../ui/layout/Card.tsx'
import { Toolbar } from '../../ui/layout/Toolbar.tsx'
import { type ColumnGroup, isColumnGroup, type TableColumn } from '../../ui/table/columns.ts'
import { ListTable, type RowsBeside } from '../../ui/table/ListTable.tsx'
import { shownAs } from './browserViews.ts'
import { type Filterable, Filters } from './Filters.tsx'
import { isSelected, type ListState, rowHeights, selectedCount, storedDensity, toggled } from './listState.ts'
import { Pager } from './Pager.tsx'
import { useFit } from './useFit.ts'
import type { PageSize } from './usePageSize.ts'
import { ViewMenu } from './ViewMenu.tsx'
import { Views } from './Views.tsx'

export interface GridRow {
  id: number | string
}

export interface GridProps<T extends GridRow> {
  label: string
  rows: T[] | undefined
  /** The rows are those of an earlier request: the answer to this one is still to come. */
  isEarlier: boolean
  total: number
  columns: readonly (TableColumn<T> | ColumnGroup<T>)[]
  filterable: Filterable[]
  /** Which list it is: what its views are kept under. */
  list: ListName
  state: ListState
  onState: (state: ListState) => void
  size: PageSize
  searchPlaceholder: string
  /** Row checkboxes and what can be done with them; none without the permission (behaviour B-095). */
  bulk?: ReactNode
  onOpen?: (row: T) => void
  /** Somebody points at a row: what it opens may be made ready. */
  onPoint?: ((row: T) => void) | undefined
  onEditCell?: (row: T, field: string) => void
  /** Rows can be opened beside the list. */
  beside?: RowsBeside<T> | undefined
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

const nothing: ListEditState = { selectAll: false, toggledNodes: [] }

/** What the rows of a list are found by. */
const searchOf = ({ lastSearch, lastFilters }: ListState): string => JSON.stringify([lastSearch.value, lastFilters])

/**
 * The selection of a list whose rows follow what is typed into its search. A new search begins with nothing selected, and what is ticked before
 * its rows have come counts of those that it finds: nobody changes or deletes a row that the list no longer shows.
 */
function useSelected<T extends GridRow>({ rows, isEarlier, state, onState }: GridProps<T>, isTyped: boolean) {
  const [ahead, setAhead] = useState(nothing)
  const [answered, setAnswered] = useState(searchOf(state))
  if (rows && !isEarlier && answered !== searchOf(state)) setAnswered(searchOf(state))
  const isBehind = isTyped || answered !== searchOf(state)
  useEffect(() => {
    if (isBehind || ahead === nothing) return
    setAhead(nothing)
    const isFound = (id: number | string): boolean => Boolean(rows?.some((row) => row.id === id))
    onState({ ...state, selectAll: ahead.selectAll, toggledNodes: ahead.toggledNodes.filter(isFound) })
  }, [isBehind, ahead, rows, state, onState])
  return { isBehind, selected: isBehind ? ahead : state, setAhead }
}

/**
 * The rows that were on the page since something was last changed: a row that is selected may stand on another page by now, and what it held
 * before a change is not added up.
 */
function useRowsSeen<T extends GridRow>(rows: readonly T[] | undefined): ReadonlyMap<number | string, T> {
  const [seen] = useState(() => new Map<number | string, T>())
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'invalidate') seen.clear()
      }),
    [seen],
  )
  for (const row of rows ?? []) seen.set(row.id, row)
  return seen
}

/** What the selected rows come to, column by column. */
function Sums<T extends GridRow>({ rows, columns }: { rows: readonly T[]; columns: readonly (TableColumn<T> | ColumnGroup<T>)[] }) {
  return columns.map((column) => {
    if (isColumnGroup(column) || !column.pennies) return null
    const values = rows.map(column.pennies)
    const known = values.filter((value) => value !== null)
    return (
      <span key={column.id}>
        {column.label} <b style={{ color: 'var(--ink)' }}>{displayMoney(known.reduce((sum, value) => sum + value, 0))}</b>
        {known.length < values.length && <span className={textStyles.missing}> without {values.length - known.length} not calculated</span>}
      </span>
    )
  })
}

/** A server-side list: search, filter chips, sort, paging, selection over all pages, keyboard. The page is what the server sent. */
export function Grid<T extends GridRow>(props: GridProps<T>) {
  const { rows, total, columns, filterable, state, onState, size, bulk, onOpen, onPoint } = props
  const search = useRef<HTMLInputElement>(null)
  const searched = state.lastSearch.value
  const [typed, setTyped] = useState(searched)
  const [seen, setSeen] = useState(searched)
  // A list that is begun afresh, after an import, is searched no longer.
  if (seen !== searched) {
    setSeen(searched)
    setTyped(searched)
  }
  const isTyped = typed !== searched
  const { isBehind, selected, setAhead } = useSelected(props, isTyped)
  const [density, setDensity] = useState(storedDensity)
  useHotkeys([
    ['/', () => search.current?.focus()],
    ['N', () => props.onNew?.()],
  ])
  const change = (part: Partial<ListState>): void => onState({ ...state, ...part })
  const refilter = (part: Partial<ListState>): void => change({ ...part, ...nothing, firstRow: 0 })
  const find = (): void => refilter({ lastSearch: { value: typed } })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the search depends only on the text and the state
  useEffect(() => {
    if (!isTyped) return
    const timer = window.setTimeout(find, 250)
    return () => window.clearTimeout(timer)
  }, [typed, state])
  const select = (next: ListEditState): void => {
    // Whoever ticks has typed all that is searched for.
    if (isTyped) find()
    if (isBehind) setAhead(next)
    else change(next)
  }
  const shown = columns.filter((column) => isColumnGroup(column) || !state.hiddenColumns.includes(column.id))
  const count = selectedCount(selected, total)
  const rowsSeen = useRowsSeen(rows)
  const rowsOf = (): T[] => {
    if (selected.selectAll) return rows && rows.length === total ? rows.filter(({ id }) => isSelected(selected, id)) : []
    return selected.toggledNodes.flatMap((id) => rowsSeen.get(id) ?? [])
  }
  const picked = count > 0 ? rowsOf() : []
  const filtered = isFiltered(state.lastSearch.value, state.lastFilters)
  // The foot is taller while rows are selected, and the list narrower beside a record: neither is to take rows away.
  const card = useFit({
    list: props.list,
    size,
    firstRow: state.firstRow,
    rows,
    isAtRest: !props.isEarlier && count === 0 && !props.beside?.isOpen,
  })
  return (
    <>
      <Toolbar>
        <TextInput
          ref={search}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
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
        <Views list={props.list} state={state} onView={(look) => refilter(shownAs(state, look))} />
        <ViewMenu
          columns={columns}
          hidden={state.hiddenColumns}
          onHide={(hiddenColumns) => change({ hiddenColumns })}
          density={density}
          onDensity={setDensity}
        />
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
                    toggle: ({ id }) => select(toggled(selected, id)),
                    toggleAll: () => select({ selectAll: count === 0, toggledNodes: [] }),
                  }
                : undefined
            }
            onOpen={onOpen}
            rowProps={onPoint && ((row) => prefetchOnHover(() => onPoint(row)))}
            onEditCell={props.onEditCell}
            beside={props.beside}
          />
        )}
        <div className={cardStyles.foot} hidden={!total}>
          {bulk && count > 0 ? (
            <>
              <b style={{ color: 'var(--ink)' }}>{count} selected</b>
              {picked.length === count && <Sums rows={picked} columns={shown} />}
              {!selected.selectAll && total > assertDefined(rows).length && (
                <Button variant="subtle" size="compact-sm" onClick={() => select({ selectAll: true, toggledNodes: [] })}>
                  Select all {displayNumber(total)}
                </Button>
              )}
              <Button variant="subtle" size="compact-sm" color="gray" onClick={() => select(nothing)}>
                Select none
              </Button>
              {!isBehind && bulk}
            </>
          ) : (
            <span className={cardStyles.keys}>
              {[onOpen && 'Enter opens a row', props.beside && 'O opens it beside the list', props.onEditCell && 'F2 changes a cell']
                .filter(Boolean)
                .join(', ')}
            </span>
          )}
          <Pager total={total} firstRow={state.firstRow} size={size} onFirstRow={(firstRow) => change({ firstRow })} />
        </div>
      </Card>
    </>
  )
}
