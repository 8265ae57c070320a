import type { BudgetId, LocationId, UserId } from '../values/ids.ts'
import { keysOf } from '../values/keysOf.ts'
import type { Pennies, Percent } from '../values/units.ts'

/** Chapters of a governors' pack, in the order in which they are offered. */
export const chapterTitles = {
  cover: 'Cover',
  summary: 'Summary',
  monitoring: 'Monitoring',
  explanations: 'Explanations',
  staffing: 'Staffing',
  cash: 'Cash',
  balances: 'Balances and reserves',
  measures: 'Measures',
  decisions: 'Decisions',
  signature: 'Signature',
} as const

export type Chapter = keyof typeof chapterTitles
export const chapterNames = keysOf(chapterTitles)

/** The texts that users write in a pack. They refer to figures by key, such as `{income.forecast}`. */
export interface PackTexts {
  title: string
  texts: Partial<Record<Chapter, string>>
  decisions: string[]
  signatories: { role: string; name: string }[]
  /** Chapters whose text comes from an earlier month and which a user has marked as read. */
  read?: Chapter[]
}

export interface PackContentInput extends PackTexts {
  chapters: Chapter[]
}

/** The last event of a log that was read for the figures of a pack: its version and hash. */
interface LogPosition {
  version: number
  hash: string
}

/** The positions of all logs that the figures of a pack come from, so that they can be reproduced. Location 0 is the organisation. */
export interface LogPositions {
  budgets: (LogPosition & { id: BudgetId })[]
  logs: (LogPosition & { locationId: LocationId })[]
}

/** The totals of the monitoring table that packs refer to, with their present row labels. */
export const totalLabels = {
  income: 'Total income',
  staff: 'Total staff expenditure',
  other: 'Total other expenditure',
  expenditure: 'Total expenditure',
  inYear: 'In-year balance',
  broughtForward: 'Brought forward',
  carriedForward: 'Carried forward',
} as const

export type TotalName = keyof typeof totalLabels

/** A monitoring row stored with a pack; whole pennies. `variance` is to date, `forecastVariance` for the year; positive is favourable. */
export interface PackLine {
  kind: 'Data' | 'Description' | 'SectionHeader' | 'SectionFooter' | 'Total'
  /** Which total the row is; null if it is not a total. Older packs lack this field; their rows are recognised by label. */
  total?: TotalName | null
  budgetCodeId: number | null
  code: string | null
  description: string
  budgetToDate: Pennies
  actualToDate: Pennies
  commitments: Pennies
  variance: Pennies
  variancePercent: Percent | null
  fullYearBudget: Pennies
  forecast: Pennies
  forecastVariance: Pennies
  /** Manual adjustments to actuals and forecast, which the variances include. Older packs lack them. */
  adjustmentToDate?: Pennies
  adjustmentOfYear?: number
  /** The number of monthly figures that could not be calculated and are left out. */
  missing: number
}

/** A group of contracts, large enough that nobody's pay can be derived. Cost in whole pennies; null if it could not be calculated. */
interface PackGroup {
  name: string
  isTotal: boolean
  contracts: number | null
  fte: number | null
  cost: Pennies | null
  /** The number of contracts that could not be calculated completely; the missing parts are left out. Older packs lack this field. */
  missing?: number
}

/** A month of cash; whole pennies, null if it cannot be calculated. */
interface PackCash {
  year: number
  month: number
  opening: Pennies | null
  receipts: Pennies | null
  payments: Pennies | null
  closing: Pennies | null
  /** The number of figures up to this month that could not be calculated and are left out. Older packs lack this field. */
  missing?: number
}

/** A budget year; whole pennies, null if it could not be calculated. Balances exclude capital. */
export interface PackYear {
  name: string
  income: Pennies | null
  staff: Pennies | null
  inYear: number | null
  reserve: Pennies | null
  pupils: number | null
  /** The number of monthly figures that could not be calculated and are left out. Older packs lack this field. */
  missing?: number
}

/** A measure of a school compared with its comparators, as stored in a pack. */
export interface PackMeasure {
  label: string
  type: 'money' | 'percent' | 'ratio'
  /** The value of the school, in whole pennies, per cent or as a ratio; null if unknown. */
  own: number | null
  /** The position among the comparators, in neutral words. */
  place: string
  /** Null if too few comparators have the measure. */
  median: number | null
}

