import { ActionIcon, Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconLayoutSidebarRightExpand } from '@tabler/icons-react'
import {
  type ColumnDef,
  columnOrderingFeature,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  functionalUpdate,
  type Header,
  rowSortingFeature,
  type SortingState,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import {
  type CSSProperties,
  type HTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { findClosestElement } from '../closestElement.ts'
import textStyles from '../labels/text.module.css'
import {
  type ColumnGroup,
  type ContentWidths,
  calculateMinimumWidths,
  divideWidthAmongColumns,
  isColumnGroup,
  type TableColumn,
} from './columns.ts'
import { findCellAfterKey } from './keys.ts'
import classes from './ListTable.module.css'
import { measureColumnContents } from './measureColumnContents.ts'

const selectWidth = 46
const besideWidth = 42
const narrowest = 40
const resizeStep = 20
const restMs = 120

/** Ids of the columns with check boxes and with “Open beside the list”. They begin with a space, which no field name does. */
const [selectColumn, besideColumn] = [' select', ' beside']

/** Tells screen readers that arrow keys move between the cells. */
const gridRole = { role: 'grid' }

const features = tableFeatures({
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnResizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
})
type Features = typeof features

interface ListRow {
  id: number | string
}

interface ListTableProps<T extends ListRow> {
  label: string
  rows: readonly T[]
  columns: readonly (TableColumn<T> | ColumnGroup<T>)[]
  /** Ids of hidden columns. */
  hidden: readonly string[]
  rowHeight: number
  sort: string | null
  sortDirection: 'asc' | 'desc'
  onSort: (sort: string | null, direction: 'asc' | 'desc') => void
  /** The check boxes of rows; undefined if the user may not do anything with selected rows. */
  select?: { all: boolean; some: boolean; has: (row: T) => boolean; toggle: (row: T) => void; toggleAll: () => void } | undefined
  onOpen?: ((row: T) => void) | undefined
  onEditCell?: ((row: T, column: string) => void) | undefined
  /** Extra attributes of a row. */
  rowProps?: ((row: T) => HTMLAttributes<HTMLTableRowElement>) | undefined
  beside?: SidePanelRows<T> | undefined
}

/** How a list opens its rows in a panel beside it. */
export interface SidePanelRows<T> {
  /** Whether this row is the one open beside the list. */
  has: (row: T) => boolean
  isOpen: boolean
  show: (row: T) => void
}

const cellOf = (target: EventTarget | null): HTMLTableCellElement | null =>
  findClosestElement<HTMLTableCellElement>(target, '[data-column]')

/** The field in a cell. F2 and Enter move the focus into it; Enter and Esc back to the cell. */
const fieldOf = (cell: HTMLTableCellElement): HTMLInputElement | null => cell.querySelector('input:not([type="checkbox"])')

/** Makes a cell the table's only tab stop, so that Tab returns to the cell that had the focus last. */
function rememberStop(cell: HTMLTableCellElement): void {
  for (const stop of assertDefined(cell.closest('table')).querySelectorAll('[data-column][tabindex="0"]'))
    stop.setAttribute('tabindex', '-1')
  cell.setAttribute('tabindex', '0')
}

function isCut({ scrollHeight, clientHeight, scrollWidth, clientWidth }: HTMLElement): boolean {
  return scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1
}

/** Columns for the table model. Cells are rendered from `Column.cell` instead, so that their elements, and so the focus, remain. */
function columnDefs<T extends ListRow>(columns: ListTableProps<T>['columns']): ColumnDef<Features, T>[] {
  return columns.map(
    (column, index): ColumnDef<Features, T> =>
      isColumnGroup(column)
        ? { id: `group ${index}`, header: column.label, columns: columnDefs(column.children) }
        : {
            id: column.id,
            accessorFn: (row) => Reflect.get(row, column.id),
            enableSorting: column.isSortable ?? true,
            enableResizing: column.isResizable ?? true,
            minSize: narrowest,
            ...(column.id.startsWith(' ') ? { size: column.width ?? narrowest } : {}),
          },
  )
}

/** The inner width of the frame, and the width that the content of each column needs. */
function useMeasured(frame: RefObject<HTMLDivElement | null>, rows: readonly unknown[], ids: string) {
  const [available, setAvailable] = useState(0)
  const [content, setContent] = useState<ReadonlyMap<string, ContentWidths>>(new Map())
  useLayoutEffect(() => {
    const element = assertDefined(frame.current)
    const measure = (): void => setAvailable(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [frame])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cells depend only on the rows and the columns
  useLayoutEffect(() => {
    const element = assertDefined(frame.current)
    const measure = (): void => setContent(measureColumnContents(element))
    measure()
    // The names of referenced records may arrive after the rows.
    const observer = new MutationObserver(measure)
    observer.observe(assertDefined(element.querySelector('tbody')), { subtree: true, childList: true, characterData: true })
    return () => observer.disconnect()
  }, [frame, rows, ids])
  return { available, content }
}

/** A list as a grid of cells, with columns to sort, resize and move; arrow keys move between cells and Enter opens a row. */
export function ListTable<T extends ListRow>(props: ListTableProps<T>) {
  const { rows, sort, sortDirection, select, onOpen, onEditCell, beside } = props
  const frame = useRef<HTMLDivElement>(null)
  const [resized, setResized] = useState<Readonly<Record<string, number>>>({})
  const [columnOrder, setColumnOrder] = useState<string[]>([])
  const dragged = useRef<string>(undefined)
  const following = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(following.current), [])
  const isGrouped = props.columns.some(isColumnGroup)
  const leaves = props.columns
    .flatMap((column) => (isColumnGroup(column) ? column.children : [column]))
    .filter(({ id }) => !props.hidden.includes(id))
  const { available, content } = useMeasured(frame, rows, leaves.map(({ id }) => id).join())
  const forColumns = available - (select ? selectWidth : 0) - (beside ? besideWidth : 0)
  const least = leaves.every(({ id }) => content.has(id)) ? calculateMinimumWidths(leaves, content, forColumns) : []
  const widths = divideWidthAmongColumns(leaves, { available: forColumns, resized: new Map(Object.entries(resized)), least })
  const columnSizing = Object.fromEntries(leaves.map(({ id }, index) => [id, assertDefined(widths[index])]))
  const pinned = leaves.filter(({ isPinned }) => isPinned).map(({ id }) => id)
  const selecting: TableColumn<T> | undefined = select && {
    id: selectColumn,
    label: '',
    head: (
      <Checkbox
        size="xs"
        tabIndex={-1}
        aria-label="Select all rows on all pages"
        checked={select.all}
        indeterminate={select.some && !select.all}
        onChange={select.toggleAll}
      />
    ),
    width: selectWidth,
    isSortable: false,
    isResizable: false,
    className: classes.select,
    cell: (row) => (
      <Checkbox size="xs" tabIndex={-1} aria-label="Select row" checked={select.has(row)} onChange={() => select.toggle(row)} />
    ),
  }
  const opening: TableColumn<T> | undefined = beside && {
    id: besideColumn,
    label: '',
    head: <span className={textStyles.hiddenWords}>Beside the list</span>,
    width: besideWidth,
    isSortable: false,
    isResizable: false,
    className: classes.beside,
    cell: (row) => (
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        tabIndex={-1}
        aria-label="Open beside the list"
        title="Open beside the list (O)"
        onClick={() => beside.show(row)}
      >
        <IconLayoutSidebarRightExpand size={16} stroke={1.6} />
      </ActionIcon>
    ),
  }
  const columns = [...(selecting ? [selecting] : []), ...props.columns, ...(opening ? [opening] : [])]
  const byId = new Map(
    columns.flatMap((column) => (isColumnGroup(column) ? column.children : [column])).map((column) => [column.id, column]),
  )
  const sorting: SortingState = sort === null ? [] : [{ id: sort, desc: sortDirection === 'desc' }]
  const table = useTable<Features, T>({
    features,
    data: rows,
    columns: columnDefs(columns),
    getRowId: ({ id }) => String(id),
    manualSorting: true,
    enableMultiSort: false,
    sortDescFirst: false,
    columnResizeMode: 'onChange',
    state: {
      sorting,
      columnOrder,
      columnSizing,
      columnVisibility: Object.fromEntries(props.hidden.map((id) => [id, false])),
      columnPinning: { start: select ? [selectColumn] : [], end: [...pinned, ...(beside ? [besideColumn] : [])] },
    },
    onSortingChange: (updater) => {
      const [next] = functionalUpdate(updater, sorting)
      props.onSort(next?.id ?? null, next?.desc ? 'desc' : 'asc')
    },
    onColumnOrderChange: setColumnOrder,
    onColumnSizingChange: (updater) => {
      const next = Object.entries(functionalUpdate(updater, columnSizing)).filter(([id, width]) => width !== columnSizing[id])
      setResized((now) => ({ ...now, ...Object.fromEntries(next.map(([id, width]) => [id, Math.max(narrowest, Math.round(width))])) }))
    },
  })
  const resize = (id: string, width: number): void => table.setColumnSizing((now) => ({ ...now, [id]: width }))
  const move = (id: string, to: number): void => {
    if (isGrouped) return
    const ids = table
      .getVisibleLeafColumns()
      .map((column) => column.id)
      .filter((one) => !one.startsWith(' ') && one !== id)
    setColumnOrder([...ids.slice(0, to), id, ...ids.slice(to)])
  }
  /** The index of a column among the columns that can be moved. */
  const placeOf = (id: string): number => assertDefined(table.getColumn(id)).getIndex() - (select ? 1 : 0)
  /** If a row is open beside the list, shows the focused row there instead, once the focus has stayed on it for a moment. */
  const follow = (cell: Element): void => {
    window.clearTimeout(following.current)
    const row = rows[Number(cell.closest<HTMLElement>('[data-index]')?.dataset.index ?? -1)]
    if (row && beside?.isOpen && !beside.has(row)) following.current = window.setTimeout(() => beside.show(row), restMs)
  }
  /** Handles a key in a heading. @returns whether it did anything */
  const pressHeading = (event: KeyboardEvent, id: string): boolean => {
    const { key, altKey, shiftKey } = event
    const column = assertDefined(table.getColumn(id))
    const sideways = key === 'ArrowLeft' ? -1 : key === 'ArrowRight' ? 1 : 0
    if (id === selectColumn && key === ' ') select?.toggleAll()
    else if (id.startsWith(' ')) return false
    else if (sideways && altKey) resize(id, column.getSize() + sideways * resizeStep)
    else if (sideways && shiftKey) move(id, Math.max(0, placeOf(id) + sideways))
    else if (key === 'Enter' || key === ' ') column.getToggleSortingHandler()?.(event)
    else return false
    return true
  }
  /** Handles a key in a row. @returns whether it did anything */
  const pressRow = ({ key }: KeyboardEvent, row: T, cell: HTMLTableCellElement): boolean => {
    const id = assertDefined(cell.dataset.column)
    const field = fieldOf(cell)
    const button = cell.querySelector('button')
    if ((key === 'Enter' || key === 'F2') && field) field.focus()
    else if (beside && (key.toLowerCase() === 'o' || (key === 'Enter' && id === besideColumn))) beside.show(row)
    else if (key === 'Enter' && onOpen) onOpen(row)
    else if (key === 'F2' && onEditCell && !id.startsWith(' ')) onEditCell(row, id)
    else if (key === 'F2' && button) button.focus()
    else if (key === ' ' && select) select.toggle(row)
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey && event.key.toLowerCase() === 'o') return
    const cell = cellOf(event.target)
    if (!cell || event.target !== cell) return
    const row = rows[Number(assertDefined(cell.parentElement).dataset.index ?? -1)]
    const isDone = row ? pressRow(event, row, cell) : pressHeading(event, assertDefined(cell.dataset.column))
    if (!isDone) {
      const next = findCellAfterKey(event, cell)
      if (next === undefined) return
      next?.focus()
      if (next) follow(next)
    }
    event.preventDefault()
  }
  const pinStyle = (column: (typeof leafColumns)[number]): CSSProperties | undefined =>
    column.getIsPinned() === 'end' && !column.id.startsWith(' ') ? { right: column.getAfter('end') } : undefined
  const leafColumns = table.getVisibleLeafColumns()
  const attributes = ({ id, isFigure, isSlim, className }: TableColumn<T>) => ({
    'data-column': id,
    'data-figure': isFigure || undefined,
    'data-slim': isSlim || undefined,
    'data-pinned': pinned.includes(id) ? (id === pinned[0] ? 'first' : 'further') : undefined,
    className,
  })
  const heading = (header: Header<Features, T, unknown>): ReactNode => {
    const { column } = header
    const shown = assertDefined(byId.get(column.id))
    const heading = shown.head ?? shown.label
    const canSort = column.getCanSort()
    const sorted = column.getIsSorted()
    const Arrow = sorted === 'asc' ? IconArrowUp : IconArrowDown
    const isOwn = column.id.startsWith(' ')
    return (
      <th
        key={header.id}
        scope="col"
        {...attributes(shown)}
        data-sortable={canSort || undefined}
        style={pinStyle(column)}
        tabIndex={column.getIndex() === 0 ? 0 : -1}
        aria-sort={sorted ? (sorted === 'asc' ? 'ascending' : 'descending') : canSort ? 'none' : undefined}
        draggable={!isGrouped && !isOwn}
        onDragStart={() => {
          dragged.current = column.id
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          if (dragged.current && !isOwn) move(dragged.current, placeOf(column.id))
          dragged.current = undefined
        }}
        onClick={column.getToggleSortingHandler()}
      >
        {isOwn ? (
          heading
        ) : (
          <span className={classes.heading}>
            {heading}
            {sorted && <Arrow size={14} stroke={1.8} aria-hidden />}
          </span>
        )}
        {column.getCanResize() && (
          <span
            className={classes.handle}
            aria-hidden
            onMouseDown={(event) => {
              // Without this, the browser starts to drag the whole heading.
              event.preventDefault()
              header.getResizeHandler()(event)
            }}
            onTouchStart={header.getResizeHandler()}
            onDoubleClick={() => {
              const { cells, heading: least } = assertDefined(content.get(column.id))
              resize(column.id, Math.max(cells, least))
            }}
            onClick={(event) => event.stopPropagation()}
          />
        )}
      </th>
    )
  }
  return (
    <div ref={frame} className={classes.scroll}>
      <table
        {...gridRole}
        aria-label={props.label}
        className={classes.table}
        style={{ width: table.getTotalSize() }}
        data-opens={onOpen ? true : undefined}
        onFocus={(event) => {
          const cell = cellOf(event.target)
          if (cell) rememberStop(cell)
        }}
        onKeyDown={onKeyDown}
        onMouseOver={(event) => {
          const lines = cellOf(event.target)?.querySelector<HTMLElement>(`.${classes.lines}`)
          if (lines) lines.title = isCut(lines) ? (lines.textContent ?? '') : ''
        }}
      >
        <colgroup>
          {leafColumns.map((column) => (
            <col key={column.id} style={{ width: column.getSize() }} />
          ))}
        </colgroup>
        <thead>
          {table.getHeaderGroups().map((group, at, { length }) => (
            <tr key={group.id} data-walked={at === length - 1 || undefined}>
              {at === length - 1
                ? group.headers.map(heading)
                : group.headers.map((header) =>
                    header.isPlaceholder ? (
                      <td key={header.id} />
                    ) : (
                      <th key={header.id} scope="colgroup" colSpan={header.colSpan}>
                        {String(header.column.columnDef.header)}
                      </th>
                    ),
                  )}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((line, at) => {
            const row = line.original
            return (
              <tr
                style={{ height: props.rowHeight }}
                key={line.id}
                data-walked
                data-index={at}
                aria-selected={select ? select.has(row) : undefined}
                aria-current={beside?.has(row) || undefined}
                {...props.rowProps?.(row)}
                onClick={(event) => {
                  if (onOpen && !findClosestElement(event.target, `a, button, input, label, [data-column="${selectColumn}"]`)) onOpen(row)
                }}
                onContextMenu={(event) => {
                  const column = cellOf(event.target)?.dataset.column
                  if (!onEditCell || !column || column === selectColumn) return
                  event.preventDefault()
                  onEditCell(row, column)
                }}
              >
                {line.getVisibleCells().map(({ id, column }) => {
                  const shown = assertDefined(byId.get(column.id))
                  const value = shown.cell ? shown.cell(row, at) : String(Reflect.get(row, column.id) ?? '')
                  return (
                    <td key={id} {...attributes(shown)} style={pinStyle(column)} tabIndex={-1}>
                      {column.id.startsWith(' ') ? value : <div className={classes.lines}>{value}</div>}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
