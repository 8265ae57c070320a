import { assertDefined } from '../values/assertDefined.ts'
import { explainShortenedCode } from './cells.ts'
import { type Cells, isFigure, normaliseHeading } from './headings.ts'
import { namesQuantity } from './money.ts'
import { scaleProblems } from './scales.ts'
import { explainSpoiltCell } from './spoilt.ts'
import type { CellProblem } from './texts.ts'

/** The number of cells up to the last heading. */
function widthOf(headings: readonly string[]): number {
  let width = headings.length
  while (width && !assertDefined(headings[width - 1]).trim()) width--
  return width
}

/** The column of the first part of an amount split at its commas, such as `1` of `1` and `234.50`; −1 if there is none. */
function cutAmountAt(row: readonly string[]): number {
  return row.findIndex((cell, at) => /^\s*[-(£]*\d{1,3}\s*$/.test(cell) && /^\s*\d{3}(?:\.\d+)?[)-]?\s*$/.test(row[at + 1] ?? ''))
}

/** The column ranges of amounts split at their commas and recognised by their pence; a million has two commas. */
function cutAmounts(row: readonly string[]): { first: number; last: number }[] {
  return row.flatMap((cell, first) => {
    if (!/^\s*[-(£]*\d{1,3}\s*$/.test(cell)) return []
    let last = first + 1
    while (/^\s*\d{3}\s*$/.test(row[last] ?? '')) last++
    return /^\s*\d{3}\.\d\d[)-]?\s*$/.test(row[last] ?? '') ? [{ first, last }] : []
  })
}

/** Problems beyond this many are only counted. */
const mostProblems = 5000

const widerRow =
  'This row has more cells than there are headings. Put an amount or a text that holds a comma in quotation marks, or remove the cell.'

const cutRow =
  'An amount in this row seems to have been split at its comma, so its pence are in the next column. Put the amount in quotation marks, or remove the comma.'

/**
 * Finds rows with more cells than headings, and rows with an amount that was split at its comma. The cells to the right have moved, so no
 * cell of such a row can be trusted. A cell alone beside the table, such as a page number, is not a row.
 * @param headingRow from 1
 */
export function findWiderRows(cells: Cells, headingRow: number): CellProblem[] {
  const headings = cells[headingRow - 1] ?? []
  const width = widthOf(headings)
  const figures = figureColumns(cells, headingRow)
  // An amount has no leading zeros, and is not in whole pounds if all others in its column have pence. Hours may be.
  const isPrinted = (column: number): boolean => figures(column) === 'printed' && !namesQuantity(headings[column] ?? '')
  const isCut = (row: readonly string[]): boolean =>
    cutAmounts(row).some(({ first, last }) => {
      const behind = row.slice(first + 1, last + 1)
      return figures(first) && (isPrinted(first) || behind.some((cell, at) => /^\s*0/.test(cell) || !figures(first + 1 + at)))
    })
  return cells.flatMap((row, index): CellProblem[] => {
    if (index < headingRow) return []
    if (row.length <= width) return isCut(row) ? [problemAt(index, row, cutRow)] : []
    const beyond = row.slice(width).filter((cell) => cell.trim())
    // The second row of two-row headings has no figures and an empty first cell.
    if (index === headingRow && !row[0]?.trim() && !row.some(isFigure)) return []
    // Some programs end each row with an empty cell; but after a split amount it is evidence of the split.
    if (!beyond.length) return row.length > headings.length && cutAmountAt(row) >= 0 ? [problemAt(index, row)] : []
    const isOfTable = row.slice(0, width).some((cell) => cell.trim())
    return isOfTable || beyond.some(isFigure) ? [problemAt(index, row)] : []
  })
}

/**
 * Classifies columns of amounts by their figures, ignoring parts of split amounts. The rows are scanned on the first call.
 * @returns for a column, from 0: `printed` if all its figures have two decimals and some end in 0, which a workbook's numbers never do
 */
