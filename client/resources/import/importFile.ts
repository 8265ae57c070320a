import { readDate } from '../../../domain/files/cells.ts'
import { findRowsWithMovedCells } from '../../../domain/files/rowProblems.ts'
import { type Sheet, splitRowsIntoCells } from '../../../domain/files/sheets.ts'
import { lookups } from '../../../domain/lookups/lookups.ts'
import type { FileColumn } from '../../../domain/resources/columns.ts'
import { type FileTable, findFileTable, listMissingColumns, readFileRows, splitNameColumn } from '../../../domain/resources/importFile.ts'
import type { FileRow, ImportLayout } from '../../../domain/resources/importLayout.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { IsoDate } from '../../../domain/values/calendar.ts'
import { displayCount, displayDate, displayNumber } from '../../../domain/values/format.ts'
import { maximumImportRows } from '../../../domain/words/notices.ts'
import { readBestSheet } from '../sheets/readBestSheet.ts'

/** A file chosen for import, as it is read at present. */
export interface ImportFile {
  name: string
  sheets: Sheet[]
  sheet: number
  table: FileTable
}

/** The import's columns, and the headings that are remembered from earlier files. */
export interface ImportHeadings {
  columns: readonly FileColumn[]
  labels: Record<string, string>
  learned: ReadonlyMap<string, string | null>
  layouts: readonly ImportLayout[]
}

/**
 * Reads a file of records, which is CSV or a workbook, and finds its table below any titles.
 * @throws Error with a message for the user if the file cannot be read or has no rows
 */
export async function readImportFile(file: File, known: ImportHeadings): Promise<ImportFile> {
  const { sheets, sheet } = await readBestSheet(
    file,
    (cells) => findFileTable(splitNameColumn(cells, known.columns), known).columns.filter((column) => column !== null).length,
    'records',
  )
  const sheetsWithoutRows = sheets.map(({ rows, ...about }) => ({
    ...about,
    rows: splitNameColumn(splitRowsIntoCells(rows), known.columns).map((cells) => cells.join('\t')),
  }))
  return changeSheet({ name: file.name, sheets: sheetsWithoutRows, sheet }, known)
}

/**
 * Reads another sheet of the same file.
 * @throws Error with a message for the user if the sheet has no rows
 */
export function changeSheet(file: Pick<ImportFile, 'name' | 'sheets' | 'sheet'>, known: ImportHeadings): ImportFile {
  return requireImportable({ ...file, table: findFileTable(splitRowsIntoCells(assertDefined(file.sheets[file.sheet]).rows), known) })
}

/**
 * Returns the file if it can be imported.
 * @throws Error with a message for the user if it has no rows, too many rows, or rows wider than the headings
 */
export function requireImportable(file: ImportFile): ImportFile {
  const cells = splitRowsIntoCells(assertDefined(file.sheets[file.sheet]).rows)
  const { length } = readFileRows(cells, file.table).rows
  if (!length) throw new Error('The file has no rows.')
  if (length > maximumImportRows) throw new Error(`The file has more than ${displayNumber(maximumImportRows)} rows. Import it in parts.`)
  const [wider, ...more] = findRowsWithMovedCells(cells, file.table.headingRow)
  if (wider) throw new Error(`Row ${wider.row}${more.length ? `, and ${displayCount(more.length, 'other')}` : ''}: ${wider.message}`)
  return file
}

/** Values for columns that the file lacks: a constant, or a reference to another column of the file. */
export type MissingColumnFills = Readonly<Record<string, string>>

const columnReference = /^As in “(.*?)”(?:, but not before (.+))?$/

/**
 * Returns the text of a fill that refers to another column.
 * @param notBefore a date that replaces earlier dates in the column
 */
export function formatColumnFill(heading: string, notBefore?: IsoDate): string {
  return `As in “${heading}”${notBefore ? `, but not before ${displayDate(notBefore)}` : ''}`
}

/** Returns the text or, if it is a date before the limit, the limit. */
function raiseToLimit(text: string, limit: string | undefined): string {
  const [date, first] = [readDate(text), readDate(limit ?? '')]
  if (!('value' in date && date.value && 'value' in first && first.value)) return text
  return date.value < first.value ? first.value : text
}

/**
 * For some import columns, the column that usually has the same value. A required column that the file lacks is filled from it. An optional
 * column is filled only if the heading of the other column matches `ifCalled`. Dates before `notBefore` are replaced by `notBefore`.
 */
