import { assertDefined } from '../values/assertDefined.ts'
import { periodName } from '../values/calendar.ts'
import type { ReportFacts } from './facts.ts'
import { type Place, placeText, type ReportColumn } from './report.ts'

/** A figure of a cell: the sum of what could be calculated, of how many amounts, and how many could not. */
export interface Cell {
  value: number
  known: number
  missing: number
}

export const noCell: Cell = { value: 0, known: 0, missing: 0 }

export function addCells(cells: readonly Cell[]): Cell {
  const sum = { ...noCell }
  for (const cell of cells) {
    sum.value += cell.value
    sum.known += cell.known
    sum.missing += cell.missing
  }
  return sum
}

/** The other sign; nothing stays nothing. */
export function negated(cell: Cell): Cell {
  return { ...cell, value: cell.value ? -cell.value : 0 }
}

/** What a cell shows: null where nothing of it could be calculated. */
export function shownCell({ value, known, missing }: Cell): number | null {
  return missing > 0 && known === 0 ? null : value
}

/** Cells as the database adds them up: months of the one bucket, or one of each bucket. */
export type Sums = readonly Cell[]

/** The columns of a report of money, and how a row's sums become the cells of them. */
export interface ColumnPlan {
  columns: ReportColumn[]
  /** How many sums a row has. */
  width: number
  /** The cells of a row of amounts that add up. */
  finish: (sums: Sums) => Cell[]
  /** The cells of balances that each sum opens or ends with. */
  finishBalance: (sums: Sums, at: 'opening' | 'closing') => Cell[]
  /** Pupils of each column. */
  pupils: (number | null)[]
}

const column = (place: Place, title: string): ReportColumn => ({ key: placeText(place), title, type: 'money' })

/** What stands side by side (rules.md §19). */
export function planOf(facts: ReportFacts): ColumnPlan {
  if (facts.spread === 'months') return months(facts)
  if (facts.spread === 'locations') return locations(facts)
  return facts.spread === 'budgets' ? budgets(facts) : years(facts)
}

const same = (sums: Sums): Cell[] => [...sums]

function years({ units }: ReportFacts): ColumnPlan {
  return {
    columns: units.map(({ year, location }) => column({ year, ...(location ? { location: String(location.id) } : {}) }, year)),
    width: units.length,
    finish: same,
    finishBalance: same,
    pupils: units.map((unit) => unit.pupils),
  }
}

function months({ units, startMonth }: ReportFacts): ColumnPlan {
  const { year, pupils } = assertDefined(units[0])
  const first = Number(year.slice(0, 4))
  const titles = Array.from(
    { length: 12 },
    (_unused, index) => `${periodName(startMonth, index + 1).slice(0, 3)} ${first + (startMonth + index > 12 ? 1 : 0)}`,
  )
  return {
    columns: [...titles.map((title, index) => column({ year, month: String(index + 1) }, title)), column({ year }, year)],
    width: 12,
    finish: (sums) => [...sums, addCells(sums)],
    finishBalance: (sums, at) => [...sums, at === 'opening' ? assertDefined(sums[0]) : assertDefined(sums.at(-1))],
    // A count of pupils is one of a year: a month has none.
    pupils: [...titles.map(() => null), pupils],
  }
}

function locations({ units }: ReportFacts): ColumnPlan {
  const { year } = assertDefined(units[0])
  const total = (sums: Sums): Cell[] => [...sums, addCells(sums)]
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

/** Each year has the budgets, then what each has more than the first. */
function budgets({ units }: ReportFacts): ColumnPlan {
  const named = [...new Set(units.map((unit) => unit.year))].map((year) => ({
    year,
    own: units.flatMap((unit, index) => (unit.year === year ? [{ budget: assertDefined(unit.budget), pupils: unit.pupils, index }] : [])),
  }))
  const finish = (sums: Sums): Cell[] =>
    named.flatMap(({ own }) => {
      const cells = own.map(({ index }) => assertDefined(sums[index]))
      return [...cells, ...cells.slice(1).map((cell) => less(cell, assertDefined(cells[0])))]
    })
  return {
    columns: named.flatMap(({ year, own }) => [
      ...own.map(({ budget }) => column({ year, budget: budget.id }, named.length > 1 ? `${budget.name} ${year}` : budget.name)),
      ...own.slice(1).map(
        ({ budget }): ReportColumn => ({
          key: `difference ${budget.id} ${year}`,
          title: `${budget.name} less ${assertDefined(own[0]).budget.name}${named.length > 1 ? ` ${year}` : ''}`,
          type: 'money',
        }),
      ),
    ]),
    width: units.length,
    finish,
    finishBalance: finish,
    pupils: named.flatMap(({ own }) => [...own.map((one) => one.pupils), ...own.slice(1).map(() => null)]),
  }
}

/** A difference is known where both are. */
function less(cell: Cell, first: Cell): Cell {
  const isKnown = shownCell(cell) !== null && shownCell(first) !== null
  const missing = cell.missing + first.missing
  return {
    value: cell.value - first.value,
    known: isKnown ? Math.max(1, cell.known + first.known) : 0,
    missing: isKnown ? missing : Math.max(1, missing),
  }
}
