import type { ItemState } from '../changes/itemLog.ts'
import { importType } from '../lookups/lookupIds.ts'
import { buildPackKey, type PackItem } from '../packs/pack.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from './events.ts'
import {
  buildCashLagKey,
  buildForecastKey,
  buildMonthEndKey,
  buildMonthKey,
  buildNoteOrAdjustmentKey,
  buildOpeningCashKey,
  type CalendarMonth,
  cashFloorKey,
  getMonitoringItemKey,
  type MonitoringItem,
  type MonthEndItem,
  settingsKey,
} from './monitoring.ts'

/** A monitoring log folded into its items, by key. */
export type MonitoringState = ItemState<MonitoringItem>

/** The keys of the items that an event changes. */
export function listTouchedKeys(event: MonitoringEvent): string[] {
  switch (event.type) {
    case 'ActualsImported':
    case 'MonthCleared':
      return [buildMonthKey(event.data)]
    case 'MonthStepTicked':
    case 'MonthStepUnticked':
    case 'MonthEndClosed':
    case 'MonthEndReopened':
      return [buildMonthEndKey(event.data)]
    case 'NoteSaved':
    case 'NoteRemoved':
      return [buildNoteOrAdjustmentKey('note', event.data)]
    case 'AdjustmentSaved':
    case 'AdjustmentRemoved':
      return [buildNoteOrAdjustmentKey('adjustment', event.data)]
    case 'ForecastChosen':
      return event.data.budgetCodeIds.map((id) => buildForecastKey(event.data.year, id))
    case 'SettingsSaved':
      return [settingsKey]
    case 'OpeningCashSaved':
      return [buildOpeningCashKey(event.data.year)]
    case 'CashLagChosen':
      return event.data.budgetCodeIds.map(buildCashLagKey)
    case 'CashFloorSaved':
      return [cashFloorKey]
    case 'PackStarted':
    case 'PackSaved':
    case 'PackFinished':
    case 'PackDiscarded':
      return [buildPackKey(event.data.code)]
    case 'ChangeUndone':
      return event.data.things.map((thing) => thing.key)
  }
}

/** Folds one event into a state. Folds never refuse an event. */
export function evolve(state: MonitoringState, event: StoredMonitoringEvent): void {
  state.version = event.version
  const put = (item: MonitoringItem): void =>
    void state.items.set(getMonitoringItemKey(item), { version: event.version, savedAt: event.occurredAt, item })
  const done = { by: event.actorId, at: event.occurredAt }
  switch (event.type) {
    case 'ActualsImported': {
      const { year, month, mode, digest, closes, lines } = event.data
      const before = state.items.get(buildMonthKey(event.data))?.item
      const addedTo = mode === importType.add && before?.kind === 'month' ? before : null
      const importRecord = {
        version: event.version,
        at: event.occurredAt,
        mode,
        digest,
        lines: lines.map(({ document: _document, ...line }) => line),
      }
      const imports = [...(addedTo?.imports ?? []), importRecord]
      put({ kind: 'month', year, month, isClosed: closes || Boolean(addedTo?.isClosed), imports })
      return
    }
    case 'MonthCleared':
    case 'NoteRemoved':
    case 'AdjustmentRemoved':
    case 'PackDiscarded':
      for (const key of listTouchedKeys(event)) state.items.delete(key)
      return
    case 'MonthStepTicked': {
      const before = findMonthEnd(state, event.data)
      put({ ...before, ticks: { ...before.ticks, [event.data.step]: done } })
      return
    }
    case 'MonthStepUnticked': {
      const before = findMonthEnd(state, event.data)
      const { [event.data.step]: _gone, ...ticks } = before.ticks
      put({ ...before, ticks })
      return
    }
    case 'MonthEndClosed':
      put({ ...findMonthEnd(state, event.data), closed: { ...done, ...(event.data.adjusted ? { adjusted: event.data.adjusted } : {}) } })
      return
    case 'MonthEndReopened':
      put({
        ...findMonthEnd(state, event.data),
        closed: null,
        reopened: { ...done, sealedReason: event.data.sealedReason },
      })
      return
    case 'NoteSaved':
      put({ kind: 'note', ...event.data })
      return
    case 'AdjustmentSaved':
      put({ kind: 'adjustment', ...event.data })
      return
    case 'ForecastChosen': {
      const { year, budgetCodeIds, method, values } = event.data
      for (const budgetCodeId of budgetCodeIds) put({ kind: 'forecast', year, budgetCodeId, method, values })
      return
    }
    case 'SettingsSaved':
      put({ kind: 'settings', ...event.data })
      return
    case 'OpeningCashSaved': {
      const { year, value } = event.data
      if (value === null) state.items.delete(buildOpeningCashKey(year))
      else put({ kind: 'openingCash', year, value })
      return
    }
    case 'CashLagChosen': {
      const { budgetCodeIds, lag } = event.data
      for (const budgetCodeId of budgetCodeIds)
        if (lag === null) state.items.delete(buildCashLagKey(budgetCodeId))
        else put({ kind: 'cashLag', budgetCodeId, lag })
      return
    }
    case 'CashFloorSaved':
      if (event.data.value === null) state.items.delete(cashFloorKey)
      else put({ kind: 'cashFloor', value: event.data.value })
      return
    case 'PackStarted':
      put({ kind: 'pack', ...event.data, started: done, finished: null })
      return
    case 'PackSaved': {
      const { code, chapters, sealedWords } = event.data
      const before = findPack(state, code)
      if (before) put({ ...before, chapters, sealedWords })
      return
    }
    case 'PackFinished': {
      const { code, ...content } = event.data
      const before = findPack(state, code)
      if (before) put({ ...before, finished: { ...done, ...content } })
      return
    }
    case 'ChangeUndone':
      for (const { key, item } of event.data.things)
        if (item) put(item)
        else state.items.delete(key)
  }
}

function findPack(state: MonitoringState, code: string): PackItem | undefined {
  const item = state.items.get(buildPackKey(code))?.item
  return item?.kind === 'pack' ? item : undefined
}

/** The progress of a month end: open and without any step done until somebody starts it. */
export function findMonthEnd(state: MonitoringState, { year, month }: CalendarMonth): MonthEndItem {
  const item = state.items.get(buildMonthEndKey({ year, month }))?.item
  return item?.kind === 'monthEnd' ? item : { kind: 'monthEnd', year, month, ticks: {}, closed: null, reopened: null }
}
