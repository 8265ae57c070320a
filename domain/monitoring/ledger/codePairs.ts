import type { Cells } from '../../files/headings.ts'
import { type CellProblem, normaliseMappingText } from '../../files/texts.ts'

const oldHeading = /\b(?:old|previous|former|existing|from|ledger|source)\b/i
const newHeading = /\b(?:new|budget|bursar|to|becomes)\b/i

/** The columns of a list of codes, and its first row below the headings, from 0. */
interface PairColumns {
  from: number
  to: number
  firstRow: number
}

/** The column whose heading matches; if several do, the column whose heading mentions a code. */
function findHeading(line: readonly string[], wanted: RegExp, other: RegExp): number {
  const fits = (cell: string): boolean => wanted.test(cell) && !other.test(cell)
  const code = line.findIndex((cell) => fits(cell) && /\b(?:code|account|nominal|number|no)\b/i.test(cell))
  return code >= 0 ? code : line.findIndex(fits)
}

/** Finds the two columns by their headings. Without such headings, a file needs exactly two columns: the old code, then the new one. */
function findPairColumns(cells: Cells): PairColumns | null {
  for (const [row, line] of cells.slice(0, 20).entries()) {
    const from = findHeading(line, oldHeading, newHeading)
    const to = findHeading(line, newHeading, oldHeading)
    if (from >= 0 && to >= 0) return { from, to, firstRow: row + 1 }
  }
  const filled = cells.map((line) => line.flatMap((cell, at) => (cell.trim() ? [at] : []))).filter((columns) => columns.length > 1)
  const isPair = filled.length > 0 && filled.every((columns) => columns.length === 2 && columns[0] === 0 && columns[1] === 1)
  return isPair ? { from: 0, to: 1, firstRow: 0 } : null
}

/** The old codes of a ledger with the budget codes that replace them. */
export interface CodePairs {
  pairs: { text: string; id: number }[]
  problems: CellProblem[]
}

/**
 * Reads a list of old codes with the budget codes that replace them, such as a chart of accounts that was renumbered. A row without a
 * budget code is skipped.
 * @param targets the organisation's budget codes
 * @returns null if no two columns hold old and new codes
 */
export function readCodePairs(cells: Cells, targets: readonly { id: number; codes: readonly string[] }[]): CodePairs | null {
  const columns = findPairColumns(cells)
  if (!columns) return null
  const ids = new Map(targets.flatMap(({ id, codes }) => codes.map((code) => [normaliseMappingText(code), id] as const)))
  const found = new Map<string, { text: string; id: number; row: number }>()
  const problems: CellProblem[] = []
  for (const [index, line] of cells.slice(columns.firstRow).entries()) {
    const row = columns.firstRow + index + 1
    const [text, code] = [(line[columns.from] ?? '').trim(), (line[columns.to] ?? '').trim()]
    if (!text || !code) continue
    const id = ids.get(normaliseMappingText(code))
    const before = found.get(normaliseMappingText(text))
    // The first row of a file without known headings may still be a row of headings.
    if (id === undefined && row === 1) continue
    if (id === undefined) problems.push({ row, column: null, value: code, message: 'There is no budget code with this code.' })
    else if (before && before.id !== id)
      problems.push({ row, column: null, value: text, message: `Row ${before.row} gives this code another budget code.` })
    else found.set(normaliseMappingText(text), { text, id, row })
  }
  return { pairs: [...found.values()].map(({ text, id }) => ({ text, id })), problems }
}
