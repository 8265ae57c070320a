import { displayMoney } from '../values/format.ts'
import type { Pennies } from '../values/units.ts'
import { readAmount } from './cells.ts'
import { type Cells, normaliseHeading } from './headings.ts'
import { isMoneyColumn, isMostlyPrintedMoney, isPrintedMoney, isQuantityHeading } from './money.ts'
import { findMonthColumns } from './periods.ts'
import { isTotalOfOtherTable, type RowKind } from './table.ts'

/** Money in a file that is not imported: in a column, a row, or a block of rows. */
export interface UnimportedMoney {
  /** The row, or the first of several; null for a whole column. */
  row: number | null
  column: string | null
  /** The code and name in the first row. */
  words: string
  /** The number of cells that contain the money. */
  cells: number
  /** Whole pennies. */
  value: Pennies
  reason: string
  /**
   * Whether a heading makes clear that the money is not to be imported, or the user left it out. If not, the user has to confirm that it is
   * left out.
   */
  isPlain: boolean
}

/** How the reader classified a row, with the reason if the row is not imported. */
interface RowClassification {
  kind: RowKind
  sign: 1 | -1
  reason: string
}

/**
 * Creates the initial classification of a row.
 * @param title of the other table to which the row belongs; empty if it belongs to the imported table
 */
export const createRowClassification = (kind: RowKind, title: string): RowClassification => ({
  kind,
  sign: 1,
  reason: title ? `${title} is another table, so it is not counted.` : '',
})

/** How a reader interpreted a file: the classification of every row below the headings, and the columns of amounts. */
export interface InterpretedTable {
  headingRow: number
  headings: readonly string[]
  /** By column: 1 for amounts and debits, −1 for credits, 0 for other columns that are read, null for columns that are not read. */
  factors: readonly (1 | -1 | 0 | null)[]
  /** The classification of each row below the headings. */
  classifications: readonly RowClassification[]
}

/** The money in all cells of a file, in whole pennies (debits less credits), by what the import does with it. */
export interface FileMoney {
  /** The sum of all cells. */
  file: Pennies
  /** The sum of cells that were read as amounts of rows. */
  read: Pennies
  /** The file's own totals. */
  totals: Pennies
  notImported: UnimportedMoney[]
}

const addsUp = 'It adds up other columns.'

/**
 * Patterns of headings over money that is clearly not an actual cost of the month (sums of other columns, plans, comparisons), each with
 * the reason.
 */
const exclusionReasons: [RegExp, string][] = [
  [/\b(?:budgets?|forecasts?|outturn|estimates?|profile)\b/, 'It holds a budget, not spending.'],
  [/\b(?:varian\w*|remaining|available|difference|unspent)\b/, 'It holds a difference, not spending.'],
  [/\b(?:prior|previous|last|preceding) (?:year|month|period)\b/, 'It is for another month or year.'],
  [/\b(?:total|totals|gross)\b/, addsUp],
  [/\b(?:net pay|net|balances?)\b/, 'It adds or subtracts other columns.'],
  [/\b(?:ytd|to date|cumulative|opening|closing|brought forward|carried forward|[bc] ?\/? ?f(?:wd)?)\b/, 'It covers more than the month.'],
  [/\b(?:vat|tax)\b/, 'It holds tax, which is not a separate cost here.'],
  [/\b(?:hours?|hrs|rates?|fte|days|weeks|units?|percent)\b/, 'It holds numbers or prices, not pay.'],
]

/** The most columns among which the parts of a total are searched. In a wider table, the user has to confirm that the total is left out. */
const maximumSummedColumns = 60

/** Facts about the table, determined once for all its columns. */
interface TableFacts {
  /** The columns of a table with one column a month. */
  months: readonly number[]
  /** The columns that hold money. */
  money: readonly number[]
}

/** The reason why a column is clearly not to be imported; null if the user has to confirm that it is left out. */
function findExclusionReason(
  cells: Cells,
  table: InterpretedTable,
  { column, heading, looked: { months, money: holding } }: { column: number; heading: string; looked: TableFacts },
): string | null {
  if (months.includes(column) && months.some((at) => table.factors[at] === 1)) return 'It is for another month.'
  const text = normaliseHeading(heading)
  const fits = ([words, reason]: (typeof exclusionReasons)[number]): boolean =>
    words.test(text) && (reason !== addsUp || isSumOfOthers(cells, table, { column, holding }))
  return exclusionReasons.find(fits)?.[1] ?? null
}

/**
 * Whether each row's amount in a column is the sum of neighbouring columns. A column called gross is never treated as a sum, because it may
 * be the only pay in the file.
 */
