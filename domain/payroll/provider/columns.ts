import { bestHeadings, type Cells, headingsAt, type MonthLine, plainHeading, titlesAbove } from '../../files/headings.ts'
import { holdsMoney } from '../../files/money.ts'
import { namesMonth } from '../../files/periods.ts'
import { saysSides } from '../../files/signs.ts'
import { elementAt } from '../../values/assertDefined.ts'

/** How the files of payroll providers are laid out: a row for each element of an employee, or a row for each employee with a column per element. */
export const payLayouts = ['long', 'wide'] as const
export type PayLayout = (typeof payLayouts)[number]

/** What a column of a payroll file holds. `element` and `amount` stand over several columns; the heading of an element is its code. */
export const payMeanings = [
  'employeeNumber',
  'code',
  'codeName',
  'amount',
  'sign',
  'element',
  'location',
  'month',
  'sortCode',
  'bankAccount',
] as const
export type PayMeaning = (typeof payMeanings)[number]

/** What several columns may hold. */
export const manyPayMeanings: readonly PayMeaning[] = ['element', 'amount']

/** Where the table of a payroll file is, and what its columns hold. */
export interface PayTable {
  layout: PayLayout
  /** The row of the headings, from 1. */
  headingRow: number
  /** By column; null is not used. */
  columns: readonly (PayMeaning | null)[]
}

export interface FoundPayTable extends PayTable {
  /** By column: what is called the same twice is told apart by the heading above it. */
  headings: string[]
  /** What stands above the table. */
  titles: string[]
  month: MonthLine | null
  /** Lines above it that name different months, where none says outright which is meant. */
  doubt: MonthLine[]
}

const asMeaning: [PayMeaning, RegExp][] = [
  ['sortCode', /^(?:bank )?sort ?code$/],
  ['bankAccount', /^bank (?:account|acct|acc|a c)(?: (?:number|num|no))?$|^(?:account|acct|acc|a c) (?:number|num|no)$/],
  [
    'location',
    /^payroll ?rec(?:onciliation)?(?: ?id)?$|^(?:school|academy|establishment|site|location|company|employer|workplace|unit)(?: (?:name|code|number|no|id|ref))?$|^dfe(?: no| number)?$/,
  ],
  [
    'employeeNumber',
    /^(?:employee|emp|staff|payroll|pay|personnel|assignment|worker|person|payee|works)(?: ?(?:number|num|no|ref|reference|id))$|^employee$|^(?:employee|emp|staff) code$/,
  ],
  [
    'codeName',
    /^(?:payroll |pay |element |payment )?(?:code |element )?(?:description|name of element)$|^(?:element|code|pay) name$|^narrative$/,
  ],
  [
    'code',
    /^(?:payroll ?|pay ?|element ?|payment ?|deduction ?|provider ?)?code$|^(?:pay |payroll )?element(?: code| id)?$|^wage ?type$|^(?:payment|deduction|element|pay) type$/,
  ],
  [
    'month',
    /^(?:pay(?:roll)? |tax )?(?:month|period)(?: (?:no|number|name|end(?:ing)?))?(?: date)?$|^(?:pay|payment|payroll|period end) date$/,
  ],
  ['sign', /^(?:sign|dr ?\/ ?cr|cr ?\/ ?dr|d ?\/ ?c|c ?\/ ?d|dc|drcr|debit ?\/ ?credit|credit ?\/ ?debit)(?: (?:indicator|ind|flag))?$/],
  [
    'amount',
    /^(?:actuals?|amount|value|paid|cost|pay)(?: (?:amount|value|paid|gbp|£|this (?:month|period)))?$|^(?:this )?(?:month|period) (?:amount|value)$/,
  ],
]

/** Columns of money that are no element: what adds others up. */
const addsUp = /\b(?:total|totals|gross|net|balance|ytd|to date)\b/

/** Columns of figures that name something. */
const names =
  /\b(?:ni|national insurance|bank|sort|account|tax) (?:number|no|code|category|letter|table|cat)\b|\b(?:postcode|dob|phone)\b|\b(?:date|number|no|id|code|ref)$/

function meaningOf(heading: string): PayMeaning | null {
  const text = plainHeading(heading)
  return text ? (asMeaning.find(([, words]) => words.test(text))?.[0] ?? null) : null
}

