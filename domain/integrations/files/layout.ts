import { addMonths, firstDayOfMonth, type IsoDate, toIsoDate } from '../../values/calendar.ts'
import { keysOf } from '../../values/keysOf.ts'
import type { Pennies } from '../../values/units.ts'

/** What can stand in a column of a file that a ledger takes in. */
export const cellMeanings = {
  account: 'Budget code',
  accountName: 'Description of the budget code',
  costCentre: 'Cost centre',
  fund: 'Fund code',
  location: 'Location',
  date: 'Date: the last day of the month',
  period: 'Month of the budget year, 1 to 12',
  year: 'Budget year, as 2026/27',
  narration: 'What the file is, the year and the month',
  reference: 'Budget year and month, as 2026-01',
  amount: 'Amount: debits positive, credits negative',
  debit: 'Debit, empty for a credit',
  credit: 'Credit, empty for a debit',
  absolute: 'Amount without its sign',
  usual: 'Amount: what is usual for the code is positive',
  journalType: 'JD for a debit, JC for a credit',
  incExp: 'Inc for income, Exp for expenditure',
  months: 'Twelve columns, a month each: what is usual for the code is positive',
  text: 'The same words in every row',
} as const

export type CellMeaning = keyof typeof cellMeanings
export const cellMeaningNames = keysOf(cellMeanings)

export interface LayoutColumn {
  /** What stands above it, where the file has headings. */
  heading: string
  meaning: CellMeaning
  /** The words of a column that has the same in every row. */
  text: string
}

/** How a file is written that another system takes in. */
export interface FileLayout {
  columns: LayoutColumn[]
  hasHeadings: boolean
  /** A row for each coding and month, or for each coding with the sum of its months. */
  rowsBy: 'month' | 'year'
  dates: 'dd/mm/yyyy' | 'yyyy-mm-dd'
  /** The account on which a journal is brought to nothing, a row for each date; empty: it is not. */
  balanceAccount: string
  /** The account of the apprenticeship levy, which stands on no budget code; empty: there is none. */
  levyAccount: string
  /** The most rows that the other system takes at once; null: as many as there are. */
  mostRows: number | null
}

/** What a budget posts to one coding; twelve months in whole pennies, positive for what is usual for the code. */
export interface CodedLine {
  location: string
  /** Null: the apprenticeship levy. */
  account: { code: string; description: string; isIncome: boolean } | null
  costCentre: string
  fund: string
  /** Null where a month could not be calculated. */
  months: readonly (number | null)[]
}

/** Which money a file is of. */
export interface FileAsked {
  /** What it is called in its own rows. */
  title: string
  /** The budget year by its name, and the calendar month, 1 to 12, with which it begins. */
  year: string
  startMonth: number
  /** Months of the budget year, 1 to 12, both included. */
  from: number
  to: number
}

/** A file as it would be written, and what stands in its way. */
export interface LaidOut {
  headings: string[]
  rows: string[][]
  /** Whole pennies of all rows but those that bring the journal to nothing. */
  debits: Pennies
  credits: number
  problems: string[]
}

/** A row before it is written: debits positive, whole pennies. */
interface Post {
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

const pounds = (pennies: Pennies): string =>
  `${pennies < 0 ? '-' : ''}${Math.floor(Math.abs(pennies) / 100)}.${String(Math.abs(pennies) % 100).padStart(2, '0')}`

/** The last day of a month of a budget year. */
function dateOf({ year, startMonth }: FileAsked, period: number): IsoDate {
  return toIsoDate(addMonths(firstDayOfMonth(Number(year.slice(0, 4)), startMonth), period) - 1)
}

function written(date: IsoDate, dates: FileLayout['dates']): string {
  return dates === 'dd/mm/yyyy' ? date.split('-').reverse().join('/') : date
}

const usual = ({ isIncome }: Pick<Post, 'isIncome'>, pennies: Pennies): string => pounds(isIncome && pennies ? -pennies : pennies)

function cellsOf(post: Post, { column, layout, asked }: { column: LayoutColumn; layout: FileLayout; asked: FileAsked }): string[] {
  const { pennies, period, isIncome } = post
  const date = dateOf(asked, period)
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
      return [written(date, layout.dates)]
    case 'period':
      return [String(period)]
    case 'year':
      return [asked.year]
    case 'narration':
      return [`${asked.title} ${asked.year}${layout.rowsBy === 'month' ? ` month ${period}` : ''}`]
    case 'reference':
      return [`${asked.year.slice(0, 4)}-${String(period).padStart(2, '0')}`]
    case 'amount':
      return [pounds(pennies)]
    case 'debit':
      return [pennies > 0 ? pounds(pennies) : '']
    case 'credit':
      return [pennies < 0 ? pounds(-pennies) : '']
    case 'absolute':
      return [pounds(Math.abs(pennies))]
    case 'usual':
      return [usual(post, pennies)]
    case 'journalType':
      return [pennies < 0 ? 'JC' : 'JD']
    case 'incExp':
      return [isIncome ? 'Inc' : 'Exp']
    case 'months':
      return post.months.map((month) => usual(post, month))
    case 'text':
      return [column.text]
  }
}

