import type { ReactNode } from 'react'
import { must } from '../../domain/must.ts'

/** A column of a list. Its id is the name of the field that it shows and is sorted by. */
export interface Column<T> {
  id: string
  label: string
  /** What stands in it; without it, the value of its field. */
  cell?: (row: T) => ReactNode
  /** Pixels it begins with, when it takes no part in what is left over (`flex: 0`). */
  width?: number
  /** Pixels it takes at least. */
  minWidth?: number
  /** Its part of the width that is left over; 1 unless it says otherwise. */
  flex?: number
  isFigure?: boolean
  /** Narrower margins, for many figures side by side. */
  isSlim?: boolean
  isSortable?: boolean
  isResizable?: boolean
}

/** Columns under a heading they share. */
export interface ColumnGroup<T> {
  label: string
  children: readonly Column<T>[]
}

const leastWidth = 90

function leastOf<T>({ minWidth, width, flex }: Column<T>): number {
  return minWidth ?? (flex === 0 ? width : undefined) ?? leastWidth
}

export function isGroup<T>(column: Column<T> | ColumnGroup<T>): column is ColumnGroup<T> {
  return 'children' in column
}

/**
 * Shares a width among columns: those of a fixed width keep it, the others share what is left over, none below its least width.
 * @param resized widths in pixels that somebody dragged columns to, by id
 * @returns pixels of each column; more than there is when they cannot all fit
 */
export function widthsOf<T>(columns: readonly Column<T>[], available: number, resized: ReadonlyMap<string, number>): number[] {
  const fixed = columns.map((column) => resized.get(column.id) ?? (column.flex === 0 ? (column.width ?? leastOf(column)) : null))
  const sharing = new Set(columns.map((_column, index) => index).filter((index) => fixed[index] === null))
  const flexOf = (index: number): number => must(columns[index]).flex ?? 1
  for (;;) {
    const left = available - fixed.reduce<number>((sum, width) => sum + (width ?? 0), 0)
    const parts = [...sharing].reduce((sum, index) => sum + flexOf(index), 0)
    const share = (index: number): number => (left * flexOf(index)) / parts
    const tooNarrow = [...sharing].filter((index) => share(index) < leastOf(must(columns[index])))
    if (!tooNarrow.length) return columns.map((_column, index) => fixed[index] ?? share(index))
    for (const index of tooNarrow) {
      fixed[index] = leastOf(must(columns[index]))
      sharing.delete(index)
    }
  }
}
