import { must } from '../../../domain/must.ts'
import { readSheetFile } from './readSheetFile.ts'
import type { Sheet, SheetsOf } from './readSheets.ts'

/** The first rows of a sheet, which say whether it is a table. */
const looked = 300

/** The cells of the rows of a sheet. */
export function cellsOf(rows: readonly string[]): string[][] {
  return rows.map((row) => row.split('\t'))
}

/**
 * Reads a file and says which of its sheets is meant: of those that look like the table, the one with the most rows. A list beside the table
 * shares a heading or two with it and is longer.
 * @param columnsIn how many columns of what is looked for are in rows, headings among them; 0 where they are no such table
 * @throws Error with one sentence for a file that cannot be read or has no rows
 */
export async function chosenSheet(
  file: File,
  columnsIn: (cells: string[][]) => number,
  of?: SheetsOf,
): Promise<{ sheets: Sheet[]; sheet: number }> {
  const sheets = await readSheetFile(file, of)
  const found = sheets.map(({ rows }) => columnsIn(cellsOf(rows.slice(0, looked))))
  const most = Math.max(...found)
  const sizes = sheets.map(({ rows }, at) => (most && must(found[at]) * 2 > most ? rows.length : -1))
  const sheet = Math.max(0, sizes.indexOf(Math.max(...sizes)))
  if (!sheets[sheet]?.rows.length) throw new Error('The file has no rows. Choose another file.')
  return { sheets, sheet }
}

/** Why a file could not be read, in one sentence. */
export function unreadable(error: unknown): string {
  return error instanceof Error ? error.message : 'The file could not be read. Save it as CSV and choose it again.'
}
