import { type CalendarMonth, formatMonth } from '../monitoring/monitoring.ts'
import { displayWholePounds, toPennies, toPounds } from '../values/format.ts'
import type { Pounds } from '../values/units.ts'
import type { ReportWarning, WarningKind } from './warnings.ts'

/** The states of a school's finances, the most urgent first. */
export const schoolStates = ['act', 'watch', 'steady'] as const
export type SchoolState = (typeof schoolStates)[number]

/** The names of the states, on screens and on paper. */
export const schoolStateNames = { act: 'Act now', watch: 'Watch', steady: 'On course' } as const satisfies Record<SchoolState, string>

/** The facts that decide the state of a school; pounds. */
export interface SchoolStateFacts {
  warnings: readonly ReportWarning[]
  /** The forecast in-year balance less the budgeted one; null without actuals. */
  variance: Pounds | null
  /** The variance without capital, because reserves exclude capital too. */
  revenueVariance: Pounds | null
  /** The budgeted reserves at the end of the forecast's year and of the years after it; null if unknown. */
  reserves: readonly { name: string; reserve: Pounds | null }[]
  /** Whether cash falls below the minimum that the organisation wants to hold. */
  isShortOfCash: boolean
}

/** Warnings that are urgent: the reserve falls below zero. */
const urgent: readonly WarningKind[] = ['reserve']

/**
 * Finds the first year whose budgeted reserve becomes a deficit if the forecast comes true. Each year starts with what the year before
 * leaves.
 */
function findForecastDeficit({ revenueVariance, reserves }: Pick<SchoolStateFacts, 'revenueVariance' | 'reserves'>): {
  name: string
  deficit: Pounds
} | null {
  for (const { name, reserve } of reserves) {
    const pennies = toPennies(reserve ?? 0) + toPennies(revenueVariance ?? 0)
    if (reserve !== null && reserve >= 0 && pennies < 0) return { name, deficit: toPounds(-pennies) }
  }
  return null
}

/**
 * Decides the state of a school: `act` if cash or reserves run out, or would if the forecast came true; `watch` if there is another warning
 * or the forecast is worse than the budget; otherwise `steady`.
 */
export function decideSchoolState({ warnings, variance, revenueVariance, reserves, isShortOfCash }: SchoolStateFacts): SchoolState {
  if (isShortOfCash || warnings.some(({ kind }) => urgent.includes(kind))) return 'act'
  if (findForecastDeficit({ revenueVariance, reserves })) return 'act'
  return warnings.length || (variance !== null && variance < 0) ? 'watch' : 'steady'
}

/** A school of the trust, with its warnings, its forecast and its lowest forecast cash. */
interface SchoolAtAGlance {
  warnings: readonly ReportWarning[]
  outlook: { budget: Pounds; forecast: Pounds; revenueVariance: Pounds } | null
  years: readonly { name: string; reserve: Pounds | null }[]
  lowest: { isBelowFloor: boolean } | null
}

/**
 * Decides the state of a school, and returns it with the facts that decide it.
 * @param yearIndex which of the school's years contains the month; null if none does
 */
export function assessSchool(
  { warnings, outlook, years, lowest }: SchoolAtAGlance,
  yearIndex: number | null,
): SchoolStateFacts & { state: SchoolState } {
  const facts = {
    warnings,
    variance: outlook && toPounds(toPennies(outlook.forecast) - toPennies(outlook.budget)),
    revenueVariance: outlook?.revenueVariance ?? null,
    reserves: yearIndex === null ? [] : years.slice(yearIndex),
    isShortOfCash: lowest?.isBelowFloor ?? false,
  }
  return { ...facts, state: decideSchoolState(facts) }
}

/** Sorts schools by state, the most urgent first, then by variance. Unknown variances come last. */
export function compareSchoolsByUrgency<S extends { state: SchoolState; variance: Pounds | null }>(a: S, b: S): number {
  const unknown = Number.POSITIVE_INFINITY
  const [one, other] = [a.variance ?? unknown, b.variance ?? unknown]
  return schoolStates.indexOf(a.state) - schoolStates.indexOf(b.state) || (one === other ? 0 : one - other)
}

/** Explains a school's state by its main reason, in one sentence. */
export function explainSchoolState({
  lowest,
  warnings,
  variance,
  revenueVariance,
  reserves,
}: Pick<SchoolStateFacts, 'warnings' | 'variance' | 'revenueVariance' | 'reserves'> & {
  lowest: (CalendarMonth & { closing: Pounds; isBelowFloor: boolean }) | null
}): string {
  if (lowest?.isBelowFloor) return `Cash falls to ${displayWholePounds(toPennies(lowest.closing))} in ${formatMonth(lowest)}.`
  // In order of urgency: cash and reserves that run out, the variance, all other warnings.
  const pressing = warnings.find(({ kind }) => urgent.includes(kind))
  if (pressing) return pressing.text
  const ahead = findForecastDeficit({ revenueVariance, reserves })
  if (ahead)
    return `On this forecast, the reserve will be in deficit by ${displayWholePounds(toPennies(ahead.deficit))} at the end of ${ahead.name}.`
  if (variance !== null && variance < 0) {
    const amount = displayWholePounds(toPennies(-variance))
    return `The forecast is ${amount === '£0' ? 'less than £1' : amount} worse than the budget.`
  }
  return warnings[0]?.text ?? 'Nothing to report.'
}
