import { readPasted } from '../../../domain/files/delimited.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import {
  applyRowChanges,
  describeMissingFields,
  type EntryChoices,
  getCellText,
  type LoadedSheet,
  listColumnChoices,
  mergeRowChanges,
  parseCellText,
  parsePoundsAsPennies,
  parseYearField,
  type SheetField,
  type SheetLine,
  type SheetRowChanges,
} from './sheetModel.ts'

/** One cell changed by a paste. */
export interface PastedCell {
  field: SheetField
  before: string
  after: string
  problem: string | null
}

/** One row changed or created by a paste. */
export interface PastedRow {
  row: SheetLine
  isNew: boolean
  changes: SheetRowChanges
  cells: PastedCell[]
  /** The fields that a new row still needs, as a sentence; null if it needs none. */
  lacks: string | null
}

/** Parses a copied block. Tabs separate cells and line breaks separate rows; a cell that contains a tab or line break is in quotes. */
export function parseCopiedBlock(text: string): string[][] {
  return readPasted(text.replace(/\r?\n$/, ''))
}

const isMoney = (text: string): boolean => parsePoundsAsPennies(text) !== undefined

/** Whether a text can only be an amount. Digits alone may be an unknown code. */
const isPlainlyMoney = (text: string): boolean => /[£,.()]/.test(text) && isMoney(text)

/**
 * Finds the columns into which a pasted block goes: those from the focused column rightwards. If amounts would go into text columns, as
 * with "description, code, amount", they go into the first year and the years after it instead. A number that may be an archived or unknown
 * code stays in its column and is reported as an error, so that a code never becomes an amount.
 */
export function findPasteColumns(block: readonly string[][], fields: readonly SheetField[], choices: EntryChoices): SheetField[] {
  const width = Math.max(0, ...block.map((cells) => cells.length))
  const firstYear = fields.findIndex((field) => parseYearField(field) >= 0)
  const columns: SheetField[] = []
  let next = 0
  for (let at = 0; at < width; at++) {
    const field = fields[next]
    if (!field) break
    const list = listColumnChoices(choices, field)
    const texts = block.flatMap((cells) => cells[at]?.trim() || [])
    const byNumber = list?.some(({ code }) => /^\d+$/.test(code)) ?? false
    const mayBeAmount = (text: string): boolean =>
      (byNumber ? isPlainlyMoney(text) : isMoney(text)) && !list?.some(({ code }) => code === text)
    // All cells to the right must be amounts too, because only amounts follow amounts.
    const rest = block.flatMap((cells) => cells.slice(at + 1).flatMap((text) => text.trim() || []))
    const isAmount =
      at > 0 && list !== null && field !== 'budgetCodeId' && texts.length > 0 && texts.every(mayBeAmount) && rest.every(isMoney)
    if (isAmount && firstYear > next) next = firstYear
    columns.push(assertDefined(fields[next]))
    next++
  }
  return columns
}

/**
 * Builds the changes that a pasted block would make, without saving them. Rows beyond the last one become new entries.
 * @param rows the existing rows from the focused row downwards, followed by empty rows
 * @param columns the column into which each column of the block goes
 */
export function previewPaste(
  block: readonly string[][],
  {
    rows,
    columns,
    choices,
    sheet,
  }: { rows: readonly SheetLine[]; columns: readonly SheetField[]; choices: EntryChoices; sheet: LoadedSheet },
): PastedRow[] {
  return block.map((cells, index): PastedRow => {
    const row = assertDefined(rows[index])
    const isNew = row.kind === 'draft'
    let changes: SheetRowChanges = isNew ? row.draft : {}
    const rowCells: PastedCell[] = []
    for (const [at, text] of cells.entries()) {
      const field = columns[at]
      if (!field) break
      const before = getCellText(row, field, choices)
      if (text.trim() === before || (isNew && !text.trim())) continue
      if (row.kind === 'linked' || row.entry?.source) {
        rowCells.push({ field, before, after: text, problem: 'This is a linked entry, so it cannot be changed here.' })
        continue
      }
      const read = parseCellText(text, { field, choices, sheet, row })
      if ('problem' in read) rowCells.push({ field, before, after: text, problem: read.problem })
      else {
        changes = mergeRowChanges(changes, read.changes)
        const after = getCellText(applyRowChanges({ ...row, draft: {} }, read.changes, sheet), field, choices)
        if (after !== before) rowCells.push({ field, before, after: after || 'nothing', problem: null })
      }
    }
    return {
      row,
      isNew,
      changes,
      cells: rowCells,
      lacks: isNew && rowCells.length ? describeMissingFields({ ...row, draft: changes }, choices) : null,
    }
  })
}

/** Whether a pasted row has no problems and needs no further fields. */
export function isPastedRowValid({ lacks, cells }: PastedRow): boolean {
  return !lacks && cells.every((cell) => !cell.problem)
}