function isSumOfOthers(
  cells: Cells,
  { headingRow, classifications }: InterpretedTable,
  { column, holding }: { column: number; holding: readonly number[] },
): boolean {
  const columns = holding.filter((at) => at !== column)
  if (columns.length > maximumSummedColumns) return false
  let spans: [number, number][] | null = null
  for (const [at, fate] of classifications.entries()) {
    const line = cells[headingRow + at] ?? []
    const said = penniesIn(line[column] ?? '')
    if (fate.kind !== 'line' || !said) continue
    const running = [0]
    for (const one of columns) running.push((running.at(-1) ?? 0) + penniesIn(line[one] ?? ''))
    const comesTo = (from: number, to: number): boolean => (running[to] ?? 0) - (running[from] ?? 0) === said
    spans = (
      spans ?? columns.flatMap((_one, from) => columns.slice(from).map((_other, more): [number, number] => [from, from + more + 1]))
    ).filter(([from, to]) => comesTo(from, to))
    if (!spans.length) return false
  }
  return true
}

/**
 * Adds up every cell of a file that looks like money and records what the import does with each. The importer's own sums are not used,
 * because this check is independent of them.
 * @param cells all cells of the file, including unused columns
 */
export function sumFileMoney(cells: Cells, table: InterpretedTable): FileMoney {
  const { headingRow, factors } = table
  const sums: FileMoney = { file: 0, read: 0, totals: 0, notImported: [] }
  const add = (one: Omit<UnimportedMoney, 'cells'>): void => {
    sums.file += one.value
    sums.notImported.push({ ...one, cells: 1 })
  }
  const width = cells.reduce((most, line) => Math.max(most, line.length), 0)
  const headingOf = (column: number): string => table.headings[column]?.trim() || `Column ${column + 1}`
  const unused = Array.from({ length: width }, (_unused, column) =>
    (factors[column] ?? null) === null && isMoneyColumn(cells, headingRow, column) !== 'no' ? { cells: 0, value: 0 } : null,
  )
  const codes = factors.map((factor, column) => factor === 0 && isMostlyPrintedMoney(cells, headingRow, column))
  const blocks = new Map<string, UnimportedMoney>()
  const rowsLeftOut = new Map<number, UnimportedMoney>()
  cells.forEach((line, index) => {
    const row = index + 1
    if (row === headingRow) return
    const fate = table.classifications[row - headingRow - 1]
    line.forEach((cell, column) => {
      if (!cell.trim()) return
      const factor = factors[column] ?? null
      const own = unused[column]
      if (row < headingRow) {
        if (isPrintedMoney(cell))
          add({ row, column: headingOf(column), words: '', value: penniesIn(cell), reason: 'It is above the headings.', isPlain: true })
        return
      }
      if (!fate || fate.kind === 'heading') return
      const isFigure = factor === 1 || factor === -1
      if (codes[column] || (factor === null && !own && isQuantityHeading(headingOf(column)))) return
      if (!isFigure && !(own && 'value' in readAmount(cell)) && !isPrintedMoney(cell)) return
      const value = penniesIn(cell) * (isFigure ? factor * fate.sign : 1)
      if (!value) return
      if (fate.kind === 'leftOut' && !own) {
        // The user chose to leave out this row, so its money needs no further confirmation.
        sums.file += value
        const said = rowsLeftOut.get(row)
        if (said) Object.assign(said, { cells: said.cells + 1, value: said.value + value })
        else
          rowsLeftOut.set(row, {
            row,
            column: null,
            words: joinRowTexts(line),
            cells: 1,
            value,
            reason: 'You left this row out.',
            isPlain: true,
          })
      } else if (fate.kind === 'total' || (fate.kind === 'other' && isTotalOfOtherTable(line))) {
        // The total of a column that is not imported is not counted, because the column itself already is.
        if (isFigure || own) {
          sums.file += value
          sums.totals += value
        }
      } else if (fate.kind === 'other' || fate.kind === 'otherMonth') {
        const block = blocks.get(fate.reason)
        sums.file += value
        if (!block)
          blocks.set(fate.reason, {
            row,
            column: null,
            words: joinRowTexts(line),
            cells: 1,
            value,
            reason: fate.reason,
            isPlain: fate.kind === 'otherMonth',
          })
        else Object.assign(block, { cells: block.cells + 1, value: block.value + value })
      } else if (isFigure && fate.kind === 'line') {
        sums.file += value
        sums.read += value
      } else if (own) {
        sums.file += value
        own.cells++
        own.value += value
      } else
        add({
          row,
          column: headingOf(column),
          words: joinRowTexts(line),
          value,
          reason:
            factor === 0
              ? 'An amount is in a column of text or codes.'
              : 'An amount is beside the table, or under a heading that does not name an amount.',
          isPlain: false,
        })
    })
  })
  const looked: TableFacts = {
    months: findMonthColumns(cells, headingRow),
    money: unused.flatMap((own, column) => (own || factors[column] ? [column] : [])),
  }
  for (const [column, own] of unused.entries()) {
    if (!own?.cells) continue
    const reason = findExclusionReason(cells, table, { column, heading: headingOf(column), looked })
    sums.notImported.push({
      row: null,
      column: headingOf(column),
      words: '',
      ...own,
      reason: reason ?? 'The column is not used.',
      isPlain: reason !== null,
    })
  }
  sums.notImported.push(...blocks.values(), ...rowsLeftOut.values())
  return sums
}

