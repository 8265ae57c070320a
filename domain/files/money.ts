import { must } from '../must.ts'
import { type Read, readAmount } from './cells.ts'
import { type Cells, plainHeading } from './headings.ts'

const nothing = /^£?\s*(?:[-–—]+|nil|none)\s*£?$/i

/** An amount of a table of money; `£-` and `nil` are how such tables print zero. @returns whole pennies */
export function readMoney(text: string): Read<number> {
  return nothing.test(text.trim()) ? { value: 0 } : readAmount(text)
}

/** Pounds as they are printed: two decimals, a pound sign, a thousands comma, brackets, or a sign behind them. */
const printed = /£|\.\d\d\)?\s*(?:-|cr|dr)?$|\d,\d{3}\b|^\(.*\d.*\)$|^\d[\d.,]*\s*(?:-|cr|dr)$/i

/** Whether a cell cannot be anything but money, whatever its column is called. */
export function isPrintedMoney(text: string): boolean {
  const trimmed = text.trim()
  return printed.test(trimmed) && 'value' in readMoney(trimmed)
}

/** Words of headings below which figures count or name something, whatever else the heading says. */
const countsOrNames =
  /\b(?:no|nos|number|numbers|num|id|ids|code|codes|ref|reference|key|row|line|seq|sequence|batch|date|days?|weeks?|time|age|qty|quantity|hours?|hrs|fte|headcount|pupils|rates?|percent|percentage|points?|spine|scale|grade|cent(?:re|er)|postcode|phone|category|table|letter|t\/c|n\/c)\b/

/** Words of headings below which figures name something, unless another word says that they are money. */
const mayName =
  /\b(?:years?|months?|periods?|units?|department|dept|fund|site|school|company|entity|project|job|item|invoice|journal|voucher|order|cheque|document|doc|transaction|trans|user|type|class|account|acct|nominal|a\/c)\b/

/** Words of headings below which figures are money, however they are written. */
const callsMoney =
  /£|\b(?:gbp|amount|amounts|value|actuals?|budgets?|cost|costs|pay|paid|salary|wages|earnings|allowance|overtime|bonus|pension|debits?|credits?|balance|total|totals|net|gross|vat|tax|price|commit(?:ted|ments?)|spend|spent|variance|movement|income|expenditure|charge|charges|invoiced|remaining|available|forecast|outturn)\b/

const only =
  'contract(?:ed|ual)?|weekly|annual|paid|worked|actual|normal|standard|total|basic|std|hourly|daily|pay|full|time|equivalent|of|the|in|no|number|per|a|week|year|month|annum|pw|wk'
const isCount = new RegExp(
  `^(?:(?:${only}) )*(?:hours?|hrs|fte|rates?|days?|weeks?|units?|qty|quantity|headcount|age|grade|points?|scp)(?: (?:${only}))*$`,
)

/** Whether a heading says that its column counts or prices, and nothing else: `Contracted hours`, `Hourly rate`. */
export const callsCount = (heading: string): boolean => /%/.test(heading) || isCount.test(plainHeading(heading))

/** What stands in a column below its heading: how many cells are filled, read as amounts, and are printed as money. */
export interface ColumnCells {
  filled: number
  amounts: number
  printed: number
  hasPound: boolean
}

/** Looks through the whole of a column: one that begins empty may hold money further down. */
export function lookDown(cells: Cells, headingRow: number, column: number): ColumnCells {
  const seen: ColumnCells = { filled: 0, amounts: 0, printed: 0, hasPound: false }
  for (let row = headingRow; row < cells.length; row++) {
    const cell = (must(cells[row])[column] ?? '').trim()
    if (!cell || nothing.test(cell)) continue
    seen.filled++
    if (!('value' in readMoney(cell))) continue
    seen.amounts++
    if (printed.test(cell)) seen.printed++
    if (cell.includes('£')) seen.hasPound = true
  }
  return seen
}

const mostly = (some: number, all: number): boolean => some > 0 && some * 2 > all

/** Whether most of what stands in a column reads as amounts, and neither its heading nor its cells say that they count or name something. */
export function holdsMoney(cells: Cells, headingRow: number, column: number): boolean {
  const heading = cells[headingRow - 1]?.[column] ?? ''
  const { filled, amounts, printed: asMoney, hasPound } = lookDown(cells, headingRow, column)
  if (!mostly(amounts, filled) || (callsCount(heading) && !hasPound)) return false
  if (mostly(asMoney, amounts)) return true
  const text = plainHeading(heading)
  return text !== '' && !countsOrNames.test(text) && (callsMoney.test(text) || !mayName.test(text))
}
