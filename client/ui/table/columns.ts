import type { ReactNode, TdHTMLAttributes, ThHTMLAttributes } from 'react'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { Pennies } from '../../../domain/values/units.ts'

/** A column of a table. Its id is the field that it shows and sorts by. */
export interface TableColumn<T> {
  id: string
  label: string
  /** The content of a cell; the value of the field by default. */
  cell?: (row: T, index: number) => ReactNode
  /** A column of figures, aligned to the right. */
  isFigure?: boolean | undefined
  /** Pixels; used if the column takes no share of the remaining width (`flex: 0`). */
  width?: number
  /** Pixels. */
  minWidth?: number
  /** The column's share of the remaining width; 1 by default. */
  flex?: number
  /** What a row adds to the sum of the selected rows, in whole pennies; null if unknown. Undefined for columns without a meaningful sum. */
  pennies?: (row: T) => Pennies | null
  /** Whether the padding is narrower, for many figures side by side. */
  isSlim?: boolean
  /** Whether the column stays visible at the right while the list scrolls. */
  isPinned?: boolean
  isSortable?: boolean
  isResizable?: boolean
  /** Shown in the heading in place of the label. */
  head?: ReactNode
  /** A heading that this column shares with adjacent columns of the same group. */
  group?: string
  /** Whether the label is only for screen readers. */
  isLabelHidden?: boolean
  /** Whether this column's cells name the rows. By default, the first column's cells do. */
  isRowHead?: boolean
  /** Class of the heading and of each cell. */
  className?: string | undefined
  headProps?: ThHTMLAttributes<HTMLTableCellElement>
  cellProps?: (row: T) => TdHTMLAttributes<HTMLTableCellElement> & Record<`data-${string}`, unknown>
}

/** A column of figures for each label. @param cell the content of a row's cell in the column with this index */
export function createFigureColumns<T>(labels: readonly string[], cell: (row: T, column: number) => ReactNode): TableColumn<T>[] {
  return labels.map((label, column) => ({ id: `figure ${column}`, label, isFigure: true, cell: (row) => cell(row, column) }))
}

/** Columns under one heading. */
export interface ColumnGroup<T> {
  label: string
  children: readonly TableColumn<T>[]
}

const leastWidth = 90

function getMinimumWidth<T>({ minWidth, width, flex }: TableColumn<T>): number {
  return minWidth ?? (flex === 0 ? width : undefined) ?? leastWidth
}

/** Widths in pixels that the content of a column needs. */
export interface ContentWidths {
  /** Width of the heading, on two lines if it has several words. */
  heading: number
  /** Width of the widest cell, on one line. */
  cells: number
  /** Width of the widest text that cannot wrap: a figure or a long word. */
  words: number
}

/**
 * Pixels at which text wraps: `most` at first, then smaller in steps of `step` down to `least` until all columns fit;
 * `whereNothingFits` if they never fit.
 */
const longestLine = { most: 360, least: 140, whereNothingFits: 200, step: 10 } as const

/**
 * The minimum width of each column for its content. Long texts wrap before the list scrolls sideways.
 * @param available pixels for all columns
 */
export function calculateMinimumWidths<T>(
  columns: readonly TableColumn<T>[],
  content: ReadonlyMap<string, ContentWidths>,
  available: number,
): number[] {
  const withLinesOf = (line: number): number[] =>
    columns.map(({ id, flex, width = 0 }) => {
      const { heading, cells, words } = assertDefined(content.get(id))
      return Math.ceil(Math.max(heading, words, Math.min(cells, line), flex === 0 ? width : 0))
    })
  for (let line: number = longestLine.most; line >= longestLine.least; line -= longestLine.step) {
    const widths = withLinesOf(line)
    if (widths.reduce((sum, width) => sum + width, 0) <= available) return widths
  }
  return withLinesOf(longestLine.whereNothingFits)
}

export function isColumnGroup<T>(column: TableColumn<T> | ColumnGroup<T>): column is ColumnGroup<T> {
  return 'children' in column
}

/**
 * Divides a width among columns. Fixed columns keep their width; the other columns share the rest, each at least its minimum.
 * @param resized widths in pixels that a user dragged columns to, by column id
 * @param least pixels that the content of each column needs; empty until it is measured
 * @returns pixels of each column; their sum exceeds the available width if they cannot fit
 */
export function divideWidthAmongColumns<T>(
  columns: readonly TableColumn<T>[],
  { available, resized, least = [] }: { available: number; resized: ReadonlyMap<string, number>; least?: readonly number[] },
): number[] {
  const leastAt = (index: number): number => least[index] ?? getMinimumWidth(assertDefined(columns[index]))
  const fixed = columns.map(
    (column, index) =>
      resized.get(column.id) ?? (column.flex === 0 ? Math.max(column.width ?? getMinimumWidth(column), least[index] ?? 0) : null),
  )
  const sharing = new Set(columns.map((_column, index) => index).filter((index) => fixed[index] === null))
  const flexOf = (index: number): number => assertDefined(columns[index]).flex ?? 1
  for (;;) {
    const left = available - fixed.reduce<number>((sum, width) => sum + (width ?? 0), 0)
    const parts = [...sharing].reduce((sum, index) => sum + flexOf(index), 0)
    const share = (index: number): number => (left * flexOf(index)) / parts
    const tooNarrow = [...sharing].filter((index) => share(index) < leastAt(index))
    if (!tooNarrow.length) return columns.map((_column, index) => fixed[index] ?? share(index))
    for (const index of tooNarrow) {
      fixed[index] = leastAt(index)
      sharing.delete(index)
    }
  }
}
