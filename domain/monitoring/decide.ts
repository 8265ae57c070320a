import { undoStateSince } from '../changes/undoState.ts'
import { actualType, importType } from '../lookups/lookupIds.ts'
import { canonicalJson } from '../values/canonicalJson.ts'
import { displayDateTime } from '../values/format.ts'
import type { UserId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { conflict, DomainError, invalid } from '../words/errors.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from './events.ts'
import { type MonitoringState, touchedKeys } from './evolve.ts'
import {
  type AboutCode,
  type ActualLine,
  type AdjustmentItem,
  type CalendarMonth,
  codeKey,
  type ForecastMethod,
  forecastKey,
  monthKey,
  monthWords,
  type Settings,
  settingsKey,
} from './monitoring.ts'

/** What a file says of one location. */
export interface LocationFile extends CalendarMonth {
  mode: number
  digest: string
  lines: ActualLine[]
  /** The file is said to be for this location, whether it has lines of it or not. */
  isNamed: boolean
}

/**
 * Imports a month of a location: in place of what stands, or beside it. Actuals close the month, and so does a file that is said to be for
 * the location, an empty one included.
 */
export function importActuals({ isNamed, ...file }: LocationFile): MonitoringEvent[] {
  const closes = isNamed || file.lines.some((line) => line.type === actualType.actual)
  // Added to a month, nothing changes nothing.
  if (!file.lines.length && file.mode === importType.add && !closes) return []
  return [{ type: 'ActualsImported', data: { ...file, closes } }]
}

/** Says that a file was imported already, and where. @throws DomainError 409 that a second, deliberate call gets past */
export function refuseSameFile(standing: CalendarMonth & { at: string }): never {
  throw conflict(
    'sameFile',
    `The same file was imported for ${monthWords(standing)} on ${displayDateTime(standing.at)}. Import it again only if you mean to.`,
    standing,
  )
}

/** @returns nothing where the month has nothing to clear */
export function clearMonth(state: MonitoringState, month: CalendarMonth): MonitoringEvent[] {
  const { year, month: number } = month
  return state.items.has(monthKey(month)) ? [{ type: 'MonthCleared', data: { year, month: number } }] : []
}

/** @param sealed the same text as before is sealed the same, so that saving it again changes nothing */
export function saveNote(state: MonitoringState, about: AboutCode, sealed: { notes: string; action: string | null }): MonitoringEvent[] {
  const before = state.items.get(codeKey('note', about))?.item
  const { notes: sealedNotes, action } = sealed
  if (before?.kind === 'note' && before.sealedNotes === sealedNotes && (before.sealedAction ?? null) === action) return []
  return [{ type: 'NoteSaved', data: { ...about, sealedNotes, ...(action === null ? {} : { sealedAction: action }) } }]
}

export function removeNote(state: MonitoringState, about: AboutCode): MonitoringEvent[] {
  return state.items.has(codeKey('note', about)) ? [{ type: 'NoteRemoved', data: about }] : []
}

/** @param value whole pennies; what of it is back pay stays so */
export function saveAdjustment(state: MonitoringState, about: AboutCode, value: Pennies): MonitoringEvent[] {
  const before = adjustmentOf(state, about)
  if (before?.value === value) return []
  return [{ type: 'AdjustmentSaved', data: { ...about, value, ...(before?.backPay !== undefined && { backPay: before.backPay }) } }]
}

function adjustmentOf(state: MonitoringState, about: AboutCode): AdjustmentItem | undefined {
  const item = state.items.get(codeKey('adjustment', about))?.item
  return item?.kind === 'adjustment' ? item : undefined
}

/**
 * Takes what the payroll ledger accrues into the adjustment of a code: in the place of what was taken before, and beside what was adjusted by hand.
 * @param backPay whole pennies still to be paid
 * @returns nothing where the same was taken already
 */
export function accrueBackPay(state: MonitoringState, about: AboutCode, backPay: Pennies): MonitoringEvent[] {
  const before = adjustmentOf(state, about)
  const taken = before?.backPay ?? 0
  if (taken === backPay) return []
  const value = (before?.value ?? 0) - taken + backPay
  if (value === 0 && backPay === 0) return removeAdjustment(state, about)
  return [{ type: 'AdjustmentSaved', data: { ...about, value, ...(backPay !== 0 && { backPay }) } }]
}

/**
 * Copies an adjustment into the next month, for a code that has none there. Back pay of the month before is not of it: the payroll ledger accrues
 * at each month's end all that is still open then (rules.md §18).
 */
export function copyAdjustment(
  state: MonitoringState,
  about: AboutCode,
  { value, backPay = 0 }: Pick<AdjustmentItem, 'value' | 'backPay'>,
): MonitoringEvent[] {
  return value === backPay ? [] : saveAdjustment(state, about, value - backPay)
}

export function removeAdjustment(state: MonitoringState, about: AboutCode): MonitoringEvent[] {
  return state.items.has(codeKey('adjustment', about)) ? [{ type: 'AdjustmentRemoved', data: about }] : []
}

/** Chooses how the open months of some codes are forecast at a location in a budget year. @param values whole pennies of twelve periods */
export function chooseForecast(
  state: MonitoringState,
  chosen: { year: number; budgetCodeIds: number[]; method: ForecastMethod; values: number[] | null },
): MonitoringEvent[] {
  const { year, method, values } = chosen
  if (method === 'typed' && values?.length !== 12)
    throw invalid([{ field: 'values', message: 'Type a value for each of the twelve months.' }])
  if (method !== 'typed' && values)
    throw invalid([{ field: 'values', message: 'Values belong to the method Typed. Choose it, or leave them out.' }])
  const budgetCodeIds = [...new Set(chosen.budgetCodeIds)].filter((id) => {
    const before = state.items.get(forecastKey(year, id))?.item
    if (before?.kind !== 'forecast') return method !== 'budget'
    return before.method !== method || canonicalJson(before.values) !== canonicalJson(values)
  })
  return budgetCodeIds.length ? [{ type: 'ForecastChosen', data: { year, budgetCodeIds, method, values } }] : []
}

export function saveSettings(state: MonitoringState, settings: Settings): MonitoringEvent[] {
  const before = state.items.get(settingsKey)?.item
  const isSame = before && canonicalJson(before) === canonicalJson({ kind: 'settings', ...settings })
  return isSame ? [] : [{ type: 'SettingsSaved', data: settings }]
}

/** Why a change of some types is not taken back, but mended otherwise. */
const notUndone: Partial<Record<MonitoringEvent['type'], string>> = {
  MonthEndClosed: 'A month that was closed is reopened with a reason, and one that was reopened is closed again.',
  MonthEndReopened: 'A month that was closed is reopened with a reason, and one that was reopened is closed again.',
  PackFinished: 'A finished pack stays as it is. Start a new one from it.',
}

/** Whether a change is one that its maker may take back. */
export function isUndoable({ type }: Pick<MonitoringEvent, 'type'>): boolean {
  return !notUndone[type]
}

/**
 * Takes back one's own change as long as nothing newer that still stands touched the same things: back and back again, to the start.
 * @param before the state just before the change
 * @param later what was done since, in order
 * @param nameOf what the people who did that are called
 */
export function undo(
  event: StoredMonitoringEvent,
  {
    actorId,
    before,
    later,
    nameOf,
  }: { actorId: UserId | null; before: MonitoringState; later: readonly StoredMonitoringEvent[]; nameOf: (actorId: UserId) => string },
): MonitoringEvent[] {
  if (event.actorId === null || event.actorId !== actorId)
    throw new DomainError('forbidden', 'forbidden', 'Only the person who made a change can undo it.')
  const reason = notUndone[event.type]
  if (reason) throw conflict('notUndone', reason)
  const things = touchedKeys(event).map((key) => ({ key, item: before.items.get(key)?.item ?? null }))
  const keys = new Set(things.map(({ key }) => key))
  const { isUndone: isTakenBack, since } = undoStateSince(
    event,
    later.filter((one) => touchedKeys(one).some((key) => keys.has(key))),
  )
  if (isTakenBack) throw conflict('newer', 'This has been taken back already.')
  const newest = since.at(-1)
  if (newest) {
    const who = newest.actorId === actorId ? 'You have' : newest.actorId === null ? 'Another system has' : `${nameOf(newest.actorId)} has`
    throw conflict('newer', `${who} changed this since. Undo the newer change first.`)
  }
  return [{ type: 'ChangeUndone', data: { undoes: event.version, things } }]
}
