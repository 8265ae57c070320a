import { calendarMonthOf, readDate } from '../../files/cells.ts'
import { bestHeadings, type Cells, headingsAt, type MonthLine, plainHeading, titlesAbove } from '../../files/headings.ts'
import { holdsMoney } from '../../files/money.ts'
import { headingIsOf, monthColumns, periodReader, saysPeriods, saysUnknownPeriods } from '../../files/periods.ts'
import { saysSides, saysTypes, sidesOf } from '../../files/signs.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { type CalendarMonth, monthAt, monthIndex } from '../monitoring.ts'

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
  'period',
  'year',
  'reference',
  'supplier',
  'details',
  'debit',
  'credit',
  'amount',
  'commitment',
  'sign',
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
  /** Lines above it that name different months, where none says outright which is meant. */
  doubt: MonthLine[]
  /** Amounts are the year to date. */
  isCumulative: boolean
}

const ledgerWord = '(?:account|acc|a/c|nominal|ledger|g/?l|subjective|cost element|detail|expense|budget|cfr)'
const span =
  '(?:total|ytd|ptd|mtd|year to date|period to date|month to date|to date|cumulative|period|month|monthly|current|this|in|movement|closing|opening|net|b/f|b/fwd|c/f|c/fwd|brought forward|carried forward)'
const asMeaning: [Meaning, RegExp][] = [
  [
    'sign',
    /^(?:sign|amount sign|side|drcr|dc|d c|dr cr|cr dr|(?:dr|cr|d|c|db|debit|credit) ?(?:\/|or) ?(?:dr|cr|d|c|db|debit|credit))(?: (?:indicator|ind|flag|code|type))?$|^posting key$|^\/$/,
  ],
  ['type', /^(?:(?:line|record|amount|data|entry|transaction|trans|tran|doc|document|journal) )?type$|^tran(?:s|saction)? code$/],
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
    'period',
    /^(?:(?:financial|fin|accounting|acct?|fiscal|posting|gl|ledger|academic|budget|reporting) )?(?:period|month|prd|mth|pd|per)(?: (?:no|number|name|end|ending|code))?(?: date)?$|^(?:year ?\/? ?period|period ?\/? ?year)$/,
  ],
  ['year', /^(?:(?:financial|academic|fiscal|accounting|budget|gl|ledger) )?(?:year|yr)(?: (?:name|no|code|end|ending))?$|^fy$/],
  [
    'reference',
    /^(?:transaction |trans |tran |doc |document |invoice |journal |order )?ref(?:erence)?(?: no| number)?$|^(?:transaction|tran|trans|document|doc|journal|invoice|voucher)(?: no| number| id)?$/,
  ],
  ['debit', new RegExp(`^(?:${span} )*(?:debits?|dr)(?: (?:amounts?|balances?|value|gbp|£|${span}))*$`)],
  ['credit', new RegExp(`^(?:${span} )*(?:credits?|cr)(?: (?:amounts?|balances?|value|gbp|£|${span}))*$`)],
  ['commitment', /commit|encumbrance|^(?:outstanding |open |on )?orders?(?: outstanding)?$|^on order$/],
  [
    'amount',
    new RegExp(
      `^(?:${span} )*(?:actuals?|spend|spent|expenditure|received|received ?/? ?spent|invoiced|activity|closing|c/f|c/fwd|carried forward|actual costs?|(?:this|current|in) (?:month|period)|(?:net|posted|transaction|journal|line|ledger|base) amount|amount|net|value|net value|home value|balances?|net balance|movements?)(?: (?:actual|balances?|movements?|spend|spent|invoiced|paid|expenditure|amount|value|gbp|£|${span}))*$`,
    ),
  ],
  [
    'account',
    new RegExp(
      `^n/c$|^nom(?:inal)? (?:code|account|acc|a/c)(?: (?:code|no|number|ref))?$|^${ledgerWord}(?: ?(?:code|no|number|id|ref))?$|^code$|^budgetcode$|^ledger account$|^main account$|^objective$`,
    ),
  ],
  [
    'accountName',
    new RegExp(
      `^(?:${ledgerWord}|n/c|nominal code|nominal account|nominal a/c) (?:name|description|desc|title|heading)$|^(?:code |budget )?(?:name|title|heading|category)$`,
    ),
  ],
  ['supplier', /^(?:supplier|vendor|payee|creditor|customer)(?: (?:name|code|account|a\/c|no|id))?$/],
  ['details', /^(?:transaction |line |journal )?(?:details?|description|narrative|particulars|text|comment)s?$/],
]

