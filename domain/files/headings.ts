import { assertDefined } from '../values/assertDefined.ts'
import { findNamedMonth, type NamedMonth, readAmount } from './cells.ts'

/** The rows of a file, each a list of cells; the first is row 1 of the spreadsheet. */
export type Cells = readonly (readonly string[])[]

/** A line above the table that names a month. */
export interface MonthLine {
  said: NamedMonth
  row: number
  value: string
}

/** The last row in which a table's headings are looked for, from 1. */
export const maxHeadingRow = 60

/** Normalises a heading for comparison: lower-case letters and digits, single spaces. */
export function normaliseHeading(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9/]+/g, ' ')
    .trim()
}

/** Repeats each heading over all columns that it spans. In the file, a heading is only in the first of its columns. */
function repeatOverSpan(row: readonly string[]): string[] {
  let last = ''
  return row.map((cell) => (last = cell.trim() || last))
}

/** Whether a cell holds an amount or a percentage. */
export function isFigure(cell: string): boolean {
  // A year alone may be a heading, so it is not a figure.
  const read = cell.trim() && !/^\D*$|^\s*20\d\d\s*$/.test(cell) ? readAmount(cell.replace(/%\s*$/, '')) : { problem: '' }
  return 'value' in read
}

/**
 * Finds the row that looks most like the headings of a table. Of several equally likely rows, the first is chosen.
 * @param read interprets a row of headings; null if the row does not contain headings. `above` is the row before it, with each heading
 * repeated over the columns that it spans.
 */
export function findHeadings<T extends { score: number }>(
  cells: Cells,
  read: (headings: readonly string[], above: readonly string[], row: number) => T | null,
): (T & { headingRow: number }) | null {
  let best: (T & { headingRow: number }) | null = null
  for (let row = 0; row < Math.min(cells.length, maxHeadingRow); row++) {
    const headings = assertDefined(cells[row])
    const before = cells[row - 1] ?? []
    const found = read(headings, before.filter((cell) => cell.trim()).length > 1 ? repeatOverSpan(before) : [], row)
    if (!found || headings.some(isFigure)) continue
    if (!best || found.score > best.score) best = { ...found, headingRow: row + 1 }
  }
  return best
}

/** Reads the headings of a table. A heading that occurs twice is prefixed with the heading above it. */
export function readHeadings(cells: Cells, headingRow: number): string[] {
  const own = (cells[headingRow - 1] ?? []).map((cell) => cell.trim())
  const before = cells[headingRow - 2] ?? []
  // A row with only one filled cell is a title, not a row of headings.
  const above = before.filter((cell) => cell.trim()).length > 1 ? repeatOverSpan(before) : []
  return own.map((heading, index) => {
    const isTwice = heading && own.some((other, at) => at !== index && normaliseHeading(other) === normaliseHeading(heading))
    return isTwice && above[index] ? `${above[index]} ${heading}` : heading
  })
}

/** The month of a table whose period and year are in two lines, such as `Period: 2` and `Year: 2027/28`; null if no two lines name them. */
function joinPeriodAndYear(titles: readonly string[]): MonthLine | null {
  const at = titles.findIndex((line) => /^(?:accounting |financial )?(?:period|month)[ .:]*\d{1,2}$/i.test(line))
  const value = [titles[at], ...titles.filter((line) => /^[a-z ]*year\b/i.test(line))].join(' ')
  const said = at < 0 ? null : findNamedMonth(value)
  return said && { said, row: at + 1, value }
}

/** Patterns for lines that name the table's month explicitly, the clearest first. */
const explicitMonthPatterns = [
  /^(?:(?:accounting|reporting|financial|pay|payroll|for)\s+)*(?:the )?(?:period|month)\b|\b(?:period|month) (?:end(?:ed|ing)?|to)\b|\bfor the (?:period|month)\b/i,
  /\bas (?:at|of)\b|\b(?:ytd|year to date|cumulative)\b/i,
  /./,
]

/** Lines whose month refers to something else: an approval, a plan or a comparison. */
const otherMonthPattern =
  /\b(?:approved|agreed|adopted|revised|forecast|version|prior|previous|last year|comparatives?|next|due|issued|updated|budget (?:set|date|round))\b/i

/** Matches lines that name the end of the year. Its month is the table's month only if no other line names a month. */
const yearEndPattern = /\byear[ -]?end(?:ed|ing)?\b/i

/**
 * Finds the lines above a table, and the line that names the table's month. Lines that name it explicitly take precedence.
 * @returns `doubt`: if no line is explicit and the lines name different months, these lines; `month` is then null
 */
export function readTitles(cells: Cells, headingRow: number): { titles: string[]; month: MonthLine | null; doubt: MonthLine[] } {
  const titles = cells.slice(0, headingRow - 1).map((line) =>
    line
      .filter((cell) => cell.trim())
      .join(' ')
      .trim(),
  )
  const said = titles.flatMap((value, index): MonthLine[] => {
    const month = findNamedMonth(value)
    return month ? [{ said: month, row: index + 1, value }] : []
  })
  const split = said.length ? null : joinPeriodAndYear(titles)
  if (split) said.push(split)
  const rank = ({ value }: MonthLine): number =>
    explicitMonthPatterns.findIndex((words) => words.test(value)) +
    (otherMonthPattern.test(value) ? 2 : 0) +
    (yearEndPattern.test(value) ? 0.5 : 0)
  const best = Math.min(...said.map(rank))
  const lines = said.filter((one) => rank(one) === best)
  const [first] = lines
  const isSure = first && best < 3 && lines.every((one) => JSON.stringify(one.said) === JSON.stringify(first.said))
  return { titles: titles.filter(Boolean), month: isSure ? first : null, doubt: isSure || best >= 3 ? [] : lines }
}
