import { type Cells, findHeadings, type MonthLine, normaliseHeading, readHeadings, readTitles } from '../../files/headings.ts'
import { isMoneyColumn, isMostlyPrintedMoney } from '../../files/money.ts'
import { isMonthHeading } from '../../files/periods.ts'
import { containsSides } from '../../files/signs.ts'
import { requireItemAt } from '../../values/assertDefined.ts'

/**
 * Layouts of payroll files: `long` has a row for each employee and element, `wide` a row for each employee with a column for each element.
 */
export const payLayouts = ['long', 'wide'] as const
export type PayLayout = (typeof payLayouts)[number]

/**
 * The possible contents of a column of a payroll file. Several columns may be `element` or `amount`; the heading of an element column is
 * its code.
 */
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

export const repeatablePayMeanings: readonly PayMeaning[] = ['element', 'amount']

export interface PayrollTable {
  layout: PayLayout
  /** The row of the headings, from 1. */
  headingRow: number
  /** By column; null if the column is not used. */
  columns: readonly (PayMeaning | null)[]
}

export interface DetectedPayrollTable extends PayrollTable {
  /** By column. If two headings are equal, each is prefixed with the heading above it, to tell them apart. */
  headings: string[]
  titles: string[]
  month: MonthLine | null
  /** If the lines above the table name different months, so that the month of the file is unclear: those lines. */
  doubt: MonthLine[]
}

