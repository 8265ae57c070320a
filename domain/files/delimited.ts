import { assertDefined } from '../values/assertDefined.ts'
import { createWholeFileError } from './refusals.ts'
import { totalNamePattern } from './totals.ts'

/** Cell delimiters. If several fit a file equally well, the first in this list is used. */
const knownDelimiters = [',', ';', '\t', '|'] as const

/** How much of a file is examined to guess its delimiter. */
const examinedStart = { letters: 200_000, rows: 200 } as const

/** A quoted cell that contains several lines. */
interface LongCell {
  /** Counted from 0. */
  row: number
  column: number
  /** The text between its quotation marks. */
  text: string
}

interface Parsed {
  rows: string[][]
  longCells: LongCell[]
  /** Why the rows after the last one in `rows` could not be read; null if every row was read. */
  problem: string | null
}

/**
 * Reads text whose cells are separated by commas, semicolons, tabs or pipes, or by the delimiter that a first line `sep=` names.
 * @throws DomainError naming the row with a quotation mark that would swallow later rows, so that no row is lost silently
 */
export function readDelimited(text: string): string[][] {
  const said = /^"?sep=(.)"?(?:\r\n|\r|\n|$)/i.exec(text)
  const table = trimLastLines((said ? text.slice(said[0].length) : text).replace(/^\uFEFF/, ''))
  const delimiter = said ? assertDefined(said[1]) : guessDelimiter(table)
  const { rows, longCells, problem } = parse(table, delimiter)
  if (problem) throw createWholeFileError(problem)
  const swallowed = longCells.length ? findSwallowedRows(rows, longCells, delimiter) : null
  if (swallowed) {
    const lines = swallowed.text.split(/\r\n|\r|\n/).length - 1
    throw createWholeFileError(
      `Row ${swallowed.row + 1}: a quotation mark (") opens a cell that closes only ${lines === 1 ? 'a line' : `${lines} lines`} further down and would hide everything in between. Remove the mark, and choose the file again.`,
    )
  }
  const cut = /[\r\n]$/.test(text) ? null : findCutRow(rows)
  if (cut)
    throw createWholeFileError(
      `Row ${rows.length}: the file ends in the middle of this row (${cut}), so the rest of the file may be missing. Export the file again. If nothing is missing, remove this row and choose the file again.`,
    )
  return rows
}

/**
 * Finds a last row that was cut off when a download broke off.
 * @returns the text of the last row if it has several cells but fewer than every other row; otherwise null
 */
function findCutRow(rows: readonly (readonly string[])[]): string | null {
  const last = rows.at(-1) ?? []
  const { cells: width, rows: usual } = findUsualWidth(rows)
  // A line of text or a total below the table is not one of its rows.
  const isRow = last.length > 1 && last.some(isFigure) && !totalNamePattern.test((last[0] ?? '').trim())
  return isRow && last.length < width && usual === rows.length - 1 ? last.join(' ').slice(0, 200) : null
}

/**
 * Reads cells pasted from a spreadsheet. Tabs and line ends separate them; a cell that contains one of these is quoted. If the quotes
 * cannot be parsed, or would swallow rows, they count as ordinary characters.
 */
export function readPasted(text: string): string[][] {
  const { rows, longCells, problem } = parse(text, '\t')
  const isQuoted = !problem && !findSwallowedRows(rows, longCells, '\t')
  return isQuoted ? rows : text.split(/\r\n|\r|\n/).map((line) => line.split('\t'))
}

/** Removes empty lines at the end, which would affect the guess of the delimiter. */
function trimLastLines(text: string): string {
  let end = text.length
  while (end && (text[end - 1] === '\n' || text[end - 1] === '\r')) end--
  return text.slice(0, end)
}

/** The delimiter that gives the most rows the same number of cells. */
function guessDelimiter(text: string): string {
  let best: { delimiter: string; rows: number; cells: number } = { delimiter: ',', rows: 0, cells: 1 }
  const head = text.slice(0, examinedStart.letters)
  for (const delimiter of knownDelimiters) {
    if (!head.includes(delimiter)) continue
    const usual = findUsualWidth(parse(head, delimiter, examinedStart.rows).rows)
    if (usual.rows > best.rows || (usual.rows === best.rows && usual.cells > best.cells)) best = { delimiter, ...usual }
  }
  return best.delimiter
}

/** The most common number of cells in rows of more than one cell, and how many rows have it. */
function findUsualWidth(rows: readonly (readonly string[])[]): { cells: number; rows: number } {
  const counts = new Map<number, number>()
  for (const { length } of rows) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1)
  let usual = { cells: 1, rows: 0 }
  for (const [cells, count] of counts) if (count > usual.rows) usual = { cells, rows: count }
  return usual
}

