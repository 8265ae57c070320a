import { z } from 'zod'
import { displayCount, displayList, displayMoney } from '../values/format.ts'
import type { Pennies } from '../values/units.ts'

/** The most rows of a file that a user may leave out one by one. */
export const maximumLeftOut = 5000

/** A row of a file of money that a user left out of an import. */
export interface LeftOutRow {
  /** From 1, as in the spreadsheet. */
  row: number
  /** The sum of its amounts that can be read; null if it is not kept. */
  value: Pennies | null
}

/** A row left out, as the reader of the file sees it. */
export type ReadLeftOutRow = LeftOutRow & { value: Pennies }

/**
 * The rows as the histories of locations keep them. Of a file of several locations they keep no amounts, because readers of one location
 * would learn what people of another are paid, and sums would count the amounts once for each location.
 */
export function toStoredLeftOut(rows: readonly ReadLeftOutRow[], isOfOneLocation: boolean): LeftOutRow[] {
  return isOfOneLocation ? [...rows] : rows.map(({ row }) => ({ row, value: null }))
}

/** The shape in which events store these rows. */
export const leftOutRows = z.array(z.object({ row: z.int(), value: z.int().nullable() }))

/** The most rows that a sentence lists by number. */
const mostNumbered = 20

/** Describes rows that were left out as the end of a sentence, such as `, leaving out 2 rows of the file (7 and 12): £120.00`; empty if none. */
export function describeLeftOut(rows: readonly LeftOutRow[] | undefined): string {
  if (!rows?.length) return ''
  const numbers = rows.map(({ row }) => String(row))
  const listed =
    numbers.length > mostNumbered
      ? `${numbers.slice(0, mostNumbered).join(', ')} and ${numbers.length - mostNumbered} more`
      : displayList(numbers)
  const isKnown = rows.every(({ value }) => value !== null)
  const sum = isKnown ? `: ${displayMoney(rows.reduce((total, { value }) => total + (value ?? 0), 0))}` : ''
  return `, leaving out ${displayCount(numbers.length, 'row')} of the file (${listed})${sum}`
}
