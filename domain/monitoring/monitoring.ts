import { buildPackKey, type PackItem } from '../packs/pack.ts'
import { formatPeriodMonth, type IsoDate } from '../values/calendar.ts'
import { dayInLondon } from '../values/format.ts'
import type { BudgetGroupId, UserId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'

/** A calendar month; `month` is 1 to 12. */
export interface CalendarMonth {
  year: number
  month: number
}

/** The document that a ledger line was posted from; fields that the file does not give are absent. */
export interface LineDocument {
  date: IsoDate | null
  reference: string | null
  supplier: string | null
}

/** A ledger line in whole pennies. It is positive for income on an income code and for expenditure on others (rules.md §17). */
export interface ActualLine {
  type: number
  budgetCodeId: number
  costCentreId: number
  fundCodeId: number | null
  analysisTagId: number | null
  description: string | null
  value: Pennies
  /** Only in stored events. The folded state has no documents, because sums do not need them. */
  document?: LineDocument
}

export interface MonthImport {
  version: number
  at: string
  mode: number
  /** SHA-256 hash of the file's rows, by which a second import of the same file is recognised. */
  digest: string
  lines: ActualLine[]
}

/** Methods of forecasting the open months of a code (rules.md §17). */
export const forecastMethods = ['budget', 'whatIsLeft', 'runRate', 'typed'] as const
export type ForecastMethod = (typeof forecastMethods)[number]

export interface MonthItem extends CalendarMonth {
  kind: 'month'
  isClosed: boolean
  imports: MonthImport[]
}

/** Steps that a person marks as done before closing a month. The other conditions for closing are checked automatically. */
export const monthEndSteps = ['payroll', 'adjustments', 'pack'] as const
export type MonthEndStep = (typeof monthEndSteps)[number]

/** Who did something and when. `by` is null if Bursar did it automatically. */
export interface DoneBy {
  by: UserId | null
  at: string
}

/**
 * The adjustments that applied to a location when its month was closed. Adjustments belong to a group or the organisation, so they may
 * still change while the month is open at other locations. The closed location keeps the adjustments stored here.
 */
export interface AdjustmentsAtClose {
  groupId: BudgetGroupId | null
  /** Values in whole pennies. */
  adjustments: Pick<AdjustmentItem, 'budgetCodeId' | 'type' | 'value'>[]
}

/**
 * The progress of a location's month end. While `closed` is set, the month accepts no imports, clearing, explanations or adjustments.
 * `MonthItem.isClosed` has another meaning: the actuals of the month have been imported (rules.md §17).
 */
export interface MonthEndItem extends CalendarMonth {
  kind: 'monthEnd'
  ticks: Partial<Record<MonthEndStep, DoneBy>>
  closed: (DoneBy & { adjusted?: AdjustmentsAtClose }) | null
  /** When the month was last reopened, by whom and why. */
  reopened: (DoneBy & { sealedReason: string }) | null
}

/**
 * What a note or adjustment is about: code, screen (`type`), month and level. A null group means the console, which covers the whole
 * organisation.
 */
export interface CodeSubject extends CalendarMonth {
  groupId: BudgetGroupId | null
  budgetCodeId: number
  /** An id from the list `monitoringNoteTypes`. */
  type: number
}

export interface NoteItem extends CodeSubject {
  kind: 'note'
  sealedNotes: string
  /** The action that is being taken. A line over the threshold needs an action before its month is closed. */
  sealedAction?: string
}

export interface AdjustmentItem extends CodeSubject {
  kind: 'adjustment'
  value: Pennies
  /** The part of the adjustment that is back pay accrued by the payroll ledger; absent if none. */
  backPay?: number
}

export interface ForecastItem {
  kind: 'forecast'
  /** Calendar year in which the budget year begins. */
  year: number
  budgetCodeId: number
  method: ForecastMethod
  /** For the method `typed`: whole pennies of the twelve periods. */
  values: Pennies[] | null
}

export interface OpeningCashItem {
  kind: 'openingCash'
  year: number
  value: Pennies
}

/** How many months after its period the money of a code is received or paid (rules.md §17). */
export interface CashLagItem {
  kind: 'cashLag'
  budgetCodeId: number
  lag: number
}

/** The minimum cash in whole pennies. The organisation is warned when its cash falls below this amount. */
export interface CashFloorItem {
  kind: 'cashFloor'
  value: Pennies
}

/** The thresholds above which a variance must be explained; amounts in whole pennies. */
export interface ExplanationSettings {
  explainOver: Pennies
  /** Per cent. */
  explainOverPercent: number
  explainAlwaysOver: Pennies
}

export interface SettingsItem extends ExplanationSettings {
  kind: 'settings'
}

export const defaultExplanationSettings: ExplanationSettings = {
  explainOver: 25_000,
  explainOverPercent: 10,
  explainAlwaysOver: 100_000,
}

export type MonitoringItem =
  | MonthItem
  | MonthEndItem
  | NoteItem
  | AdjustmentItem
  | ForecastItem
  | OpeningCashItem
  | CashLagItem
  | CashFloorItem
  | SettingsItem
  | PackItem

/** Formats a month as `2026-09`. */
export function formatIsoMonth({ year, month }: CalendarMonth): string {
  return `${year}-${String(month).padStart(2, '0')}`
}

/** Formats a month as `September 2026`. */
export function formatMonth({ year, month }: CalendarMonth): string {
  return `${formatPeriodMonth(month, 1)} ${year}`
}

/** The number of months since year 0, for comparing and counting months. */
export function toMonthIndex({ year, month }: CalendarMonth): number {
  return year * 12 + month - 1
}

export function fromMonthIndex(index: number): CalendarMonth {
  return { year: Math.floor(index / 12), month: (index % 12) + 1 }
}

/** The current month in London. */
export function findCurrentMonth(now: Date): CalendarMonth {
  const day = dayInLondon(now)
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) }
}

/** The month to close: the one before the current month in London. */
export function findPreviousMonth(now: Date): CalendarMonth {
  return fromMonthIndex(toMonthIndex(findCurrentMonth(now)) - 1)
}

export function getMonitoringItemKey(item: MonitoringItem): string {
  switch (item.kind) {
    case 'month':
      return buildMonthKey(item)
    case 'monthEnd':
      return buildMonthEndKey(item)
    case 'note':
    case 'adjustment':
      return buildNoteOrAdjustmentKey(item.kind, item)
    case 'forecast':
      return buildForecastKey(item.year, item.budgetCodeId)
    case 'openingCash':
      return buildOpeningCashKey(item.year)
    case 'cashLag':
      return buildCashLagKey(item.budgetCodeId)
    case 'cashFloor':
      return cashFloorKey
    case 'settings':
      return settingsKey
    case 'pack':
      return buildPackKey(item.code)
  }
}

export const settingsKey = 'settings'
export const cashFloorKey = 'cash floor'
export const buildOpeningCashKey = (year: number): string => `opening cash ${year}`
export const buildCashLagKey = (budgetCodeId: number): string => `cash lag ${budgetCodeId}`
export const buildMonthKey = (month: CalendarMonth): string => `month ${formatIsoMonth(month)}`
export const buildMonthEndKey = (month: CalendarMonth): string => `monthEnd ${formatIsoMonth(month)}`
export const buildNoteOrAdjustmentKey = (kind: 'note' | 'adjustment', about: CodeSubject): string =>
  `${kind} ${about.groupId ?? 'console'} ${formatIsoMonth(about)} ${about.budgetCodeId} ${about.type}`
export const buildForecastKey = (year: number, budgetCodeId: number): string => `forecast ${year} ${budgetCodeId}`
