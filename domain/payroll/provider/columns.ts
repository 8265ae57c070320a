import { readAmount } from '../../files/cells.ts'
import { bestHeadings, type Cells, type MonthLine, plainHeading, titlesAbove } from '../../files/headings.ts'
import { elementAt, must } from '../../must.ts'

/** How the files of payroll providers are laid out: a row for each element of an employee, or a row for each employee with a column per element. */
export const payLayouts = ['long', 'wide'] as const
export type PayLayout = (typeof payLayouts)[number]

/** What a column of a payroll file holds. Only `element` stands over several columns; its heading is the code. */
export const payMeanings = [
  'employeeNumber',
  'code',
  'codeName',
  'amount',
  'element',
  'location',
  'month',
  'sortCode',
  'bankAccount',
] as const
export type PayMeaning = (typeof payMeanings)[number]

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
  ['month', /^(?:pay(?:roll)? )?(?:month|period)(?: end(?:ing)?)?(?: date)?$|^(?:pay|payment|payroll|period end) date$/],
  [
    'amount',
    /^(?:actuals?|amount|value|paid|cost|pay)(?: (?:amount|value|paid|gbp|£|this (?:month|period)))?$|^(?:this )?(?:month|period) (?:amount|value)$/,
  ],
]

/** Columns of figures that are no element: what adds others up, and what is counted rather than paid. */
const isNoElement =
  /\b(?:total|totals|gross|net|balance|ytd|to date)\b|\b(?:hours|hrs|fte|rate|days|weeks|units|point|spine|scale|grade|age|month|period|year)\b|\b(?:ni|national insurance|bank|sort|account|tax) (?:number|no|code|category|letter|table|cat)\b|\b(?:date|postcode|dob|number|no|id)$/

/** Rows below the headings that are looked at to tell a column of amounts from another. */
const looksAt = 200

function meaningOf(heading: string): PayMeaning | null {
  const text = plainHeading(heading)
  return text ? (asMeaning.find(([, words]) => words.test(text))?.[0] ?? null) : null
}

/** Whether a column holds amounts and nothing else, as far as one looks. */
function holdsAmounts(cells: Cells, headingRow: number, column: number): boolean {
  let amounts = 0
  for (let row = headingRow; row < Math.min(cells.length, headingRow + looksAt); row++) {
    const cell = (must(cells[row])[column] ?? '').trim()
    if (!cell) continue
    // What a spreadsheet has made a date of is told where the file is read, not taken for words.
    if ('value' in readAmount(cell)) amounts++
    else if (!/^\d/.test(cell)) return false
  }
  return amounts > 0
}

/** What columns hold, by the words of their headings and by what stands below them. */
export function payColumnsAt(cells: Cells, headingRow: number): { columns: (PayMeaning | null)[]; layout: PayLayout | null } {
  const headings = cells[headingRow - 1] ?? []
  const found = headings.map(meaningOf)
  // What one column holds no other does.
  const columns = found.map((meaning, index) => (meaning && found.indexOf(meaning) === index ? meaning : null))
  if (!columns.includes('code') && columns.includes('codeName')) columns[columns.indexOf('codeName')] = 'code'
  const layout = payLayoutOf(columns)
  if (layout === 'long' || !columns.includes('employeeNumber')) return { columns, layout }
  // Without a code in each row, each column of amounts is an element.
  const wide = headings.map((heading, index): PayMeaning | null => {
    const meaning = elementAt(columns, index)
    if (meaning && meaning !== 'amount' && meaning !== 'code' && meaning !== 'codeName') return meaning
    const text = plainHeading(heading)
    return text && !isNoElement.test(text) && holdsAmounts(cells, headingRow, index) ? 'element' : null
  })
  return { columns: wide, layout: payLayoutOf(wide) }
}

/** Which kind of file has such columns; null where they say too little. */
export function payLayoutOf(columns: readonly (PayMeaning | null)[]): PayLayout | null {
  if (!columns.includes('employeeNumber')) return null
  if (columns.includes('element')) return 'wide'
  return columns.includes('code') && columns.includes('amount') ? 'long' : null
}

/** Finds the table of a payroll file by itself below any titles. @returns null where no row reads like headings */
export function findPayTable(cells: Cells): FoundPayTable | null {
  const best = bestHeadings(cells, (_headings, _above, row) => {
    const { columns, layout } = payColumnsAt(cells, row + 1)
    return layout && { score: columns.filter(Boolean).length, columns, layout }
  })
  return best && payTableAt(cells, best)
}

/** The table whose headings stand in a row that somebody has chosen, with the columns that they have chosen. */
export function payTableAt(cells: Cells, { layout, headingRow, columns }: PayTable): FoundPayTable {
  return { layout, headingRow, columns, headings: headingsAt(cells, headingRow), ...titlesAbove(cells, headingRow) }
}

function headingsAt(cells: Cells, headingRow: number): string[] {
  const own = (cells[headingRow - 1] ?? []).map((cell) => cell.trim())
  let last = ''
  const above = own.map((_heading, index) => (last = (cells[headingRow - 2]?.[index] ?? '').trim() || last))
  return own.map((heading, index) => {
    const isTwice = heading && own.some((other, at) => at !== index && plainHeading(other) === plainHeading(heading))
    return isTwice && above[index] ? `${above[index]} ${heading}` : heading
  })
}