const meaningPatterns: [PayMeaning, RegExp][] = [
  ['sortCode', /^(?:bank )?sort ?code$/],
  ['bankAccount', /^bank (?:account|acct|acc|a c)(?: (?:number|num|no))?$|^(?:account|acct|acc|a c) (?:number|num|no)$/],
  [
    'location',
    /^payroll ?rec(?:onciliation)?(?: ?id)?$|^(?:school|academy|establishment|site|location|company|employer|workplace|unit)(?: (?:name|code|number|no|id|ref))?$|^dfe(?: no| number)?$/,
  ],
  [
    'employeeNumber',
    /^(?:employee|emp|staff|payroll|pay|pers|personnel|assignment|worker|person|payee|works)(?: ?(?:number|num|no|ref|reference|id))$|^employee$|^(?:employee|emp|staff) code$/,
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

const totalPattern = /\b(?:total|totals|gross|net|balance|ytd|to date)\b/

/** Matches headings of numbers that identify something and are not money. */
const identifierPattern =
  /\b(?:ni|national insurance|bank|sort|account|tax) (?:number|no|code|category|letter|table|cat)\b|\b(?:postcode|dob|phone)\b|\b(?:date|number|no|id|code|ref)$/

/** The meaning of a heading. Joined words, such as `PayrollNumber`, are split. */
function headingMeaning(heading: string): PayMeaning | null {
  return meaningOfWords(heading) ?? meaningOfWords(heading.replace(/([a-z])([A-Z])/g, '$1 $2'))
}

function meaningOfWords(heading: string): PayMeaning | null {
  const text = normaliseHeading(heading)
  return text ? (meaningPatterns.find(([, words]) => words.test(text))?.[0] ?? null) : null
}

/** Whether a column is an element of pay: most of its cells are money, and its heading names no total, identifier or month. */
function isElementColumn(cells: Cells, headingRow: number, column: number): boolean {
  const text = normaliseHeading(cells[headingRow - 1]?.[column] ?? '')
  return (
    text !== '' &&
    !totalPattern.test(text) &&
    !identifierPattern.test(text) &&
    !isMonthHeading(text) &&
    isMoneyColumn(cells, headingRow, column) === 'yes'
  )
}

/** The meaning of each column, from its heading and the cells below. */
export function detectPayColumns(cells: Cells, headingRow: number): { columns: (PayMeaning | null)[]; layout: PayLayout | null } {
  const headings = cells[headingRow - 1] ?? []
  const found = headings.map(headingMeaning)
  // If several headings have the same meaning, only the first column gets it.
  const columns = found.map((meaning, index) => (meaning && found.indexOf(meaning) === index ? meaning : null))
  // If the column `Employer` mostly holds amounts, it is the employer’s contribution and not the location.
  const place = columns.indexOf('location')
  if (place >= 0 && isMostlyPrintedMoney(cells, headingRow, place)) columns[place] = null
  const sign = columns.indexOf('sign')
  if (sign >= 0 && !containsSides(cells, headingRow, sign)) columns[sign] = null
  if (!columns.includes('code') && columns.includes('codeName')) columns[columns.indexOf('codeName')] = 'code'
  const layout = detectPayLayout(columns)
  if (layout === 'long' || !columns.includes('employeeNumber')) return { columns, layout }
  // A file with codes in its rows has no element columns, so the user chooses the amount column.
  if (
    columns.includes('code') &&
    (areCodesInRows(cells, headingRow, columns) || findPossibleAmountColumns(cells, { headingRow, columns }).length < 3)
  )
    return { columns, layout: null }
  // In a file without codes, every column of money is an element.
  const wide = headings.map((_heading, index): PayMeaning | null => {
    const meaning = requireItemAt(columns, index)
    if (meaning && meaning !== 'amount' && meaning !== 'code' && meaning !== 'codeName') return meaning
    return meaning !== 'code' && isElementColumn(cells, headingRow, index) ? 'element' : null
  })
  return { columns: wide, layout: detectPayLayout(wide) }
}

/** Whether employees have a row for each code: the same number occurs in several rows with different codes. */
function areCodesInRows(cells: Cells, headingRow: number, columns: readonly (PayMeaning | null)[]): boolean {
  const number = columns.indexOf('employeeNumber')
  const code = columns.indexOf('code')
  const seen = new Map<string, string>()
  return cells.slice(headingRow).some((line) => {
    const [employeeNumber, what] = [(line[number] ?? '').trim(), (line[code] ?? '').trim()]
    if (!employeeNumber || !what) return false
    const before = seen.get(employeeNumber)
    seen.set(employeeNumber, what)
    return before !== undefined && before !== what
  })
}

/** The columns that may contain the amounts of a long file without a heading for amounts. The user chooses one of them. */
export function findPossibleAmountColumns(cells: Cells, { headingRow, columns }: Pick<PayrollTable, 'headingRow' | 'columns'>): number[] {
  if (!columns.includes('employeeNumber') || !columns.includes('code') || detectPayLayout(columns)) return []
  return columns.flatMap((meaning, index) => (meaning === null && isMoneyColumn(cells, headingRow, index) === 'yes' ? [index] : []))
}

/** The layout of a file with these columns; null if required columns are missing. */
export function detectPayLayout(columns: readonly (PayMeaning | null)[]): PayLayout | null {
  if (!columns.includes('employeeNumber')) return null
  if (columns.includes('element')) return 'wide'
  return columns.includes('code') && columns.includes('amount') ? 'long' : null
}

/**
 * Finds the table of a payroll file below any titles. A table with codes is accepted even without an amount heading; the user then chooses
 * the column.
 * @returns null if no row looks like headings
 */
export function findPayrollTable(cells: Cells): DetectedPayrollTable | null {
  const best = findHeadings(cells, (_headings, _above, row) => {
    const headingRow = row + 1
    const { columns, layout } = detectPayColumns(cells, headingRow)
    const isAsked = !layout && findPossibleAmountColumns(cells, { headingRow, columns }).length > 0
    return layout || isAsked ? { score: columns.filter(Boolean).length, columns, layout: layout ?? ('long' as const) } : null
  })
  return best && buildPayrollTable(cells, best)
}

/** Builds the table from a heading row and columns that a user chose. */
export function buildPayrollTable(cells: Cells, { layout, headingRow, columns }: PayrollTable): DetectedPayrollTable {
  return { layout, headingRow, columns, headings: readHeadings(cells, headingRow), ...readTitles(cells, headingRow) }
}
