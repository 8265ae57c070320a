import type { Cells } from './headings.ts'
import type { CellProblem } from './texts.ts'

/**
 * Matches words that say that figures are in thousands, millions or pence. A single letter counts only directly after the pound sign or at
 * the end: `(P)` may be part of a school's name, and `£ p.m.` is monthly pay.
 */
const scalePattern =
  /(?:£|\bgbp|\bin|\()\s*['’]?\s*(?:000s?|mn|thousands?|millions?|pence|pennies)\b|(?:£|\bgbp ?)[km]\b(?![./])|\bin (?:£ ?)?[kmp]$|\b(?:thousands|millions) of pounds\b|\bpence$/i

/** The number of characters of a line above a table that are searched. */
const maximumSearchedLength = 200

/**
 * Finds lines above a table, or headings of amounts, that say that the figures are not in pounds, such as `£000`.
 * @param headingRow from 1
 * @param figures the columns of amounts, from 0
 */
export function findScaleProblems(cells: Cells, headingRow: number, figures: readonly number[]): CellProblem[] {
  return cells.slice(0, headingRow).flatMap((line, index): CellProblem[] => {
    const said = line.find(
      (cell, column) => (index < headingRow - 1 || figures.includes(column)) && scalePattern.test(cell.slice(0, maximumSearchedLength)),
    )
    return said === undefined
      ? []
      : [
          {
            row: index + 1,
            column: null,
            value: said.trim().slice(0, maximumSearchedLength),
            message: 'These figures are not in pounds. Enter them in pounds, such as 1234.50, and remove these words.',
          },
        ]
  })
}
