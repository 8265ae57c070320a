import { chooseSheet, type Sheet, type SheetContent } from '../../../domain/files/sheets.ts'
import { readSheetFile } from './readSheetFile.ts'

/**
 * Reads a file and returns the sheet with the most relevant columns.
 * @param columnsIn counts the relevant columns among the rows of a sheet; 0 if the sheet has no such table
 * @throws Error with a message for the user if the file cannot be read or has no rows
 */
export async function readBestSheet(
  file: File,
  columnsIn: (cells: string[][]) => number,
  of?: SheetContent,
): Promise<{ sheets: Sheet[]; sheet: number }> {
  const sheets = await readSheetFile(file, of)
  const sheet = chooseSheet(sheets, columnsIn)
  if (!sheets[sheet]?.rows.length) throw new Error('The file has no rows. Choose another file.')
  return { sheets, sheet }
}

/** Describes why a file cannot be read, in one sentence. */
export function describeReadError(error: unknown): string {
  return error instanceof Error ? error.message : 'The file could not be read. Save it as CSV and choose it again.'
}
