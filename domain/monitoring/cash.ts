import { assertDefined } from '../values/assertDefined.ts'
import type { Months, Pennies } from '../values/units.ts'
import { invalid } from '../words/errors.ts'
import type { MonitoringEvent } from './events.ts'
import type { MonitoringState } from './evolve.ts'
import { type CodeId, roundedQuotient } from './figures.ts'
import { type CalendarMonth, cashFloorKey, cashLagKey, monthAt, openingCashKey } from './monitoring.ts'

/** The longest that money follows its period, and the months that a cash forecast shows. */
export const longestLag = 3
export const shortestForecast = 12
export const longestForecast = 24

/** What a line is paid by where nothing was chosen for its code: the employer's contributions go out a month after the pay. */
const defaultLag = { pay: 0, contributions: 1 } as const

/** What moves at one location for one code, by month from the first of its budget year; whole pennies. */
export interface CashCode {
  codeId: CodeId
  isIncome: boolean
  /** Of each month: the actual where it is closed, else what is expected. */
  values: readonly Pennies[]
  /** How much of the budget's line of each month is employer NI and pension, and how much is not. */
  contributions: readonly Pennies[]
  rest: readonly Pennies[]
  /** Figures of each month that could not be calculated. */
  missing: readonly number[]
}

/** One location from the first month of its budget year on. */
export interface CashPlace {
  /** By `monthIndex`. */
  start: number
  /** How many months its budget has from there on; what comes after is not known. */
  known: Months
  /** Whole pennies; null: nobody has typed it. */
  opening: Pennies | null
  codes: readonly CashCode[]
}

/** A month of a cash forecast; whole pennies, null for what cannot be calculated. */
export interface CashMonth extends CalendarMonth {
  opening: Pennies | null
  receipts: Pennies | null
  payments: Pennies | null
  closing: Pennies | null
  /** Figures that could not be calculated and are in no sum, this month's and those before. */
  missing: number
}

/** Money of a code by when it moves: at its own month, or later. */
function parts(code: CashCode, month: number): { rest: number; contributions: number } {
  const value = code.values[month] ?? 0
  const [late, early] = [code.contributions[month] ?? 0, code.rest[month] ?? 0]
  // A ledger does not say which part of a code's actual is contributions: the budget's line of the month does.
  const contributions = late + early === 0 ? 0 : roundedQuotient(value * late, late + early)
  return { rest: value - contributions, contributions }
}

/**
 * The cash of a location month by month (rules.md §17): opening cash, what is received and paid `lag` months after its period, closing cash.
 * Months before the budget year count as its first. From the first month on that needs what no budget says, nothing is calculated.
 * @param lags chosen for codes, 0 to 3; the others follow `defaultLag`
 * @param count 12 to 24 months
 */
export function cashForecast(place: CashPlace, lags: ReadonlyMap<CodeId, number>, count: number): CashMonth[] {
  const months: CashMonth[] = []
  let opening = place.opening
  let missing = 0
  for (let month = 0; month < count; month++) {
    let [receipts, payments] = [0, 0]
    const isKnown = month < place.known
    for (const code of place.codes) {
      const chosen = lags.get(code.codeId)
      const lateBy = chosen ?? defaultLag.contributions
      const restBy = chosen ?? defaultLag.pay
      const from = (lag: number): number => Math.max(month - lag, 0)
      const moved = parts(code, from(restBy)).rest + parts(code, from(lateBy)).contributions
      missing += code.missing[from(restBy)] ?? 0
      if (code.isIncome) receipts += moved
      else payments += moved
    }
    const closing: number | null = opening === null || !isKnown ? null : opening + receipts - payments
    months.push({
      ...monthAt(place.start + month),
      opening,
      receipts: isKnown ? receipts : null,
      payments: isKnown ? payments : null,
      closing,
      missing,
    })
    opening = closing
  }
  return months
}

/** The cash of some locations together, over the months that all of them have; what one of them lacks, all of them lack. */
export function addCash(all: readonly (readonly CashMonth[])[]): CashMonth[] {
  const [first, ...others] = all
  const sum = (values: readonly (number | null)[]): number | null =>
    values.reduce<number | null>((total, value) => (total === null || value === null ? null : total + value), 0)
  return (first ?? []).flatMap((month) => {
    const same = others.map((one) => one.find((other) => other.year === month.year && other.month === month.month))
    if (same.some((one) => one === undefined)) return []
    const own = [month, ...same.map((one) => assertDefined(one))]
    return [
      {
        year: month.year,
        month: month.month,
        opening: sum(own.map((one) => one.opening)),
        receipts: sum(own.map((one) => one.receipts)),
        payments: sum(own.map((one) => one.payments)),
        closing: sum(own.map((one) => one.closing)),
        missing: own.reduce((total, one) => total + one.missing, 0),
      },
    ]
  })
}

/** The month with the least cash, the first of equals; null: none can be calculated. */
export function lowestCash(months: readonly CashMonth[]): (CalendarMonth & { closing: number }) | null {
  return months.reduce<(CalendarMonth & { closing: number }) | null>((lowest, { year, month, closing }) => {
    if (closing === null || (lowest && lowest.closing <= closing)) return lowest
    return { year, month, closing }
  }, null)
}

/** @param value whole pennies; null: it is not known @returns nothing where it stands so already */
export function saveOpeningCash(state: MonitoringState, year: number, value: Pennies | null): MonitoringEvent[] {
  const before = state.items.get(openingCashKey(year))?.item
  if ((before?.kind === 'openingCash' ? before.value : null) === value) return []
  return [{ type: 'OpeningCashSaved', data: { year, value } }]
}

/** Chooses by how many months the cash of codes follows. @param lag 0 to 3; null: as it is where nothing is chosen */
export function chooseCashLag(state: MonitoringState, codeIds: readonly number[], lag: number | null): MonitoringEvent[] {
  if (lag !== null && !(Number.isInteger(lag) && lag >= 0 && lag <= longestLag))
    throw invalid([{ field: 'lag', message: `Choose 0 to ${longestLag} months.` }])
  const budgetCodeIds = [...new Set(codeIds)].filter((id) => {
    const before = state.items.get(cashLagKey(id))?.item
    return (before?.kind === 'cashLag' ? before.lag : null) !== lag
  })
  return budgetCodeIds.length ? [{ type: 'CashLagChosen', data: { budgetCodeIds, lag } }] : []
}

/** @param value whole pennies; null: no floor */
export function saveCashFloor(state: MonitoringState, value: Pennies | null): MonitoringEvent[] {
  const before = state.items.get(cashFloorKey)?.item
  return (before?.kind === 'cashFloor' ? before.value : null) === value ? [] : [{ type: 'CashFloorSaved', data: { value } }]
}
