import type { BudgetId, LocationId, UserId } from '../values/ids.ts'
import { keysOf } from '../values/keysOf.ts'
import type { Pennies, Percent } from '../values/units.ts'

/** The chapters that a governors' pack can have, in the order in which they are offered. */
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

/** What people write in a pack. Sentences hold figures by reference, as `{income.forecast}`. */
export interface PackWords {
  title: string
  texts: Partial<Record<Chapter, string>>
  decisions: string[]
  signatories: { role: string; name: string }[]
}

/** What people choose and write of a pack. */
export interface PackContentInput extends PackWords {
  chapters: Chapter[]
}

/** Where a log stood when the figures of a pack were read: its last event, by number and hash. */
interface Pin {
  version: number
  hash: string
}

/** Where every log stood that the figures of a pack are made of, so that they can be made again. Location 0 is the organisation itself. */
export interface Pins {
  budgets: (Pin & { id: BudgetId })[]
  logs: (Pin & { locationId: LocationId })[]
}

/** Sums of the table of monitoring that sentences and comparisons ask for, and what their rows are called today. */
export const totalNames = {
  income: 'Total income',
  staff: 'Total staff expenditure',
  other: 'Total other expenditure',
  expenditure: 'Total expenditure',
  inYear: 'In-year balance',
  broughtForward: 'Brought forward',
  carriedForward: 'Carried forward',
} as const

export type TotalName = keyof typeof totalNames

/** A row of monitoring as a pack keeps it; whole pennies. `variance` is to date, `forecastVariance` of the year; positive is good. */
export interface PackLine {
  kind: 'Data' | 'Description' | 'SectionHeader' | 'SectionFooter' | 'Total'
  /** Which sum the row is, whatever it is called; null: none of them. Packs that were finished before it was kept go by its words. */
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
  /** What was typed beside the actuals and beside the forecast, which the variances hold; older packs do not say. */
  adjustmentToDate?: Pennies
  adjustmentOfYear?: number
  /** Monthly figures that could not be calculated and are in no sum of the row. */
  missing: number
}

/** Contracts that are told together, so that nobody's pay can be worked out. Cost in whole pennies; null where it could not be calculated. */
interface PackGroup {
  name: string
  isTotal: boolean
  contracts: number | null
  fte: number | null
  cost: Pennies | null
  /** Contracts of which a part could not be calculated and is in no sum; older packs do not say. */
  missing?: number
}

/** A month of cash; whole pennies, null for what cannot be calculated. */
interface PackCash {
  year: number
  month: number
  opening: Pennies | null
  receipts: Pennies | null
  payments: Pennies | null
  closing: Pennies | null
  /** Figures of this month and those before that could not be calculated and are in no sum; older packs do not say. */
  missing?: number
}

/** A budget year; whole pennies, null for what could not be calculated. Balances are without capital. */
export interface PackYear {
  name: string
  income: Pennies | null
  staff: Pennies | null
  inYear: number | null
  reserve: Pennies | null
  pupils: number | null
  /** Monthly figures that could not be calculated and are in no sum; older packs do not say. */
  missing?: number
}

/** A measure of a school beside those of its comparators, as a pack keeps it. */
export interface PackMeasure {
  label: string
  type: 'money' | 'percent' | 'ratio'
  /** As the report has it: whole pennies, per cent, a ratio; null: not known. */
  own: number | null
  /** Neutral words. */
  place: string
  /** Null: too few have the measure. */
  median: number | null
}

/** Where the measures of a school stand among its comparators. */
export interface PackComparators {
  /** The budget year that is compared. */
  year: string
  rows: PackMeasure[]
  /** Whose figures they are, and of when. */
  note: string
}

/** Every figure of a pack, as it was read: what is kept of a finished one, and what any page of it is made of. */
export interface PackFigures {
  organisation: string
  /** Null: every school of the organisation. */
  place: { name: string; dfeNumber: string | null } | null
  schools: number
  /** `words`: its name, and what stands behind it. */
  budgets: { id: BudgetId; location: string; name: string; words: string }[]
  /** Schools without a budget of the month. */
  leftOut: string[]
  /** The budget year that holds the month, and the month as a period of it; null where the budgets begin their years in different months. */
  year: string | null
  period: number | null
  /** Calendar months of the year up to this one whose actuals are in at every school. */
  monthsIn: number[]
  threshold: { explainOver: number; explainOverPercent: number; explainAlwaysOver: number }
  lines: PackLine[]
  /**
   * Of several schools, what they pay each other: there is nothing of it, it stands apart from income and expenditure, or does but for what is
   * posted to codes of other money. Packs that were finished before it was taken out do not say, and have it in both.
   */
  transfers?: 'none' | 'apart' | 'partly'
  /** Null: nothing can be said. */
  staffing: PackGroup[] | null
  cash: { months: PackCash[]; floor: number | null } | null
  years: PackYear[]
  /** Of one school that is laid beside comparators; left out of others, and of packs that were finished before it was kept. */
  comparators?: PackComparators
  warnings: string[]
}

/** What was written about a line of monitoring. */
export interface Remark {
  budgetCodeId: number
  note: string
  action: string | null
}

/** A line over the threshold that nobody has written a reason for, or no action. */
export interface DueLine {
  budgetCodeId: number
  code: string | null
  description: string
  needs: 'reason' | 'action'
}

interface Done {
  by: UserId | null
  at: string
}

/** A governors' pack as its log keeps it. What people wrote is sealed. */
export interface PackItem {
  kind: 'pack'
  /** Stands on every page of it, and opens it. */
  code: string
  year: number
  month: number
  /** The pack that it goes on from; null: none. */
  from: string | null
  started: Done
  chapters: Chapter[]
  sealedWords: string
  finished: (Done & { pins: Pins; figures: PackFigures; sealedRemarks: string }) | null
}

/** What begins a pack. */
export type PackStart = Pick<PackItem, 'code' | 'year' | 'month' | 'from' | 'chapters' | 'sealedWords'>

export const packKey = (code: string): string => `pack ${code}`

/** Digits and letters that nobody takes for another: no 0, 1, I or O. */
const codeLetters = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const codeLength = 8
export const codeForm = new RegExp(`^[${codeLetters}]{${codeLength}}$`)

/** A code of some random bytes. @param bytes eight of them */
export function codeOf(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, codeLength), (byte) => codeLetters[byte % codeLetters.length]).join('')
}

/** A code as it is printed, `K7QM-3XWD`. */
export function shownCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`
}

/** A code as somebody types it off a page; undefined for what can be none. */
export function typedCode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/[^0-9A-Z]/g, '')
  return codeForm.test(code) ? code : undefined
}

/** What a pack begins with where there is none to go on from. */
export function firstWords(signatory: string | null): PackWords {
  return {
    title: 'Governors’ pack',
    texts: {
      summary:
        'Income to date is {income.actual} against a budget of {income.toDate}, expenditure {expenditure.actual} against {expenditure.toDate}. The year is forecast to end with an in-year balance of {inYear.forecast}, where {inYear.budget} was budgeted, and {carriedForward.forecast} carried forward.',
    },
    decisions: [],
    signatories: [
      { role: 'Chair of governors', name: '' },
      { role: 'Head', name: signatory ?? '' },
    ],
  }
}
