import { type UndoContext, undoItemChange } from '../changes/itemLog.ts'
import type { LeftOutRow } from '../files/leftOut.ts'
import { actualType, importType } from '../lookups/lookupIds.ts'
import { canonicalJson } from '../values/canonicalJson.ts'
import { displayDateTime } from '../values/format.ts'
import type { Pennies } from '../values/units.ts'
import { conflict, invalid } from '../words/errors.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from './events.ts'
import { listTouchedKeys, type MonitoringState } from './evolve.ts'
import {
  type ActualLine,
  type AdjustmentItem,
  buildForecastKey,
  buildMonthKey,
  buildNoteOrAdjustmentKey,
  type CalendarMonth,
  type CodeSubject,
  type ExplanationSettings,
  type ForecastMethod,
  formatMonth,
  type MonitoringItem,
  settingsKey,
} from './monitoring.ts'

export interface LocationActuals extends CalendarMonth {
  mode: number
  digest: string
  lines: ActualLine[]
  /** Rows of the file that the user left out; absent if there are none. */
  leftOut?: LeftOutRow[]
  /** Whether the user named this location as covered by the file, even if the file has no lines for it. */
  isNamed: boolean
}

/**
 * Imports a month of a location, replacing its lines or adding to them. The import closes the month if it contains actuals, or if the user
 * named the location as covered by the file.
 */
export function importActuals({ isNamed, ...file }: LocationActuals): MonitoringEvent[] {
  const closes = isNamed || file.lines.some((line) => line.type === actualType.actual)
  if (!file.lines.length && file.mode === importType.add && !closes) return []
  return [{ type: 'ActualsImported', data: { ...file, closes } }]
}

/** Refuses a file that has been imported before. @throws DomainError 409; the caller may repeat the request to import it anyway */
export function refuseRepeatedFile(earlierImport: CalendarMonth & { at: string }): never {
  throw conflict(
    'sameFile',
    `The same file was imported for ${formatMonth(earlierImport)} on ${displayDateTime(earlierImport.at)}. Import it again only if you mean to.`,
    earlierImport,
  )
}

/** @returns no event if the month is empty */
export function clearMonth(state: MonitoringState, month: CalendarMonth): MonitoringEvent[] {
  const { year, month: number } = month
  return state.items.has(buildMonthKey(month)) ? [{ type: 'MonthCleared', data: { year, month: number } }] : []
}

/** @param sealed the encrypted texts. Equal texts encrypt equally, so saving an unchanged text creates no event. */
export function saveNote(state: MonitoringState, about: CodeSubject, sealed: { notes: string; action: string | null }): MonitoringEvent[] {
  const before = state.items.get(buildNoteOrAdjustmentKey('note', about))?.item
  const { notes: sealedNotes, action } = sealed
  if (before?.kind === 'note' && before.sealedNotes === sealedNotes && (before.sealedAction ?? null) === action) return []
  return [{ type: 'NoteSaved', data: { ...about, sealedNotes, ...(action === null ? {} : { sealedAction: action }) } }]
}

export function removeNote(state: MonitoringState, about: CodeSubject): MonitoringEvent[] {
  return state.items.has(buildNoteOrAdjustmentKey('note', about)) ? [{ type: 'NoteRemoved', data: about }] : []
}

/** @param value whole pennies. If part of it is back pay, that part is still recorded as back pay. */
export function saveAdjustment(state: MonitoringState, about: CodeSubject, value: Pennies): MonitoringEvent[] {
  const before = findAdjustment(state, about)
  if (before?.value === value) return []
  return [{ type: 'AdjustmentSaved', data: { ...about, value, ...(before?.backPay !== undefined && { backPay: before.backPay }) } }]
}

function findAdjustment(state: MonitoringState, about: CodeSubject): AdjustmentItem | undefined {
  const item = state.items.get(buildNoteOrAdjustmentKey('adjustment', about))?.item
  return item?.kind === 'adjustment' ? item : undefined
}

