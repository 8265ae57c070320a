import { addCells, type Cell, shownCell } from './columns.ts'
import type { ReportFacts } from './facts.ts'
import { addSums, balancesOf, eachLedger, inYearSums, type Ledger, sumsOf } from './statement.ts'

/** A year at a glance: whole pennies, null where nothing of it could be calculated. */
export interface GlanceYear {
  name: string
  income: number | null
  staff: number | null
  inYear: number | null
  /** All balances at its end. */
  reserve: number | null
  /** Monthly figures that could not be calculated and are in none of these. */
  missing: number
}

export interface Glance {
  locations: { id: number; name: string; years: GlanceYear[] }[]
  /** All of them together; what they pay each other cancels. */
  total: GlanceYear[]
}

const figures = ['income', 'staff', 'inYear', 'reserve'] as const
type Figures = Record<(typeof figures)[number], Cell> & { missing: number }

function figuresOf(ledger: Ledger): Figures[] {
  const { sides } = ledger
  const reserve = addSums(
    balancesOf(ledger).map((one) => one.closing),
    ledger,
  )
  const [income, staff, inYear] = [sumsOf(ledger, sides.income), sumsOf(ledger, sides.staff), inYearSums(ledger)]
  const missing = ledger.facts.units.map((_unit, index) =>
    ledger.facts.lines.reduce((sum, line) => sum + (line.unit === index ? line.missing : 0), 0),
  )
  return income.map((_cell, index) => ({
    income: income[index]!,
    staff: staff[index]!,
    inYear: inYear[index]!,
    reserve: reserve[index]!,
    missing: missing[index]!,
  }))
}

const shown = (name: string, { missing, ...cells }: Figures): GlanceYear => ({
  name,
  income: shownCell(cells.income),
  staff: shownCell(cells.staff),
  inYear: shownCell(cells.inYear),
  reserve: shownCell(cells.reserve),
  missing,
})

/**
 * Every location with its years, and all of them together (rules.md §19). Income and staff stand before what locations pay each other, the
 * in-year balance and the reserve after it, as in the budget analysis location by location.
 */
export function glanceOf(facts: ReportFacts): Glance {
  const names = [...new Set(facts.units.map((unit) => unit.year))]
  const each = eachLedger(facts).map(({ location, ledger }) => ({ location, years: figuresOf(ledger) }))
  return {
    locations: each.map(({ location, years }) => ({ ...location, years: years.map((year, index) => shown(names[index]!, year)) })),
    total: names.map((name, index) => {
      const own = each.map(({ years }) => years[index]!)
      const over = (pick: (typeof figures)[number]): Cell => addCells(own.map((one) => one[pick]))
      return shown(name, {
        income: over('income'),
        staff: over('staff'),
        inYear: over('inYear'),
        reserve: over('reserve'),
        missing: own.reduce((sum, one) => sum + one.missing, 0),
      })
    }),
  }
}
