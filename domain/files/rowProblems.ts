import { assertDefined } from '../values/assertDefined.ts'
import { explainShortenedCode, looksLikeDate } from './cells.ts'
import { type Cells, isFigure, normaliseHeading } from './headings.ts'
import { isQuantityHeading } from './money.ts'
import { findScaleProblems } from './scales.ts'
import { explainSpoiltCell } from './spoilt.ts'
import type { CellProblem } from './texts.ts'

/** The number of cells up to the last heading. If there are two rows of headings, the last heading may be in the upper row only. */
function countHeadings(cells: Cells, headingRow: number): number {
  const above = cells[headingRow - 2] ?? []
  const isGroup = !above[0]?.trim() && above.filter((cell) => cell.trim()).length > 1 && !above.some(isFigure)
  const lastOf = (row: readonly string[]): number => row.findLastIndex((cell) => cell.trim()) + 1
  return Math.max(lastOf(cells[headingRow - 1] ?? []), isGroup ? lastOf(above) : 0)
}

/** Finds an amount that was split at its commas, such as `1` and `234.50`. @returns the column of its first part; −1 if there is none */
function findSplitAmount(row: readonly string[]): number {
  return row.findIndex((cell, at) => /^\s*[-(£]*\d{1,3}\s*$/.test(cell) && /^\s*\d{3}(?:\.\d+)?[)-]?\s*$/.test(row[at + 1] ?? ''))
}

/**
 * Finds the column ranges of amounts that were split at their commas. A range ends with the cell that has the pence; an amount of a million
 * or more has two commas.
 */
function findSplitAmountRanges(row: readonly string[]): { first: number; last: number }[] {
  return row.flatMap((cell, first) => {
    if (!/^\s*[-(£]*\d{1,3}\s*$/.test(cell)) return []
    let last = first + 1
    while (/^\s*\d{3}\s*$/.test(row[last] ?? '')) last++
    return /^\s*\d{3}\.\d\d[)-]?\s*$/.test(row[last] ?? '') ? [{ first, last }] : []
  })
}

/** The most problems that are listed; further ones are only counted. */
const maximumProblems = 5000

const widerRow =
  'This row has more cells than there are headings. Put any amount or text that contains a comma in quotation marks, or remove the extra cell.'

const cutRow =
  'An amount in this row seems to have been split at its comma, so its pence are in the next column. Put the amount in quotation marks, or remove the comma.'

/**
 * Finds rows with more cells than headings, and rows with an amount that was split at its comma. In such rows cells have moved to the
 * right, so no cell can be trusted. Text outside the table, such as a page number, is no problem.
 * @param headingRow from 1
 */
export function findRowsWithMovedCells(cells: Cells, headingRow: number): CellProblem[] {
  const headings = cells[headingRow - 1] ?? []
  const width = countHeadings(cells, headingRow)
  const figures = classifyFigureColumns(cells, headingRow)
  // Two things show that an amount was split: a part without pence in a column whose other amounts have pence (hours may be whole), and a
  // part with a leading zero.
  const isPrinted = (column: number): boolean => figures(column) === 'printed' && !isQuantityHeading(headings[column] ?? '')
  const isCut = (row: readonly string[]): boolean =>
    findSplitAmountRanges(row).some(({ first, last }) => {
      const behind = row.slice(first + 1, last + 1)
      return figures(first) && (isPrinted(first) || behind.some((cell, at) => /^\s*0/.test(cell) || !figures(first + 1 + at)))
    })
  return cells.flatMap((row, index): CellProblem[] => {
    if (index < headingRow) return []
    if (row.length <= width) return isCut(row) ? [problemAt(index, row, cutRow)] : []
    const beyond = row.slice(width).filter((cell) => cell.trim())
    // The second row of two-row headings has no figures and an empty first cell.
    if (index === headingRow && !row[0]?.trim() && !row.some(isFigure)) return []
    // Some programs end each row with an empty cell. After a split amount, however, such a cell confirms the split.
    if (!beyond.length) return row.length > headings.length && findSplitAmount(row) >= 0 ? [problemAt(index, row)] : []
    const isOfTable = row.slice(0, width).some((cell) => cell.trim())
    return isOfTable || beyond.some(isFigure) ? [problemAt(index, row)] : []
  })
}

/**
 * Classifies columns of amounts by their figures, without the parts of split amounts. Rows are scanned on the first call.
 * @returns for a column, from 0: `printed` if all its figures have two decimals and some end in 0, which numbers from a workbook never do
 */
