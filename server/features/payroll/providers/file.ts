import type { Cells } from '../../../../domain/files/headings.ts'
import { wholeFile } from '../../../../domain/files/refusals.ts'
import { mappingText } from '../../../../domain/files/texts.ts'
import type { CalendarMonth } from '../../../../domain/monitoring/monitoring.ts'
import {
  detectPayLayout,
  type FoundPayTable,
  type PayMeaning,
  payTableAt,
  repeatablePayMeanings,
} from '../../../../domain/payroll/provider/columns.ts'
import { type PayMapping, type PayrollContents, type PayTextKind, readPayroll } from '../../../../domain/payroll/provider/rows.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import type { Pennies } from '../../../../domain/values/units.ts'
import { DomainError } from '../../../../domain/words/errors.ts'
import { sha256 } from '../../../core/stream/hash.ts'

/** Where a text of a file is mapped to; null: left out on purpose. */
export interface MappedText {
  text: string
  id: number | null
}

/** A file of a payroll provider as a screen sends it. */
export interface SentPayroll extends CalendarMonth {
  provider: string
  headingRow: number
  columns: (PayMeaning | null)[]
  mapping: Record<PayTextKind, MappedText[]>
  /** Each row's cells, apart by tabs. */
  rows: string[]
  /** The location that the file is for; null: its rows say where they belong. */
  locationId: LocationId | null
  /** What the screen has proved that the file comes to; whole pennies. */
  total: Pennies
  /** What of it the screen has shown as imported; whole pennies. */
  imported: Pennies
  /** What the file says of its month is known and not meant. */
  monthIsMeant: boolean
  /** The file is known to be in for another month and is meant. */
  again: boolean
}

/** A file as it was read: no database is needed for it. */
export interface ReadProviderFile {
  cells: Cells
  table: FoundPayTable
  mapping: PayMapping
  read: PayrollContents
  /** SHA-256 of its rows. */
  digest: string
}

/** Reads a file of a provider as it was sent. @throws DomainError for one without a table */
export function readSent(sent: SentPayroll): ReadProviderFile {
  if (sent.headingRow > sent.rows.length)
    throw wholeFile('The headings stand below the end of the file. Choose the row that they stand in.')
  const twice = sent.columns.some(
    (meaning, index) => meaning && !repeatablePayMeanings.includes(meaning) && sent.columns.indexOf(meaning) !== index,
  )
  if (twice) throw new DomainError('invalid', 'columns', 'Two columns are said to hold the same. Choose one of them.')
  const layout = detectPayLayout(sent.columns)
  if (!layout)
    throw wholeFile('A file needs a column of employee numbers, and codes with amounts or a column for each element. Choose them.')
  const cells = sent.rows.map((row) => row.split('\t'))
  const table = payTableAt(cells, { layout, headingRow: sent.headingRow, columns: sent.columns })
  const ids = (kind: PayTextKind): Map<string, number | null> => new Map(sent.mapping[kind].map(({ text, id }) => [mappingText(text), id]))
  const mapping = { code: ids('code'), location: ids('location') }
  const read = readPayroll(cells, table, (text) => mapping.location.has(mappingText(text)))
  if (!read.rows.some((row) => row.text) && !read.problems.length)
    throw wholeFile('No row of the file has an amount. Choose another file, or another row of headings.')
  return { cells, table, mapping, read, digest: sha256(sent.rows.join('\n')) }
}
