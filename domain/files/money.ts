import { assertDefined } from '../values/assertDefined.ts'
import { readAmount } from './cells.ts'
import { type Cells, normaliseHeading } from './headings.ts'

/** Amounts in printed form: two decimals, a pound sign, a thousands comma, brackets, or a trailing sign. */
const printed = /£|\.\d\d\)?\s*(?:-|cr|dr)?$|\d,\d{3}\b|^\(.*\d.*\)$|^\d[\d.,]*\s*(?:-|cr|dr)$/i

/** Whether a cell can only be money, whatever the heading of its column. */
export function isPrintedMoney(text: string): boolean {
  const trimmed = text.trim()
  return printed.test(trimmed) && 'value' in readAmount(trimmed)
}

/** Final words of headings whose figures are identifiers: a pay point is not pay. */
const endsNaming =
  /\b(?:no|nos|number|numbers|num|id|ids|codes?|ref|reference|key|seq|sequence|date|cent(?:re|er)|points?|spine|scale|grade|postcode|phone|category|table|letter|type|group|name|t\/c|n\/c)$/

/** Final words of headings whose figures may be quantities or money, such as `Additional hours`. */
const endsCounting = /\b(?:hours?|hrs|days?|weeks?|units?|rates?|fte|qty|quantity|headcount|pupils)$/

/** Words in headings whose figures are identifiers, unless another word means money. */
const mayName =
  /\b(?:row|line|batch|time|age|years?|months?|periods?|department|dept|fund|site|school|company|entity|project|job|item|invoice|journal|voucher|order|cheque|document|doc|transaction|trans|user|class|account|acct|nominal|a\/c|percent|percentage)\b/

/** Words in headings whose figures are always money. */
const callsMoney =
  /£|\b(?:gbp|amount|amounts|honorarium|supplement|adjustment|award|arrears|value|actuals?|budgets?|cost|costs|pay|paid|salary|wages|earnings|allowance|overtime|bonus|pension|debits?|credits?|balance|total|totals|net|gross|vat|tax|price|commit(?:ted|ments?)|spend|spent|variance|movement|income|expenditure|charge|charges|invoiced|remaining|available|forecast|outturn)\b/

const only =
  'contract(?:ed|ual)?|weekly|annual|paid|worked|actual|normal|standard|total|basic|std|term|hourly|daily|pay|full|time|equivalent|of|the|in|no|number|per|a|week|year|month|annum|pw|wk'
const isCount = new RegExp(
  `^(?:(?:${only}) )*(?:hours?|hrs|fte|rates?|days?|weeks?|units?|qty|quantity|headcount|age|grade|points?|scp)(?: (?:${only}))*$`,
)

/** Whether a heading can only be a quantity or a rate, such as `Contracted hours` or `Hourly rate`. */
export const namesQuantity = (heading: string): boolean => /%/.test(heading) || isCount.test(normaliseHeading(heading))

/** Counts of a column's cells: filled, readable as amounts, and printed as money. */
interface ColumnCells {
  filled: number
  amounts: number
  printed: number
  hasPound: boolean
}

/** Counts over the whole column, because one that starts empty may hold money further down. */
function lookDown(cells: Cells, headingRow: number, column: number): ColumnCells {
  const seen: ColumnCells = { filled: 0, amounts: 0, printed: 0, hasPound: false }
  for (let row = headingRow; row < cells.length; row++) {
    const cell = (assertDefined(cells[row])[column] ?? '').trim()
    // Tables of money print zero as a dash or `nil`, which says nothing about the column.
    if (!cell || (!/\d/.test(cell) && 'value' in readAmount(cell))) continue
    seen.filled++
    if (!('value' in readAmount(cell))) continue
    seen.amounts++
    if (printed.test(cell)) seen.printed++
    if (cell.includes('£')) seen.hasPound = true
  }
  return seen
}

/** Whether most of a column reads as money. `maybe` means its heading mentions hours or days and its figures are not printed as money. */
export function holdsMoney(cells: Cells, headingRow: number, column: number): 'yes' | 'maybe' | 'no' {
  const heading = cells[headingRow - 1]?.[column] ?? ''
  const { filled, amounts, printed: asMoney, hasPound } = lookDown(cells, headingRow, column)
  if (!amounts || amounts * 2 < filled || (namesQuantity(heading) && !hasPound)) return 'no'
  if (asMoney * 2 > amounts) return 'yes'
  const text = normaliseHeading(heading)
  if (!text || endsNaming.test(text)) return 'no'
  if (endsCounting.test(text)) return 'maybe'
  return callsMoney.test(text) || !mayName.test(text) ? 'yes' : 'no'
}

/** Whether most of a column is printed as money. Codes such as 4240.10 are too, so a column of codes may be. */
export function isMostlyPrinted(cells: Cells, headingRow: number, column: number): boolean {
  const { filled, printed: asMoney } = lookDown(cells, headingRow, column)
  return asMoney * 2 > filled
}
