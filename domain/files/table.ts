import { assertDefined } from '../values/assertDefined.ts'
import { monthSaid, readAmount } from './cells.ts'
import { type Cells, type MonthLine, plainHeading } from './headings.ts'
import { isPrintedMoney } from './money.ts'
import { placeText } from './texts.ts'
import { totalWords } from './totals.ts'

/** A table of money in a file, whatever its columns mean: what ledgers and payrolls have in common. */
export interface MoneyTable {
  /** The row of the headings, from 1. */
  headingRow: number
  /** Columns that are read, from 0. */
  used: readonly number[]
  /** Columns of amounts among them. */
  figures: readonly number[]
  /** The month that the lines above the table name. */
  month: MonthLine | null
}

/**
 * What becomes of a row: `line` may hold amounts, `other` belongs to another table, `total` adds up others and `otherMonth` is not of the month
 * that is imported. The rest holds no amounts.
 */
export type RowKind = 'line' | 'blank' | 'heading' | 'section' | 'total' | 'other' | 'otherMonth'

/** A row below the headings before it is read. */
export interface TableRow {
  /** As the spreadsheet counts, from 1. */
  row: number
  line: readonly string[]
  kind: 'line' | 'blank' | 'heading' | 'other'
  /** What stands in the columns of amounts. */
  values: readonly string[]
  /** Of another table: what says so. */
  title: string
}

const yearWords = '(?: ?\\(?20\\d\\d(?: ?[/-] ?(?:20)?\\d\\d)?\\)?)?'
const otherTable = new RegExp(
  `^(?:(?:prior|last|previous|preceding)[ -](?:financial |academic |accounting )?(?:year|month|period)(?:['’]s)?(?: (?:actuals?|figures|comparatives?|balances?|comparison|to date|ytd|same month))*|comparatives?(?: figures)?|(?:original |current |revised |approved |annual |full year )*(?:budget|forecast)(?: (?:profile|figures))?|summary(?: .*)?|.* summary)${yearWords}\\s*:?$`,
  'i',
)
const thisTable = /^(?:this|current) (?:financial |academic )?(?:year|month|period)\b|^actuals?:?$/i

/** Whether a title below the headings begins a table of something else, or comes back to what the file is of. Null: it says neither. */
function titleSays(title: string, month: MonthLine | null): 'other' | 'this' | null {
  if (otherTable.test(title)) return 'other'
  if (thisTable.test(title)) return 'this'
  const years = /^(?:(?:financial|academic|fiscal|the)? ?year:? )?(20\d\d)(?: ?[/-] ?(\d\d|20\d\d))?:?$/i.exec(title)
  if (years && month && 'month' in month.said) {
    const { year, month: number } = month.said
    // Whether budget years begin in April or in September: the month lies in one of these.
    const first = number >= 9 ? [year] : number <= 3 ? [year - 1] : [year - 1, year]
    const named = Number(years[1])
    return (years[2] ? first.includes(named) : named === year || first.includes(named)) ? 'this' : 'other'
  }
  const said = monthSaid(title)
  // A period is compared with a period: in which month a budget year begins is not known here.
  if (!said || !month || 'period' in said !== 'period' in month.said) return null
  return JSON.stringify(said) === JSON.stringify(month.said) ? 'this' : 'other'
}

/** The words of a row in the columns that are used, as headings are compared. */
const wordsIn = (line: readonly string[], used: readonly number[]): string => used.map((at) => plainHeading(line[at] ?? '')).join('|')

/**
 * The rows below the headings of a table, each with what it is at first sight: blank, headings again, of another table further down, or a line to
 * be read. A second table is one below a title that names another month, a comparison or a budget, or below headings of its own.
 * @param isPlace whether a title is called as a location is: the rows below it belong to the table again
 */
export function tableRows(cells: Cells, table: MoneyTable, isPlace: (text: string) => boolean): TableRow[] {
  const { used, figures, headingRow } = table
  const headings = cells[headingRow - 1] ?? []
  const repeated = wordsIn(headings, used)
  const words = new Set(headings.map(plainHeading).filter(Boolean))
  const texts = used.filter((at) => !figures.includes(at))
  const known = new Set<string>()
  let other: string | null = null
  let last: readonly string[] = []
  /** Whether the table begins again below its own total: the first row below the headings stood above already. */
  const beginsAgain = (index: number): boolean => {
    const next = cells.slice(headingRow + index + 1).find((line) => line.some((cell) => cell.trim()))
    return isTotalOfOther(last) && next !== undefined && known.has(wordsIn(next, texts))
  }
  return cells.slice(headingRow).map((line, index): TableRow => {
    const row = headingRow + index + 1
    const values = figures.map((at) => (line[at] ?? '').trim())
    const base = { row, line, values, title: '' }
    const filled = line.map((cell) => cell.trim()).filter(Boolean)
    if (!filled.length) return { ...base, kind: 'blank' }
    if (wordsIn(line, used) === repeated && other === null && beginsAgain(index)) other = `The table that begins again in row ${row}`
    last = line
    if (wordsIn(line, used) === repeated) return other === null ? { ...base, kind: 'heading' } : { ...base, kind: 'other', title: other }
    if (values.every((value) => !value)) {
      const title = filled.length === 1 || assertDefined(filled[0]).endsWith(':') ? filled.join(' ') : assertDefined(filled[0])
      const says = isPlace(title) || isPlace(placeText(title)) ? 'this' : titleSays(title, table.month)
      if (says === 'this') other = null
      else if (says === 'other' && filled.length <= 2 && hasMoneyBelow(cells, row, figures)) other = title
    } else if (index > 0 && isOwnHeading(line, values, words)) other = `The table with headings of its own in row ${row}`
    if (other === null) known.add(wordsIn(line, texts))
    return other === null ? { ...base, kind: 'line' } : { ...base, kind: 'other', title: other }
  })
}

/** Words where amounts should stand, and a heading of the table among them: another table begins. */
function isOwnHeading(line: readonly string[], values: readonly string[], headings: ReadonlySet<string>): boolean {
  return (
    values.every((value) => !value || /^\D*$/.test(value)) &&
    values.some((value) => value && !('value' in readAmount(value))) &&
    line.filter((cell) => cell.trim()).length > 1 &&
    line.every((cell) => !isPrintedMoney(cell)) &&
    line.some((cell) => headings.has(plainHeading(cell)))
  )
}

/** Whether an amount stands further down: what is only a remark below the table begins no other. */
function hasMoneyBelow(cells: Cells, row: number, figures: readonly number[]): boolean {
  return cells.slice(row).some((line) => figures.some((at) => line[at]?.trim() && 'value' in readAmount(line[at] ?? '')))
}

/** Whether a row of another table adds up its rows: its first words say so. */
export const isTotalOfOther = (line: readonly string[]): boolean => totalWords.test(line.map((cell) => cell.trim()).find(Boolean) ?? '')
