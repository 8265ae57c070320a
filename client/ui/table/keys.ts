import { type FocusEvent, type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { findClosestElement } from '../closestElement.ts'

/** Rows that Page Up and Page Down move by. */
const pageRows = 10

/** The index of the row that a key moves to; undefined if the key does not move. */
export function findRowAfterKey(key: string, at: number, count: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + pageRows,
    PageUp: at - pageRows,
    Home: 0,
    End: count - 1,
  }
  const next = steps[key]
  return next === undefined ? undefined : Math.min(Math.max(next, 0), count - 1)
}

/**
 * The cell that a key moves to, in a table whose rows, including the headings, have `data-walked` and whose cells have `data-column`.
 * @returns null at an edge; undefined if the key does not move
 */
export function findCellAfterKey(
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
  cell: HTMLTableCellElement,
): HTMLElement | null | undefined {
  const rows = [...assertDefined(cell.closest('table')).querySelectorAll<HTMLElement>('[data-walked]')]
  const cellRow = assertDefined(cell.parentElement)
  const cells = [...cellRow.querySelectorAll<HTMLElement>('[data-column]')]
  if (key === 'ArrowLeft') return cells[cells.indexOf(cell) - 1] ?? null
  if (key === 'ArrowRight') return cells[cells.indexOf(cell) + 1] ?? null
  const isEnd = key === 'Home' || key === 'End'
  if (isEnd && !ctrlKey) return cells.at(key === 'Home' ? 0 : -1)
  const next = findRowAfterKey(key, rows.indexOf(cellRow), rows.length)
  if (next === undefined) return undefined
  const row = assertDefined(rows[next])
  if (isEnd) return [...row.querySelectorAll<HTMLElement>('[data-column]')].at(key === 'Home' ? 0 : -1)
  return row.querySelector<HTMLElement>(`[data-column="${CSS.escape(assertDefined(cell.dataset.column))}"]`)
}

/** The position of a cell in a table. */
interface CellPosition {
  row: number
  column: number
}

/** The cell that a key moves to, and the direction in which to search for a stop from there; undefined if the key does not move. */
function findMove(
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
  { row, column }: CellPosition,
  { rows, columns, kind }: { rows: number; columns: number; kind: 'rows' | 'cells' },
): { from: CellPosition; down: number; right: number } | undefined {
  if (kind === 'cells') {
    if (key === 'ArrowLeft') return { from: { row, column: column - 1 }, down: 0, right: -1 }
    if (key === 'ArrowRight') return { from: { row, column: column + 1 }, down: 0, right: 1 }
    if (key === 'Home' && !ctrlKey) return { from: { row, column: 0 }, down: 0, right: 1 }
    if (key === 'End' && !ctrlKey) return { from: { row, column: columns - 1 }, down: 0, right: -1 }
  }
  const to = findRowAfterKey(key, row, rows)
  if (to === undefined || to === row) return undefined
  // A move to a row without a stop continues to the next row that has one, and turns back at the ends of the table.
  const isDown = to === 0 || (to > row && to < rows - 1) || (key === 'ArrowDown' && to > row)
  return { from: { row: to, column }, down: isDown ? 1 : -1, right: 0 }
}

/**
 * Moves the focus from a table's `data-stop` element to the one that a key leads to.
 * @param show renders a row that is out of view; undefined if all rows are rendered
 */
export function moveFocusByKey(
  event: KeyboardEvent,
  { kind, rows, show }: { kind: 'rows' | 'cells'; rows: number; show: ((index: number) => void) | undefined },
): void {
  const stop = findClosestElement<HTMLElement>(event.target, '[data-stop]')
  if (kind === 'rows' && !show) {
    // The rows below a row have stops too, but no index.
    const stops = [...(findClosestElement(stop, 'table')?.querySelectorAll<HTMLElement>('[data-stop]') ?? [])]
    const next = stop && findRowAfterKey(event.key, stops.indexOf(stop), stops.length)
    if (next === undefined || next === null) return
    event.preventDefault()
    stops[next]?.focus()
    return
  }
  const cell = findClosestElement<HTMLTableCellElement>(stop, '[data-column]')
  const line = findClosestElement<HTMLTableRowElement>(cell, '[data-index]')
  if (!cell || !line) return
  const columns = line.cells.length
  const move = findMove(event, { row: Number(line.dataset.index), column: cell.cellIndex }, { rows, columns, kind })
  if (!move) return
  event.preventDefault()
  for (let { row, column } = move.from; row >= 0 && row < rows && column >= 0 && column < columns; row += move.down, column += move.right) {
    if (move.down) show?.(row)
    const next = line
      .closest('table')
      ?.querySelector<HTMLTableRowElement>(`[data-index="${row}"]`)
      ?.cells[column]?.querySelector('[data-stop]')
    if (next instanceof HTMLElement) {
      next.focus()
      return
    }
  }
}

/**
 * Makes a table one tab stop: the element in it that had the focus last, or the first.
 * @param selector the elements that arrow keys move between; null leaves every button a tab stop
 * @returns the table's focus handler
 */
export function useSingleTabStop(frame: RefObject<HTMLElement | null>, selector: string | null): (event: FocusEvent) => void {
  const stop = useRef<HTMLElement | null>(null)
  const stopAt = (element: HTMLElement | null): void => {
    if (stop.current) stop.current.tabIndex = -1
    if (element) element.tabIndex = 0
    stop.current = element
  }
  useEffect(() => {
    if (selector === null) return
    const elements = frame.current?.querySelectorAll<HTMLElement>(selector) ?? []
    for (const element of elements) if (element !== stop.current) element.tabIndex = -1
    if (!stop.current?.isConnected) stopAt(elements[0] ?? null)
  })
  return (event) => {
    if (selector !== null) stopAt(findClosestElement(event.target, selector) ?? stop.current)
  }
}