/** Of several columns that may be the account, the first of these is. */
const accountWords = [/^n\/c|^nom/, /^account code|^(?:ledger|gl|budget) ?code/, /code$/, /^account|^acc\b/, /./]

/** What a heading says that its column holds. */
function meaningOf(heading: string): Meaning | null {
  const text = plainHeading(heading)
  // Budgets and what differs from them are no actuals.
  if (!text || /varian|remaining|available|forecast|outturn|percent|previous|last year|prior|annual/.test(text)) return null
  if (/\bbudget\b/.test(text) && !/budget ?(code|heading|name|title|desc)|budget ?code ?filter/.test(text)) return null
  return asMeaning.find(([, words]) => words.test(text))?.[0] ?? null
}

const saysToDate = /\bytd\b|year[ -]to[ -]date|cumulative|\bto date\b/i

const isYearToDate = (text: string): boolean =>
  /\bytd\b|year to date|cumulative|\bto date\b|\bclosing\b|\bc\/f(?:wd)?\b|carried forward/.test(plainHeading(text))

/** What stands in the row above and says that the columns below it are no actuals of the month or year. */
const notActual =
  /^(?:opening|brought forward|b ?\/? ?f(?:wd)?|prior(?: year)?|previous(?: (?:year|month))?|last (?:year|month)|comparatives?|(?:original |current |revised |annual |approved )*budget|variance|forecast)(?: balances?| actuals?| ytd| 20\d\d.*)?$/

/** How well a column of amounts fits: of the month before the year to date, what was invoiced before what was paid. Null: it does not. */
function fitOf(heading: string, above: string): number | null {
  const text = plainHeading(`${above} ${heading}`)
  if (notActual.test(plainHeading(above)) || /\bopening\b|brought forward|\bb ?\/? ?f(?:wd)?\b/.test(text)) return null
  return (isYearToDate(text) ? 10 : 0) + (/\bpaid\b/.test(text) ? 2 : 0) + (/\bmovement|\bperiod\b|\bmonth\b/.test(text) ? 0 : 1)
}

const moneyMeanings: readonly (Meaning | null)[] = ['amount', 'debit', 'credit']

/** What columns hold by the words of their headings and by what stands below them, each meaning once. @param headingRow from 1 */
function columnsOfHeadings(
  cells: Cells,
  { headingRow, above }: { headingRow: number; above: readonly string[] },
): { columns: (Meaning | null)[]; isCumulative: boolean } {
  const headings = cells[headingRow - 1] ?? []
  const found = headings.map((heading, index): Meaning | null => {
    const own = meaningAt(cells, headingRow, { index, heading })
    return own ?? (above[index] ? meaningAt(cells, headingRow, { index, heading: `${above[index]} ${heading}`.trim() }) : null)
  })
  const ofWhole = headings.map((heading, index) => `${above[index] ?? ''} ${heading}`)
  const columns = found.map((meaning, index): Meaning | null => {
    if (meaning === null) return null
    const same = found.flatMap((one, at) => (one === meaning ? [at] : []))
    if (moneyMeanings.includes(meaning)) {
      const fits = same.flatMap((at) => {
        const fit = fitOf(headings[at] ?? '', above[at] ?? '')
        return fit === null ? [] : [{ at, fit }]
      })
      return fits.sort((a, b) => a.fit - b.fit || a.at - b.at)[0]?.at === index ? meaning : null
    }
    if (meaning === 'account') {
      const rank = (at: number): number => accountWords.findIndex((words) => words.test(plainHeading(headings[at] ?? '')))
      return same.sort((a, b) => rank(a) - rank(b) || a - b)[0] === index ? meaning : null
    }
    return same[0] === index ? meaning : null
  })
  // Codes beside names: two columns called after the same thing are the code and its name.
  const has = (meaning: Meaning): boolean => columns.includes(meaning)
  const change = (from: Meaning, to: Meaning | null): void => {
    const at = columns.indexOf(from)
    if (at >= 0) columns[at] = to
  }
  for (const [index, meaning] of found.entries()) {
    if (meaning !== 'account' || columns[index]) continue
    // Of A/C and N/C, the nominal is the account and the other is whose invoice it is.
    if (/^a\/c$|^account ref/.test(plainHeading(headings[index] ?? '')) && !has('supplier')) columns[index] = 'supplier'
    else if (!has('accountName') && plainHeading(headings[index] ?? '') === 'account') columns[index] = 'accountName'
  }
  if (!has('date') && !has('accountName') && has('details')) change('details', 'accountName')
  if (!has('account') && has('accountName')) change('accountName', 'account')
  // Of months that stand across, the column of one holds its amounts: which one, `columnsOfMonth` says.
  const [month] = monthColumns(cells, headingRow)
  const sums = columns.flatMap((meaning, index) => (moneyMeanings.includes(meaning) ? [index] : []))
  if (
    month !== undefined &&
    sums.every((index) => /\b(?:total|ytd|to date|cumulative)\b/.test(plainHeading(assertDefined(ofWhole[index]))))
  ) {
    for (const index of sums) columns[index] = null
    columns[month] = 'amount'
  }
  // What debits and credits come to is not added to them.
  if (has('debit') && has('credit')) change('amount', null)
  else if (has('amount')) {
    change('debit', null)
    change('credit', null)
  }
  // The side of each row, beside the amount without a heading of its own.
  if (has('amount') && !has('sign')) {
    const side = headings.findIndex((_heading, index) => !columns[index] && saysSides(cells, headingRow, index))
    if (side >= 0) columns[side] = 'sign'
  }
  if (!has('amount')) change('sign', null)
  const amounts = columns.flatMap((meaning, index) => (meaning === 'amount' || meaning === 'debit' ? [index] : []))
  return {
    columns,
    isCumulative: amounts.length > 0 && amounts.every((index) => isYearToDate(assertDefined(ofWhole[index]))),
  }
}