/** Whether a column is an element of pay: most of it is money, whatever other words its heading has. */
function isElement(cells: Cells, headingRow: number, column: number): boolean {
  const text = plainHeading(cells[headingRow - 1]?.[column] ?? '')
  return text !== '' && !addsUp.test(text) && !names.test(text) && !namesMonth(text) && holdsMoney(cells, headingRow, column) === 'yes'
}

/** What columns hold, by the words of their headings and by what stands below them. */
export function payColumnsAt(cells: Cells, headingRow: number): { columns: (PayMeaning | null)[]; layout: PayLayout | null } {
  const headings = cells[headingRow - 1] ?? []
  const found = headings.map(meaningOf)
  // What one column holds no other does.
  const columns = found.map((meaning, index) => (meaning && found.indexOf(meaning) === index ? meaning : null))
  const sign = columns.indexOf('sign')
  if (sign >= 0 && !saysSides(cells, headingRow, sign)) columns[sign] = null
  if (!columns.includes('code') && columns.includes('codeName')) columns[columns.indexOf('codeName')] = 'code'
  const layout = payLayoutOf(columns)
  if (layout === 'long' || !columns.includes('employeeNumber')) return { columns, layout }
  // With a code in each row, no column is an element: which of them hold the amount is asked.
  if (columns.includes('code') && (codesRepeat(cells, headingRow, columns) || amountsToChoose(cells, { headingRow, columns }).length < 3))
    return { columns, layout: null }
  // Without one, each column of amounts is an element.
  const wide = headings.map((_heading, index): PayMeaning | null => {
    const meaning = elementAt(columns, index)
    if (meaning && meaning !== 'amount' && meaning !== 'code' && meaning !== 'codeName') return meaning
    return meaning !== 'code' && isElement(cells, headingRow, index) ? 'element' : null
  })
  return { columns: wide, layout: payLayoutOf(wide) }
}

/** Whether employees stand in a row for each code: the same number stands in several rows, with different codes. */
function codesRepeat(cells: Cells, headingRow: number, columns: readonly (PayMeaning | null)[]): boolean {
  const number = columns.indexOf('employeeNumber')
  const code = columns.indexOf('code')
  const seen = new Map<string, string>()
  return cells.slice(headingRow).some((line) => {
    const [who, what] = [(line[number] ?? '').trim(), (line[code] ?? '').trim()]
    if (!who || !what) return false
    const before = seen.get(who)
    seen.set(who, what)
    return before !== undefined && before !== what
  })
}

/** Columns of a file with a row for each code that may hold its amounts, where none is called so: somebody chooses. */
export function amountsToChoose(cells: Cells, { headingRow, columns }: Pick<PayTable, 'headingRow' | 'columns'>): number[] {
  if (!columns.includes('employeeNumber') || !columns.includes('code') || payLayoutOf(columns)) return []
  return columns.flatMap((meaning, index) => (meaning === null && holdsMoney(cells, headingRow, index) === 'yes' ? [index] : []))
}

/** Which kind of file has such columns; null where they say too little. */
export function payLayoutOf(columns: readonly (PayMeaning | null)[]): PayLayout | null {
  if (!columns.includes('employeeNumber')) return null
  if (columns.includes('element')) return 'wide'
  return columns.includes('code') && columns.includes('amount') ? 'long' : null
}

/**
 * Finds the table of a payroll file by itself below any titles. One with codes and without a column that is called the amount is found as well:
 * what holds its amounts is asked. @returns null where no row reads like headings
 */
export function findPayTable(cells: Cells): FoundPayTable | null {
  const best = bestHeadings(cells, (_headings, _above, row) => {
    const headingRow = row + 1
    const { columns, layout } = payColumnsAt(cells, headingRow)
    const isAsked = !layout && amountsToChoose(cells, { headingRow, columns }).length > 0
    return layout || isAsked ? { score: columns.filter(Boolean).length, columns, layout: layout ?? ('long' as const) } : null
  })
  return best && payTableAt(cells, best)
}

/** The table whose headings stand in a row that somebody has chosen, with the columns that they have chosen. */
export function payTableAt(cells: Cells, { layout, headingRow, columns }: PayTable): FoundPayTable {
  return { layout, headingRow, columns, headings: headingsAt(cells, headingRow), ...titlesAbove(cells, headingRow) }
}
