import type { WorkbookColumn, WorkbookRow } from '../workbook.ts'

/** A table as a workbook has it: money in pounds, percentages as `78.4`. */
export interface PaperTable {
  columns: readonly WorkbookColumn[]
  rows: readonly WorkbookRow[]
  /** Whole pounds, or pounds and pence. */
  hasPence: boolean
}

/** What stands on paper, from top to bottom. */
export type PaperBlock =
  | { kind: 'heading'; text: string }
  | { kind: 'text'; text: string }
  | { kind: 'facts'; facts: readonly (readonly [name: string, value: string])[] }
  | { kind: 'table'; table: PaperTable }
  /** Lines to be signed on; a name where it is known who signs. */
  | { kind: 'signatures'; roles: readonly { role: string; name: string | null }[] }
  | { kind: 'newPage' }

/** A document to be handed to people: a value, made from figures without knowing of pages. */
export interface Paper {
  title: string
  subtitle: string
  /** Who made it, for the file. */
  author: string
  /** Stands at the top of every page: organisation, school, DfE number. */
  head: string
  /** Stands at the foot of every page: budget, its status, as-at. */
  foot: string
  blocks: readonly PaperBlock[]
}