/** The first texts of a row, usually its code and name. */
export function joinRowTexts(line: readonly string[]): string {
  return line
    .filter((cell) => cell.trim() && !isPrintedMoney(cell))
    .slice(0, 3)
    .join(' ')
    .slice(0, 100)
}

function penniesIn(cell: string): Pennies {
  const read = readAmount(cell)
  return 'value' in read ? read.value : 0
}

/** What an import does with the money of a file, shown before the import. */
export interface FileBalance {
  file: Pennies
  imported: Pennies
  /** The rows that the user leaves out, together with the money in `notImported`. */
  leftOut: Pennies
  unmapped: Pennies
  totals: Pennies
  notImported: readonly UnimportedMoney[]
}

/**
 * Builds the balance of a file from the money in its cells and the sums of the imported rows.
 * @param rows sums of rows, with the file's sign
 */
export function balanceFileMoney(money: FileMoney, rows: { imported: Pennies; leftOut: Pennies; unmapped: Pennies }): FileBalance {
  const aside = money.notImported.reduce((sum, one) => sum + one.value, 0)
  return {
    file: money.file,
    imported: rows.imported,
    leftOut: rows.leftOut + aside,
    unmapped: rows.unmapped,
    totals: money.totals,
    notImported: money.notImported,
  }
}

/** Another sheet of a workbook, with the number and the sum of its amounts. */
export interface OtherSheet {
  name: string
  cells: number
  value: Pennies
}

/**
 * Adds the money of other sheets that look like the table. Only one sheet is imported at a time, so the user has to confirm that the others
 * are left out.
 */
export function addOtherSheets(balance: FileBalance, sheets: readonly OtherSheet[]): FileBalance {
  // A trial balance adds up to zero although it contains money, so a sheet is judged by its number of amounts, not by their sum.
  const others = sheets.filter(({ cells }) => cells > 0)
  const sum = others.reduce((total, { value }) => total + value, 0)
  const reason = 'This is another sheet of the workbook. If you need it too, import it separately.'
  const told = others.map(
    ({ name, cells, value }): UnimportedMoney => ({ row: null, column: `Sheet ${name}`, words: '', cells, value, reason, isPlain: false }),
  )
  return { ...balance, file: balance.file + sum, leftOut: balance.leftOut + sum, notImported: [...balance.notImported, ...told] }
}

/** The money that is not imported without an obvious reason, so that the user has to confirm that it is left out. */
export const listMoneyToConfirm = ({ notImported }: Pick<FileBalance, 'notImported'>): UnimportedMoney[] =>
  notImported.filter((one) => !one.isPlain)

/**
 * Whether every penny of a file is imported, left out on purpose, or part of the file's own totals.
 * @param isConfirmed whether the user has confirmed what is left out
 */
export function isBalanced(balance: FileBalance, isConfirmed: boolean): boolean {
  const { file, imported, leftOut, unmapped, totals } = balance
  return unmapped === 0 && file === imported + leftOut + totals && (isConfirmed || listMoneyToConfirm(balance).length === 0)
}

/**
 * Describes the first unread column that contains money, for rows that no user sees before they are imported.
 * @param used the headings that are read
 * @returns null if no such column exists, or if its heading explains why it is not imported
 */
export function describeUnreadColumn(rows: readonly Readonly<Record<string, string>>[], used: ReadonlySet<string>): string | null {
  const headings = [...new Set(rows.flatMap(Object.keys))]
  if (headings.every((heading) => used.has(heading))) return null
  const cells = [headings, ...rows.map((row) => headings.map((heading) => row[heading] ?? ''))]
  const classifications = rows.map(() => createRowClassification('line', ''))
  const { notImported } = sumFileMoney(cells, {
    headingRow: 1,
    headings,
    factors: headings.map((heading) => (used.has(heading) ? 1 : null)),
    classifications,
  })
  const [first] = notImported.filter((one) => !one.isPlain)
  return first
    ? `The column ${first.column} holds ${displayMoney(first.value)} and is not imported. Remove it from the file, or give it a heading that is imported.`
    : null
}