function figureColumns(cells: Cells, headingRow: number): (column: number) => 'printed' | 'plain' | undefined {
  let found: Map<number, { pence: boolean; noughts: boolean }> | undefined
  const find = (): NonNullable<typeof found> => {
    const columns: NonNullable<typeof found> = new Map()
    for (const row of cells.slice(headingRow)) {
      const cut = cutAmounts(row)
      for (const [column, cell] of row.entries()) {
        const before = columns.get(column) ?? { pence: true, noughts: false }
        if (!before.pence || !isFigure(cell) || cut.some(({ first, last }) => column >= first && column <= last)) continue
        columns.set(column, { pence: /\.\d\d\D*$/.test(cell), noughts: before.noughts || /\.\d0\D*$/.test(cell) })
      }
    }
    return columns
  }
  return (column) => {
    const one = (found ??= find()).get(column)
    return one && (one.pence && one.noughts ? 'printed' : 'plain')
  }
}

function problemAt(index: number, row: readonly string[], message = widerRow): CellProblem {
  return { row: index + 1, column: null, value: row.join(',').slice(0, 200), message }
}

/** Currencies other than pounds, by code and by common name. */
const foreign = new Set([
  ...Intl.supportedValuesOf('currency').filter((code) => code !== 'GBP'),
  ...['EURO', 'EUROS', '€', 'DOLLAR', 'DOLLARS', 'US DOLLAR', 'US DOLLARS', '$', 'US$', 'SWISS FRANCS', 'YEN'],
])
const currencyHeading = /^(?:(?:transaction|trans|document) )?(?:currency|curr|ccy|cur)(?: code)?$/
/** Headings of amounts that are in pounds whatever the currency of the document. */
const inPounds = /£|\b(?:gbp|base|home|local)\b/i

/** Rows with a currency column that is not pounds. */
function foreignAmounts(cells: Cells, headingRow: number, figures: readonly number[]): CellProblem[] {
  const headings = cells[headingRow - 1] ?? []
  const column = headings.findIndex((heading, at) => !figures.includes(at) && currencyHeading.test(normaliseHeading(heading)))
  if (column < 0 || figures.some((figure) => inPounds.test(headings[figure] ?? ''))) return []
  return cells.slice(headingRow).flatMap((line, index): CellProblem[] => {
    const value = (line[column] ?? '').trim()
    if (!foreign.has(value.toUpperCase()) || !figures.some((figure) => isFigure(line[figure] ?? ''))) return []
    const message = 'This amount is not in pounds. Convert it, or remove the row.'
    return [{ row: headingRow + index + 1, column: assertDefined(headings[column]), value, message }]
  })
}

/**
 * Finds problems before the amounts of a table are read: rows that are too wide, figures that are not pounds, spreadsheet errors, and
 * shortened codes.
 * @param headingRow from 1
 * @param figures the columns of amounts, from 0
 * @param texts the other columns that are used, from 0
 * @param codes those of them that hold codes
 */
export function findTableProblems(
  cells: Cells,
  headingRow: number,
  { figures, texts, codes }: { figures: readonly number[]; texts: readonly number[]; codes: readonly number[] },
): CellProblem[] {
  const headings = cells[headingRow - 1] ?? []
  const problems = [
    ...scaleProblems(cells, headingRow, figures),
    ...findWiderRows(cells, headingRow),
    ...foreignAmounts(cells, headingRow, figures),
  ].slice(0, mostProblems)
  for (let index = headingRow; index < cells.length; index++) {
    for (const column of texts) {
      const value = (assertDefined(cells[index])[column] ?? '').trim()
      const message = value && (explainSpoiltCell(value) ?? (codes.includes(column) ? explainShortenedCode(value) : null))
      if (message && problems.length < mostProblems)
        problems.push({ row: index + 1, column: headings[column]?.trim() || `Column ${column + 1}`, value, message })
    }
  }
  return problems
}