function classifyFigureColumns(cells: Cells, headingRow: number): (column: number) => 'printed' | 'plain' | undefined {
  let found: Map<number, { pence: boolean; noughts: boolean }> | undefined
  const find = (): NonNullable<typeof found> => {
    const columns: NonNullable<typeof found> = new Map()
    for (const row of cells.slice(headingRow)) {
      const cut = findSplitAmountRanges(row)
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
const foreignCurrencies = new Set([
  ...Intl.supportedValuesOf('currency').filter((code) => code !== 'GBP'),
  ...['EURO', 'EUROS', '€', 'DOLLAR', 'DOLLARS', 'US DOLLAR', 'US DOLLARS', '$', 'US$', 'SWISS FRANCS', 'YEN'],
])
const currencyHeading = /^(?:(?:transaction|trans|document) )?(?:currency|curr|ccy|cur)(?: code)?$/
/** Headings of amounts that are in pounds even if the row names another currency. */
const poundHeadingPattern = /£|\b(?:gbp|base|home|local)\b/i

/** Finds rows whose currency column names a currency other than pounds. */
function findForeignAmounts(cells: Cells, headingRow: number, figures: readonly number[]): CellProblem[] {
  const headings = cells[headingRow - 1] ?? []
  const column = headings.findIndex((heading, at) => !figures.includes(at) && currencyHeading.test(normaliseHeading(heading)))
  if (column < 0 || figures.some((figure) => poundHeadingPattern.test(headings[figure] ?? ''))) return []
  return cells.slice(headingRow).flatMap((line, index): CellProblem[] => {
    const value = (line[column] ?? '').trim()
    if (!foreignCurrencies.has(value.toUpperCase()) || !figures.some((figure) => isFigure(line[figure] ?? ''))) return []
    const message = 'This amount is not in pounds. Convert it, or remove the row.'
    return [{ row: headingRow + index + 1, column: assertDefined(headings[column]), value, message }]
  })
}

const amountAtEndPattern = /[\s;,|]"?[-(]?£?\d[\d,]*\.\d\d\)?(?:-| ?[cd]r)?"?$/i

/** The most characters at the end of a text that are searched for an amount. No amount is longer, and a long text would be slow to search. */
const longestAmount = 40

/**
 * The code of a row whose cells were not separated, so that a code, a text and an amount are in a single cell. Empty for any other text.
 */
function findUnseparatedCode(text: string): string {
  const [code = ''] = /^[^\s;,|]*/.exec(text) ?? []
  const afterCode = text.slice(code.length + 1)
  return /\d/.test(code) && amountAtEndPattern.test(afterCode.slice(-longestAmount)) ? code : ''
}

/** Finds rows whose amount is inside the text of their only cell, so that the row would be taken for a section heading. */
function findUnseparatedRows(cells: Cells, headingRow: number): CellProblem[] {
  return cells.slice(headingRow).flatMap((line, index): CellProblem[] => {
    const [text = '', ...others] = line.map((cell) => cell.trim()).filter(Boolean)
    const code = findUnseparatedCode(text)
    const message = 'The amount in this row shares a cell with text. Put the code, the name and the amount in separate cells.'
    return !code || others.length || looksLikeDate(code) ? [] : [problemAt(headingRow + index, [text], message)]
  })
}

/**
 * Finds problems before the amounts of a table are read: rows that are too wide, figures that are not pounds, spreadsheet errors, and
 * shortened codes.
 * @param headingRow from 1
 * @param figures the columns of amounts, from 0
 * @param texts the other columns that are used, from 0
 * @param codes those of `texts` that contain codes
 * @param leftOut the rows, from 1, that the user left out on purpose; their problems are ignored
 */
export function findTableProblems(
  cells: Cells,
  headingRow: number,
  {
    figures,
    texts,
    codes,
    leftOut,
  }: { figures: readonly number[]; texts: readonly number[]; codes: readonly number[]; leftOut?: ReadonlySet<number> | undefined },
): CellProblem[] {
  // Problems in the headings or above them concern the whole table, so they cannot be left out.
  const isLeftOut = (row: number): boolean => row > headingRow && Boolean(leftOut?.has(row))
  const headings = cells[headingRow - 1] ?? []
  const problems = [
    ...findScaleProblems(cells, headingRow, figures),
    ...findRowsWithMovedCells(cells, headingRow),
    ...findUnseparatedRows(cells, headingRow),
    ...findForeignAmounts(cells, headingRow, figures),
  ]
    .filter(({ row }) => !isLeftOut(row))
    .slice(0, maximumProblems)
  for (let index = headingRow; index < cells.length; index++) {
    if (isLeftOut(index + 1)) continue
    for (const column of texts) {
      const value = (assertDefined(cells[index])[column] ?? '').trim()
      const message = value && (explainSpoiltCell(value) ?? (codes.includes(column) ? explainShortenedCode(value) : null))
      if (message && problems.length < maximumProblems)
        problems.push({ row: index + 1, column: headings[column]?.trim() || `Column ${column + 1}`, value, message })
    }
  }
  return problems
}
