import type { ReactNode } from 'react'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { Pennies } from '../../../domain/values/units.ts'

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
  /** What a row adds to the sum of those that are selected, in whole pennies, where a sum means something; null where it is not known. */
  pennies?: (row: T) => Pennies | null
  /** Narrower margins, for many figures side by side. */
  isSlim?: boolean
  /** It stays in sight at the right where the list is scrolled: the figure that a list is looked at for. */
  isPinned?: boolean
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

/** What stands in a column takes, in pixels. */
export interface Taken {
  /** Its heading, on two lines where it has several words. */
  heading: number
  /** The widest of its cells, on one line. */
  cells: number
  /** The widest of what cannot be broken into lines: a figure, a long word. */
  words: number
}

/** Pixels that a text takes at most before it goes on in a second line, and down to which it is made narrower so that all columns fit. */
const longestLine = { most: 360, least: 140, whereNothingFits: 200, step: 10 } as const

/**
 * How wide columns are at least, by what stands in them: a list breaks long texts into lines before it is scrolled.
 * @param available pixels for all of them
 */
export function leastWidths<T>(columns: readonly Column<T>[], taken: ReadonlyMap<string, Taken>, available: number): number[] {
  const withLinesOf = (line: number): number[] =>
    columns.map(({ id, flex, width = 0 }) => {
      const { heading, cells, words } = assertDefined(taken.get(id))
      return Math.ceil(Math.max(heading, words, Math.min(cells, line), flex === 0 ? width : 0))
    })
  for (let line: number = longestLine.most; line >= longestLine.least; line -= longestLine.step) {
    const widths = withLinesOf(line)
    if (widths.reduce((sum, width) => sum + width, 0) <= available) return widths
  }
  return withLinesOf(longestLine.whereNothingFits)
}

export function isGroup<T>(column: Column<T> | ColumnGroup<T>): column is ColumnGroup<T> {
  return 'children' in column
}

/**
 * Shares a width among columns: those of a fixed width keep it, the others share what is left over, none below its least width.
 * @param resized widths in pixels that somebody dragged columns to, by id
 * @param least pixels that each column takes at least by what stands in it; empty while nothing is known of it
 * @returns pixels of each column; more than there is when they cannot all fit
 */
export function widthsOf<T>(
  columns: readonly Column<T>[],
  { available, resized, least = [] }: { available: number; resized: ReadonlyMap<string, number>; least?: readonly number[] },
): number[] {
  const leastAt = (index: number): number => least[index] ?? leastOf(assertDefined(columns[index]))
  const fixed = columns.map(
    (column, index) => resized.get(column.id) ?? (column.flex === 0 ? Math.max(column.width ?? leastOf(column), least[index] ?? 0) : null),
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
