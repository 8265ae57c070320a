import { unescapeFormula } from '../resources/cells.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { readDelimited } from './delimited.ts'
import { decodeText } from './encoding.ts'
import type { Cells } from './headings.ts'
import { createRefusedImportError, createWholeFileError } from './refusals.ts'
import { findRowsWithMovedCells } from './rowProblems.ts'
import { isWorkbook, readWorkbook } from './workbook.ts'

/** A sheet of a workbook, or the single sheet of a text file. */
export interface Sheet {
  name: string
  /** The rows of the sheet, with cells separated by tabs. */
  rows: string[]
  /** Whether the sheet is hidden in the workbook. */
  isHidden: boolean
  /** The number of rows that the workbook hides, for example with a filter. Hidden rows are read like the others. */
  hiddenRows: number
}

/** The most columns of a sheet, and the most characters of one row in a request. */
export const maximumRowSize = { columns: 1000, rowLetters: 40_000 } as const

/** The largest number of bytes of a file, packed and unpacked, and the limits of each sheet and cell. */
const limits = {
  fileBytes: 25_000_000,
  unpackedBytes: 250_000_000,
  parts: 2000,
  rows: 120_000,
  columns: maximumRowSize.columns,
  letters: 30_000,
} as const
const tooManyRows = 'The file has more than 120,000 rows. Export fewer at once.'
const tooManyColumns = 'The file has more than 1,000 columns. Keep only the columns that you need, and choose the file again.'
/** The most characters of a cell among figures. A longer text is a description, not money, so it is cut. */
const maximumFigureText = 2000

/** The contents of a file: `figures`, whose texts are cut and put on one line, or `records`, whose texts are kept whole. */
export type SheetContent = 'figures' | 'records'

/**
 * Reads any incoming file: a workbook or delimited text. Its limits are checked before it is unpacked, so that a hostile file cannot
 * exhaust memory.
 * @throws DomainError with one sentence; for a malformed file it names the row with the fault
 */
export function readSheets(name: string, bytes: Uint8Array, of: SheetContent = 'figures'): Sheet[] {
  if (bytes.byteLength > limits.fileBytes) throw createWholeFileError('The file is larger than 25 MB. Export fewer rows at once.')
  if (isWorkbook(bytes))
    return readWorkbook(bytes, { ...limits, tooManyRows, tooManyColumns }).map((sheet) => ({ ...sheet, rows: bounded(sheet.rows, of) }))
  if (/\.(xlsx?|xlsm|xlsb|ods|numbers|pdf|docx?)$/i.test(name))
    throw createWholeFileError('This file cannot be read. Save it as .xlsx without a password, or as CSV.')
  return [{ name, rows: bounded(readDelimited(decodeText(bytes)), of), isHidden: false, hiddenRows: 0 }]
}

/** The number of rows at the start of a sheet that are examined to recognise the table. */
const examinedRows = 300

/**
 * Chooses the sheet to import: of the sheets that look like the table, the one with the most rows. A sheet with fewer than half as many
 * expected columns as the best sheet is not a candidate, because it only accompanies the table. A hidden sheet is chosen only if no visible
 * one matches.
 * @param columnsIn the number of expected columns in some rows including headings; 0 if they are not the table
 */
export function chooseSheet(sheets: readonly Sheet[], columnsIn: (cells: string[][]) => number): number {
  const found = sheets.map(({ rows }) => columnsIn(splitRowsIntoCells(rows.slice(0, examinedRows))))
  const isShown = sheets.some(({ isHidden }, at) => !isHidden && assertDefined(found[at]) > 0)
  const columns = sheets.map(({ isHidden }, at) => (isHidden && isShown ? 0 : assertDefined(found[at])))
  const largest = Math.max(...columns)
  const sizes = sheets.map(({ rows }, at) => (largest && assertDefined(columns[at]) * 2 > largest ? rows.length : -1))
  return Math.max(0, sizes.indexOf(Math.max(...sizes)))
}

