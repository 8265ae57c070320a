import { unescapeFormula } from '../resources/cells.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { readDelimited } from './delimited.ts'
import { decodeText } from './encoding.ts'
import type { Cells } from './headings.ts'
import { importRefused, wholeFile } from './refusals.ts'
import { widerRows } from './rowProblems.ts'
import { isWorkbook, readWorkbook } from './workbook.ts'

/** A sheet of a file. */
export interface Sheet {
  name: string
  /** Its rows as they stand in it, cells apart by tabs. */
  rows: string[]
  /** Somebody has hidden it in the workbook. */
  isHidden: boolean
  /** How many of its rows are hidden, as a filter does; they are read like the others. */
  hiddenRows: number
}

/** The columns that a file may have, and the letters of a row as it is sent. */
export const largestFile = { columns: 1000, rowLetters: 40_000 } as const

/** Bytes of a file, of what it unpacks to, and what a sheet and a cell may have. */
const most = {
  fileBytes: 25_000_000,
  unpackedBytes: 250_000_000,
  parts: 2000,
  rows: 120_000,
  columns: largestFile.columns,
  letters: 30_000,
} as const
const tooManyRows = 'The file has more than 120,000 rows. Export fewer at once.'
const tooManyColumns = 'The file has more than 1,000 columns. Keep those that are needed, and choose it again.'
/** A text among figures is cut there: it names a line, and no money stands in it. */
const longestText = 2000

/** What is in a file: figures, whose long texts are cut and stand on one line, or records, whose texts are kept as they are. */
export type SheetsOf = 'figures' | 'records'

/**
 * Reads a file of any way in: a workbook, or a text whose cells are parted. Whatever it says, no more is unpacked or kept than a file of a ledger
 * or a payroll can have.
 * @throws DomainError with one sentence: a file that is not well-formed is refused, and names the row where it breaks
 */
export function readSheets(name: string, bytes: Uint8Array, of: SheetsOf = 'figures'): Sheet[] {
  if (bytes.byteLength > most.fileBytes) throw wholeFile('The file is larger than 25 MB. Export fewer rows at once.')
  if (isWorkbook(bytes))
    return readWorkbook(bytes, { ...most, tooManyRows, tooManyColumns }).map((sheet) => ({ ...sheet, rows: bounded(sheet.rows, of) }))
  if (/\.(xlsx?|xlsm|xlsb|ods|numbers|pdf|docx?)$/i.test(name))
    throw wholeFile('This file cannot be read. Save it as .xlsx without a password, or as CSV.')
  return [{ name, rows: bounded(readDelimited(decodeText(bytes)), of), isHidden: false, hiddenRows: 0 }]
}

/** The first rows of a sheet, which say whether it is a table. */
const lookedRows = 300

/**
 * Which sheet of a file is meant: of those that look like the table, the one with the most rows. A list beside the table shares a heading or
 * two with it and is longer. A hidden sheet is meant only where no other looks like the table.
 * @param columnsIn how many columns of what is looked for are in rows, headings among them; 0 where they are no such table
 */
export function sheetMeant(sheets: readonly Sheet[], columnsIn: (cells: string[][]) => number): number {
  const found = sheets.map(({ rows }) => columnsIn(cellsOf(rows.slice(0, lookedRows))))
  const isShown = sheets.some(({ isHidden }, at) => !isHidden && assertDefined(found[at]) > 0)
  const columns = sheets.map(({ isHidden }, at) => (isHidden && isShown ? 0 : assertDefined(found[at])))
  const largest = Math.max(...columns)
  const sizes = sheets.map(({ rows }, at) => (largest && assertDefined(columns[at]) * 2 > largest ? rows.length : -1))
  return Math.max(0, sizes.indexOf(Math.max(...sizes)))
}

/** The rows of the other sheets of a workbook that are shown and look like the table, by their names. @param columnsIn as of `sheetMeant` */
export function otherTables(
  sheets: readonly Sheet[],
  chosen: number,
  columnsIn: (cells: string[][]) => number,
): { name: string; cells: string[][] }[] {
  return sheets.flatMap(({ name, isHidden, rows }, at) =>
    at === chosen || isHidden || !columnsIn(cellsOf(rows.slice(0, lookedRows))) ? [] : [{ name, cells: cellsOf(rows) }],
  )
}

/** The cells of the rows of a sheet. */
export function cellsOf(rows: readonly string[]): string[][] {
  return rows.map((row) => row.split('\t'))
}

function bounded(rows: readonly (readonly string[])[], of: SheetsOf): string[] {
  let last = rows.length
  while (last && !assertDefined(rows[last - 1]).some((cell) => cell.trim())) last--
  if (last > most.rows) throw wholeFile(tooManyRows)
  return rows.slice(0, last).map((row, index) => {
    if (row.length > most.columns && row.slice(most.columns).some((cell) => cell.trim())) throw wholeFile(tooManyColumns)
    return row.slice(0, most.columns).map(readCell).join('\t')

    function readCell(cell: string): string {
      if (cell.length > most.letters)
        throw wholeFile(`Row ${index + 1} has a cell of more than 30,000 letters. Shorten it, and choose the file again.`)
      return withoutTextSigns(of === 'records' ? cell.replace(/\t/g, ' ') : cell.slice(0, longestText).replace(/[\t\r\n]+/g, ' '))
    }
  })
}

/** A cell without what makes a spreadsheet keep it as text: `="0042"` and `'0042` are the code 0042. */
function withoutTextSigns(cell: string): string {
  return /^="([^"]*)"$/.exec(cell)?.[1] ?? (/^'\d+$/.test(cell) ? cell.slice(1) : unescapeFormula(cell))
}

/**
 * The rows of a file whose headings stand in its first row, by these headings, as a system that sends files writes them. Empty rows are passed over.
 * @throws DomainError as `readSheets`, and for a row with more cells than there are headings
 */
export function readRecords(name: string, bytes: Uint8Array): Record<string, string>[] {
  const [sheet] = readSheets(name, bytes, 'records')
  const cells: Cells = cellsOf(assertDefined(sheet).rows).filter((row) => row.some((cell) => cell.trim()))
  const [headings = [], ...rows] = cells
  const wider = widerRows(cells, 1)
  // 1 is the first row under the headings.
  if (wider.length)
    throw importRefused(
      wider.map((problem) => ({ ...problem, row: problem.row - 1 })),
      rows.length,
    )
  const names = headings.map((heading, at) => {
    const before = headings.slice(0, at).filter((other) => other === heading).length
    return before ? `${heading}_${before}` : heading
  })
  return rows.map((row) => Object.fromEntries(names.map((heading, at) => [heading, row[at] ?? ''])))
}
