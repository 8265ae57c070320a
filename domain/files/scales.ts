import type { Cells } from './headings.ts'
import type { CellProblem } from './texts.ts'

/**
 * Words that say that figures are thousands or millions of pounds, or pence. A letter alone counts only straight after the pound, or at the end:
 * `(P)` is part of a school's name, and `£ p.m.` a month's pay.
 */
const scaled =
  /(?:£|\bgbp|\bin|\()\s*['’]?\s*(?:000s?|mn|thousands?|millions?|pence|pennies)\b|(?:£|\bgbp ?)[km]\b(?![./])|\bin (?:£ ?)?[kmp]$|\b(?:thousands|millions) of pounds\b|\bpence$/i

/** How long a line above a table is looked at. */
const longestLine = 200

/**
 * Lines above a table and headings of its amounts that say that its figures are not pounds: £12.3 thousand is not £12.30.
 * @param headingRow from 1
 * @param figures the columns of amounts, from 0
 */
export function scaleProblems(cells: Cells, headingRow: number, figures: readonly number[]): CellProblem[] {
  return cells.slice(0, headingRow).flatMap((line, index): CellProblem[] => {
    const said = line.find(
      (cell, column) => (index < headingRow - 1 || figures.includes(column)) && scaled.test(cell.slice(0, longestLine)),
    )
    return said === undefined
      ? []
      : [
          {
            row: index + 1,
            column: null,
            value: said.trim().slice(0, longestLine),
            message: 'These figures are not in pounds. Enter them in pounds, such as 1234.50, and remove these words.',
          },
        ]
  })
}
