import { addMonths, firstDayOfMonth, type IsoDate, toIsoDate } from '../../values/calendar.ts'
import { displayCount, displayNumber } from '../../values/format.ts'
import { keysOf } from '../../values/keysOf.ts'
import type { Pennies } from '../../values/units.ts'

export const cellMeanings = {
  account: 'Budget code',
  accountName: 'Description of the budget code',
  costCentre: 'Cost centre',
  fund: 'Fund code',
  location: 'Location',
  date: 'Date: the last day of the month',
  period: 'Month of the budget year, 1 to 12',
  year: 'Budget year, as 2026/27',
  narration: 'File title, year and month',
  reference: 'Budget year and month, as 2026-01',
  amount: 'Amount: debits positive, credits negative',
  debit: 'Debit, empty for a credit',
  credit: 'Credit, empty for a debit',
  absolute: 'Amount without its sign',
  usual: 'Amount: positive where usual for the code',
  journalType: 'JD for a debit, JC for a credit',
  incExp: 'Inc for income, Exp for expenditure',
  months: 'Twelve columns, one for each month: positive where usual for the code',
  text: 'The same text in every row',
} as const

export type CellMeaning = keyof typeof cellMeanings
export const cellMeaningNames = keysOf(cellMeanings)

export interface LayoutColumn {
  heading: string
  meaning: CellMeaning
  /** For a column with the meaning `text`: the text in every row. */
  text: string
}

export interface FileLayout {
  columns: LayoutColumn[]
  hasHeadings: boolean
  /** Whether a coding has a row for each month, or one row with the sum of its months. */
  rowsBy: 'month' | 'year'
  dates: 'dd/mm/yyyy' | 'yyyy-mm-dd'
  /** The account of the rows that balance a journal, one for each date; empty if the journal is not balanced. */
  balanceAccount: string
  /** The account of the apprenticeship levy, which has no budget code; empty if there is none. */
  levyAccount: string
  /** The most rows that the other system accepts; null if unlimited. */
  mostRows: number | null
}

/** The budget for one coding: twelve months in whole pennies, positive for income on an income code and for expenditure on others. */
export interface CodedLine {
  location: string
  /** Null for the apprenticeship levy. */
  account: { code: string; description: string; isIncome: boolean } | null
  costCentre: string
  fund: string
  /** Null for a month that could not be calculated. */
  months: readonly (number | null)[]
}

export interface FileScope {
  /** Title used in the file's rows. */
  title: string
  /** The name of the budget year, and the calendar month in which it begins, 1 to 12. */
  year: string
  startMonth: number
  /** Months of the budget year, 1 to 12, inclusive. */
  from: number
  to: number
}

export interface FileContents {
  headings: string[]
  rows: string[][]
  /** Whole pennies of all rows except balancing rows. */
  debits: Pennies
  credits: number
  problems: string[]
}

/** A row before formatting: debits positive, whole pennies. */
interface FileRow {
  location: string
  account: string
  accountName: string
  isIncome: boolean
  costCentre: string
  fund: string
  period: number
  pennies: Pennies
  months: readonly number[]
}

const formatPounds = (pennies: Pennies): string =>
  `${pennies < 0 ? '-' : ''}${Math.floor(Math.abs(pennies) / 100)}.${String(Math.abs(pennies) % 100).padStart(2, '0')}`

/** Last day of a period of the budget year. */
function lastDayOfPeriod({ year, startMonth }: FileScope, period: number): IsoDate {
  return toIsoDate(addMonths(firstDayOfMonth(Number(year.slice(0, 4)), startMonth), period) - 1)
}

function formatDate(date: IsoDate, dates: FileLayout['dates']): string {
  return dates === 'dd/mm/yyyy' ? date.split('-').reverse().join('/') : date
}

const formatUsualSign = ({ isIncome }: Pick<FileRow, 'isIncome'>, pennies: Pennies): string =>
  formatPounds(isIncome && pennies ? -pennies : pennies)

function buildCells(post: FileRow, { column, layout, scope }: { column: LayoutColumn; layout: FileLayout; scope: FileScope }): string[] {
  const { pennies, period, isIncome } = post
  const date = lastDayOfPeriod(scope, period)
  switch (column.meaning) {
    case 'account':
      return [post.account]
    case 'accountName':
      return [post.accountName]
    case 'costCentre':
      return [post.costCentre]
    case 'fund':
      return [post.fund]
    case 'location':
      return [post.location]
    case 'date':
      return [formatDate(date, layout.dates)]
    case 'period':
      return [String(period)]
    case 'year':
      return [scope.year]
    case 'narration':
      return [`${scope.title} ${scope.year}${layout.rowsBy === 'month' ? ` month ${period}` : ''}`]
    case 'reference':
      return [`${scope.year.slice(0, 4)}-${String(period).padStart(2, '0')}`]
    case 'amount':
      return [formatPounds(pennies)]
    case 'debit':
      return [pennies > 0 ? formatPounds(pennies) : '']
    case 'credit':
      return [pennies < 0 ? formatPounds(-pennies) : '']
    case 'absolute':
      return [formatPounds(Math.abs(pennies))]
    case 'usual':
      return [formatUsualSign(post, pennies)]
    case 'journalType':
      return [pennies < 0 ? 'JC' : 'JD']
    case 'incExp':
      return [isIncome ? 'Inc' : 'Exp']
    case 'months':
      return post.months.map((month) => formatUsualSign(post, month))
    case 'text':
      return [column.text]
  }
}