function parse(text: string, delimiter: string, mostRows = Number.POSITIVE_INFINITY): Parsed {
  const rows: string[][] = []
  const longCells: LongCell[] = []
  const [delimiters, feeds, returns] = [findOccurrences(text, delimiter), findOccurrences(text, '\n'), findOccurrences(text, '\r')]
  let row: string[] = []
  let at = 0
  const stop = (problem: string | null): Parsed => ({ rows, longCells, problem })
  while (rows.length < mostRows) {
    if (text[at] === '"') {
      const cell = readQuoted(text, at)
      if (!cell)
        return stop(
          `Row ${rows.length + 1}: a quotation mark (") opens a cell and is never closed, so every row below would be lost. Remove the mark, and choose the file again.`,
        )
      at = cell.end
      while (text[at] === ' ') at++
      const next = text[at]
      if (next !== undefined && next !== delimiter && next !== '\r' && next !== '\n')
        return stop(
          `Row ${rows.length + 1}: a cell that opens with a quotation mark (") continues after the next one. Remove the marks, or double those within the cell, and choose the file again.`,
        )
      if (/[\r\n]/.test(cell.text)) longCells.push({ row: rows.length, column: row.length, text: cell.text })
      row.push(cell.text)
    } else {
      const from = at
      at = Math.min(delimiters.next(at), feeds.next(at), returns.next(at))
      row.push(text.slice(from, at))
    }
    if (text[at] === delimiter) {
      at++
      continue
    }
    rows.push(row)
    if (at >= text.length) return stop(null)
    row = []
    at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
  }
  return stop(null)
}

/** Finds the occurrences of a character. `next` must be called with increasing positions, because it continues from its last result. */
function findOccurrences(text: string, sign: string): { next: (from: number) => number } {
  let place = -1
  return {
    /** The first occurrence at or after a position; the length of the text if there is none. */
    next: (from) => {
      if (place < from) place = text.indexOf(sign, from)
      if (place < 0) place = text.length
      return place
    },
  }
}

/** Reads the quoted cell that opens at a position; null if it is never closed. */
function readQuoted(text: string, open: number): { text: string; end: number } | null {
  const parts: string[] = []
  for (let from = open + 1; ; ) {
    const close = text.indexOf('"', from)
    if (close < 0) return null
    const isDoubled = text[close + 1] === '"'
    parts.push(text.slice(from, isDoubled ? close + 1 : close))
    if (!isDoubled) return { text: parts.join(''), end: close + 1 }
    from = close + 2
  }
}

const isFigure = (cell: string): boolean => /^[\s£(+-]*\d[\d.,]*[\s)-]*$/.test(cell)

/**
 * Finds the first multi-line cell that contains rows of the table. A quotation mark used for inches or “ditto” opens such a cell and a
 * later mark closes it, so the file is well-formed but rows are missing. The lines within the cell have as many cells as the table, with
 * figures in the same columns.
 */
function findSwallowedRows(rows: readonly (readonly string[])[], longCells: readonly LongCell[], delimiter: string): LongCell | null {
  const broken = new Set(longCells.map(({ row }) => row))
  const plain = rows.filter((_row, index) => !broken.has(index))
  const { cells: width } = findUsualWidth(plain.length ? plain : rows)
  const table = plain.filter(({ length }) => length === width)
  if (width < 2) return null
  const columns = Array.from({ length: width }, (_unused, column) => {
    const filled = table.flatMap((row) => (row[column]?.trim() ? [row[column].trim()] : []))
    const figures = filled.filter(isFigure).length
    // Headings are among the rows and are not figures.
    return { areFigures: figures > 0 && figures * 2 >= filled.length - 1, words: new Set(filled) }
  })
  const belongs = (cell: string, column: number): boolean => {
    const known = columns[column]
    const words = cell.trim()
    // If a column has no cells below its heading, only a figure shows that the line is a row.
    return known !== undefined && words !== '' && (known.areFigures || known.words.size < 2 ? isFigure(words) : known.words.has(words))
  }
  const isSwallowed = ({ row, column, text }: LongCell): boolean => {
    const lines = text.split(/\r\n|\r|\n/)
    const after = assertDefined(rows[row]).length - column - 1
    return lines.some((line, index) => {
      const cells = line.split(delimiter)
      const before = index === 0 ? column : 0
      const behind = index === lines.length - 1 ? after : 0
      if (before + cells.length + behind !== width) return false
      // The first part of the cell is ignored, because the quotation mark cut it off from the rest of its text.
      return cells.some((cell, place) => !(index === 0 && place === 0) && belongs(cell, before + place))
    })
  }
  return longCells.find(isSwallowed) ?? null
}
