import { z } from 'zod'
import { displayCount, displayList, displayMoney } from '../values/format.ts'
import type { Pennies } from '../values/units.ts'

/** The most rows of a file that a user may leave out one by one. */
export const maximumLeftOutRows = 5000

/** A row of a file of money that a user left out of an import. */
export interface LeftOutRow {
  /** From 1, as in the spreadsheet. */
  row: number
  /** The sum of the amounts in the row that can be read; null if the sum is not stored. */
  value: Pennies | null
}

/** A left-out row as it was read from the file, with its sum. */
export type ReadLeftOutRow = LeftOutRow & { value: Pennies }

/**
 * The left-out rows as the history of a location stores them. For a file of several locations the sums are dropped, because readers of one
 * location would learn what people of another are paid, and sums of several histories would count an amount several times.
 */
export function toStoredLeftOutRows(rows: readonly ReadLeftOutRow[], isOfOneLocation: boolean): LeftOutRow[] {
  return isOfOneLocation ? [...rows] : rows.map(({ row }) => ({ row, value: null }))
}

/** Schema of the left-out rows in events. */
export const leftOutRowsSchema = z.array(z.object({ row: z.int(), value: z.int().nullable() }))

/** The most rows that a sentence lists by number. */
const mostNumbered = 20

/** Describes left-out rows as the end of a sentence, such as `, leaving out 2 rows of the file (7 and 12): £120.00`. Empty without rows. */
export function describeLeftOutRows(rows: readonly LeftOutRow[] | undefined): string {
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
