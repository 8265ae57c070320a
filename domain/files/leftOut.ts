import { z } from 'zod'
import { displayCount, displayList, displayMoney } from '../values/format.ts'
import type { Pennies } from '../values/units.ts'

/** The most rows of a file that a user may leave out one by one. */
export const maximumLeftOut = 5000

/** A row of a file of money that a user left out of an import. */
export interface LeftOutRow {
  /** From 1, as in the spreadsheet. */
  row: number
  /** The sum of its amounts that can be read. */
  value: Pennies
}

/** The shape in which events store these rows. */
export const leftOutRows = z.array(z.object({ row: z.int(), value: z.int() }))

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
  const sum = displayMoney(rows.reduce((total, { value }) => total + value, 0))
  return `, leaving out ${displayCount(numbers.length, 'row')} of the file (${listed}): ${sum}`
}
