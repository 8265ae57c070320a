import { type Sheet, type SheetsOf, sheetMeant } from '../../../domain/files/sheets.ts'
import { readSheetFile } from './readSheetFile.ts'

/**
 * Reads a file and says which of its sheets is meant.
 * @param columnsIn how many columns of what is looked for are in rows, headings among them; 0 where they are no such table
 * @throws Error with one sentence for a file that cannot be read or has no rows
 */
export async function chosenSheet(
  file: File,
  columnsIn: (cells: string[][]) => number,
  of?: SheetsOf,
): Promise<{ sheets: Sheet[]; sheet: number }> {
  const sheets = await readSheetFile(file, of)
  const sheet = sheetMeant(sheets, columnsIn)
  if (!sheets[sheet]?.rows.length) throw new Error('The file has no rows. Choose another file.')
  return { sheets, sheet }
}

/** Why a file could not be read, in one sentence. */
export function unreadable(error: unknown): string {
  return error instanceof Error ? error.message : 'The file could not be read. Save it as CSV and choose it again.'
}
