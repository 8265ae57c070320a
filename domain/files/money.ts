import { assertDefined } from '../values/assertDefined.ts'
import { readAmount } from './cells.ts'
import { type Cells, normaliseHeading } from './headings.ts'
import { explainSpoiltCell } from './spoilt.ts'

/** Amounts in printed form: two decimals, a pound sign, a thousands comma, brackets, or a trailing sign. */
const printedMoneyPattern = /£|\.\d\d\)?\s*(?:-|cr|dr)?$|\d,\d{3}\b|^\(.*\d.*\)$|^\d[\d.,]*\s*(?:-|cr|dr)$/i

/** Whether a cell can only be money, whatever the heading of its column. */
export function isPrintedMoney(text: string): boolean {
  const trimmed = text.trim()
  return printedMoneyPattern.test(trimmed) && 'value' in readAmount(trimmed)
}

/** Words that end headings of identifiers: the figures under `Pay point` are not pay. */
const identifierEndings =
  /\b(?:no|nos|number|numbers|num|id|ids|codes?|ref|reference|key|seq|sequence|date|cent(?:re|er)|points?|spine|scale|grade|post|postcode|phone|category|table|letter|type|group|name|t\/c|n\/c)$/

/** Words that end headings of figures that may be quantities or money, such as `Additional hours`. */
const quantityEndings = /\b(?:hours?|hrs|days?|weeks?|units?|rates?|fte|qty|quantity|headcount|pupils)$/

/** Words in headings of identifiers, unless the heading also contains a word for money. */
const identifierWords =
  /\b(?:row|line|batch|time|age|years?|months?|periods?|department|dept|fund|site|school|company|entity|project|job|item|invoice|journal|voucher|order|cheque|document|doc|transaction|trans|user|class|account|acct|nominal|a\/c|percent|percentage)\b/

/** Words in headings of figures that are always money. */
const moneyWords =
  /£|\b(?:gbp|amount|amounts|honorarium|supplement|adjustment|award|arrears|value|actuals?|budgets?|cost|costs|pay|paid|salary|wages|earnings|allowance|overtime|bonus|pension|debits?|credits?|balance|total|totals|net|gross|vat|tax|price|commit(?:ted|ments?)|spend|spent|variance|movement|income|expenditure|charge|charges|invoiced|remaining|available|forecast|outturn|(?:last|prior|previous) (?:year|month|period)|ytd|to date)\b/

const only =
  'contract(?:ed|ual)?|weekly|annual|paid|worked|actual|normal|standard|total|basic|std|term|hourly|daily|pay|full|time|equivalent|of|the|in|no|number|per|a|week|year|month|annum|pw|wk'
const isCount = new RegExp(
  `^(?:(?:${only}) )*(?:hours?|hrs|fte|rates?|days?|weeks?|units?|qty|quantity|headcount|age|grade|points?|scp)(?: (?:${only}))*$`,
)

/** Whether a heading can only be a quantity or a rate, such as `Contracted hours` or `Hourly rate`. */
export const isQuantityHeading = (heading: string): boolean => /%/.test(heading) || isCount.test(normaliseHeading(heading))

/** How many of a column's cells are filled, can be read as amounts, and are printed as money. */
interface ColumnCells {
  filled: number
  amounts: number
  printed: number
  hasPound: boolean
  /** Whether a cell holds a spreadsheet error instead of its value. */
  hasSpoilt: boolean
}

/** Counts over the whole column, because a column whose first cells are empty may contain money further down. */
function countColumnCells(cells: Cells, headingRow: number, column: number): ColumnCells {
  const seen: ColumnCells = { filled: 0, amounts: 0, printed: 0, hasPound: false, hasSpoilt: false }
  for (let row = headingRow; row < cells.length; row++) {
    const cell = (assertDefined(cells[row])[column] ?? '').trim()
    // In tables of money, zero may be printed as a dash or `nil`, so such a cell does not show what kind of column it is in.
    if (!cell || (!/\d/.test(cell) && 'value' in readAmount(cell))) continue
    if (explainSpoiltCell(cell)) {
      seen.hasSpoilt = true
      continue
    }
    seen.filled++
    if (!('value' in readAmount(cell))) continue
    seen.amounts++
    if (printedMoneyPattern.test(cell)) seen.printed++
    if (cell.includes('£')) seen.hasPound = true
  }
  return seen
}

/**
 * Whether most cells of a column are money. `maybe` means that its heading mentions hours or days and its figures are not printed as money.
 */
export function isMoneyColumn(cells: Cells, headingRow: number, column: number): 'yes' | 'maybe' | 'no' {
  const heading = cells[headingRow - 1]?.[column] ?? ''
  const { filled, amounts, printed: asMoney, hasPound, hasSpoilt } = countColumnCells(cells, headingRow, column)
  // If every cell of a column is an error, only the heading can show that the column holds money.
  if (!filled && hasSpoilt) return moneyWords.test(normaliseHeading(heading)) && !isQuantityHeading(heading) ? 'yes' : 'no'
  if (!amounts || amounts * 2 < filled || (isQuantityHeading(heading) && !hasPound)) return 'no'
  if (asMoney * 2 > amounts) return 'yes'
  const text = normaliseHeading(heading)
  if (!text || identifierEndings.test(text)) return 'no'
  if (quantityEndings.test(text)) return 'maybe'
  return moneyWords.test(text) || !identifierWords.test(text) ? 'yes' : 'no'
}

/** Whether most cells of a column are printed as money. Codes such as 4240.10 look the same, so it may also be a column of codes. */
export function isMostlyPrintedMoney(cells: Cells, headingRow: number, column: number): boolean {
  const { filled, printed: asMoney } = countColumnCells(cells, headingRow, column)
  return asMoney * 2 > filled
}
