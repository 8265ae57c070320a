import type { WorkbookColumn, WorkbookRow } from '../workbook.ts'

/** A table like that of a workbook: money in pounds, percentages as `78.4`. */
export interface PaperTable {
  columns: readonly WorkbookColumn[]
  rows: readonly WorkbookRow[]
  /** Whole pounds, or pounds and pence. */
  hasPence: boolean
}

/** The content of a document, from top to bottom. */
export type PaperBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'facts'; facts: readonly (readonly [name: string, value: string])[] }
  | { kind: 'table'; table: PaperTable }
  /** Signature lines, with a name if the signatory is known. */
  | { kind: 'signatures'; roles: readonly { role: string; name: string | null }[] }
  | { kind: 'newPage' }

/** The content of a printable document, before it is laid out on pages. */
export interface Paper {
  title: string
  subtitle: string
  /** The author for the file's properties. */
  author: string
  /** The header of every page: organisation, school, DfE number. */
  head: string
  /** The footer of every page: budget, its status, as-at date. */
  foot: string
  blocks: readonly PaperBlock[]
}
