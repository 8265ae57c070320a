import { type PackItem, packKey } from '../packs/pack.ts'
import { type IsoDate, periodName } from '../values/calendar.ts'
import { dayInLondon } from '../values/format.ts'
import type { BudgetGroupId, UserId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'

/** A calendar month; `month` is 1 to 12. */
export interface CalendarMonth {
  year: number
  month: number
}

/** Which document a line of a ledger is of, as far as its file says so. */
export interface LineDocument {
  date: IsoDate | null
  reference: string | null
  supplier: string | null
}

/** A line of a ledger. Whole pennies, positive for what is usual for its code: received for income, spent for expenditure (rules.md §17). */
export interface ActualLine {
  type: number
  budgetCodeId: number
  costCentreId: number
  fundCodeId: number | null
  analysisTagId: number | null
  /** What stands in the ledger. */
  description: string | null
  value: Pennies
  /** In the log alone: what is added up does not need it. */
  document?: LineDocument
}

/** What one import brought a month of a location. */
export interface MonthImport {
  version: number
  at: string
  mode: number
  /** SHA-256 of the file's rows, by which the same file is known again. */
  digest: string
  lines: ActualLine[]
}

/** How the open months of a code are forecast (rules.md §17). */
export const forecastMethods = ['budget', 'whatIsLeft', 'runRate', 'typed'] as const
export type ForecastMethod = (typeof forecastMethods)[number]

export interface MonthItem extends CalendarMonth {
  kind: 'month'
  isClosed: boolean
  imports: MonthImport[]
}

/** What a person says is done before a month is closed; what else it takes is worked out. */
export const monthSteps = ['payroll', 'adjustments', 'pack'] as const
export type MonthStep = (typeof monthSteps)[number]

/** Who did something, and when; null: the product itself. */
export interface Done {
  by: UserId | null
  at: string
}

/**
 * The adjustments that counted at a location as its month was closed. They belong to a group or to the whole organisation and may still
 * change while another location of it is open; the closed one keeps these.
 */
export interface Adjusted {
  groupId: BudgetGroupId | null
  /** Values in whole pennies. */
  adjustments: Pick<AdjustmentItem, 'budgetCodeId' | 'type' | 'value'>[]
}

/**
 * How far the month end of a location is. While `closed` stands, nothing of the month is imported, cleared, explained or adjusted. It is
 * another thing than the `isClosed` of a month, which says that actuals are in (rules.md §17).
 */
export interface MonthEndItem extends CalendarMonth {
  kind: 'monthEnd'
  ticks: Partial<Record<MonthStep, Done>>
  closed: (Done & { adjusted?: Adjusted }) | null
  /** The last time that it was opened again, and why. */
  reopened: (Done & { sealedReason: string }) | null
}

/** For which code, screen, month and level something is kept; no group: the console, over the whole organisation. */
export interface AboutCode extends CalendarMonth {
  groupId: BudgetGroupId | null
  budgetCodeId: number
  /** By the list `monitoringNoteTypes`. */
  type: number
}

export interface NoteItem extends AboutCode {
  kind: 'note'
  sealedNotes: string
  /** What is done about it; a line over the threshold needs it before its month is closed. */
  sealedAction?: string
}

export interface AdjustmentItem extends AboutCode {
  kind: 'adjustment'
  /** Whole pennies. */
  value: Pennies
  /** How much of it is the back pay that the payroll ledger accrued; none: nothing. */
  backPay?: number
}

export interface ForecastItem {
  kind: 'forecast'
  /** The calendar year in which the budget year begins. */
  year: number
  budgetCodeId: number
  method: ForecastMethod
  /** Of the method `typed`: whole pennies of the twelve periods. */
  values: Pennies[] | null
}

/** The cash of a location as its budget year begins. */
export interface OpeningCashItem {
  kind: 'openingCash'
  /** The calendar year in which the budget year begins. */
  year: number
  /** Whole pennies. */
  value: Pennies
}

/** How many months after its period a code is received or paid (rules.md §17). */
export interface CashLagItem {
  kind: 'cashLag'
  budgetCodeId: number
  lag: number
}

/** Below which cash an organisation wants to be warned; whole pennies. */
export interface CashFloorItem {
  kind: 'cashFloor'
  value: Pennies
}

/** Which variances an organisation calls worth explaining; amounts in whole pennies. */
export interface Settings {
  explainOver: Pennies
  /** Per cent. */
  explainOverPercent: number
  explainAlwaysOver: Pennies
}

export interface SettingsItem extends Settings {
  kind: 'settings'
}

export const defaultSettings: Settings = {
  explainOver: 25_000,
  explainOverPercent: 10,
  explainAlwaysOver: 100_000,
}

/** One thing that a monitoring log keeps. */
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

/** A thing with the version of the log that it was last changed at. */
export interface StoredMonitoring<Item extends MonitoringItem = MonitoringItem> {
  version: number
  savedAt: string
  item: Item
}

/** `2026-09`. */
export function monthText({ year, month }: CalendarMonth): string {
  return `${year}-${String(month).padStart(2, '0')}`
}

/** `September 2026`. */
export function monthWords({ year, month }: CalendarMonth): string {
  return `${periodName(month, 1)} ${year}`
}

/** Months counted from the year 0, for telling which comes first. */
export function monthIndex({ year, month }: CalendarMonth): number {
  return year * 12 + month - 1
}

export function monthAt(index: number): CalendarMonth {
  return { year: Math.floor(index / 12), month: (index % 12) + 1 }
}

/** The month that it is in London. */
export function monthToday(now: Date): CalendarMonth {
  const day = dayInLondon(now)
  return { year: Number(day.slice(0, 4)), month: Number(day.slice(5, 7)) }
}

/** The month that is to be closed: the one before today's in London. */
export function monthBefore(now: Date): CalendarMonth {
  return monthAt(monthIndex(monthToday(now)) - 1)
}

/** Under which key a log keeps a thing. */
export function keyOf(item: MonitoringItem): string {
  switch (item.kind) {
    case 'month':
      return monthKey(item)
    case 'monthEnd':
      return monthEndKey(item)
    case 'note':
    case 'adjustment':
      return codeKey(item.kind, item)
    case 'forecast':
      return forecastKey(item.year, item.budgetCodeId)
    case 'openingCash':
      return openingCashKey(item.year)
    case 'cashLag':
      return cashLagKey(item.budgetCodeId)
    case 'cashFloor':
      return cashFloorKey
    case 'settings':
      return settingsKey
    case 'pack':
      return packKey(item.code)
  }
}

export const settingsKey = 'settings'
export const cashFloorKey = 'cash floor'
export const openingCashKey = (year: number): string => `opening cash ${year}`
export const cashLagKey = (budgetCodeId: number): string => `cash lag ${budgetCodeId}`
export const monthKey = (month: CalendarMonth): string => `month ${monthText(month)}`
export const monthEndKey = (month: CalendarMonth): string => `monthEnd ${monthText(month)}`
export const codeKey = (kind: 'note' | 'adjustment', about: AboutCode): string =>
  `${kind} ${about.groupId ?? 'console'} ${monthText(about)} ${about.budgetCodeId} ${about.type}`
export const forecastKey = (year: number, budgetCodeId: number): string => `forecast ${year} ${budgetCodeId}`