/** The other visible sheets of a workbook that look like the table. @param columnsIn as for `chooseSheet` */
export function listOtherTables(
  sheets: readonly Sheet[],
  chosen: number,
  columnsIn: (cells: string[][]) => number,
): { name: string; cells: string[][] }[] {
  return sheets.flatMap(({ name, isHidden, rows }, at) =>
    at === chosen || isHidden || !columnsIn(splitRowsIntoCells(rows.slice(0, examinedRows)))
      ? []
      : [{ name, cells: splitRowsIntoCells(rows) }],
  )
}

export function splitRowsIntoCells(rows: readonly string[]): string[][] {
  return rows.map((row) => row.split('\t'))
}

function bounded(rows: readonly (readonly string[])[], of: SheetContent): string[] {
  let last = rows.length
  while (last && !assertDefined(rows[last - 1]).some((cell) => cell.trim())) last--
  if (last > limits.rows) throw createWholeFileError(tooManyRows)
  return rows.slice(0, last).map((row, index) => {
    if (row.length > limits.columns && row.slice(limits.columns).some((cell) => cell.trim())) throw createWholeFileError(tooManyColumns)
    return row.slice(0, limits.columns).map(readCell).join('\t')

    function readCell(cell: string): string {
      if (cell.length > limits.letters)
        throw createWholeFileError(`Row ${index + 1} has a cell of more than 30,000 characters. Shorten it, and choose the file again.`)
      return removeTextMarks(of === 'records' ? cell.replace(/\t/g, ' ') : cell.slice(0, maximumFigureText).replace(/[\t\r\n]+/g, ' '))
    }
  })
}

/** Removes the characters that make a spreadsheet treat a cell as text: `="0042"` and `'0042` are the code 0042. */
function removeTextMarks(cell: string): string {
  return /^="([^"]*)"$/.exec(cell)?.[1] ?? (/^'\d+$/.test(cell) ? cell.slice(1) : unescapeFormula(cell))
}

/**
 * The names of the other visible sheets that have most of the same headings and rows below them. They are more of the same table and are
 * not read.
 */
export function listSimilarSheets(sheets: readonly Sheet[], chosen: number, headings: readonly string[]): string[] {
  const own = new Set(headings.map((heading) => heading.trim()).filter(Boolean))
  const isHeadings = (row: readonly string[]): boolean => {
    const { size } = new Set(row.map((cell) => cell.trim()).filter((cell) => own.has(cell)))
    return size > 1 && size * 2 > own.size
  }
  return listOtherTables(sheets, chosen, (cells) => Number(cells.slice(0, -1).some(isHeadings))).map(({ name }) => name)
}

/**
 * Reads a file sent by another system as records keyed by its headings: the first visible sheet of a workbook. The headings are the first
 * row with more than one filled cell, because a row with a single one above them is a title. Empty rows are skipped.
 * @throws DomainError as `readSheets` does, for a row with more cells than headings, and for a second sheet with the same headings
 */
export function readRecords(name: string, bytes: Uint8Array): Record<string, string>[] {
  const sheets = readSheets(name, bytes, 'records')
  const chosen = Math.max(
    0,
    sheets.findIndex(({ isHidden }) => !isHidden),
  )
  const sheet = assertDefined(sheets[chosen])
  const filled: Cells = splitRowsIntoCells(sheet.rows).filter((row) => row.some((cell) => cell.trim()))
  const titles = filled.findIndex((row) => row.filter((cell) => cell.trim()).length > 1)
  const cells = filled.slice(Math.max(0, titles))
  const [headings = [], ...rows] = cells
  const [second] = listSimilarSheets(sheets, chosen, headings)
  if (second) throw createWholeFileError(`The sheet “${second}” has the same headings as “${sheet.name}”. Put all rows on one sheet.`)
  const wider = findRowsWithMovedCells(cells, 1)
  if (wider.length)
    throw createRefusedImportError(
      wider.map((problem) => ({ ...problem, row: problem.row - 1 })),
      rows.length,
    )
  const names = headings.map((heading, at) => {
    const before = headings.slice(0, at).filter((other) => other === heading).length
    return before ? `${heading}_${before}` : heading
  })
  return rows.map((row) => Object.fromEntries(names.map((heading, at) => [heading, row[at] ?? ''])))
}