export type ColumnsWithSameValue = Readonly<Record<string, { column: string; ifCalled?: RegExp; notBefore?: IsoDate }>>

/** Suggests fills for columns that a file lacks: the column that usually has the same value, or No for a required yes/no column. */
export function suggestFills(
  columns: readonly FileColumn[],
  {
    file: { sheets, sheet, table },
    values,
    sameAs,
  }: { file: ImportFile; values: Readonly<Record<string, readonly string[]>>; sameAs: ColumnsWithSameValue },
): MissingColumnFills {
  const headings = splitRowsIntoCells(assertDefined(sheets[sheet]).rows)[table.headingRow - 1] ?? []
  const missing = listMissingColumns(columns, table.columns)
  const optional = Object.keys(sameAs).filter((column) => !missing.includes(column) && !table.columns.includes(column))
  return Object.fromEntries(
    [...missing, ...optional].flatMap((column) => {
      const { column: other, ifCalled, notBefore } = sameAs[column] ?? {}
      const like = other === undefined ? -1 : table.columns.indexOf(other)
      const heading = like < 0 ? '' : (headings[like] ?? '').trim()
      if (heading && (missing.includes(column) || ifCalled?.test(heading))) return [[column, formatColumnFill(heading, notBefore)]]
      return missing.includes(column) && values[column]?.[0] === 'Yes' ? [[column, 'No']] : []
    }),
  )
}

/**
 * Creates fills from the declared default values of a new record.
 * @param lacking headings of the missing columns
 */
export function createDefaultFills(resource: AnyResource, lacking: readonly string[]): MissingColumnFills {
  return Object.fromEntries(
    Object.values(resource.fields).flatMap((field) => {
      const { column, default: first } = field
      if (column === undefined || !lacking.includes(column) || first === undefined) return []
      const words = field.kind === 'choice' ? lookups[field.lookup].find(({ id }) => id === first)?.name : String(first)
      return words && (field.kind === 'choice' || field.kind === 'integer') ? [[column, words]] : []
    }),
  )
}

/** Builds the rows to import, with fills and corrections applied. */
export function buildImportRows(
  cells: string[][],
  { table, fills, typed }: { table: FileTable; fills: MissingColumnFills; typed: ReadonlyMap<string, string> },
): FileRow[] {
  const headings = (cells[table.headingRow - 1] ?? []).map((cell) => cell.trim())
  const sources = Object.entries(fills).flatMap(([column, words]) => {
    if (!words.trim() || table.columns.includes(column)) return []
    const from = columnReference.exec(words)
    const at = from ? headings.indexOf(assertDefined(from[1])) : -1
    return [{ column, words, at, like: at < 0 ? null : (table.columns[at] ?? null), limit: from?.[2] }]
  })
  return readFileRows(cells, table).rows.map(({ number, cells: rowCells }) => {
    const row = assertDefined(cells[number - 1])
    const filled = Object.fromEntries(
      sources.map(({ column, words, at, like, limit }) => [
        column,
        // If a column is filled from another column, a correction in the other column applies to both.
        at < 0 ? words : raiseToLimit((like === null ? undefined : typed.get(createCellKey(number, like))) ?? row[at] ?? '', limit),
      ]),
    )
    const changed: Record<string, string> = { ...rowCells, ...filled }
    for (const column of typedColumns(typed, number)) changed[column] = assertDefined(typed.get(createCellKey(number, column)))
    return { number, cells: changed }
  })
}

/** Finds the import column from which another column is filled; null if the column is filled in another way or not at all. */
export function findSourceColumn(column: string, fills: MissingColumnFills, { sheets, sheet, table }: ImportFile): string | null {
  const from = columnReference.exec(fills[column] ?? '')
  if (!from || table.columns.includes(column)) return null
  const headings = (splitRowsIntoCells(assertDefined(sheets[sheet]).rows)[table.headingRow - 1] ?? []).map((cell) => cell.trim())
  return table.columns[headings.indexOf(assertDefined(from[1]))] ?? null
}

/** Creates the key of a corrected cell. */
export function createCellKey(row: number, column: string): string {
  return `${row} ${column}`
}

function typedColumns(typed: ReadonlyMap<string, string>, number: number): string[] {
  if (!typed.size) return []
  const start = `${number} `
  return [...typed.keys()].filter((cellKey) => cellKey.startsWith(start)).map((cellKey) => cellKey.slice(start.length))
}
