import type { Cells } from '../../../../domain/files/headings.ts'
import { createWholeFileError } from '../../../../domain/files/refusals.ts'
import { normaliseMappingText } from '../../../../domain/files/texts.ts'
import {
  buildLedgerTable,
  type ColumnMeaning,
  type DetectedLedgerTable,
  detectLedgerLayout,
  type LedgerLayout,
} from '../../../../domain/monitoring/ledger/columns.ts'
import { type AmountSign, createLedgerMapping, type LedgerMapping, type MappedKind } from '../../../../domain/monitoring/ledger/mapping.ts'
import { type LedgerContents, maximumLedgerRows, readLedger } from '../../../../domain/monitoring/ledger/rows.ts'
import type { CalendarMonth } from '../../../../domain/monitoring/monitoring.ts'
import { displayNumber } from '../../../../domain/values/format.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import { DomainError } from '../../../../domain/words/errors.ts'
import { sha256 } from '../../../core/stream/hash.ts'

/**
 * A text of the file and the id of the record that it is mapped to. The id is null if the text is deliberately left out, or if its lines
 * get no such record.
 */
export interface MappedText {
  text: string
  id: number | null
}

/** A ledger file as a screen sends it. */
export interface SentLedger extends CalendarMonth {
  ledger: string
  /** A value of `importTypes`. */
  type: number
  headingRow: number
  columns: (ColumnMeaning | null)[]
  sign: AmountSign
  isCumulative: boolean
  /** The month in which budget years start, 1 to 12. Period numbers in rows count from it. */
  startMonth: number
  /** The location of rows that do not name one. */
  locationId: LocationId | null
  costCentreId: number | null
  mapping: Record<MappedKind, MappedText[]>
  /** The cells of each row, separated by tabs. */
  rows: string[]
  /** The totals that the screen calculated, in whole pennies with the file's sign. */
  total: { amount: number; commitment: number }
  /** Whether the user confirmed the month, although the file names another. */
  monthIsMeant: boolean
  /** The rows that the user left out, by their numbers in the spreadsheet. */
  leftOut?: number[]
}

/** A parsed file, before any database lookup. */
export interface ParsedLedger {
  cells: Cells
  table: DetectedLedgerTable
  layout: LedgerLayout
  mapping: LedgerMapping
  read: LedgerContents
  /** SHA-256 of its rows. */
  digest: string
}

/**
 * Parses a ledger file as sent.
 * @throws DomainError if it has no table
 */
export function parseSentLedger(sent: SentLedger): ParsedLedger {
  if (sent.rows.length > maximumLedgerRows)
    throw createWholeFileError(`The file has more than ${displayNumber(maximumLedgerRows)} rows. Split it into smaller files.`)
  if (sent.headingRow > sent.rows.length)
    throw createWholeFileError('The header row is beyond the end of the file. Choose another header row.')
  const twice = sent.columns.find((meaning, index) => meaning && sent.columns.indexOf(meaning) !== index)
  if (twice) throw new DomainError('invalid', 'columns', 'Two columns have the same meaning. Choose one of them.')
  const layout = detectLedgerLayout(sent.columns)
  if (!layout) throw createWholeFileError('Choose the column of account codes and a column of amounts.')
  const cells = sent.rows.map((row) => row.split('\t'))
  const table = buildLedgerTable(cells, sent.headingRow, { columns: sent.columns, layout, isCumulative: sent.isCumulative })
  const mapping = createLedgerMapping((kind) => new Map(sent.mapping[kind].map(({ text, id }) => [normaliseMappingText(text), id])))
  const { year, month, isCumulative, startMonth } = sent
  const read = readLedger(cells, table, {
    isPlace: (text) => mapping.location.has(normaliseMappingText(text)),
    month: { year, month, isCumulative, startMonth },
    leftOut: new Set(sent.leftOut),
  })
  if (!read.rows.length && !read.problems.length)
    throw createWholeFileError('No row in the file has an amount. Choose another file, or another header row.')
  return { cells, table, layout, mapping, read, digest: sha256(sent.rows.join('\n')) }
}