/**
 * The columns of a file whose months stand across, with the amounts in the column of a month; the columns of others as they are.
 * @param month with the month in which budget years begin, which is period 1
 */
export function columnsOfMonth(
  cells: Cells,
  { headingRow, columns }: Pick<LedgerTable, 'headingRow' | 'columns'>,
  { startMonth, ...month }: CalendarMonth & { startMonth: number },
): (Meaning | null)[] {
  const across = monthColumns(cells, headingRow)
  const fitting = across.filter((column) => headingIsOf(cells[headingRow - 1]?.[column] ?? '', month, startMonth))
  if (fitting.length !== 1 || !across.some((column) => columns[column] === 'amount')) return [...columns]
  return columns.map((meaning, column) => (column === fitting[0] ? 'amount' : meaning === 'amount' ? null : meaning))
}

/** Whether a column tells actuals from what was planned or ordered, whatever it is called. */
function saysKinds(cells: Cells, headingRow: number, column: number): boolean {
  const words = new Set(cells.slice(headingRow).map((line) => (line[column] ?? '').trim().toLowerCase()))
  words.delete('')
  const isKind = (word: string): boolean =>
    /^(?:actuals?|budgets?|forecasts?|commitments?|committed|accruals?|(?:prior|last) year)$/.test(word)
  return words.size > 1 && [...words].some((word) => /^actuals?$/.test(word)) && [...words].every(isKind)
}

