import { calendarMonthOf, readDate, type SaidMonth } from '../../files/cells.ts'
import { bestHeadings, type Cells, type MonthLine, plainHeading, titlesAbove } from '../../files/headings.ts'
import { must } from '../../must.ts'

/** The kinds of files that ledgers write, and the product's own template. */
export const layouts = ['trialBalance', 'budgetReport', 'transactions', 'template'] as const
export type Layout = (typeof layouts)[number]

/** What a column of a file holds. */
export const meanings = [
  'account',
  'accountName',
  'costCentre',
  'fund',
  'tag',
  'location',
  'date',
  'reference',
  'details',
  'debit',
  'credit',
  'amount',
  'commitment',
  'type',
] as const
export type Meaning = (typeof meanings)[number]

/** Where the table of a file is, and what its columns hold. */
export interface LedgerTable {
  layout: Layout
  /** The row of the headings, from 1. */
  headingRow: number
  /** By column; null is not used. */
  columns: readonly (Meaning | null)[]
}

export interface FoundTable extends LedgerTable {
  headings: string[]
  /** What stands above the table. */
  titles: string[]
  month: MonthLine | null
  /** Amounts are the year to date. */
  isCumulative: boolean
}

const ledgerWord = '(?:account|acc|a/c|nominal|ledger|gl|subjective|cost element|detail|expense|budget|cfr)'
const asMeaning: [Meaning, RegExp][] = [
  ['type', /^(?:line |entry )?type$/],
  ['tag', /^analysis ?tag$|^tag$/],
  [
    'location',
    /^budget ?code ?filter$|^(?:school|academy|establishment|entity|location|company|business unit|site)(?: (?:code|name|no|number|id))?$|^dfe(?: no| number)?$/,
  ],
  [
    'costCentre',
    /^cost ?cent(?:re|er)(?: (?:code|no|number|name))?$|^cc$|^department(?: code)?$|^dept(?: code)?$|^cost code$|^costcent(?:re|er)$/,
  ],
  ['fund', /^fund(?: ?code)?$|^funding(?: source| stream)?$|^fund no$/],
  ['date', /^(?:transaction |tran |trans |posting |posted |invoice |gl |effective |document |doc |journal )?date(?: posted)?$/],
  [
    'reference',
    /^(?:transaction |trans |tran |doc |document |invoice |journal |order )?ref(?:erence)?(?: no| number)?$|^(?:transaction|tran|trans|document|doc|journal|invoice|voucher)(?: no| number| id)?$/,
  ],
  ['debit', /^(?:ytd |year to date |period |month )?(?:debits?|dr)(?: amount| balance| £)?(?: ytd)?$/],
  ['credit', /^(?:ytd |year to date |period |month )?(?:credits?|cr)(?: amount| balance| £)?(?: ytd)?$/],
  ['commitment', /commit|encumbrance|^(?:outstanding |open |on )?orders?(?: outstanding)?$|^on order$/],
  [
    'amount',
    /^(?:ytd |year to date |cumulative |period |month |monthly |current |this )*(?:actuals?|spend|spent|expenditure|received|received spent|invoiced|net amount|amount|net|value|net value|base amount|home value|balance|net balance|movement)(?: (?:ytd|to date|year to date|spend|spent|expenditure|amount|gbp|period|month|£))*$/,
  ],
  [
    'account',
    new RegExp(`^${ledgerWord}(?: ?(?:code|no|number|id|ref))?$|^code$|^budgetcode$|^ledger account$|^main account$|^objective$`),
  ],
  [
    'accountName',
    new RegExp(`^${ledgerWord} (?:name|description|desc|title|heading)$|^(?:code |budget )?(?:name|title|heading|category)$`),
  ],
  [
    'details',
    /^(?:transaction |line |journal )?(?:details?|description|narrative|particulars|text|comment)s?$|^supplier(?: name)?$|^payee$/,
  ],
]

/** What a heading says that its column holds. */
function meaningOf(heading: string): Meaning | null {
  const text = plainHeading(heading)
  // Budgets and what differs from them are no actuals.
  if (!text || /varian|remaining|available|forecast|outturn|percent|previous|last year|prior|annual/.test(text)) return null
  if (/\bbudget\b/.test(text) && !/budget ?(code|heading|name|title|desc)|budget ?code ?filter/.test(text)) return null
  return asMeaning.find(([, words]) => words.test(text))?.[0] ?? null
}

const isYearToDate = (text: string): boolean => /\bytd\b|year to date|cumulative|\bto date\b/.test(plainHeading(text))