/**
 * Adds the back pay that the payroll ledger has accrued to the adjustment of a code. It replaces the previous accrual and leaves the amount
 * that a user entered unchanged.
 * @param backPay whole pennies still to be paid
 * @returns no event if the accrual is unchanged
 */
export function accrueBackPay(state: MonitoringState, about: CodeSubject, backPay: Pennies): MonitoringEvent[] {
  const before = findAdjustment(state, about)
  const taken = before?.backPay ?? 0
  if (taken === backPay) return []
  const value = (before?.value ?? 0) - taken + backPay
  if (value === 0 && backPay === 0) return removeAdjustment(state, about)
  return [{ type: 'AdjustmentSaved', data: { ...about, value, ...(backPay !== 0 && { backPay }) } }]
}

/**
 * Copies an adjustment to the next month if the code has none there. Back pay is not copied, because at each month end the payroll ledger
 * accrues everything that is still unsettled (rules.md §18).
 */
export function copyAdjustment(
  state: MonitoringState,
  about: CodeSubject,
  { value, backPay = 0 }: Pick<AdjustmentItem, 'value' | 'backPay'>,
): MonitoringEvent[] {
  return value === backPay ? [] : saveAdjustment(state, about, value - backPay)
}

export function removeAdjustment(state: MonitoringState, about: CodeSubject): MonitoringEvent[] {
  return state.items.has(buildNoteOrAdjustmentKey('adjustment', about)) ? [{ type: 'AdjustmentRemoved', data: about }] : []
}

/** Chooses how the open months of some codes are forecast at a location in a budget year. @param values whole pennies of twelve periods */
export function chooseForecastMethod(
  state: MonitoringState,
  chosen: { year: number; budgetCodeIds: number[]; method: ForecastMethod; values: number[] | null },
): MonitoringEvent[] {
  const { year, method, values } = chosen
  if (method === 'typed' && values?.length !== 12)
    throw invalid([{ field: 'values', message: 'Enter a value for each of the twelve months.' }])
  if (method !== 'typed' && values)
    throw invalid([
      { field: 'values', message: 'Monthly values can be sent only with the method “typed”. Choose that method, or leave the values out.' },
    ])
  const budgetCodeIds = [...new Set(chosen.budgetCodeIds)].filter((id) => {
    const before = state.items.get(buildForecastKey(year, id))?.item
    if (before?.kind !== 'forecast') return method !== 'budget'
    return before.method !== method || canonicalJson(before.values) !== canonicalJson(values)
  })
  return budgetCodeIds.length ? [{ type: 'ForecastChosen', data: { year, budgetCodeIds, method, values } }] : []
}

export function saveExplanationSettings(state: MonitoringState, settings: ExplanationSettings): MonitoringEvent[] {
  const before = state.items.get(settingsKey)?.item
  const isSame = before && canonicalJson(before) === canonicalJson({ kind: 'settings', ...settings })
  return isSame ? [] : [{ type: 'SettingsSaved', data: settings }]
}

/** Why changes of some types cannot be undone, and what to do instead. */
const reasonsNotUndoable: Partial<Record<MonitoringEvent['type'], string>> = {
  MonthEndClosed: 'Closing a month cannot be undone. Reopen the month and give a reason.',
  MonthEndReopened: 'Reopening a month cannot be undone. Close the month again.',
  PackFinished: 'A finished pack cannot be changed. Start a new one from it.',
}

/** Whether the author of a change may undo it. */
export function isUndoable({ type }: Pick<MonitoringEvent, 'type'>): boolean {
  return !reasonsNotUndoable[type]
}

/** Undoes a user's own change, by the rules of `undoItemChange`. */
export function undoMonitoringChange(event: StoredMonitoringEvent, context: UndoContext<MonitoringItem>): MonitoringEvent[] {
  const refusal = reasonsNotUndoable[event.type]
  return [{ type: 'ChangeUndone', data: undoItemChange(event, context, { keys: listTouchedKeys(event), refusal }) }]
}
