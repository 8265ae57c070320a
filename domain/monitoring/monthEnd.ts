import { displayCount } from '../values/format.ts'
import { conflict } from '../words/errors.ts'
import type { MonitoringEvent } from './events.ts'
import { type MonitoringState, monthEndOf } from './evolve.ts'
import { type Adjusted, type CalendarMonth, type MonthStep, monthEndKey, monthSteps, monthWords } from './monitoring.ts'
import type { KeptForecast } from './trackRecord.ts'

/** What a step is called as something that is still to be done. */
const undone: Record<MonthStep, string> = {
  payroll: 'payroll is not reconciled',
  adjustments: 'adjustments are not made',
  pack: 'the pack is not made',
}

/** What is looked at before a month is closed at a location. */
export interface Readiness {
  actualsIn: boolean
  /** Lines over the threshold without a reason, and those with a reason and without an action. */
  toExplain: number
  toAct: number
  /** The first month before it in the budget year that has something imported and is not closed. */
  openBefore: CalendarMonth | null
}

/** What stands in the way of closing a month, in the words of a list; nothing: it can be closed. */
export function inTheWay(ticks: Partial<Record<MonthStep, unknown>>, { actualsIn, toExplain, toAct, openBefore }: Readiness): string[] {
  const lines = (count: number): string => `${displayCount(count, 'line')} ${count === 1 ? 'needs' : 'need'}`
  return [
    ...(actualsIn ? [] : ['actuals are not in']),
    ...monthSteps.filter((step) => step !== 'pack' && !ticks[step]).map((step) => undone[step]),
    ...(toExplain ? [`${lines(toExplain)} a reason`] : []),
    ...(toAct ? [`${lines(toAct)} an action`] : []),
    ...(ticks.pack ? [] : [undone.pack]),
    ...(openBefore ? [`${monthWords(openBefore)} is not closed`] : []),
  ]
}

/** Says that a step of the month end is done, or is not after all. @throws DomainError 409 while the month is closed */
export function tickStep(
  state: MonitoringState,
  { month, step, isDone }: { month: CalendarMonth; step: MonthStep; isDone: boolean },
): MonitoringEvent[] {
  const before = monthEndOf(state, month)
  if (Boolean(before.ticks[step]) === isDone) return []
  if (before.closed) throw closedSentence(month, null)
  return [{ type: isDone ? 'MonthStepTicked' : 'MonthStepUnticked', data: { year: month.year, month: month.month, step } }]
}

/**
 * @param kept what counts there of adjustments, and the year as it is forecast: the closed month keeps both
 * @returns nothing where it is closed already
 */
export function closeMonthEnd(
  state: MonitoringState,
  { year, month }: CalendarMonth,
  kept: { adjusted: Adjusted; forecast: KeptForecast[]; start?: CalendarMonth },
): MonitoringEvent[] {
  return monthEndOf(state, { year, month }).closed ? [] : [{ type: 'MonthEndClosed', data: { year, month, ...kept } }]
}

/** @returns nothing where it is open already */
export function reopenMonthEnd(state: MonitoringState, { year, month }: CalendarMonth, sealedReason: string): MonitoringEvent[] {
  return monthEndOf(state, { year, month }).closed ? [{ type: 'MonthEndReopened', data: { year, month, sealedReason } }] : []
}

/** The keys of the month ends that must be open for an event to be. Notes and adjustments are asked about at their own level. */
export function neededOpen(event: MonitoringEvent): string[] {
  switch (event.type) {
    case 'ActualsImported':
    case 'MonthCleared':
    case 'MonthStepTicked':
    case 'MonthStepUnticked':
      return [monthEndKey(event.data)]
    case 'ChangeUndone':
      return event.data.things.flatMap(({ key }) => {
        const text = /^month(?:End)? (\d{4})-(\d\d)$/.exec(key)
        return text ? [monthEndKey({ year: Number(text[1]), month: Number(text[2]) })] : []
      })
    default:
      return []
  }
}

/** @param place what the location is called @throws DomainError 409 for an event about a month that is closed */
export function refuseClosed(state: MonitoringState, events: readonly MonitoringEvent[], place: string): void {
  for (const key of events.flatMap(neededOpen)) {
    const item = state.items.get(key)?.item
    if (item?.kind === 'monthEnd' && item.closed) throw closedSentence(item, place)
  }
}

/** Some names, and how many more there are. */
export function someNames(names: readonly string[]): string {
  const shown = names.slice(0, 5)
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${displayCount(names.length - shown.length, 'other')}` : ''}`
}

/** @param place what the locations are called; null where the screen says it */
export function closedSentence(month: CalendarMonth, place: string | null) {
  const where = place ? ` at ${place}` : ''
  return conflict('monthClosed', `${monthWords(month)} is closed${where}. Reopen it with a reason first.`, {
    year: month.year,
    month: month.month,
  })
}
