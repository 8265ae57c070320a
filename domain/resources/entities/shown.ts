import { communicationState } from '../../lookups/lookupIds.ts'
import { dayInLondon } from '../../values/format.ts'
import type { FieldProblem } from '../../words/errors.ts'

/** Checks that the end is after the start (behaviour B-252). */
export function checkEndAfterStart({ active, expires }: Record<string, unknown>): FieldProblem[] {
  return active && expires && String(expires) <= String(active) ? [{ field: 'expires', message: 'Expires must be after Active.' }] : []
}

/**
 * Returns the display state of a record, as an id of the list `communicationStates`. The state is calculated from the record's switch and
 * its start and end, and never stored. An end without a time means the end of that day.
 * @param now an ISO moment in UTC
 */
export function getCommunicationState({ enabled, active, expires }: Record<string, unknown>, now: string): number {
  const isDay = (value: string): boolean => value.length === 'YYYY-MM-DD'.length
  const isOver = (end: string): boolean => (isDay(end) ? end < dayInLondon(now) : new Date(end).toISOString() <= now)
  const isToCome = (start: string): boolean => (isDay(start) ? start > dayInLondon(now) : new Date(start).toISOString() > now)
  if (!enabled) return communicationState.off
  if (expires && isOver(String(expires))) return communicationState.expired
  return active && isToCome(String(active)) ? communicationState.scheduled : communicationState.showing
}
