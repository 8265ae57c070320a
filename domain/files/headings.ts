import { assertDefined } from '../values/assertDefined.ts'
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
  // A column may be called after its year.
  const read = cell.trim() && !/^\D*$|^\s*20\d\d\s*$/.test(cell) ? readAmount(cell.replace(/%\s*$/, '')) : { problem: '' }
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
    const headings = assertDefined(cells[row])
    const before = cells[row - 1] ?? []
    const found = read(headings, before.filter((cell) => cell.trim()).length > 1 ? spread(before) : [], row)
    if (!found || headings.some(isFigure)) continue
    if (!best || found.score > best.score) best = { ...found, headingRow: row + 1 }
  }
  return best
}

/** The headings of a table: what is called the same twice is told apart by the heading above it. */
export function headingsAt(cells: Cells, headingRow: number): string[] {
  const own = (cells[headingRow - 1] ?? []).map((cell) => cell.trim())
  const before = cells[headingRow - 2] ?? []
  // A title above the table is one cell; what heads columns together are several.
  const above = before.filter((cell) => cell.trim()).length > 1 ? spread(before) : []
  return own.map((heading, index) => {
    const isTwice = heading && own.some((other, at) => at !== index && plainHeading(other) === plainHeading(heading))
    return isTwice && above[index] ? `${above[index]} ${heading}` : heading
  })
}

/** Lines that say outright which month the table is of, the plainest first. */
const saysMonth = [
  /^(?:(?:accounting|reporting|financial|pay|payroll|for)\s+)*(?:the )?(?:period|month)\b|\b(?:period|month) (?:end(?:ed|ing)?|to)\b|\bfor the (?:period|month)\b/i,
  /\bas (?:at|of)\b|\b(?:ytd|year to date|cumulative)\b/i,
  /./,
]

/** Lines whose month is of something else: what was approved, planned or compared. */
const saysOther =
  /\b(?:approved|agreed|adopted|revised|forecast|version|prior|previous|last year|comparatives?|next|due|issued|updated|budget (?:set|date|round))\b/i

/** Lines that say when the year ends, which is the month of the table only where no other line names one. */
const saysYearEnd = /\byear[ -]?end(?:ed|ing)?\b/i

/**
 * What stands above a table, line by line, and the line that names its month: one that says so outright before any other.
 * @returns `doubt`: the lines that name a month where they name different ones and none says outright that it is the table's; none is taken then
 */
export function titlesAbove(cells: Cells, headingRow: number): { titles: string[]; month: MonthLine | null; doubt: MonthLine[] } {
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
  const rank = ({ value }: MonthLine): number =>
    saysMonth.findIndex((words) => words.test(value)) + (saysOther.test(value) ? 2 : 0) + (saysYearEnd.test(value) ? 0.5 : 0)
  const best = Math.min(...said.map(rank))
  const lines = said.filter((one) => rank(one) === best)
  const [first] = lines
  const isSure = first && best < 3 && lines.every((one) => JSON.stringify(one.said) === JSON.stringify(first.said))
  return { titles: titles.filter(Boolean), month: isSure ? first : null, doubt: isSure || best >= 3 ? [] : lines }
}
