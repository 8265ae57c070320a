import type { YearChart } from '../../../domain/reports/yearChart.ts'
import type { WorkbookColumn, WorkbookRow } from '../workbook.ts'

/** A table like that of a workbook: money in pounds, percentages as `78.4`. */
export interface DocumentTable {
  columns: readonly WorkbookColumn[]
  rows: readonly WorkbookRow[]
  /** Whole pounds, or pounds and pence. */
  hasPence: boolean
}

export type PageLayout = 'portrait' | 'landscape'

/** The content of a document, from top to bottom. */
export type DocumentBlock =
  /** `keeps`: how many of the blocks after it stay on its page, if a page can hold them. */
  | { kind: 'heading'; text: string; keeps?: number }
  | { kind: 'text'; text: string }
  /** A sentence in larger letters. */
  | { kind: 'lead'; text: string }
  /** A few figures side by side. */
  | { kind: 'tiles'; tiles: readonly { label: string; value: string; note: string; isBad: boolean }[] }
  /** A chart of amounts in whole pennies. */
  | { kind: 'chart'; chart: YearChart }
  | { kind: 'facts'; facts: readonly (readonly [name: string, value: string])[] }
  | { kind: 'table'; table: DocumentTable }
  /** Signature lines, with a name if the signatory is known. */
  | { kind: 'signatures'; roles: readonly { role: string; name: string | null }[] }
  /** A new page, unless this one is still empty. The layout applies to all pages from it on. */
  | { kind: 'newPage'; layout?: PageLayout }

/** The content of a printable document, before it is laid out on pages. */
export interface PrintableDocument {
  title: string
  subtitle: string
  /** The layout of the first pages; landscape by default. */
  layout?: PageLayout
  /** Whose document it is, set above the title, and a PNG or JPEG image beside it; null without an image. */
  owner?: { name: string; logo: Buffer | null }
  /** The author for the file's properties. */
  author: string
  /** The header of every page: organisation, school, DfE number. */
  head: string
  /** The footer of every page: budget, its status, as-at date. */
  foot: string
  blocks: readonly DocumentBlock[]
}
