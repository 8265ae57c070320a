import { type CellSum, findCellSums } from '../../../domain/reports/cells/sums.ts'
import type { Report } from '../../../domain/reports/report.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toPounds } from '../../../domain/values/format.ts'
import type { WorkbookRow, WorkbookValue } from '../../core/workbook.ts'

/** Limits of spreadsheets: arguments of one sum, and characters of one formula. */
const most = { parts: 250, characters: 8000 }

/** The letters of a column, from 0. */
function toColumnLetters(column: number): string {
  const rest = String.fromCharCode(65 + (column % 26))
  return column < 26 ? rest : toColumnLetters(Math.floor(column / 26) - 1) + rest
}

/** Groups sorted numbers into runs of consecutive numbers, each as its first and last number. */
function groupIntoRuns(numbers: readonly number[]): [number, number][] {
  const runs: [number, number][] = []
  for (const one of [...numbers].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && run[1] === one - 1) run[1] = one
    else runs.push([one, one])
  }
  return runs
}

/**
 * The rows of a table with formulas for its totals, and a check cell below them that shows 0.00 while no figure has been changed.
 * @param first the sheet row number of the first of these rows
 */
export function addFormulas(report: Report, rows: readonly WorkbookRow[], first: number): WorkbookRow<WorkbookValue>[] {
  const sums = findCellSums(report)
  /** The cell of a report's row and column. Labels are in the first column of the sheet. */
  const nameOf = (row: number, column: number): string => `${toColumnLetters(column + 1)}${first + row}`
  const written = ({ of, terms }: CellSum, row: number, column: number): string => {
    const cell = (at: number): string => (of === 'rows' ? nameOf(at, column) : nameOf(row, at))
    const parts = (isLess: boolean): string[] =>
      groupIntoRuns(terms.filter(({ less }) => less === isLess).map(({ at }) => at)).map(([from, to]) =>
        from === to ? cell(from) : `${cell(from)}:${cell(to)}`,
      )
    const sumOf = (some: readonly string[]): string => (some.length ? `SUM(${some.join(',')})` : '')
    const [added, less] = [sumOf(parts(false)), sumOf(parts(true))]
    // SUM treats text as zero, where plus would fail.
    return less ? `${added || '0'}-${less}` : added
  }
  const rowsWithFormulas = rows.map((row, index): WorkbookRow<WorkbookValue> => {
    const cells = row.cells.map((value, at) => {
      const sum = at > 0 ? sums[index]?.[at - 1] : null
      if (!sum || sum.terms.length > most.parts * 4) return value
      const formula = written(sum, index, at - 1)
      return formula.length > most.characters || formula.split(',').length > most.parts ? value : { formula, value: Number(value) }
    })
    return { ...row, cells }
  })
  const proofs = (['money', 'number'] as const).flatMap((type) => {
    // Comparing two columns with each other would miss an error that both contain.
    const figures = report.columns.flatMap((one, column) =>
      one.type === type && !/^(change|difference|moved) /.test(one.key) ? [column] : [],
    )
    if (!figures.length || !rows.length) return []
    // Added as whole numbers, so that the addition has no rounding error.
    const all = report.rows.reduce(
      (sum, row) =>
        figures.reduce(
          (before, column) => before + (typeof row.values[column] === 'number' ? hundredths(row.values[column], type) : 0),
          sum,
        ),
      0,
    )
    const ranges = groupIntoRuns(figures).map(([from, to]) => `SUM(${nameOf(0, from)}:${nameOf(rows.length - 1, to)})`)
    return [{ column: assertDefined(figures[0]), formula: `ROUND(${ranges.join('+')}-(${toPounds(all).toFixed(2)}),2)` }]
  })
  const [main] = proofs
  if (!main) return rowsWithFormulas
  // Absolute values, so that an error in money cannot cancel out one in other figures.
  const formula = proofs.length > 1 ? proofs.map((one) => `ABS(${one.formula})`).join('+') : main.formula
  const at = main.column + 1
  return [
    ...rowsWithFormulas,
    { cells: report.columns.map(() => null) },
    {
      cells: [
        'Reconciliation: the figures above less those calculated',
        ...report.columns.map((_column, index) => (index + 1 === at ? { formula, value: 0 } : null)),
      ],
      weight: 'total',
    },
  ]
}

/** A figure in hundredths, as money in pennies already is. */
const hundredths = (value: number, type: 'money' | 'number'): number => (type === 'money' ? value : Math.round(value * 100))
