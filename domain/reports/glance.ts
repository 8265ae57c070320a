import { budgetCodeCategory, openingBalanceType } from '../lookups/lookupIds.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { addCells, type Cell, shownCell } from './columns.ts'
import type { LineSum, ReportFacts } from './facts.ts'
import { isCapital } from './mapped.ts'
import { addSums, balancesOf, eachLedger, inYearSums, type Ledger, sumsOf } from './statement.ts'

/** A year at a glance: whole pennies, null where nothing of it could be calculated. */
export interface GlanceYear {
  name: string
  income: Pennies | null
  staff: Pennies | null
  /** Without capital, as it is looked at before it is submitted. */
  inYear: number | null
  /** Balances at its end but that of capital; null where nothing of this year or one before it could be calculated. */
  reserve: Pennies | null
  /** Monthly figures that could not be calculated and are in none of these, those that the reserve lacks of the years before included. */
  missing: number
}

export interface Glance {
  locations: { id: LocationId; name: string; years: GlanceYear[] }[]
  /** All of them together; what they pay each other cancels. */
  total: GlanceYear[]
}

const figures = ['income', 'staff', 'inYear', 'reserve'] as const
type Figures = Record<(typeof figures)[number], Cell> & { missing: number }

/** What moves a balance other than that of capital. */
function withoutCapital({ facts, plan, sides }: Ledger): Ledger {
  const own = (lines: readonly LineSum[]): LineSum[] => lines.filter((line) => !isCapital(facts, line.codeId))
  return {
    facts,
    plan,
    sides: { income: own(sides.income), staff: own(sides.staff), other: own(sides.other), transfer: own(sides.transfer) },
  }
}

/** Income, staff, in-year balance and reserve of each bucket; the last two without capital. */
export function figuresOf(ledger: Ledger): Figures[] {
  const { facts, sides } = ledger
  const [income, staff, inYear] = [sumsOf(ledger, sides.income), sumsOf(ledger, sides.staff), inYearSums(withoutCapital(ledger))]
  const reserve = addSums(
    balancesOf(ledger)
      .filter((one) => one.type !== openingBalanceType.capital)
      .map((one) => one.closing),
    ledger,
  )
  const missingOf = (rows: readonly { unit: number; missing: number }[], index: number): number =>
    rows.reduce((sum, row) => sum + (row.unit === index ? row.missing : 0), 0)
  const lines = Object.values(sides).flat()
  const before = (facts.carried?.before ?? []).filter(
    (one) => facts.codes.get(one.codeId ?? -1)?.facts.category !== budgetCodeCategory.balance && !isCapital(facts, one.codeId),
  )
  return income.map((_cell, index) => {
    const isUnknown = inYear.slice(0, index + 1).some((cell) => shownCell(cell) === null)
    return {
      income: assertDefined(income[index]),
      staff: assertDefined(staff[index]),
      inYear: assertDefined(inYear[index]),
      reserve: isUnknown ? { value: 0, known: 0, missing: 1 } : assertDefined(reserve[index]),
      missing: missingOf(lines, index) + missingOf(before, index),
    }
  })
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
 * in-year balance and the reserve after it, as in the budget analysis location by location but without capital: money for buildings hides
 * no deficit.
 */
export function glanceOf(facts: ReportFacts): Glance {
  const names = [...new Set(facts.units.map((unit) => unit.year))]
  const each = eachLedger(facts).map(({ location, ledger }) => ({ location, years: figuresOf(ledger) }))
  return {
    locations: each.map(({ location, years }) => ({
      ...location,
      years: years.map((year, index) => shown(assertDefined(names[index]), year)),
    })),
    total: names.map((name, index) => {
      const own = each.map(({ years }) => assertDefined(years[index]))
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