/** What columns hold by the words of their headings, each meaning once. */
function columnsOfHeadings(headings: readonly string[], above: readonly string[]): { columns: (Meaning | null)[]; isCumulative: boolean } {
  const texts = headings.map((heading, index) => (meaningOf(heading) || !above[index] ? heading : `${above[index]} ${heading}`.trim()))
  const found = texts.map(meaningOf)
  const ofWhole = headings.map((heading, index) => `${above[index] ?? ''} ${heading}`)
  const columns = found.map((meaning, index): Meaning | null => {
    if (meaning === null) return null
    const same = found.flatMap((one, at) => (one === meaning ? [at] : []))
    if (same.length === 1) return meaning
    // Of two columns of actuals, one of the month alone is told from one of the year to date: the month is what is asked for.
    const month = same.filter((at) => !isYearToDate(must(ofWhole[at])))
    const first = meaning === 'amount' || meaning === 'debit' || meaning === 'credit' ? (month[0] ?? same[0]) : same[0]
    return first === index ? meaning : null
  })
  // Codes beside names: two columns called after the same thing are the code and its name.
  const has = (meaning: Meaning): boolean => columns.includes(meaning)
  const change = (from: Meaning, to: Meaning): void => {
    const at = columns.indexOf(from)
    if (at >= 0) columns[at] = to
  }
  if (!has('date') && !has('accountName') && has('details')) change('details', 'accountName')
  if (!has('account') && has('accountName')) change('accountName', 'account')
  const amounts = columns.flatMap((meaning, index) => (meaning === 'amount' || meaning === 'debit' ? [index] : []))
  return { columns, isCumulative: amounts.length > 0 && amounts.every((index) => isYearToDate(must(ofWhole[index]))) }
}

/** Which kind of file has such columns; null where no amount or no code is among them. */
export function layoutOf(columns: readonly (Meaning | null)[]): Layout | null {
  const has = (meaning: Meaning): boolean => columns.includes(meaning)
  const hasAmount = has('amount') || (has('debit') && has('credit'))
  if (!has('account') || (!hasAmount && !has('commitment'))) return null
  if (has('type') && has('location') && has('amount')) return 'template'
  if (has('date')) return 'transactions'
  return has('debit') && has('credit') ? 'trialBalance' : 'budgetReport'
}

/**
 * Finds the table of a file by itself: its headings among the lines above it, what its columns hold, its kind, its month, and whether it is the
 * year to date. @returns null where no row reads like headings
 */
export function findTable(cells: Cells): FoundTable | null {
  const best = bestHeadings(cells, (headings, above) => {
    const found = columnsOfHeadings(headings, above)
    const layout = layoutOf(found.columns)
    return layout && { score: found.columns.filter(Boolean).length, ...found, layout }
  })
  return best && tableAt(cells, best.headingRow, best)
}

/** The table whose headings stand in a row that somebody has chosen, with the columns that they have chosen. */
export function tableAt(
  cells: Cells,
  headingRow: number,
  { columns, layout, isCumulative }: { columns: (Meaning | null)[]; layout: Layout; isCumulative: boolean },
): FoundTable {
  const { titles, month } = titlesAbove(cells, headingRow)
  const words = titles.join(' ')
  return {
    layout,
    headingRow,
    columns,
    headings: (cells[headingRow - 1] ?? []).map((cell) => cell.trim()),
    titles,
    month,
    isCumulative: isCumulative || (layout !== 'transactions' && isYearToDate(words)),
  }
}

/** The month that most dates of a list lie in; null where it has none. For a list from the beginning of a year it is the last. */
function monthOfDates(cells: Cells, table: LedgerTable): { first: SaidMonth; last: SaidMonth } | null {
  const at = table.columns.indexOf('date')
  if (at < 0) return null
  const months = new Map<string, number>()
  for (let row = table.headingRow; row < cells.length; row++) {
    const read = readDate(must(cells[row])[at] ?? '')
    if ('value' in read && read.value) months.set(read.value.slice(0, 7), (months.get(read.value.slice(0, 7)) ?? 0) + 1)
  }
  if (!months.size) return null
  const sorted = [...months.keys()].sort()
  const monthIn = (text: string): SaidMonth => ({ year: Number(text.slice(0, 4)), month: Number(text.slice(5, 7)) })
  return { first: monthIn(must(sorted[0])), last: monthIn(must(sorted.at(-1))) }
}

/** The month that a file is for, as far as it says so itself. @param startMonth in which month budget years begin */
export function monthOfFile(cells: Cells, table: FoundTable, startMonth: number) {
  if (table.month) return calendarMonthOf(table.month.said, startMonth)
  const dates = monthOfDates(cells, table)
  return dates && calendarMonthOf(dates.last, startMonth)
}

/** Whether the amounts of a file are the year to date: it says so, or its dates are of several months. @param learned of files before, which a list's dates overrule */
export function saysYearToDate(cells: Cells, table: FoundTable, learned: boolean | undefined): boolean {
  const dates = monthOfDates(cells, table)
  if (dates) return JSON.stringify(dates.first) !== JSON.stringify(dates.last)
  return learned ?? table.isCumulative
}
