import { displayCount } from '../values/format.ts'
import { conflict } from '../words/errors.ts'
import type { MonitoringEvent } from './events.ts'
import { findMonthEnd, type MonitoringState } from './evolve.ts'
import {
  type AdjustmentsAtClose,
  buildMonthEndKey,
  type CalendarMonth,
  formatMonth,
  type MonthEndStep,
  monthEndSteps,
} from './monitoring.ts'
import type { StoredForecast } from './trackRecord.ts'

const stepNotDone: Record<MonthEndStep, string> = {
  payroll: 'payroll is not reconciled',
  adjustments: 'adjustments are not made',
  pack: 'the pack is not finished',
}

/** Conditions for closing a month at a location. */
export interface MonthEndReadiness {
  actualsIn: boolean
  /** `toExplain`: lines over the threshold without a reason. `toAct`: lines with a reason but without an action. */
  toExplain: number
  toAct: number
  /** The first earlier month of the budget year that has imports and is not closed. */
  openBefore: CalendarMonth | null
}

/** The tasks that remove an obstacle to closing a month. */
export const monthEndTasks = ['actuals', 'explain', 'close', ...monthEndSteps] as const
export type MonthEndTask = (typeof monthEndTasks)[number]

export interface MonthEndObstacle {
  task: MonthEndTask
  /** A phrase for a list, such as `no actuals yet`. */
  words: string
}

/** Finds what prevents closing a month, each with the task that removes it; empty if the month can be closed. */
export function findMonthEndObstacles(
  ticks: Partial<Record<MonthEndStep, unknown>>,
  { actualsIn, toExplain, toAct, openBefore }: MonthEndReadiness,
): MonthEndObstacle[] {
  const lines = (count: number): string => `${displayCount(count, 'line')} ${count === 1 ? 'needs' : 'need'}`
  const undone = (task: MonthEndStep): MonthEndObstacle => ({ task, words: stepNotDone[task] })
  return [
    ...(actualsIn ? [] : [{ task: 'actuals' as const, words: 'no actuals yet' }]),
    ...monthEndSteps.filter((step) => step !== 'pack' && !ticks[step]).map(undone),
    ...(toExplain ? [{ task: 'explain' as const, words: `${lines(toExplain)} a reason` }] : []),
    ...(toAct ? [{ task: 'explain' as const, words: `${lines(toAct)} an action` }] : []),
    ...(ticks.pack ? [] : [undone('pack')]),
    ...(openBefore ? [{ task: 'close' as const, words: `${formatMonth(openBefore)} is not closed` }] : []),
  ]
}

/** Lists what prevents closing a month, as phrases for a list; empty if the month can be closed. */
export function listMonthEndObstacles(ticks: Partial<Record<MonthEndStep, unknown>>, readiness: MonthEndReadiness): string[] {
  return findMonthEndObstacles(ticks, readiness).map(({ words }) => words)
}

/** Marks a step of the month end as done or not done. @throws DomainError 409 if the month is closed */
export function markMonthEndStep(
  state: MonitoringState,
  { month, step, isDone }: { month: CalendarMonth; step: MonthEndStep; isDone: boolean },
): MonitoringEvent[] {
  const before = findMonthEnd(state, month)
  if (Boolean(before.ticks[step]) === isDone) return []
  if (before.closed) throw createMonthClosedError(month, null)
  return [{ type: isDone ? 'MonthStepTicked' : 'MonthStepUnticked', data: { year: month.year, month: month.month, step } }]
}

/**
 * Closes a month of a location.
 * @param snapshot the current adjustments and forecast of the year, stored with the closed month
 * @returns no event if the month is already closed
 */
export function closeMonthEnd(
  state: MonitoringState,
  { year, month }: CalendarMonth,
  snapshot: { adjusted: AdjustmentsAtClose; forecast: StoredForecast[]; start?: CalendarMonth },
): MonitoringEvent[] {
  return findMonthEnd(state, { year, month }).closed ? [] : [{ type: 'MonthEndClosed', data: { year, month, ...snapshot } }]
}

/** @returns no event if the month is already open */
export function reopenMonthEnd(state: MonitoringState, { year, month }: CalendarMonth, sealedReason: string): MonitoringEvent[] {
  return findMonthEnd(state, { year, month }).closed ? [{ type: 'MonthEndReopened', data: { year, month, sealedReason } }] : []
}

/**
 * The keys of the month ends that must be open for an event at a location. For notes and adjustments other code checks this, because they
 * belong to a group or to the organisation.
 */
export function listRequiredOpenMonthEnds(event: MonitoringEvent): string[] {
  switch (event.type) {
    case 'ActualsImported':
    case 'MonthCleared':
    case 'MonthStepTicked':
    case 'MonthStepUnticked':
      return [buildMonthEndKey(event.data)]
    case 'ChangeUndone':
      return event.data.things.flatMap(({ key }) => {
        const text = /^month(?:End)? (\d{4})-(\d\d)$/.exec(key)
        return text ? [buildMonthEndKey({ year: Number(text[1]), month: Number(text[2]) })] : []
      })
    default:
      return []
  }
}

/** @param locationName name of the location @throws DomainError 409 for an event in a closed month */
export function refuseClosedMonthEnds(state: MonitoringState, events: readonly MonitoringEvent[], locationName: string): void {
  for (const key of events.flatMap(listRequiredOpenMonthEnds)) {
    const item = state.items.get(key)?.item
    if (item?.kind === 'monthEnd' && item.closed) throw createMonthClosedError(item, locationName)
  }
}

/** Lists the first five names, and how many more there are. */
export function abbreviateNameList(names: readonly string[]): string {
  const shown = names.slice(0, 5)
  return `${shown.join(', ')}${names.length > shown.length ? ` and ${displayCount(names.length - shown.length, 'other')}` : ''}`
}

/** @param locationName names of the locations; null if the screen already shows them */
export function createMonthClosedError(month: CalendarMonth, locationName: string | null) {
  const where = locationName ? ` at ${locationName}` : ''
  return conflict('monthClosed', `${formatMonth(month)} is closed${where}. Reopen it with a reason first.`, {
    year: month.year,
    month: month.month,
  })
}
