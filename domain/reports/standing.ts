import { type CalendarMonth, formatMonth } from '../monitoring/monitoring.ts'
import { displayWholePounds, toPennies } from '../values/format.ts'
import type { Pounds } from '../values/units.ts'
import type { ReportWarning, WarningKind } from './warnings.ts'

/** How a school stands, worst first. */
export const standings = ['act', 'watch', 'steady'] as const
export type Standing = (typeof standings)[number]

/** Each standing in words, for screens and paper. */
export const standingWords = { act: 'Act now', watch: 'Watch', steady: 'On course' } as const satisfies Record<Standing, string>

/** What a school is judged by; pounds. */
export interface SchoolFacts {
  warnings: readonly ReportWarning[]
  /** The forecast in-year balance less the budgeted one; null without actuals. */
  variance: Pounds | null
  /** Cash falls below the floor that the organisation accepts. */
  isShortOfCash: boolean
}

/** A reserve below zero leaves no time to wait. */
const urgent: readonly WarningKind[] = ['reserve']

/** How a school stands: act on money that runs out, watch what a report warns of or what is worse than budget. */
export function judgeSchool({ warnings, variance, isShortOfCash }: SchoolFacts): Standing {
  if (isShortOfCash || warnings.some(({ kind }) => urgent.includes(kind))) return 'act'
  return warnings.length || (variance !== null && variance < 0) ? 'watch' : 'steady'
}

/** Orders schools worst first: by standing, then by the variance, with unknown ones last. */
export function compareSchools<S extends { standing: Standing; variance: Pounds | null }>(a: S, b: S): number {
  const unknown = Number.POSITIVE_INFINITY
  const [one, other] = [a.variance ?? unknown, b.variance ?? unknown]
  return standings.indexOf(a.standing) - standings.indexOf(b.standing) || (one === other ? 0 : one - other)
}

/** Why a school is where it is in the list, in one sentence. */
export function describeStandingReason({
  lowest,
  warnings,
  variance,
}: Pick<SchoolFacts, 'warnings' | 'variance'> & { lowest: (CalendarMonth & { closing: Pounds; isBelowFloor: boolean }) | null }): string {
  if (lowest?.isBelowFloor) return `Cash falls to ${displayWholePounds(toPennies(lowest.closing))} in ${formatMonth(lowest)}.`
  // In the order in which schools are judged and sorted: money that runs out, the variance, everything else.
  const pressing = warnings.find(({ kind }) => urgent.includes(kind))
  if (pressing) return pressing.text
  if (variance !== null && variance < 0) {
    const amount = displayWholePounds(toPennies(-variance))
    return `The forecast is ${amount === '£0' ? 'less than £1' : amount} worse than the budget.`
  }
  return warnings[0]?.text ?? 'Nothing to report.'
}
