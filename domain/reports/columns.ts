import { assertDefined } from '../values/assertDefined.ts'
import { formatPeriodMonth } from '../values/calendar.ts'
import type { ReportFacts } from './facts.ts'
import { formatLineFilter, type LineFilter, type ReportColumn } from './report.ts'

/** A figure: the sum of the known amounts, how many amounts are known, and how many could not be calculated. */
export interface CellFigure {
  value: number
  known: number
  missing: number
}

export const zeroCell: CellFigure = { value: 0, known: 0, missing: 0 }

export function sumCells(cells: readonly CellFigure[]): CellFigure {
  const sum = { ...zeroCell }
  for (const cell of cells) {
    sum.value += cell.value
    sum.known += cell.known
    sum.missing += cell.missing
  }
  return sum
}

/** Changes the sign of the value; zero stays zero and does not become −0. */
export function negateCell(cell: CellFigure): CellFigure {
  return { ...cell, value: cell.value ? -cell.value : 0 }
}

/** The displayed value; null if nothing could be calculated. */
export function toDisplayedValue({ value, known, missing }: CellFigure): number | null {
  return missing > 0 && known === 0 ? null : value
}

/** The sums of a row, from which its cells are calculated: twelve months of one unit, or one sum for each unit. */
export type RowSums = readonly CellFigure[]

/** The columns of a money report, and how the cells of a row are calculated from its sums. */
export interface ColumnPlan {
  columns: ReportColumn[]
  width: number
  /** Calculates the cells of a row of amounts, including totals. */
  finish: (sums: RowSums) => CellFigure[]
  /** Calculates the cells of a row of opening or closing balances. */
  finishBalance: (sums: RowSums, at: 'opening' | 'closing') => CellFigure[]
  pupils: (number | null)[]
}

const column = (filter: LineFilter, title: string): ReportColumn => ({ key: formatLineFilter(filter), title, type: 'money' })

/** Plans the columns for the spread of a report (rules.md §19). */
export function planColumns(facts: ReportFacts): ColumnPlan {
  if (facts.spread === 'months') return planMonths(facts)
  if (facts.spread === 'locations') return planLocations(facts)
  return facts.spread === 'budgets' ? planBudgets(facts) : planYears(facts)
}

const copySums = (sums: RowSums): CellFigure[] => [...sums]

function planYears({ units }: ReportFacts): ColumnPlan {
  return {
    columns: units.map(({ year, location }) => column({ year, ...(location ? { location: String(location.id) } : {}) }, year)),
    width: units.length,
    finish: copySums,
    finishBalance: copySums,
    pupils: units.map((unit) => unit.pupils),
  }
}

function planMonths({ units, startMonth }: ReportFacts): ColumnPlan {
  const { year, pupils } = assertDefined(units[0])
  const first = Number(year.slice(0, 4))
  const titles = Array.from(
    { length: 12 },
    (_unused, index) => `${formatPeriodMonth(startMonth, index + 1).slice(0, 3)} ${first + (startMonth + index > 12 ? 1 : 0)}`,
  )
  return {
    columns: [...titles.map((title, index) => column({ year, month: String(index + 1) }, title)), column({ year }, year)],
    width: 12,
    finish: (sums) => [...sums, sumCells(sums)],
    finishBalance: (sums, at) => [...sums, at === 'opening' ? assertDefined(sums[0]) : assertDefined(sums.at(-1))],
    // Pupils are counted once a year, so monthly columns show none.
    pupils: [...titles.map(() => null), pupils],
  }
}

function planLocations({ units }: ReportFacts): ColumnPlan {
  const { year } = assertDefined(units[0])
  const total = (sums: RowSums): CellFigure[] => [...sums, sumCells(sums)]
  const counted = units.map((unit) => unit.pupils)
  return {
    columns: [
      ...units.map(({ location }) => column({ year, location: String(assertDefined(location).id) }, assertDefined(location).name)),
      column({ year }, 'All'),
    ],
    width: units.length,
    finish: total,
    finishBalance: total,
    pupils: [...counted, counted.includes(null) ? null : counted.reduce<number>((sum, one) => sum + assertDefined(one) * 100, 0) / 100],
  }
}

/** Plans, for each year, a column for each budget. Each column after the first is followed by the difference from the first budget. */
function planBudgets({ units }: ReportFacts): ColumnPlan {
  const byYear = [...new Set(units.map((unit) => unit.year))].map((year) => ({
    year,
    own: units.flatMap((unit, index) => (unit.year === year ? [{ budget: assertDefined(unit.budget), pupils: unit.pupils, index }] : [])),
  }))
  const finish = (sums: RowSums): CellFigure[] =>
    byYear.flatMap(({ own }) => {
      const cells = own.map(({ index }) => assertDefined(sums[index]))
      return [...cells, ...cells.slice(1).map((cell) => subtractCell(cell, assertDefined(cells[0])))]
    })
  return {
    columns: byYear.flatMap(({ year, own }) => [
      ...own.map(({ budget }) => column({ year, budget: budget.id }, byYear.length > 1 ? `${budget.name} ${year}` : budget.name)),
      ...own.slice(1).map(
        ({ budget }): ReportColumn => ({
          key: `difference ${budget.id} ${year}`,
          title: `${budget.name} less ${assertDefined(own[0]).budget.name}${byYear.length > 1 ? ` ${year}` : ''}`,
          type: 'money',
        }),
      ),
    ]),
    width: units.length,
    finish,
    finishBalance: finish,
    pupils: byYear.flatMap(({ own }) => [...own.map((one) => one.pupils), ...own.slice(1).map(() => null)]),
  }
}

/** Subtracts a figure. The difference is known only if both figures are known. */
function subtractCell(cell: CellFigure, first: CellFigure): CellFigure {
  const isKnown = toDisplayedValue(cell) !== null && toDisplayedValue(first) !== null
  const missing = cell.missing + first.missing
  return {
    value: cell.value - first.value,
    known: isKnown ? Math.max(1, cell.known + first.known) : 0,
    missing: isKnown ? missing : Math.max(1, missing),
  }
}