export interface PackComparators {
  year: string
  rows: PackMeasure[]
  /** The source and date of the comparators. */
  note: string
}

/** All figures of a pack, as they were read at one time. A finished pack stores them, and its pages are built from them. */
export interface PackFigures {
  organisation: string
  /** Null for all schools of the organisation. */
  place: { name: string; dfeNumber: string | null } | null
  schools: number
  /** `words`: the name and status of the budget. */
  budgets: { id: BudgetId; location: string; name: string; words: string }[]
  /** Schools without a budget for the month. */
  leftOut: string[]
  /** The budget year of the month, and the month's period in it; null if the budgets start their years in different months. */
  year: string | null
  period: number | null
  /** The calendar months of the year, up to the pack's month, whose actuals every school has imported. */
  monthsIn: number[]
  threshold: { explainOver: number; explainOverPercent: number; explainAlwaysOver: number }
  lines: PackLine[]
  /**
   * How a pack of several schools shows payments between them. `none`: there are no such payments. `apart`: separately from income and
   * expenditure. `partly`: separately, except on codes with other postings. Older finished packs lack this field and include the payments
   * in income and expenditure.
   */
  transfers?: 'none' | 'apart' | 'partly'
  /** Null if no contracts may be shown. */
  staffing: PackGroup[] | null
  cash: { months: PackCash[]; floor: number | null } | null
  years: PackYear[]
  /** The minimum reserve in per cent of income; null without a policy. Older finished packs lack this field. */
  reserveFloor?: Percent | null
  /** Only for a single school that has comparators; older finished packs lack this field. */
  comparators?: PackComparators
  warnings: string[]
}

export interface PackRemark {
  budgetCodeId: number
  note: string
  action: string | null
}

/** A line over the threshold that lacks a reason or an action. */
export interface UnexplainedLine {
  budgetCodeId: number
  code: string | null
  description: string
  needs: 'reason' | 'action'
}

interface DoneBy {
  by: UserId | null
  at: string
}

/** A governors' pack as stored in its log. Its texts are encrypted. */
export interface PackItem {
  kind: 'pack'
  /** Printed on every page. A user who enters the code opens the pack. */
  code: string
  year: number
  month: number
  /** The code of the pack that this pack continues; null if there is none. */
  from: string | null
  started: DoneBy
  chapters: Chapter[]
  sealedWords: string
  finished: (DoneBy & { pins: LogPositions; figures: PackFigures; sealedRemarks: string }) | null
}

export type PackStart = Pick<PackItem, 'code' | 'year' | 'month' | 'from' | 'chapters' | 'sealedWords'>

export const buildPackKey = (code: string): string => `pack ${code}`

/** Digits and letters that are not confused in print: no 0, 1, I or O. */
const codeLetters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const codeLength = 8
export const packCodePattern = new RegExp(`^[${codeLetters}]{${codeLength}}$`)

/**
 * Creates a code from random bytes.
 * @param bytes eight random bytes
 */
export function createPackCode(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, codeLength), (byte) => codeLetters[byte % codeLetters.length]).join('')
}

/** Formats a code for print, such as `K7QM-3XWD`. */
export function formatPackCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** Converts a code that a user typed to its stored form; undefined if it cannot be a code. */
export function parsePackCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[^0-9A-Z]/g, '')
  return packCodePattern.test(code) ? code : undefined
}

/** The texts of a pack that does not continue an earlier one. */
export function createDefaultPackTexts(signatory: string | null): PackTexts {
  return {
    title: 'Governors’ pack',
    texts: {
      summary:
        'Income to date is {income.actual} against a budget of {income.toDate}, and expenditure is {expenditure.actual} against {expenditure.toDate}. The year is forecast to end with an in-year balance of {inYear.forecast}, against a budget of {inYear.budget}, and with {carriedForward.forecast} carried forward.',
    },
    decisions: [],
    signatories: [
      { role: 'Chair of governors', name: '' },
      { role: 'Headteacher', name: signatory ?? '' },
    ],
  }
}
