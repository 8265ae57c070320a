import { budgetCodeCategory, openingBalanceType } from '../lookups/lookupIds.ts'
import { assertDefined } from '../values/assertDefined.ts'
import type { LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { type CellFigure, sumCells, toDisplayedValue } from './columns.ts'
import type { LineSum, ReportFacts } from './facts.ts'
import { isCapitalCode } from './mapped.ts'
import { addRowSums, buildLedgerPerLocation, calculateBalances, calculateInYearSums, type ReportLedger, sumLines } from './statement.ts'

/** The main figures of a year; whole pennies, null if nothing could be calculated. */
export interface YearAtAGlance {
  name: string
  income: Pennies | null
  staff: Pennies | null
  /** The in-year balance without capital, as in the checks before a budget is submitted. */
  inYear: number | null
  /** The closing balances without capital; null if this year or an earlier one could not be calculated. */
  reserve: Pennies | null
  /**
   * The number of monthly figures that could not be calculated and are left out. It includes those of earlier years, on which the reserve
   * depends.
   */
  missing: number
}

export interface LocationsAtAGlance {
  locations: { id: LocationId; name: string; years: YearAtAGlance[] }[]
  /** The figures of all locations together; payments between them cancel each other out. */
  total: YearAtAGlance[]
}

const figures = ['income', 'staff', 'inYear', 'reserve'] as const
type GlanceFigures = Record<(typeof figures)[number], CellFigure> & { missing: number }

/** Returns the ledger without lines that change the capital balance. */
function excludeCapital({ facts, plan, sides }: ReportLedger): ReportLedger {
  const withoutCapital = (lines: readonly LineSum[]): LineSum[] => lines.filter((line) => !isCapitalCode(facts, line.codeId))
  return {
    facts,
    plan,
    sides: {
      income: withoutCapital(sides.income),
      staff: withoutCapital(sides.staff),
      other: withoutCapital(sides.other),
      transfer: withoutCapital(sides.transfer),
    },
  }
}

/** Calculates income, staff costs, in-year balance and reserve of each unit; in-year balance and reserve exclude capital. */
export function calculateYearsAtAGlance(ledger: ReportLedger): GlanceFigures[] {
  const { facts, sides } = ledger
  const [income, staff, inYear] = [
    sumLines(ledger, sides.income),
    sumLines(ledger, sides.staff),
    calculateInYearSums(excludeCapital(ledger)),
  ]
  const reserve = addRowSums(
    calculateBalances(ledger)
      .filter((one) => one.type !== openingBalanceType.capital)
      .map((one) => one.closing),
    ledger,
  )
  const missingOf = (rows: readonly { unit: number; missing: number }[], index: number): number =>
    rows.reduce((sum, row) => sum + (row.unit === index ? row.missing : 0), 0)
  const lines = Object.values(sides).flat()
  const before = (facts.carried?.before ?? []).filter(
    (one) => facts.codes.get(one.codeId ?? -1)?.facts.category !== budgetCodeCategory.balance && !isCapitalCode(facts, one.codeId),
  )
  return income.map((_cell, index) => {
    const isUnknown = inYear.slice(0, index + 1).some((cell) => toDisplayedValue(cell) === null)
    return {
      income: assertDefined(income[index]),
      staff: assertDefined(staff[index]),
      inYear: assertDefined(inYear[index]),
      reserve: isUnknown ? { value: 0, known: 0, missing: 1 } : assertDefined(reserve[index]),
      missing: missingOf(lines, index) + missingOf(before, index),
    }
  })
}

const toGlanceYear = (name: string, { missing, ...cells }: GlanceFigures): YearAtAGlance => ({
  name,
  income: toDisplayedValue(cells.income),
  staff: toDisplayedValue(cells.staff),
  inYear: toDisplayedValue(cells.inYear),
  reserve: toDisplayedValue(cells.reserve),
  missing,
})

/**
 * Builds the overview by location and in total (rules.md §19). Income and staff costs exclude payments between locations; the in-year
 * balance and the reserve include them. It resembles the budget analysis by location but leaves out capital, so that money for buildings
 * cannot hide a deficit.
 */
export function buildLocationsAtAGlance(facts: ReportFacts): LocationsAtAGlance {
  const names = [...new Set(facts.units.map((unit) => unit.year))]
  const each = buildLedgerPerLocation(facts).map(({ location, ledger }) => ({ location, years: calculateYearsAtAGlance(ledger) }))
  return {
    locations: each.map(({ location, years }) => ({
      ...location,
      years: years.map((year, index) => toGlanceYear(assertDefined(names[index]), year)),
    })),
    total: names.map((name, index) => {
      const figuresOfYear = each.map(({ years }) => assertDefined(years[index]))
      const over = (pick: (typeof figures)[number]): CellFigure => sumCells(figuresOfYear.map((one) => one[pick]))
      return toGlanceYear(name, {
        income: over('income'),
        staff: over('staff'),
        inYear: over('inYear'),
        reserve: over('reserve'),
        missing: figuresOfYear.reduce((sum, one) => sum + one.missing, 0),
      })
    }),
  }
}
