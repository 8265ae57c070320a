import { type CostLine, totalMonths, yearSum } from '../../../domain/calculation/staffing/lines.ts'
import { elementAt } from '../../../domain/values/assertDefined.ts'
import { periodName, yearName } from '../../../domain/values/calendar.ts'

/** A figure of a contract's cost that somebody may ask about. */
export interface AskedFigure {
  /** Of which line; null: of all of them. */
  line: CostLine['figure'] | null
  year: number
  /** From the budget's first; null: the whole year. */
  month: number | null
}

/** What is asked about, and who is told of the next question. */
export interface Asking {
  asked: AskedFigure | null
  lines: readonly CostLine[]
  budget: { firstYear: number; startMonth: number }
  onAsk: (asked: AskedFigure | null) => void
}

/** The month or year of a figure in words. */
export function whenOf({ year, month }: AskedFigure, { firstYear, startMonth }: Asking['budget']): string {
  const name = yearName(firstYear, year)
  return month === null ? name : `${periodName(startMonth, (month % 12) + 1)} of ${name}`
}

/** The line that a figure is of, and what it comes to; none where an edit took the line away. */
export function readFigure(
  lines: readonly CostLine[],
  { line: figure, year, month }: AskedFigure,
): { line: CostLine | null; pennies: number | null } | undefined {
  const line = lines.find((one) => one.figure === figure) ?? null
  if (figure !== null && !line) return undefined
  const months = line?.months ?? totalMonths(lines)
  return { line, pennies: month === null ? yearSum(months, year) : elementAt(months, month) }
}
