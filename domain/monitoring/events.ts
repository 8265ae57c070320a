import type { PackItem, PackStart } from '../packs/pack.ts'
import type { LocationId, OrganisationId, UserId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import type { AboutCode, ActualLine, Adjusted, CalendarMonth, ForecastMethod, MonitoringItem, MonthStep, Settings } from './monitoring.ts'
import type { KeptForecast } from './trackRecord.ts'

/**
 * Past-tense facts of a monitoring log. Each location has one; notes, adjustments and settings belong to no single location and stand in the
 * log of the organisation itself, location 0. Money is in whole pennies.
 */
export type MonitoringEvent =
  /** `closes`: actuals were among the lines, or the location was named as one that the file is for. */
  | { type: 'ActualsImported'; data: CalendarMonth & { mode: number; digest: string; closes: boolean; lines: ActualLine[] } }
  | { type: 'MonthCleared'; data: CalendarMonth }
  | { type: 'MonthStepTicked'; data: CalendarMonth & { step: MonthStep } }
  | { type: 'MonthStepUnticked'; data: CalendarMonth & { step: MonthStep } }
  /**
   * The month end of a location is done: its month takes nothing more. `forecast`: the year as it was forecast then, which begins in the month
   * `start`; of logs without it, in that of the budget.
   */
  | { type: 'MonthEndClosed'; data: CalendarMonth & { adjusted?: Adjusted; forecast?: KeptForecast[]; start?: CalendarMonth } }
  | { type: 'MonthEndReopened'; data: CalendarMonth & { sealedReason: string } }
  | { type: 'NoteSaved'; data: AboutCode & { sealedNotes: string; sealedAction?: string } }
  | { type: 'NoteRemoved'; data: AboutCode }
  | { type: 'AdjustmentSaved'; data: AboutCode & { value: number; backPay?: number } }
  | { type: 'AdjustmentRemoved'; data: AboutCode }
  | { type: 'ForecastChosen'; data: { year: number; budgetCodeIds: number[]; method: ForecastMethod; values: Pennies[] | null } }
  | { type: 'SettingsSaved'; data: Settings }
  /** `year`: the calendar year in which the budget year begins; null: it is not known. */
  | { type: 'OpeningCashSaved'; data: { year: number; value: Pennies | null } }
  /** Null: as it is where nothing is chosen. */
  | { type: 'CashLagChosen'; data: { budgetCodeIds: number[]; lag: number | null } }
  | { type: 'CashFloorSaved'; data: { value: Pennies | null } }
  /** A governors' pack, in the log of the school that it is of, or of the organisation. */
  | { type: 'PackStarted'; data: PackStart }
  | { type: 'PackSaved'; data: Pick<PackItem, 'code' | 'chapters' | 'sealedWords'> }
  | { type: 'PackFinished'; data: { code: string } & Omit<NonNullable<PackItem['finished']>, 'by' | 'at'> }
  | { type: 'PackDiscarded'; data: { code: string } }
  /** A change taken back: what it was about stands as it stood before; null: it is not there. */
  | { type: 'ChangeUndone'; data: { undoes: number; things: { key: string; item: MonitoringItem | null }[] } }

export type MonitoringEventType = MonitoringEvent['type']

export type StoredMonitoringEvent = MonitoringEvent & {
  organisationId: OrganisationId
  locationId: LocationId
  version: number
  position: number
  actorId: UserId | null
  requestId: string
  occurredAt: string
  previousHash: string
  hash: string
}