/** Rows that balance a journal at each date. */
function buildBalancingRows(posts: readonly FileRow[], account: string): FileRow[] {
  const sums = new Map<number, number>()
  for (const { period, pennies } of posts) sums.set(period, (sums.get(period) ?? 0) + pennies)
  return [...sums]
    .filter(([, sum]) => sum !== 0)
    .map(([period, sum]) => ({
      location: '',
      account,
      accountName: 'Balancing line',
      isIncome: sum > 0,
      costCentre: '',
      fund: '',
      period,
      pennies: -sum,
      months: Array.from({ length: 12 }, () => 0),
    }))
}

/** Counts the months in the file's range that could not be calculated. */
const countMissingMonths = ({ months }: CodedLine, { from, to }: FileScope): number =>
  months.slice(from - 1, to).filter((month) => month === null).length

/**
 * Builds a budget file for another system. Expenditure is a debit, income a credit. Rows of zero are left out. A figure that could not be
 * calculated or has no account is reported as a problem and left out of the file.
 */
export function buildBudgetFile(lines: readonly CodedLine[], layout: FileLayout, scope: FileScope): FileContents {
  const { from, to } = scope
  const problems: string[] = []
  const missing = lines.reduce((sum, line) => sum + countMissingMonths(line, scope), 0)
  if (missing)
    problems.push(
      `${displayCount(missing, 'monthly figure')} could not be calculated. Correct the problems listed under Checks, and recalculate.`,
    )
  const isLevyHeld = !layout.levyAccount && lines.some(({ account, months }) => !account && months.slice(from - 1, to).some(Boolean))
  if (isLevyHeld) problems.push('The apprenticeship levy has no budget code. Enter an account for it in the layout.')
  const posts = lines.flatMap(({ account, months, ...coding }): FileRow[] => {
    const isIncome = account?.isIncome ?? false
    const signed = months.map((month, index) => (index + 1 < from || index + 1 > to ? 0 : (month ?? 0) * (isIncome ? -1 : 1)))
    const rowCoding = {
      ...coding,
      account: account?.code ?? layout.levyAccount,
      accountName: account?.description ?? 'Apprenticeship levy',
      isIncome,
    }
    if (layout.rowsBy === 'year') {
      const sum = signed.reduce((all, month) => all + month, 0)
      return signed.some(Boolean) ? [{ ...rowCoding, period: to, pennies: sum, months: signed }] : []
    }
    return signed.flatMap((pennies, index) => (pennies ? [{ ...rowCoding, period: index + 1, pennies, months: signed }] : []))
  })
  posts.sort(
    (a, b) =>
      a.period - b.period ||
      compare(a.location, b.location) ||
      compare(a.account, b.account) ||
      compare(a.costCentre, b.costCentre) ||
      compare(a.fund, b.fund),
  )
  const all = layout.balanceAccount
    ? [...posts, ...buildBalancingRows(posts, layout.balanceAccount)].sort((a, b) => a.period - b.period)
    : posts
  if (layout.mostRows !== null && all.length > layout.mostRows)
    problems.push(
      `The file has ${displayCount(all.length, 'row')}, and the other system accepts ${displayNumber(layout.mostRows)}. Choose fewer months or locations.`,
    )
  return {
    headings: layout.hasHeadings ? layout.columns.flatMap((column) => buildHeadings(column, scope)) : [],
    rows: all.map((post) => layout.columns.flatMap((column) => buildCells(post, { column, layout, scope }))),
    debits: sumOf(posts.filter(({ pennies }) => pennies > 0)),
    credits: -sumOf(posts.filter(({ pennies }) => pennies < 0)),
    problems,
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const sumOf = (posts: readonly FileRow[]): number => posts.reduce((sum, { pennies }) => sum + pennies, 0)

function buildHeadings({ heading, meaning }: LayoutColumn, scope: FileScope): string[] {
  if (meaning !== 'months') return [heading]
  return Array.from({ length: 12 }, (_unused, index) => `${heading} ${lastDayOfPeriod(scope, index + 1).slice(0, 7)}`.trim())
}

export function findLayoutProblems({ columns }: FileLayout): { field: string; message: string }[] {
  const money: readonly CellMeaning[] = ['amount', 'debit', 'credit', 'absolute', 'usual', 'months']
  if (!columns.some(({ meaning }) => meaning === 'account')) return [{ field: 'columns', message: 'One column must be the budget code.' }]
  if (!columns.some(({ meaning }) => money.includes(meaning))) return [{ field: 'columns', message: 'One column must be an amount.' }]
  const has = (meaning: CellMeaning): boolean => columns.some((column) => column.meaning === meaning)
  if (has('debit') !== has('credit')) return [{ field: 'columns', message: 'Debit and credit need a column each: add the other one.' }]
  if (has('absolute') && !has('journalType') && !has('incExp'))
    return [
      {
        field: 'columns',
        message: 'An amount without its sign needs a column that says whether it is a debit or credit, or income or expenditure.',
      },
    ]
  return []
}
