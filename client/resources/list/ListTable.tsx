import { ActionIcon, Checkbox } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconLayoutSidebarRightExpand } from '@tabler/icons-react'
import {
  type CSSProperties,
  type DragEvent,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { pointed } from '../../shell/screens/pointed.ts'
import { around } from '../../ui/around.ts'
import textStyles from '../../ui/labels/text.module.css'
import { type Column, type ColumnGroup, isGroup, leastWidths, type Taken, widthsOf } from './columns.ts'
import classes from './ListTable.module.css'
import { takenBy } from './takenBy.ts'

const selectWidth = 46
const besideWidth = 42
const narrowest = 40
const resizeStep = 20
const restMs = 120

/** The last column, of the buttons that open a row beside the list; no field of a record is called so. */
const besideColumn = ' beside'

/** A table whose cells are walked through by keys is a grid to those who cannot see it. */
const isWalkedThrough = { role: 'grid' }

interface ListTableProps<T extends { id: number | string }> {
  label: string
  rows: readonly T[]
  columns: readonly (Column<T> | ColumnGroup<T>)[]
  rowHeight: number
  sort: string | null
  sortDirection: 'asc' | 'desc'
  onSort: (sort: string | null, direction: 'asc' | 'desc') => void
  /** The boxes of the rows; none without the permission to do something with them. */
  select?: { all: boolean; some: boolean; has: (row: T) => boolean; toggle: (row: T) => void; toggleAll: () => void }
  onOpen?: (row: T) => void
  /** Somebody points at a row, or stands on it with the keyboard: what it opens may be made ready. */
  onPoint?: ((row: T) => void) | undefined
  onEditCell?: (row: T, column: string) => void
  /** Rows can be opened beside the list. */
  beside?: RowsBeside<T> | undefined
}

/** What a list is told of the record that stands beside it. */
export interface RowsBeside<T> {
  /** Whether a row is what stands there. */
  has: (row: T) => boolean
  isOpen: boolean
  show: (row: T) => void
}

const cellOf = (target: EventTarget | null): HTMLTableCellElement | null => around<HTMLTableCellElement>(target, '[data-column]')

/** Sets the focus on a cell; the table is one stop of the Tab key, at the cell that was looked at last. */
function focusCell(cell: Element | null | undefined): void {
  if (cell instanceof HTMLElement) cell.focus()
}

/** A field that stands in a cell; who has typed in it goes back to the cell by Enter or Esc. */
const fieldOf = (cell: HTMLTableCellElement): HTMLInputElement | null => cell.querySelector('input:not([type="checkbox"])')

/** What can be pressed in a cell: no stop of the Tab key, F2 leads to it. */
const buttonOf = (cell: HTMLTableCellElement): HTMLButtonElement | null => cell.querySelector('button')

function rememberStop(cell: HTMLTableCellElement): void {
  for (const stop of assertDefined(cell.closest('table')).querySelectorAll('[data-column][tabindex="0"]'))
    stop.setAttribute('tabindex', '-1')
  cell.setAttribute('tabindex', '0')
}

/** Whether some of a cell cannot be seen. */
function isCut({ scrollHeight, clientHeight, scrollWidth, clientWidth }: HTMLElement): boolean {
  return scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1
}

/** Where a key leads to from a cell; the last row of headings is the first row to walk through. */
function cellAt(cell: HTMLTableCellElement, key: string, whole: boolean): Element | null | undefined {
  const rows = [...assertDefined(cell.closest('table')).querySelectorAll('[data-walked]')]
  const at = rows.indexOf(assertDefined(cell.parentElement))
  const below = (index: number): Element | null | undefined =>
    rows[Math.min(Math.max(index, 0), rows.length - 1)]?.querySelector(`[data-column="${CSS.escape(assertDefined(cell.dataset.column))}"]`)
  const ends = {
    Home: (whole ? rows[0] : cell.parentElement)?.firstElementChild,
    End: (whole ? rows.at(-1) : cell.parentElement)?.lastElementChild,
  }
  switch (key) {
    case 'ArrowLeft':
      return cell.previousElementSibling
    case 'ArrowRight':
      return cell.nextElementSibling
    case 'ArrowUp':
      return below(at - 1)
    case 'ArrowDown':
      return below(at + 1)
    case 'PageUp':
      return below(at - 10)
    case 'PageDown':
      return below(at + 10)
    case 'Home':
    case 'End':
      return ends[key]
  }
}

/** The rows of a list as a grid of cells: sorted by its headings, columns drawn wider and moved, walked through and opened by keys. */
export function ListTable<T extends { id: number | string }>(props: ListTableProps<T>) {
  const { rows, sort, sortDirection, select, onOpen, onPoint, onEditCell, beside } = props
  const frame = useRef<HTMLDivElement>(null)
  const [available, setAvailable] = useState(0)
  const [resized, setResized] = useState<ReadonlyMap<string, number>>(new Map())
  const [order, setOrder] = useState<readonly string[]>([])
  const dragged = useRef<string>(undefined)
  const following = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(following.current), [])
  useLayoutEffect(() => {
    const element = assertDefined(frame.current)
    const measure = (): void => setAvailable(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const isGrouped = props.columns.some(isGroup)
  const placeOf = (column: Column<T> | ColumnGroup<T>): number => (isGroup(column) ? -1 : order.indexOf(column.id))
  // Columns of a shared heading stay under it; the others stand as somebody moved them.
  const placed = isGrouped || !order.length ? props.columns : [...props.columns].sort((a, b) => placeOf(a) - placeOf(b))
  const columns = placed.flatMap((column) => (isGroup(column) ? column.children : [column]))
  const [taken, setTaken] = useState<ReadonlyMap<string, Taken>>(new Map())
  const ids = columns.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cells depend only on the rows and the columns
  useLayoutEffect(() => {
    const element = assertDefined(frame.current)
    const measure = (): void => setTaken(takenBy(element))
    measure()
    // Names of what rows refer to may come after the rows.
    const observer = new MutationObserver(measure)
    observer.observe(assertDefined(element.querySelector('tbody')), { subtree: true, childList: true, characterData: true })
    return () => observer.disconnect()
  }, [rows, ids])
  const forColumns = available - (select ? selectWidth : 0) - (beside ? besideWidth : 0)
  const least = columns.every(({ id }) => taken.has(id)) ? leastWidths(columns, taken, forColumns) : []
  const widths = widthsOf(columns, { available: forColumns, resized, least })
  /** How far from the right a pinned column stays: behind it are the pinned ones after it. */
  const pinOf = (index: number): CSSProperties | undefined =>
    columns[index]?.isPinned
      ? {
          right: columns.reduce(
            (sum, { isPinned }, at) => sum + (isPinned && at > index ? assertDefined(widths[at]) : 0),
            beside ? besideWidth : 0,
          ),
        }
      : undefined
  const firstPinned = columns.findIndex(({ isPinned }) => isPinned)
  const pinMark = (index: number): 'first' | 'further' | undefined =>
    columns[index]?.isPinned ? (index === firstPinned ? 'first' : 'further') : undefined
  const resize = (id: string, width: number): void => setResized((now) => new Map(now).set(id, Math.max(narrowest, Math.round(width))))
  const move = (id: string, to: number): void => {
    if (isGrouped) return
    const ids = columns.map((column) => column.id).filter((one) => one !== id)
    setOrder([...ids.slice(0, to), id, ...ids.slice(to)])
  }
  const sortBy = ({ id, isSortable = true }: Column<T>): void => {
    if (!isSortable) return
    if (sort !== id) props.onSort(id, 'asc')
    else if (sortDirection === 'asc') props.onSort(id, 'desc')
    else props.onSort(null, 'asc')
  }
  /** What stands beside the list is the row that somebody walks to, once they rest there. */
  const follow = (cell: Element | null): void => {
    window.clearTimeout(following.current)
    const line = cell?.closest<HTMLElement>('[data-index]')
    const row = line ? rows[Number(line.dataset.index)] : undefined
    if (row && beside?.isOpen && !beside.has(row)) following.current = window.setTimeout(() => beside.show(row), restMs)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey && event.key.toLowerCase() === 'o') return
    const cell = cellOf(event.target)
    if (!cell || event.target !== cell) return
    const index = columns.findIndex((column) => column.id === cell.dataset.column)
    const column = columns[index]
    const row = rows[Number(assertDefined(cell.parentElement).dataset.index ?? -1)]
    const sideways = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    if (!row && column && sideways && event.altKey) resize(column.id, assertDefined(widths[index]) + sideways * resizeStep)
    else if (!row && column && sideways && event.shiftKey) move(column.id, Math.max(0, index + sideways))
    else if (!row && column && (event.key === 'Enter' || event.key === ' ')) sortBy(column)
    else if (!row && cell.dataset.column === '' && event.key === ' ') select?.toggleAll()
    else if (row && (event.key === 'Enter' || event.key === 'F2') && fieldOf(cell)) fieldOf(cell)?.focus()
    else if (row && beside && (event.key.toLowerCase() === 'o' || (event.key === 'Enter' && cell.dataset.column === besideColumn)))
      beside.show(row)
    else if (row && event.key === 'Enter' && onOpen) onOpen(row)
    else if (row && event.key === 'F2' && onEditCell && column) onEditCell(row, column.id)
    else if (row && event.key === 'F2' && buttonOf(cell)) buttonOf(cell)?.focus()
    else if (row && event.key === ' ' && select) select.toggle(row)
    else {
      const next = cellAt(cell, event.key, event.ctrlKey)
      if (next === undefined) return
      focusCell(next)
      follow(next)
    }
    event.preventDefault()
  }
  const drag = (event: PointerEvent<HTMLElement>, id: string, width: number): void => {
    event.preventDefault()
    event.stopPropagation()
    const handle = event.currentTarget
    const from = event.clientX
    handle.setPointerCapture(event.pointerId)
    const follow = (moved: globalThis.PointerEvent): void => resize(id, width + moved.clientX - from)
    handle.addEventListener('pointermove', follow)
    handle.addEventListener('lostpointercapture', () => handle.removeEventListener('pointermove', follow), { once: true })
  }
  /** As wide as the widest of its cells. */
  const widen = (id: string): void => {
    const { cells, heading } = assertDefined(taken.get(id))
    resize(id, Math.max(cells, heading))
  }
  const drop = (event: DragEvent, index: number): void => {
    event.preventDefault()
    if (dragged.current) move(dragged.current, index)
    dragged.current = undefined
  }
  const heading = (column: Column<T>, index: number): ReactNode => {
    const { id, label, isFigure, isSlim, isSortable = true, isResizable = true } = column
    const sorted = sort === id
    const Arrow = sortDirection === 'asc' ? IconArrowUp : IconArrowDown
    return (
      <th
        key={id}
        scope="col"
        data-column={id}
        data-figure={isFigure || undefined}
        data-slim={isSlim || undefined}
        data-sortable={isSortable || undefined}
        data-pinned={pinMark(index)}
        style={pinOf(index)}
        tabIndex={index === 0 && !select ? 0 : -1}
        aria-sort={sorted ? (sortDirection === 'asc' ? 'ascending' : 'descending') : isSortable ? 'none' : undefined}
        draggable={!isGrouped}
        onDragStart={() => {
          dragged.current = id
        }}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => drop(event, index)}
        onClick={() => sortBy(column)}
      >
        <span className={classes.heading}>
          {label}
          {sorted && <Arrow size={14} stroke={1.8} aria-hidden />}
        </span>
        {isResizable && (
          <span
            className={classes.handle}
            aria-hidden
            onPointerDown={(event) => drag(event, id, assertDefined(widths[index]))}
            onDoubleClick={() => widen(id)}
            onClick={(event) => event.stopPropagation()}
          />
        )}
      </th>
    )
  }
  return (
    <div ref={frame} className={classes.scroll}>
      <table
        {...isWalkedThrough}
        aria-label={props.label}
        className={classes.table}
        style={{ width: (select ? selectWidth : 0) + (beside ? besideWidth : 0) + widths.reduce((sum, width) => sum + width, 0) }}
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
          {select && <col style={{ width: selectWidth }} />}
          {columns.map(({ id }, index) => (
            <col key={id} style={{ width: widths[index] }} />
          ))}
          {beside && <col style={{ width: besideWidth }} />}
        </colgroup>
        <thead>
          {isGrouped && (
            <tr>
              {select && <td />}
              {placed.map((column, index) =>
                isGroup(column) ? (
                  <th key={index} scope="colgroup" colSpan={column.children.length}>
                    {column.label}
                  </th>
                ) : (
                  <td key={index} />
                ),
              )}
              {beside && <td />}
            </tr>
          )}
          <tr data-walked>
            {select && (
              <th scope="col" data-column="" tabIndex={0} className={classes.select}>
                <Checkbox
                  size="xs"
                  tabIndex={-1}
                  aria-label="Select all rows on all pages"
                  checked={select.all}
                  indeterminate={select.some && !select.all}
                  onChange={select.toggleAll}
                />
              </th>
            )}
            {columns.map(heading)}
            {beside && (
              <th scope="col" data-column={besideColumn} tabIndex={-1} className={classes.beside}>
                <span className={textStyles.hiddenWords}>Beside the list</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr
              style={{ height: props.rowHeight }}
              key={row.id}
              data-walked
              data-index={at}
              aria-selected={select ? select.has(row) : undefined}
              aria-current={beside?.has(row) || undefined}
              {...(onPoint && pointed(() => onPoint(row)))}
              onClick={(event) => {
                if (onOpen && !around(event.target, `a, button, input, label, [data-column=""]`)) onOpen(row)
              }}
              onContextMenu={(event) => {
                const column = cellOf(event.target)?.dataset.column
                if (!onEditCell || !column) return
                event.preventDefault()
                onEditCell(row, column)
              }}
            >
              {select && (
                <td data-column="" tabIndex={-1} className={classes.select}>
                  <Checkbox size="xs" tabIndex={-1} aria-label="Select row" checked={select.has(row)} onChange={() => select.toggle(row)} />
                </td>
              )}
              {columns.map(({ id, cell, isFigure, isSlim }, index) => (
                <td
                  key={id}
                  data-column={id}
                  data-figure={isFigure || undefined}
                  data-slim={isSlim || undefined}
                  data-pinned={pinMark(index)}
                  style={pinOf(index)}
                  tabIndex={-1}
                >
                  <div className={classes.lines}>{cell ? cell(row) : String(Reflect.get(row, id) ?? '')}</div>
                </td>
              ))}
              {beside && (
                <td data-column={besideColumn} tabIndex={-1} className={classes.beside}>
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
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
