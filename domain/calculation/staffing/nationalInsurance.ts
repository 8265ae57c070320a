import type { Day, IsoDate } from '../../values/calendar.ts'
import type { Pennies } from '../../values/units.ts'
import {
  div,
  type Exact,
  formatForDerivation,
  fromInteger,
  minus,
  parseDecimal,
  parsePercent,
  parsePounds,
  plus,
  round,
  roundNI,
  times,
} from '../exact.ts'
import type { AgesReached, NationalInsuranceRow, StepRecorder } from '../inputs.ts'

/** A national insurance table with its monthly limits in whole pennies. */
export interface BandTable {
  name: string
  rows: Band[]
}

interface Band {
  row: NationalInsuranceRow
  startPennies: Pennies
  endPennies: Pennies
  baseMonthly: Exact
  rate: Exact
}

/** HMRC's monthly equivalent of an annual limit: a twelfth to the nearest pound, in whole pennies (rules.md §6). */
function monthlyPennies(annual: string): Pennies {
  return round(div(parseDecimal(annual), fromInteger(12))) * 100
}

export function buildBandTable(name: string, rows: NationalInsuranceRow[]): BandTable {
  return {
    name,
    rows: rows.map((row) => ({
      row,
      startPennies: monthlyPennies(row.bandStart),
      endPennies: row.bandEnd === null ? Number.POSITIVE_INFINITY : monthlyPennies(row.bandEnd),
      baseMonthly: div(parsePounds(row.base), fromInteger(12)),
      rate: minus(parsePercent(row.rate), parsePercent(row.rebate)),
    })),
  }
}

/** An employee in the month of the contribution. */
export interface InsuredEmployee {
  ages: AgesReached
  lastDay: Day
  lastDate: IsoDate
  apprentice: boolean
  pension: boolean
}

/** The first row of a table that fits the employee and their gross pay; undefined if none does (rules.md §6). */
export function findBand(table: BandTable, insured: InsuredEmployee, grossPennies: Pennies): Band | undefined {
  return table.rows.find(
    ({ row, startPennies, endPennies }) =>
      row.apprentice === insured.apprentice &&
      (row.pension === null || row.pension === insured.pension) &&
      grossPennies >= startPennies &&
      grossPennies < endPennies &&
      ageFits(row, insured),
  )
}

/** Without a date of birth only rows without an upper age fit (rules.md §6). */
function ageFits(row: NationalInsuranceRow, { ages, lastDate }: InsuredEmployee): boolean {
  if (ages === null) return row.maxAge === null
  return (
    (row.minAge === 0 || hasReachedAge(ages, row.minAge, lastDate)) && (row.maxAge === null || !hasReachedAge(ages, row.maxAge, lastDate))
  )
}

function hasReachedAge(ages: NonNullable<AgesReached>, age: number, date: IsoDate): boolean {
  const on = ages[age]
  return on === 'always' || (on !== undefined && on !== 'never' && on <= date)
}

/**
 * Employer class 1 contribution on one month's gross pay of one employee.
 * @param grossPennies whole pennies, all contracts of the employee in the budget
 * @returns whole pennies, never below zero; halves of a penny are dropped (SS(C)R 2001 reg. 12(1), rules.md §0 and §6)
 */
export function calculateContribution(band: Band, grossPennies: Pennies, note?: StepRecorder): Pennies {
  const earned = fromInteger(grossPennies - band.startPennies)
  const due = plus(band.baseMonthly, times(earned, band.rate))
  const figure = 'ni'
  note?.({
    figure,
    label: `Less monthly threshold (${band.row.bandStart} ÷ 12, nearest pound)`,
    value: `− ${formatForDerivation(band.startPennies, 100)}`,
    rule: '§6',
  })
  if (Number(band.row.base))
    note?.({ figure, label: `Fixed amount ${band.row.base} ÷ 12`, value: formatForDerivation(band.baseMonthly, 100), rule: '§6' })
  const rebate = Number(band.row.rebate) ? ` − ${band.row.rebate}%` : ''
  note?.({
    figure,
    label: `${formatForDerivation(earned, 100)} × ${band.row.rate}%${rebate}`,
    value: formatForDerivation(due, 100),
    rule: '§6',
  })
  return roundNI(due)
}
