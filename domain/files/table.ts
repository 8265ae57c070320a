import { assertDefined } from '../values/assertDefined.ts'
import { findNamedMonth, readAmount } from './cells.ts'
import { type Cells, type MonthLine, normaliseHeading } from './headings.ts'
import { isPrintedMoney } from './money.ts'
import { extractSchoolName } from './texts.ts'
import { totalNamePattern } from './totals.ts'

/** A table of money in a file, such as a ledger or a payroll. */
export interface MoneyTable {
  /** The row of the headings, from 1. */
  headingRow: number
  /** The columns that are read, from 0. */
  used: readonly number[]
  /** The used columns that contain amounts. */
  figures: readonly number[]
  /** The month named in the lines above the table. */
  month: MonthLine | null
}

/**
 * How a row is treated: a `line` may contain amounts, a row of kind `other` belongs to another table, a `total` adds up other rows,
 * `otherMonth` is outside the imported month, and `leftOut` is a row that the user left out. The remaining kinds contain no amounts.
 */
export type RowKind = 'line' | 'blank' | 'heading' | 'section' | 'total' | 'other' | 'otherMonth' | 'leftOut'

/** A row below the headings before its values are read. */
export interface TableRow {
  /** The row number in the spreadsheet, from 1. */
  row: number
  line: readonly string[]
  kind: 'line' | 'blank' | 'heading' | 'other'
  /** The text of the amount columns. */
  values: readonly string[]
  /** For a row of another table, the title of that table, or the reason why the row belongs to it. */
  title: string
}

const yearWords = '(?: ?\\(?20\\d\\d(?: ?[/-] ?(?:20)?\\d\\d)?\\)?)?'
const otherTable = new RegExp(
  `^(?:(?:prior|last|previous|preceding)[ -](?:financial |academic |accounting )?(?:year|month|period)(?:['’]s)?(?: (?:actuals?|figures|comparatives?|balances?|comparison|to date|ytd|same month))*|comparatives?(?: figures)?|(?:original |current |revised |approved |annual |full year )*(?:budget|forecast)(?: (?:profile|figures))?|summary(?: .*)?|.* summary)${yearWords}\\s*:?$`,
  'i',
)
const thisTable = /^(?:this|current) (?:financial |academic )?(?:year|month|period)\b|^actuals?:?$/i

/** Whether a title below the headings starts another table or returns to the table of the file; null if it does neither. */
function classifyTitle(title: string, month: MonthLine | null): 'other' | 'this' | null {
  if (otherTable.test(title)) return 'other'
  if (thisTable.test(title)) return 'this'
  const years = /^(?:(?:financial|academic|fiscal|the)? ?year:? )?(20\d\d)(?: ?[/-] ?(\d\d|20\d\d))?:?$/i.exec(title)
  if (years && month && 'month' in month.said) {
    const { year, month: number } = month.said
    // The month is in one of these budget years, whether they begin in April or in September.
    const first = number >= 9 ? [year] : number <= 3 ? [year - 1] : [year - 1, year]
    const named = Number(years[1])
    return (years[2] ? first.includes(named) : named === year || first.includes(named)) ? 'this' : 'other'
  }
  const said = findNamedMonth(title)
  // A month cannot be compared with a period, because it is not known here in which month budget years begin.
  if (!said || !month || 'period' in said !== 'period' in month.said) return null
  return JSON.stringify(said) === JSON.stringify(month.said) ? 'this' : 'other'
}

/** The normalised text of a row in the used columns. */
const normaliseRow = (line: readonly string[], used: readonly number[]): string =>
  used.map((at) => normaliseHeading(line[at] ?? '')).join('|')

/**
 * Classifies the rows below the headings: blank, repeated headings, part of another table, or a line to read. Another table starts at a
 * title that names another month, a comparison or a budget, or at headings of its own.
 * @param isPlace whether a title is the name of a location, which returns to the file's own table
 */
export function classifyTableRows(cells: Cells, table: MoneyTable, isPlace: (text: string) => boolean): TableRow[] {
  const { used, figures, headingRow } = table
  const headings = cells[headingRow - 1] ?? []
  const repeated = normaliseRow(headings, used)
  const words = new Set(headings.map(normaliseHeading).filter(Boolean))
  const texts = used.filter((at) => !figures.includes(at))
  const known = new Set<string>()
  let other: string | null = null
  let last: readonly string[] = []
  /** Whether the table is repeated below its own total, that is, whether the next row has occurred before. */
  const beginsAgain = (index: number): boolean => {
    const next = cells.slice(headingRow + index + 1).find((line) => line.some((cell) => cell.trim()))
    return isTotalOfOtherTable(last) && next !== undefined && known.has(normaliseRow(next, texts))
  }
  return cells.slice(headingRow).map((line, index): TableRow => {
    const row = headingRow + index + 1
    const values = figures.map((at) => (line[at] ?? '').trim())
    const base = { row, line, values, title: '' }
    const filled = line.map((cell) => cell.trim()).filter(Boolean)
    if (!filled.length) return { ...base, kind: 'blank' }
    if (normaliseRow(line, used) === repeated && other === null && beginsAgain(index)) other = `The table that starts again in row ${row}`
    last = line
    if (normaliseRow(line, used) === repeated)
      return other === null ? { ...base, kind: 'heading' } : { ...base, kind: 'other', title: other }
    if (values.every((value) => !value)) {
      const title = filled.length === 1 || assertDefined(filled[0]).endsWith(':') ? filled.join(' ') : assertDefined(filled[0])
      const says = isPlace(title) || isPlace(extractSchoolName(title)) ? 'this' : classifyTitle(title, table.month)
      if (says === 'this') other = null
      else if (says === 'other' && filled.length <= 2 && hasMoneyBelow(cells, row, figures)) other = title
    } else if (index > 0 && isOwnHeading(line, values, words)) other = `The table with its own headings in row ${row}`
    if (other === null) known.add(normaliseRow(line, texts))
    return other === null ? { ...base, kind: 'line' } : { ...base, kind: 'other', title: other }
  })
}

/** Whether a row contains the headings of another table: text in the amount columns, and at least one heading of this table. */
function isOwnHeading(line: readonly string[], values: readonly string[], headings: ReadonlySet<string>): boolean {
  return (
    values.every((value) => !value || /^\D*$/.test(value)) &&
    values.some((value) => value && !('value' in readAmount(value))) &&
    line.filter((cell) => cell.trim()).length > 1 &&
    line.every((cell) => !isPrintedMoney(cell)) &&
    line.some((cell) => headings.has(normaliseHeading(cell)))
  )
}

/** Whether any row below has an amount. A remark below the last amount does not start another table. */
function hasMoneyBelow(cells: Cells, row: number, figures: readonly number[]): boolean {
  return cells.slice(row).some((line) => figures.some((at) => line[at]?.trim() && 'value' in readAmount(line[at] ?? '')))
}

/** Whether the first text of a row in another table says that the row is a total. */
export const isTotalOfOtherTable = (line: readonly string[]): boolean =>
  totalNamePattern.test(line.map((cell) => cell.trim()).find(Boolean) ?? '')
