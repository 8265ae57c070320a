import { assertDefined } from '../values/assertDefined.ts'
import type { Months, Pennies } from '../values/units.ts'
import { invalid } from '../words/errors.ts'
import type { MonitoringEvent } from './events.ts'
import type { MonitoringState } from './evolve.ts'
import { type CodeId, divideRounded } from './figures.ts'
import { buildCashLagKey, buildOpeningCashKey, type CalendarMonth, cashFloorKey, fromMonthIndex, toMonthIndex } from './monitoring.ts'

/** The longest time in months from the period of an amount to its payment; then the shortest and longest cash forecast. */
export const maximumLagMonths = 3
export const minimumForecastMonths = 12
export const maximumForecastMonths = 24

/** The time in months from period to payment, for codes without a chosen one. Employer contributions are paid a month after the salary. */
const defaultLag = { pay: 0, contributions: 1 } as const

/** The income or expenditure of one code at one location, by month from the start of its budget year; whole pennies. */
export interface CodeCashFlow {
  codeId: CodeId
  isIncome: boolean
  /** By month: the actual if the month is closed, otherwise the forecast. */
  values: readonly Pennies[]
  /** By month: the budget of employer NI and pension, and the budget of everything else on the code. */
  contributions: readonly Pennies[]
  rest: readonly Pennies[]
  /** By month, how many figures could not be calculated. */
  missing: readonly number[]
}

/** The cash of one location from the first month of its budget year. */
export interface LocationCash {
  /** `toMonthIndex` of the first month. */
  start: number
  /** How many months the budget covers from `start`. Later months are unknown. */
  known: Months
  opening: Pennies | null
  codes: readonly CodeCashFlow[]
}

/** A month of a cash forecast; whole pennies, null if it cannot be calculated. */
export interface CashMonth extends CalendarMonth {
  opening: Pennies | null
  receipts: Pennies | null
  payments: Pennies | null
  closing: Pennies | null
  /** How many figures of this and earlier months are left out because they could not be calculated. */
  missing: number
}

/** Splits the value of a month into contributions and the rest, because they may be paid at different times. */
function splitContributions(code: CodeCashFlow, month: number): { rest: number; contributions: number } {
  const value = code.values[month] ?? 0
  const [late, early] = [code.contributions[month] ?? 0, code.rest[month] ?? 0]
  // A ledger does not separate contributions, so the actual is split in the proportions that they have in the budget.
  const contributions = late + early === 0 ? 0 : divideRounded(value * late, late + early)
  return { rest: value - contributions, contributions }
}

/**
 * Forecasts a location's cash month by month (rules.md §17): opening cash, receipts and payments `lag` months after their period, closing
 * cash. A month before the budget year counts as its first month. From the first month that the budget does not cover, nothing is
 * calculated.
 * @param lags the delays chosen for codes, 0 to 3 months; other codes use `defaultLag`
 * @param count 12 to 24 months
 */
export function forecastCash(location: LocationCash, lags: ReadonlyMap<CodeId, number>, count: number): CashMonth[] {
  const months: CashMonth[] = []
  let opening = location.opening
  let missing = 0
  for (let month = 0; month < count; month++) {
    let [receipts, payments] = [0, 0]
    const isKnown = month < location.known
    for (const code of location.codes) {
      const chosen = lags.get(code.codeId)
      const contributionsLag = chosen ?? defaultLag.contributions
      const restLag = chosen ?? defaultLag.pay
      const from = (lag: number): number => Math.max(month - lag, 0)
      const moved = splitContributions(code, from(restLag)).rest + splitContributions(code, from(contributionsLag)).contributions
      missing += code.missing[from(restLag)] ?? 0
      if (code.isIncome) receipts += moved
      else payments += moved
    }
    const closing: number | null = opening === null || !isKnown ? null : opening + receipts - payments
    months.push({
      ...fromMonthIndex(location.start + month),
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

/** Adds up the cash of several locations in the months that all of them cover. A figure is null if it is null for any location. */
export function sumCashForecasts(all: readonly (readonly CashMonth[])[]): CashMonth[] {
  const [first, ...others] = all
  const sum = (values: readonly (number | null)[]): number | null =>
    values.reduce<number | null>((total, value) => (total === null || value === null ? null : total + value), 0)
  return (first ?? []).flatMap((month) => {
    const same = others.map((one) => one.find((other) => other.year === month.year && other.month === month.month))
    if (same.some((one) => one === undefined)) return []
    const aligned = [month, ...same.map((one) => assertDefined(one))]
    return [
      {
        year: month.year,
        month: month.month,
        opening: sum(aligned.map((one) => one.opening)),
        receipts: sum(aligned.map((one) => one.receipts)),
        payments: sum(aligned.map((one) => one.payments)),
        closing: sum(aligned.map((one) => one.closing)),
        missing: aligned.reduce((total, one) => total + one.missing, 0),
      },
    ]
  })
}

/**
 * The month with the lowest closing cash, the first if several are equal; null if no month could be calculated.
 * @param since the earliest month to consider; without it, all months
 */
export function findLowestCash(months: readonly CashMonth[], since?: CalendarMonth): (CalendarMonth & { closing: number }) | null {
  return months.reduce<(CalendarMonth & { closing: number }) | null>((lowest, { year, month, closing }) => {
    if (closing === null || (lowest && lowest.closing <= closing)) return lowest
    if (since && toMonthIndex({ year, month }) < toMonthIndex(since)) return lowest
    return { year, month, closing }
  }, null)
}

/** Saves the opening cash of a budget year. @param value whole pennies; null if unknown @returns no event if the value is unchanged */
export function saveOpeningCash(state: MonitoringState, year: number, value: Pennies | null): MonitoringEvent[] {
  const before = state.items.get(buildOpeningCashKey(year))?.item
  if ((before?.kind === 'openingCash' ? before.value : null) === value) return []
  return [{ type: 'OpeningCashSaved', data: { year, value } }]
}

/** Chooses the delay of cash for some codes. @param lag 0 to 3 months; null restores the default */
export function chooseCashLag(state: MonitoringState, codeIds: readonly number[], lag: number | null): MonitoringEvent[] {
  if (lag !== null && !(Number.isInteger(lag) && lag >= 0 && lag <= maximumLagMonths))
    throw invalid([{ field: 'lag', message: `Choose 0 to ${maximumLagMonths} months.` }])
  const budgetCodeIds = [...new Set(codeIds)].filter((id) => {
    const before = state.items.get(buildCashLagKey(id))?.item
    return (before?.kind === 'cashLag' ? before.lag : null) !== lag
  })
  return budgetCodeIds.length ? [{ type: 'CashLagChosen', data: { budgetCodeIds, lag } }] : []
}

/** Saves the lowest cash that the organisation wants to hold. @param value whole pennies; null for no minimum */
export function saveCashFloor(state: MonitoringState, value: Pennies | null): MonitoringEvent[] {
  const before = state.items.get(cashFloorKey)?.item
  return (before?.kind === 'cashFloor' ? before.value : null) === value ? [] : [{ type: 'CashFloorSaved', data: { value } }]
}
