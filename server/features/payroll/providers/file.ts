import type { Cells } from '../../../../domain/files/headings.ts'
import { createWholeFileError } from '../../../../domain/files/refusals.ts'
import { normaliseMappingText } from '../../../../domain/files/texts.ts'
import type { CalendarMonth } from '../../../../domain/monitoring/monitoring.ts'
import {
  buildPayrollTable,
  type DetectedPayrollTable,
  detectPayLayout,
  type PayMeaning,
  repeatablePayMeanings,
} from '../../../../domain/payroll/provider/columns.ts'
import { type PayMapping, type PayrollContents, type PayTextKind, readPayroll } from '../../../../domain/payroll/provider/rows.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import type { Pennies } from '../../../../domain/values/units.ts'
import { DomainError } from '../../../../domain/words/errors.ts'
import { sha256 } from '../../../core/stream/hash.ts'

/** A text of the file and the id of the record that it is mapped to; null if the text is deliberately left out. */
export interface MappedText {
  text: string
  id: number | null
}

/** A payroll provider's file as a screen sends it. */
export interface SentPayroll extends CalendarMonth {
  provider: string
  headingRow: number
  columns: (PayMeaning | null)[]
  mapping: Record<PayTextKind, MappedText[]>
  /** The cells of each row, separated by tabs. */
  rows: string[]
  /** The location of the whole file; null if each row names its own. */
  locationId: LocationId | null
  /** The total of the file that the screen calculated; whole pennies. */
  total: Pennies
  /** The part of that total that the screen showed as imported; whole pennies. */
  imported: Pennies
  /** Whether the user confirmed the month, although the file names another. */
  monthIsMeant: boolean
  /** Whether the user confirmed importing a file that has already been imported for another month. */
  again: boolean
  /** The rows that the user left out, by their numbers in the spreadsheet. */
  leftOut?: number[]
}

/** A parsed file, before any database lookup. */
export interface ParsedProviderFile {
  cells: Cells
  table: DetectedPayrollTable
  mapping: PayMapping
  read: PayrollContents
  /** SHA-256 of its rows. */
  digest: string
}

/**
 * Parses a provider's file as sent.
 * @throws DomainError if it has no table
 */
export function parseSentPayroll(sent: SentPayroll): ParsedProviderFile {
  if (sent.headingRow > sent.rows.length)
    throw createWholeFileError('The header row is beyond the end of the file. Choose another header row.')
  const twice = sent.columns.some(
    (meaning, index) => meaning && !repeatablePayMeanings.includes(meaning) && sent.columns.indexOf(meaning) !== index,
  )
  if (twice) throw new DomainError('invalid', 'columns', 'Two columns have the same meaning. Choose one of them.')
  const layout = detectPayLayout(sent.columns)
  if (!layout)
    throw createWholeFileError(
      'Choose the column of employee numbers, and either the columns of codes and amounts or a column for each pay element.',
    )
  const cells = sent.rows.map((row) => row.split('\t'))
  const table = buildPayrollTable(cells, { layout, headingRow: sent.headingRow, columns: sent.columns })
  const leftOut = new Set(sent.leftOut)
  const ids = (kind: PayTextKind): Map<string, number | null> =>
    new Map(sent.mapping[kind].map(({ text, id }) => [normaliseMappingText(text), id]))
  const mapping = { code: ids('code'), location: ids('location') }
  const read = readPayroll(cells, { ...table, leftOut }, (text) => mapping.location.has(normaliseMappingText(text)))
  if (!read.rows.some((row) => row.text) && !read.problems.length)
    throw createWholeFileError('No row in the file has an amount. Choose another file, or another header row.')
  return { cells, table, mapping, read, digest: sha256(sent.rows.join('\n')) }
}
