import { namesSeveralMonths, readDate, toCalendarMonth } from '../../files/cells.ts'
import { type Cells, findHeadings, type MonthLine, normaliseHeading, readHeadings, readTitles } from '../../files/headings.ts'
import { isMoneyColumn } from '../../files/money.ts'
import { containsPeriods, containsUnknownPeriods, createPeriodReader, findMonthColumns, headingMatchesMonth } from '../../files/periods.ts'
import { containsSides, containsTransactionTypes, readRowSides } from '../../files/signs.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { type CalendarMonth, fromMonthIndex, toMonthIndex } from '../monitoring.ts'

export const ledgerLayouts = ['trialBalance', 'budgetReport', 'transactions', 'template'] as const
export type LedgerLayout = (typeof ledgerLayouts)[number]

export const columnMeanings = [
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
export type ColumnMeaning = (typeof columnMeanings)[number]

export interface LedgerTable {
  layout: LedgerLayout
  /** The row of the headings, from 1. */
  headingRow: number
  /** By column; null if the column is not used. */
  columns: readonly (ColumnMeaning | null)[]
}

export interface DetectedLedgerTable extends LedgerTable {
  headings: string[]
  titles: string[]
  month: MonthLine | null
  /** If the lines above the table name different months, so that the month of the file is unclear: those lines. */
  doubt: MonthLine[]
  /** Whether amounts are year to date. */
  isCumulative: boolean
}

const ledgerWord = '(?:account|acc|a/c|nominal|ledger|g/?l|subjective|cost element|detail|expense|budget|cfr)'
const span =
  '(?:total|(?:this|current) year|ytd|ptd|mtd|year to date|period to date|month to date|to date|cumulative|period|month|monthly|current|this|in|movement|closing|opening|net|b/f|b/fwd|c/f|c/fwd|brought forward|carried forward)'
const meaningPatterns: [ColumnMeaning, RegExp][] = [
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
      `^(?:${span} )*(?:actuals?|spend|spent|expenditure|received|received ?/? ?spent|invoiced|activity|closing|c/f|c/fwd|carried forward|actual costs?|(?:this|current|in) (?:month|period)|(?:net|posted|transaction|journal|line|ledger|base) amount|amount|net|value|net value|home value|balances?|net balance|net change|movements?)(?: (?:actual|balances?|movements?|spend|spent|invoiced|paid|expenditure|amount|value|gbp|£|${span}))*$`,
    ),
  ],
  [
    'account',
    new RegExp(
      `^n/c$|^g/?l account(?: (?:code|no|number))?$|^nom(?:inal)? (?:code|account|acc|a/c)(?: (?:code|no|number|ref))?$|^${ledgerWord}(?: ?(?:code|no|number|id|ref))?$|^code$|^budgetcode$|^ledger account$|^main account$|^objective$`,
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

/** If several columns may be the account, the column that the earliest of these patterns matches is used. */
const accountPatterns = [/^n\/c|^nom/, /^account code|^(?:ledger|gl|budget) ?code/, /code$/, /^account|^acc\b/, /./]

/** The meaning of a heading. Joined words, such as `AccountCode`, are split. */
function headingMeaning(heading: string): ColumnMeaning | null {
  return meaningOfWords(heading) ?? meaningOfWords(heading.replace(/([a-z])([A-Z])/g, '$1 $2'))
}

function meaningOfWords(heading: string): ColumnMeaning | null {
  // The unit “thousands” is removed from a heading of amounts. `findScaleProblems` later refuses the file, naming the row of the headings.
  const text = normaliseHeading(heading).replace(/ (?:000s?|k)$/, '')
  // Columns of budgets, variances and shares such as `% spent` are not actuals.
  if (!text || /%/.test(heading) || /varian|remaining|available|forecast|outturn|percent|previous|last year|prior|annual/.test(text))
    return null
  if (/\bbudget\b/.test(text) && !/budget ?(code|heading|name|title|desc)|budget ?code ?filter/.test(text)) return null
  return meaningPatterns.find(([, words]) => words.test(text))?.[0] ?? null
}

const yearToDatePattern = /\bytd\b|year[ -]to[ -]date|cumulative|\bto date\b/i

const saysYearToDate = (text: string): boolean =>
  /\bytd\b|year to date|\b(?:this|current) year\b|cumulative|\bto date\b|\bclosing\b|\bc\/f(?:wd)?\b|carried forward/.test(
    normaliseHeading(text),
  )

/** Matches upper headings of columns that are not actuals of the month or year, in tables with two rows of headings. */
const notActualsPattern =
  /^(?:opening|brought forward|b ?\/? ?f(?:wd)?|prior(?: year)?|previous(?: (?:year|month))?|last (?:year|month)|comparatives?|(?:original |current |revised |annual |approved )*budget|variance|forecast)(?: balances?| actuals?| ytd| 20\d\d.*)?$/

/**
 * The rank of an amount column; the lowest is preferred: the month before the year to date, invoiced before paid. Null if the column is not
 * an amount.
 */
function rankAmountColumn(heading: string, above: string): number | null {
  const text = normaliseHeading(`${above} ${heading}`)
  if (notActualsPattern.test(normaliseHeading(above)) || /\bopening\b|brought forward|\bb ?\/? ?f(?:wd)?\b/.test(text)) return null
  return (saysYearToDate(text) ? 10 : 0) + (/\bpaid\b/.test(text) ? 2 : 0) + (/\bmovement|\bperiod\b|\bmonth\b/.test(text) ? 0 : 1)
}

const moneyMeanings: readonly (ColumnMeaning | null)[] = ['amount', 'debit', 'credit']

/** The meaning of each column, from its heading and the cells below; each meaning occurs once. @param headingRow from 1 */
function readColumns(
  cells: Cells,
  { headingRow, above }: { headingRow: number; above: readonly string[] },
): { columns: (ColumnMeaning | null)[]; isCumulative: boolean } {
  const headings = cells[headingRow - 1] ?? []
  const found = headings.map((heading, index): ColumnMeaning | null => {
    const meaning = findColumnMeaning(cells, headingRow, { index, heading })
    return meaning ?? (above[index] ? findColumnMeaning(cells, headingRow, { index, heading: `${above[index]} ${heading}`.trim() }) : null)
  })
  const fullHeadings = headings.map((heading, index) => `${above[index] ?? ''} ${heading}`)
  const columns = found.map((meaning, index): ColumnMeaning | null => {
    if (meaning === null) return null
    const same = found.flatMap((one, at) => (one === meaning ? [at] : []))
    if (moneyMeanings.includes(meaning)) {
      const fits = same.flatMap((at) => {
        const fit = rankAmountColumn(headings[at] ?? '', above[at] ?? '')
        return fit === null ? [] : [{ at, fit }]
      })
      return fits.sort((a, b) => a.fit - b.fit || a.at - b.at)[0]?.at === index ? meaning : null
    }
    if (meaning === 'account') {
      const rank = (at: number): number => accountPatterns.findIndex((words) => words.test(normaliseHeading(headings[at] ?? '')))
      return same.sort((a, b) => rank(a) - rank(b) || a - b)[0] === index ? meaning : null
    }
    return same[0] === index ? meaning : null
  })
  // Of two columns with similar headings, one is the code and the other is its name.
  const has = (meaning: ColumnMeaning): boolean => columns.includes(meaning)
  const change = (from: ColumnMeaning, to: ColumnMeaning | null): void => {
    const at = columns.indexOf(from)
    if (at >= 0) columns[at] = to
  }
  for (const [index, meaning] of found.entries()) {
    if (meaning !== 'account' || columns[index]) continue
    // In a file with A/C and N/C, the nominal code (N/C) is the account, and A/C is the customer or supplier.
    if (/^a\/c$|^account ref/.test(normaliseHeading(headings[index] ?? '')) && !has('supplier')) columns[index] = 'supplier'
    else if (!has('accountName') && normaliseHeading(headings[index] ?? '') === 'account') columns[index] = 'accountName'
  }
  if (!has('date') && !has('accountName') && has('details')) change('details', 'accountName')
  if (!has('account') && has('accountName')) change('accountName', 'account')
  // Some programs print the column of accounts without a heading.
  if (!has('account') && !headings[0]?.trim() && areCodesBelow(cells, headingRow)) columns[0] = 'account'
  // In a file with one column for each month, one of them contains the amounts; `selectMonthColumn` chooses it.
  const [month] = findMonthColumns(cells, headingRow)
  const sums = columns.flatMap((meaning, index) => (moneyMeanings.includes(meaning) ? [index] : []))
  if (
    month !== undefined &&
    sums.every((index) => /\b(?:total|ytd|to date|cumulative)\b/.test(normaliseHeading(assertDefined(fullHeadings[index]))))
  ) {
    for (const index of sums) columns[index] = null
    columns[month] = 'amount'
  }
  // A total of debits and credits must not be added to them.
  if (has('debit') && has('credit')) change('amount', null)
  else if (has('amount')) {
    change('debit', null)
    change('credit', null)
  }
  // A debit or credit indicator next to the amount may have no heading.
  if (has('amount') && !has('sign')) {
    const side = headings.findIndex((_heading, index) => !columns[index] && containsSides(cells, headingRow, index))
    if (side >= 0) columns[side] = 'sign'
  }
  if (!has('amount')) change('sign', null)
  const amounts = columns.flatMap((meaning, index) => (meaning === 'amount' || meaning === 'debit' ? [index] : []))
  return {
    columns,
    isCumulative: amounts.length > 0 && amounts.every((index) => saysYearToDate(assertDefined(fullHeadings[index]))),
  }
}

/**
 * In a file with one column for each month, marks the column of the given month as the amount. Otherwise returns the columns unchanged.
 * @param month with `startMonth`, the month in which budget years begin, which is period 1
 */
export function selectMonthColumn(
  cells: Cells,
  { headingRow, columns }: Pick<LedgerTable, 'headingRow' | 'columns'>,
  { startMonth, ...month }: CalendarMonth & { startMonth: number },
): (ColumnMeaning | null)[] {
  const across = findMonthColumns(cells, headingRow)
  const fitting = across.filter((column) => headingMatchesMonth(cells[headingRow - 1]?.[column] ?? '', month, startMonth))
  if (fitting.length !== 1 || !across.some((column) => columns[column] === 'amount')) return [...columns]
  return columns.map((meaning, column) => (column === fitting[0] ? 'amount' : meaning === 'amount' ? null : meaning))
}

/**
 * Whether the first text and most texts of the first column begin with a code. If the first text does not, it may be in a second row of
 * headings.
 */
function areCodesBelow(cells: Cells, headingRow: number): boolean {
  const texts = cells.slice(headingRow).flatMap((line) => line[0]?.trim() || [])
  const isCode = (text: string | undefined): boolean => /^[A-Z]{0,4}\d{2,}\S*(?:\s|$)/i.test(text ?? '')
  return isCode(cells[headingRow]?.[0]) && texts.filter(isCode).length * 2 > texts.length
}

/** Whether the cells of a column say which rows are actuals and which are budgets or commitments, whatever the heading. */
function distinguishesActuals(cells: Cells, headingRow: number, column: number): boolean {
  const words = new Set(cells.slice(headingRow).map((line) => (line[column] ?? '').trim().toLowerCase()))
  words.delete('')
  const isKind = (word: string): boolean =>
    /^(?:actuals?|budgets?|forecasts?|commitments?|committed|accruals?|(?:prior|last) year)$/.test(word)
  return words.size > 1 && [...words].some((word) => /^actuals?$/.test(word)) && [...words].every(isKind)
}

/** The meaning of a column from its heading, if the cells below confirm it. */
function findColumnMeaning(cells: Cells, headingRow: number, { index, heading }: { index: number; heading: string }): ColumnMeaning | null {
  const meaning = headingMeaning(heading) ?? (distinguishesActuals(cells, headingRow, index) ? 'type' : null)
  const isEmpty = (): boolean => cells.slice(headingRow).every((line) => !line[index]?.trim())
  if (meaning === 'sign') {
    // A column of debit and credit marks may contain other texts, which are reported with their rows. A column that contains only dashes is
    // a column of zeros.
    if (containsSides(cells, headingRow, index)) return 'sign'
    if (isMoneyColumn(cells, headingRow, index) === 'yes') return 'amount'
    return cells.slice(headingRow).some((line) => /[a-z\d]/i.test(line[index] ?? '')) ? 'sign' : null
  }
  if (meaning === 'type') {
    if (containsSides(cells, headingRow, index) || containsTransactionTypes(cells, headingRow, index)) return 'sign'
    const isNamed = cells.slice(headingRow).some((line) => /^(?:actual|commitment)s?$/i.test((line[index] ?? '').trim()))
    return isNamed || distinguishesActuals(cells, headingRow, index) || isEmpty() ? 'type' : null
  }
  if (meaning === 'period' || meaning === 'year')
    return containsPeriods(cells, { headingRow, column: index, isYear: meaning === 'year' }) ||
      containsUnknownPeriods(cells, headingRow, index)
      ? meaning
      : null
  return meaning
}

/** The layout of a file with these columns; null if it has no amount or no code. */
export function detectLedgerLayout(columns: readonly (ColumnMeaning | null)[]): LedgerLayout | null {
  const has = (meaning: ColumnMeaning): boolean => columns.includes(meaning)
  const hasAmount = has('amount') || (has('debit') && has('credit'))
  if (!has('account') || (!hasAmount && !has('commitment'))) return null
  if (has('type') && has('location') && has('amount')) return 'template'
  if (has('date')) return 'transactions'
  return has('debit') && has('credit') ? 'trialBalance' : 'budgetReport'
}

/**
 * Finds the table of a file: its headings below any titles, the meaning of its columns, its layout, its month, and whether it is year to
 * date.
 * @returns null if no row looks like headings
 */
export function findLedgerTable(cells: Cells): DetectedLedgerTable | null {
  const best = findHeadings(cells, (_headings, above, row) => {
    const found = readColumns(cells, { headingRow: row + 1, above })
    const layout = detectLedgerLayout(found.columns)
    return layout && { score: found.columns.filter(Boolean).length, ...found, layout }
  })
  return best && buildLedgerTable(cells, best.headingRow, best)
}

/** Builds the table from a heading row and columns that a user chose. */
export function buildLedgerTable(
  cells: Cells,
  headingRow: number,
  { columns, layout, isCumulative }: { columns: (ColumnMeaning | null)[]; layout: LedgerLayout; isCumulative: boolean },
): DetectedLedgerTable {
  const { titles, month, doubt } = readTitles(cells, headingRow)
  // If there are two heading rows, the upper one applies only to the columns below it.
  const headingTexts = (cells[headingRow - 1] ?? []).map(normaliseHeading).filter(Boolean)
  const isGroup = new Set(headingTexts).size < headingTexts.length && (cells[headingRow - 2] ?? []).filter((cell) => cell.trim()).length > 1
  const words = (isGroup ? titles.slice(0, -1) : titles).join(' ')
  return {
    layout,
    headingRow,
    columns,
    headings: readHeadings(cells, headingRow),
    titles,
    month,
    doubt,
    // A trial balance at a given day contains balances, not the movements of the month.
    isCumulative:
      isCumulative ||
      (layout !== 'transactions' && (yearToDatePattern.test(words) || (month !== null && namesSeveralMonths(month.value)))) ||
      (layout === 'trialBalance' && !areAmountsOfPeriod(cells, headingRow, columns) && /\bas (?:at|of)\b/i.test(words)),
  }
}

/** Whether the headings of debits or amounts refer to the month only, not to the year to date. */
function areAmountsOfPeriod(cells: Cells, headingRow: number, columns: readonly (ColumnMeaning | null)[]): boolean {
  // If there are two heading rows, the upper one names groups of columns.
  return [headingRow - 1, headingRow - 2].some((row) =>
    (cells[row] ?? []).some(
      (heading, index) =>
        /\b(?:movement|period|month)\b/i.test(heading) &&
        (row === headingRow - 2 || columns[index] === 'debit' || columns[index] === 'amount'),
    ),
  )
}

/**
 * The first and last month of the dates in a list of transactions; null if it has no dates. In a list for the year to date, the last month
 * is the month of the file.
 */
function findDateRange(cells: Cells, table: LedgerTable): { first: CalendarMonth; last: CalendarMonth } | null {
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

/**
 * Returns functions that read the month of each row from the period and year columns; null if the file has neither column.
 * @param startMonth month in which budget years begin
 */
export function createLedgerPeriodReader(
  cells: Cells,
  table: LedgerTable,
  startMonth: number,
): ReturnType<typeof createPeriodReader> | null {
  const [period, year] = [table.columns.indexOf('period'), table.columns.indexOf('year')]
  if (period < 0 && year < 0) return null
  const isMonth = /month|mth/i.test(cells[table.headingRow - 1]?.[period] ?? '')
  return createPeriodReader(cells, table.headingRow, { period, year, isMonth, startMonth })
}

export function areAmountsYearToDate({ headings, columns }: DetectedLedgerTable): boolean {
  const at = columns.findIndex((meaning) => meaning === 'amount' || meaning === 'debit')
  return saysYearToDate(headings[at] ?? '')
}

/** Determines whether each row is a debit or a credit, if the file has a column for it. */
export function readLedgerSides(cells: Cells, { headingRow, columns }: LedgerTable): ReturnType<typeof readRowSides> {
  const amounts = columns.flatMap((meaning, index) => (meaning === 'amount' ? [index] : []))
  return readRowSides(cells, { headingRow, column: columns.indexOf('sign'), amounts })
}

/** The last month that the rows name unambiguously. */
function findLastPeriodMonth(cells: Cells, table: LedgerTable, startMonth: number): CalendarMonth | null {
  const periods = createLedgerPeriodReader(cells, table, startMonth)
  if (!periods) return null
  const monthIndexes = cells.slice(table.headingRow).flatMap((line) => {
    const found = periods.read(line)
    // `202709` is September 2027 in some ledgers and period 9 in others, so it is ignored here.
    return found?.month && !/^20\d{4}$/.test(found.words) ? [toMonthIndex(found.month)] : []
  })
  return monthIndexes.length ? fromMonthIndex(monthIndexes.reduce((last, one) => Math.max(last, one))) : null
}

/**
 * Finds the month of a file; null if the file does not name it.
 * @param startMonth month in which budget years begin
 */
export function findLedgerMonth(cells: Cells, table: DetectedLedgerTable, startMonth: number): CalendarMonth | null {
  if (table.month) return toCalendarMonth(table.month.said, startMonth)
  return findLastPeriodMonth(cells, table, startMonth) ?? findDateRange(cells, table)?.last ?? null
}

/**
 * Whether a file's amounts are year to date. They are if the file says so, or if its dates cover several months.
 * @param learned what earlier files were; in a list of transactions, the dates take precedence
 */
export function isLedgerYearToDate(cells: Cells, table: DetectedLedgerTable, learned: boolean | undefined): boolean {
  const dates = findDateRange(cells, table)
  if (dates) return toMonthIndex(dates.first) !== toMonthIndex(dates.last)
  // A trial balance at a given day is year to date, even if earlier files were not.
  return table.isCumulative || (learned ?? false)
}