/** Rows that bring each date of a journal to nothing. */
function balancing(posts: readonly Post[], account: string): Post[] {
  const sums = new Map<number, number>()
  for (const { period, pennies } of posts) sums.set(period, (sums.get(period) ?? 0) + pennies)
  return [...sums]
    .filter(([, sum]) => sum !== 0)
    .map(([period, sum]) => ({
      location: '',
      account,
      accountName: 'Balance of the journal',
      isIncome: sum > 0,
      costCentre: '',
      fund: '',
      period,
      pennies: -sum,
      months: Array.from({ length: 12 }, () => 0),
    }))
}

/** What of a line is not known in the months that are asked for. */
const gaps = ({ months }: CodedLine, { from, to }: FileAsked): number => months.slice(from - 1, to).filter((month) => month === null).length

/**
 * Writes a budget as another system takes it in: what is spent is a debit, what comes in a credit. Rows of nothing are left out. Nothing is
 * written around what is not known: where a figure could not be calculated, or has no account, that is a problem and the file is not whole.
 */
export function layOut(lines: readonly CodedLine[], layout: FileLayout, asked: FileAsked): LaidOut {
  const { from, to } = asked
  const problems: string[] = []
  const missing = lines.reduce((sum, line) => sum + gaps(line, asked), 0)
  if (missing)
    problems.push(
      `${missing} monthly ${missing === 1 ? 'figure' : 'figures'} could not be calculated. Mend what Checks says of ${missing === 1 ? 'it' : 'them'}, and recalculate.`,
    )
  const isLevyHeld = !layout.levyAccount && lines.some(({ account, months }) => !account && months.slice(from - 1, to).some(Boolean))
  if (isLevyHeld) problems.push('The apprenticeship levy stands on no budget code. Give the layout an account for it.')
  const posts = lines.flatMap(({ account, months, ...coding }): Post[] => {
    const isIncome = account?.isIncome ?? false
    const signed = months.map((month, index) => (index + 1 < from || index + 1 > to ? 0 : (month ?? 0) * (isIncome ? -1 : 1)))
    const own = {
      ...coding,
      account: account?.code ?? layout.levyAccount,
      accountName: account?.description ?? 'Apprenticeship levy',
      isIncome,
    }
    if (layout.rowsBy === 'year') {
      const sum = signed.reduce((all, month) => all + month, 0)
      return signed.some(Boolean) ? [{ ...own, period: to, pennies: sum, months: signed }] : []
    }
    return signed.flatMap((pennies, index) => (pennies ? [{ ...own, period: index + 1, pennies, months: signed }] : []))
  })
  posts.sort(
    (a, b) =>
      a.period - b.period ||
      compare(a.location, b.location) ||
      compare(a.account, b.account) ||
      compare(a.costCentre, b.costCentre) ||
      compare(a.fund, b.fund),
  )
  const all = layout.balanceAccount ? [...posts, ...balancing(posts, layout.balanceAccount)].sort((a, b) => a.period - b.period) : posts
  if (layout.mostRows !== null && all.length > layout.mostRows)
    problems.push(`The file has ${all.length} rows, and the other system takes ${layout.mostRows}. Choose fewer months or locations.`)
  return {
    headings: layout.hasHeadings ? layout.columns.flatMap((column) => headingsOf(column, asked)) : [],
    rows: all.map((post) => layout.columns.flatMap((column) => cellsOf(post, { column, layout, asked }))),
    debits: sumOf(posts.filter(({ pennies }) => pennies > 0)),
    credits: -sumOf(posts.filter(({ pennies }) => pennies < 0)),
    problems,
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const sumOf = (posts: readonly Post[]): number => posts.reduce((sum, { pennies }) => sum + pennies, 0)

function headingsOf({ heading, meaning }: LayoutColumn, asked: FileAsked): string[] {
  if (meaning !== 'months') return [heading]
  return Array.from({ length: 12 }, (_unused, index) => `${heading} ${dateOf(asked, index + 1).slice(0, 7)}`.trim())
}

/** What stands in the way of a layout, a sentence at its field. */
export function layoutProblems({ columns }: FileLayout): { field: string; message: string }[] {
  const money: readonly CellMeaning[] = ['amount', 'debit', 'credit', 'absolute', 'usual', 'months']
  if (!columns.some(({ meaning }) => meaning === 'account')) return [{ field: 'columns', message: 'One column must be the budget code.' }]
  if (!columns.some(({ meaning }) => money.includes(meaning))) return [{ field: 'columns', message: 'One column must be an amount.' }]
  const has = (meaning: CellMeaning): boolean => columns.some((column) => column.meaning === meaning)
  if (has('debit') !== has('credit')) return [{ field: 'columns', message: 'Debit and credit stand in two columns: add the other one.' }]
  if (has('absolute') && !has('journalType') && !has('incExp'))
    return [{ field: 'columns', message: 'An amount without its sign needs a column that says which side it is on.' }]
  return []
}
