import Papa from 'papaparse'
import {
  type Changes,
  type Choices,
  changeOf,
  emptyRow,
  type Field,
  lacking,
  merged,
  type Row,
  type Sheet,
  textOf,
  withChanges,
} from './sheetModel.ts'

/** One cell that a pasted block changes. */
export interface PastedCell {
  field: Field
  before: string
  after: string
  problem: string | null
}

/** One row that a pasted block changes, or makes. */
export interface PastedRow {
  row: Row
  isNew: boolean
  changes: Changes
  cells: PastedCell[]
  /** What a new row would still need. */
  lacks: string | null
}

/** The cells of a block as a spreadsheet copies it: tabs and lines, quoted where a cell holds them. */
export function readBlock(text: string): string[][] {
  const { data } = Papa.parse<string[]>(text.replace(/\r?\n$/, ''), { delimiter: '\t', skipEmptyLines: false })
  return data
}

/**
 * What a block changes when it is pasted from a cell on, rightwards and downwards; what goes over the last row makes new entries. Nothing is
 * saved by this.
 * @param rows the rows from the cell on, as they stand in the sheet
 * @param fields the columns from the cell on
 */
export function pasted(
  block: readonly string[][],
  { rows, fields, choices, sheet }: { rows: readonly Row[]; fields: readonly Field[]; choices: Choices; sheet: Sheet },
): PastedRow[] {
  return block.map((cells, index): PastedRow => {
    const standing = rows[index]
    const row = standing && standing.kind !== 'draft' ? standing : (standing ?? emptyRow(crypto.randomUUID(), sheet.yearNames.length))
    const isNew = row.kind === 'draft'
    let changes: Changes = isNew ? row.draft : {}
    const own: PastedCell[] = []
    for (const [at, text] of cells.entries()) {
      const field = fields[at]
      if (!field) break
      const before = textOf(row, field, choices)
      if (text.trim() === before || (isNew && !text.trim())) continue
      if (row.kind === 'linked' || row.entry?.source) {
        own.push({ field, before, after: text, problem: 'This line is made elsewhere and cannot be typed over.' })
        continue
      }
      const read = changeOf(text, { field, choices, sheet, row })
      if ('problem' in read) own.push({ field, before, after: text, problem: read.problem })
      else {
        changes = merged(changes, read.changes)
        const after = textOf(withChanges({ ...row, draft: {} }, read.changes, sheet), field, choices)
        if (after !== before) own.push({ field, before, after: after || 'nothing', problem: null })
      }
    }
    return { row, isNew, changes, cells: own, lacks: isNew && own.length ? lacking({ ...row, draft: changes }, choices) : null }
  })
}

/** Whether a pasted block can be applied as it is. */
export function isClean(rows: readonly PastedRow[]): boolean {
  return rows.every((row) => !row.lacks && row.cells.every((cell) => !cell.problem))
}
