import { assertDefined } from '../values/assertDefined.ts'
import { readAmount } from './cells.ts'
import { type Cells, plainHeading } from './headings.ts'

/** Pounds as they are printed: two decimals, a pound sign, a thousands comma, brackets, or a sign behind them. */
const printed = /£|\.\d\d\)?\s*(?:-|cr|dr)?$|\d,\d{3}\b|^\(.*\d.*\)$|^\d[\d.,]*\s*(?:-|cr|dr)$/i

/** Whether a cell cannot be anything but money, whatever its column is called. */
export function isPrintedMoney(text: string): boolean {
  const trimmed = text.trim()
  return printed.test(trimmed) && 'value' in readAmount(trimmed)
}

/** Last words of headings below which figures name something: a pay point is no pay. */
const endsNaming =
  /\b(?:no|nos|number|numbers|num|id|ids|codes?|ref|reference|key|seq|sequence|date|cent(?:re|er)|points?|spine|scale|grade|postcode|phone|category|table|letter|type|group|name|t\/c|n\/c)$/

/** Last words of headings below which figures may be counted or paid: `Additional hours`. */
const endsCounting = /\b(?:hours?|hrs|days?|weeks?|units?|rates?|fte|qty|quantity|headcount|pupils)$/

/** Words of headings below which figures name something, unless another word says that they are money. */
const mayName =
  /\b(?:row|line|batch|time|age|years?|months?|periods?|department|dept|fund|site|school|company|entity|project|job|item|invoice|journal|voucher|order|cheque|document|doc|transaction|trans|user|class|account|acct|nominal|a\/c|percent|percentage)\b/

/** Words of headings below which figures are money, however they are written. */
const callsMoney =
  /£|\b(?:gbp|amount|amounts|honorarium|supplement|adjustment|award|arrears|value|actuals?|budgets?|cost|costs|pay|paid|salary|wages|earnings|allowance|overtime|bonus|pension|debits?|credits?|balance|total|totals|net|gross|vat|tax|price|commit(?:ted|ments?)|spend|spent|variance|movement|income|expenditure|charge|charges|invoiced|remaining|available|forecast|outturn)\b/

const only =
  'contract(?:ed|ual)?|weekly|annual|paid|worked|actual|normal|standard|total|basic|std|term|hourly|daily|pay|full|time|equivalent|of|the|in|no|number|per|a|week|year|month|annum|pw|wk'
const isCount = new RegExp(
  `^(?:(?:${only}) )*(?:hours?|hrs|fte|rates?|days?|weeks?|units?|qty|quantity|headcount|age|grade|points?|scp)(?: (?:${only}))*$`,
)

/** Whether a heading says that its column counts or prices, and nothing else: `Contracted hours`, `Hourly rate`. */
export const callsCount = (heading: string): boolean => /%/.test(heading) || isCount.test(plainHeading(heading))

/** What stands in a column below its heading: how many cells are filled, read as amounts, and are printed as money. */
interface ColumnCells {
  filled: number
  amounts: number
  printed: number
  hasPound: boolean
}

/** Looks through the whole of a column: one that begins empty may hold money further down. */
function lookDown(cells: Cells, headingRow: number, column: number): ColumnCells {
  const seen: ColumnCells = { filled: 0, amounts: 0, printed: 0, hasPound: false }
  for (let row = headingRow; row < cells.length; row++) {
    const cell = (assertDefined(cells[row])[column] ?? '').trim()
    // A dash and `nil` are how tables of money print zero, and say nothing of the column.
    if (!cell || (!/\d/.test(cell) && 'value' in readAmount(cell))) continue
    seen.filled++
    if (!('value' in readAmount(cell))) continue
    seen.amounts++
    if (printed.test(cell)) seen.printed++
    if (cell.includes('£')) seen.hasPound = true
  }
  return seen
}

/**
 * Whether most of what stands in a column reads as amounts of money. `maybe`: its heading speaks of hours or days, and its figures are not printed
 * as money.
 */
export function holdsMoney(cells: Cells, headingRow: number, column: number): 'yes' | 'maybe' | 'no' {
  const heading = cells[headingRow - 1]?.[column] ?? ''
  const { filled, amounts, printed: asMoney, hasPound } = lookDown(cells, headingRow, column)
  if (!amounts || amounts * 2 < filled || (callsCount(heading) && !hasPound)) return 'no'
  if (asMoney * 2 > amounts) return 'yes'
  const text = plainHeading(heading)
  if (!text || endsNaming.test(text)) return 'no'
  if (endsCounting.test(text)) return 'maybe'
  return callsMoney.test(text) || !mayName.test(text) ? 'yes' : 'no'
}

/** Whether most of what stands in a column is written as money is: codes such as 4240.10 are, and stand in a column of codes. */
export function isMostlyPrinted(cells: Cells, headingRow: number, column: number): boolean {
  const { filled, printed: asMoney } = lookDown(cells, headingRow, column)
  return asMoney * 2 > filled
}
