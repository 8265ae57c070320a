import { must } from '../must.ts'
import { monthSaid, readAmount, type SaidMonth } from './cells.ts'

/** A file as rows of cells, as they stand in it: the first row is row 1 of the spreadsheet. */
export type Cells = readonly (readonly string[])[]

/** A line above the table that names a month. */
export interface MonthLine {
  said: SaidMonth
  row: number
  value: string
}

/** Above how many rows the headings of a table stand. */
export const deepestHeading = 60

/** Headings as they are compared: small letters and digits, single spaces. */
export function plainHeading(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9/]+/g, ' ')
    .trim()
}

/** A heading that spans several columns stands in the first of them. */
function spread(row: readonly string[]): string[] {
  let last = ''
  return row.map((cell) => (last = cell.trim() || last))
}

/** Whether a cell holds an amount or a percentage. */
export function isFigure(cell: string): boolean {
  const read = cell.trim() && !/^\D*$/.test(cell) ? readAmount(cell.replace(/%\s*$/, '')) : { problem: '' }
  return 'value' in read
}

/**
 * The row that reads most like the headings of a table, the first of several that read the same.
 * @param read what the headings of a row say; `above` are those of the row before, spread over the columns that they span. Null: they are none
 */
export function bestHeadings<T extends { score: number }>(
  cells: Cells,
  read: (headings: readonly string[], above: readonly string[], row: number) => T | null,
): (T & { headingRow: number }) | null {
  let best: (T & { headingRow: number }) | null = null
  for (let row = 0; row < Math.min(cells.length, deepestHeading); row++) {
    const headings = must(cells[row])
    const before = cells[row - 1] ?? []
    const found = read(headings, before.filter((cell) => cell.trim()).length > 1 ? spread(before) : [], row)
    if (!found || headings.some(isFigure)) continue
    if (!best || found.score > best.score) best = { ...found, headingRow: row + 1 }
  }
  return best
}

/** What stands above a table, line by line, and the first of them that names a month. */
export function titlesAbove(cells: Cells, headingRow: number): { titles: string[]; month: MonthLine | null } {
  const titles = cells.slice(0, headingRow - 1).map((line) =>
    line
      .filter((cell) => cell.trim())
      .join(' ')
      .trim(),
  )
  const said = titles.flatMap((value, index): MonthLine[] => {
    const month = monthSaid(value)
    return month ? [{ said: month, row: index + 1, value }] : []
  })
  return { titles: titles.filter(Boolean), month: said[0] ?? null }
}
