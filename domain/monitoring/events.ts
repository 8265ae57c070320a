import type { RestoredItems } from '../changes/itemLog.ts'
import type { EventEnvelope } from '../changes/storedEvent.ts'
import type { LeftOutRow } from '../files/leftOut.ts'
import type { PackItem, PackStart } from '../packs/pack.ts'
import type { LocationId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type {
  ActualLine,
  AdjustmentsAtClose,
  CalendarMonth,
  CodeSubject,
  ExplanationSettings,
  ForecastMethod,
  MonitoringItem,
  MonthEndStep,
} from './monitoring.ts'
import type { StoredForecast } from './trackRecord.ts'

/**
 * Events of a monitoring log. Each location has a log. Notes, adjustments and settings belong to no location; they are in the
 * organisation's own log, which has location 0. Money is in whole pennies.
 */
export type MonitoringEvent =
  /** `closes`: whether the month is closed, because the lines include actuals or the user named the location as covered by the file. */
  | {
      type: 'ActualsImported'
      data: CalendarMonth & { mode: number; digest: string; closes: boolean; lines: ActualLine[]; leftOut?: LeftOutRow[] }
    }
  | { type: 'MonthCleared'; data: CalendarMonth }
  | { type: 'MonthStepTicked'; data: CalendarMonth & { step: MonthEndStep } }
  | { type: 'MonthStepUnticked'; data: CalendarMonth & { step: MonthEndStep } }
  /**
   * Closes the month end of a location. `forecast` is the forecast at that time for the year that begins in the month `start`. Older events
   * lack `start`; the budget's start month then applies.
   */
  | { type: 'MonthEndClosed'; data: CalendarMonth & { adjusted?: AdjustmentsAtClose; forecast?: StoredForecast[]; start?: CalendarMonth } }
  | { type: 'MonthEndReopened'; data: CalendarMonth & { sealedReason: string } }
  | { type: 'NoteSaved'; data: CodeSubject & { sealedNotes: string; sealedAction?: string } }
  | { type: 'NoteRemoved'; data: CodeSubject }
  | { type: 'AdjustmentSaved'; data: CodeSubject & { value: number; backPay?: number } }
  | { type: 'AdjustmentRemoved'; data: CodeSubject }
  | { type: 'ForecastChosen'; data: { year: number; budgetCodeIds: number[]; method: ForecastMethod; values: Pennies[] | null } }
  | { type: 'SettingsSaved'; data: ExplanationSettings }
  /** `year` is the calendar year in which the budget year begins; a null `value` means unknown. */
  | { type: 'OpeningCashSaved'; data: { year: number; value: Pennies | null } }
  /** A null `lag` restores the default. */
  | { type: 'CashLagChosen'; data: { budgetCodeIds: number[]; lag: number | null } }
  | { type: 'CashFloorSaved'; data: { value: Pennies | null } }
  /** A governors' pack, in the log of its school or of the organisation. */
  | { type: 'PackStarted'; data: PackStart }
  | { type: 'PackSaved'; data: Pick<PackItem, 'code' | 'chapters' | 'sealedWords'> }
  | { type: 'PackFinished'; data: { code: string } & Omit<NonNullable<PackItem['finished']>, 'by' | 'at'> }
  | { type: 'PackDiscarded'; data: { code: string } }
  | { type: 'ChangeUndone'; data: RestoredItems<MonitoringItem> }

export type MonitoringEventType = MonitoringEvent['type']

export type StoredMonitoringEvent = MonitoringEvent & EventEnvelope & { locationId: LocationId }