/** What a column holds by its heading, where what stands below bears it out. */
function meaningAt(cells: Cells, headingRow: number, { index, heading }: { index: number; heading: string }): Meaning | null {
  const meaning = meaningOf(heading) ?? (saysKinds(cells, headingRow, index) ? 'type' : null)
  const isEmpty = (): boolean => cells.slice(headingRow).every((line) => !line[index]?.trim())
  if (meaning === 'sign') {
    // Words that say neither side are told with their rows; dashes alone print zero.
    if (saysSides(cells, headingRow, index)) return 'sign'
    if (holdsMoney(cells, headingRow, index) === 'yes') return 'amount'
    return cells.slice(headingRow).some((line) => /[a-z\d]/i.test(line[index] ?? '')) ? 'sign' : null
  }
  if (meaning === 'type') {
    if (saysSides(cells, headingRow, index) || saysTypes(cells, headingRow, index)) return 'sign'
    const isNamed = cells.slice(headingRow).some((line) => /^(?:actual|commitment)s?$/i.test((line[index] ?? '').trim()))
    return isNamed || saysKinds(cells, headingRow, index) || isEmpty() ? 'type' : null
  }
  if (meaning === 'period' || meaning === 'year')
    return saysPeriods(cells, { headingRow, column: index, isYear: meaning === 'year' }) || saysUnknownPeriods(cells, headingRow, index)
      ? meaning
      : null
  return meaning
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
  const best = bestHeadings(cells, (_headings, above, row) => {
    const found = columnsOfHeadings(cells, { headingRow: row + 1, above })
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
  const { titles, month, doubt } = titlesAbove(cells, headingRow)
  // A heading of two rows says of each column for itself what it is.
  const own = (cells[headingRow - 1] ?? []).map(plainHeading).filter(Boolean)
  const isGroup = new Set(own).size < own.length && (cells[headingRow - 2] ?? []).filter((cell) => cell.trim()).length > 1
  const words = (isGroup ? titles.slice(0, -1) : titles).join(' ')
  return {
    layout,
    headingRow,
    columns,
    headings: headingsAt(cells, headingRow),
    titles,
    month,
    doubt,
    // A trial balance as at a day holds what accounts stand at, not what the month added.
    isCumulative:
      isCumulative ||
      (layout !== 'transactions' && saysToDate.test(words)) ||
      (layout === 'trialBalance' && !isOfPeriod(cells, headingRow, columns) && /\bas (?:at|of)\b/i.test(words)),
  }
}

/** Whether the headings of debits or amounts say that they are of the month alone. */
function isOfPeriod(cells: Cells, headingRow: number, columns: readonly (Meaning | null)[]): boolean {
  // A heading of two rows has its groups in the upper one.
  return [headingRow - 1, headingRow - 2].some((row) =>
    (cells[row] ?? []).some(
      (heading, index) =>
        /\b(?:movement|period|month)\b/i.test(heading) &&
        (row === headingRow - 2 || columns[index] === 'debit' || columns[index] === 'amount'),
    ),
  )
}

/** The month that most dates of a list lie in; null where it has none. For a list from the beginning of a year it is the last. */
function monthOfDates(cells: Cells, table: LedgerTable): { first: CalendarMonth; last: CalendarMonth } | null {
  const at = table.columns.indexOf('date')
  if (at < 0 || table.columns.includes('period')) return null
  const months = new Set<string>()
  for (let row = table.headingRow; row < cells.length; row++) {
    const read = readDate(assertDefined(cells[row])[at] ?? '')
    if ('value' in read && read.value) months.add(read.value.slice(0, 7))
  }
  if (!months.size) return null
  const sorted = [...months].sort()
  const monthIn = (text: string): CalendarMonth => ({ year: Number(text.slice(0, 4)), month: Number(text.slice(5, 7)) })
  return { first: monthIn(assertDefined(sorted[0])), last: monthIn(assertDefined(sorted.at(-1))) }
}

/** What reads the month of each row, where columns of a file say it; null where none does. @param startMonth in which month budget years begin */
export function periodsOf(cells: Cells, table: LedgerTable, startMonth: number): ReturnType<typeof periodReader> | null {
  const [period, year] = [table.columns.indexOf('period'), table.columns.indexOf('year')]
  if (period < 0 && year < 0) return null
  const isMonth = /month|mth/i.test(cells[table.headingRow - 1]?.[period] ?? '')
  return periodReader(cells, table.headingRow, { period, year, isMonth, startMonth })
}

/** Whether the heading of the amounts says that they are the year to date. */
export function amountsAreToDate({ headings, columns }: FoundTable): boolean {
  const at = columns.findIndex((meaning) => meaning === 'amount' || meaning === 'debit')
  return isYearToDate(headings[at] ?? '')
}

/** The side of each row, where a column says it. */
export function ledgerSides(cells: Cells, { headingRow, columns }: LedgerTable): ReturnType<typeof sidesOf> {
  const amounts = columns.flatMap((meaning, index) => (meaning === 'amount' ? [index] : []))
  return sidesOf(cells, { headingRow, column: columns.indexOf('sign'), amounts })
}

/** The last month that the rows of a file say themselves, in full. */
function monthOfPeriods(cells: Cells, table: LedgerTable, startMonth: number): CalendarMonth | null {
  const periods = periodsOf(cells, table, startMonth)
  if (!periods) return null
  const said = cells.slice(table.headingRow).flatMap((line) => {
    const found = periods.read(line)
    // `202709` is September 2027 to some ledgers, and period 9 to others.
    return found?.month && !/^20\d{4}$/.test(found.words) ? [monthIndex(found.month)] : []
  })
  return said.length ? monthAt(said.reduce((last, one) => Math.max(last, one))) : null
}

/** The month that a file is for, as far as it says so itself. @param startMonth in which month budget years begin */
export function monthOfFile(cells: Cells, table: FoundTable, startMonth: number): CalendarMonth | null {
  if (table.month) return calendarMonthOf(table.month.said, startMonth)
  return monthOfPeriods(cells, table, startMonth) ?? monthOfDates(cells, table)?.last ?? null
}

/** Whether the amounts of a file are the year to date: it says so, or its dates are of several months. @param learned of files before, which a list's dates overrule */
export function saysYearToDate(cells: Cells, table: FoundTable, learned: boolean | undefined): boolean {
  const dates = monthOfDates(cells, table)
  if (dates) return monthIndex(dates.first) !== monthIndex(dates.last)
  // A trial balance as at a day says so of itself, whatever the last file was.
  return table.isCumulative || (learned ?? false)
}
