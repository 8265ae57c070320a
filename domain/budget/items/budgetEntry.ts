import { z } from 'zod'
import { findEngine } from '../../calculation/engines/engines.ts'
import type { CalculatorRow } from '../../calculation/nonStaffing/calculator.ts'
import { type EntryLine, type EntryYear, maxBudgetYears, type ProjectedYear, postEntry } from '../../calculation/nonStaffing/entries.ts'
import type { EntryBasis, StoredEntry, StoredEntryPlan } from '../../calculation/nonStaffing/entryLines.ts'
import { fundShares } from '../../resources/schema.ts'
import { isDate } from '../../values/calendar.ts'
import { recordFromKeys } from '../../values/keysOf.ts'
import type { Percent } from '../../values/units.ts'
import { allowBlank, buildShortTextSchema, mongoId } from '../budget.ts'
import { buildPoundsSchema, buildRateSchema, calculatorRows } from './fields.ts'

/** The calculation or prediction that an entry was made from. Users change the entry through it. */
export interface EntrySource {
  kind: 'calculation' | 'prediction'
  id: string
}

/** A budget entry as stored in the log: whole pennies, sealed notes. */
export interface BudgetEntry {
  id: string
  identifier: string | null
  description: string
  budgetCodeId: number
  costCentreId: number | null
  analysisTags: number[]
  fundCodes: { fundCodeId: number; percentage: Percent }[]
  sealedNotes: string | null
  /** Budget year in which the entry begins, from 0. */
  firstYear: number
  /** Always five, the most years that a budget can have. */
  years: EntryYear[]
  profileTemplateId: number | null
  rows: CalculatorRow[]
  source: EntrySource | null
  basis: EntryBasis
}

export const periodNames = [
  'period1',
  'period2',
  'period3',
  'period4',
  'period5',
  'period6',
  'period7',
  'period8',
  'period9',
  'period10',
  'period11',
  'period12',
] as const

const periods = recordFromKeys(periodNames, (_name, index) => buildPoundsSchema(`Period ${index + 1}`).optional())

/** A later year with an amount or a rate of its own, which replaces the price rise of the code. */
const entryYear = z.object({
  yearName: z.string().max(7),
  amount: buildPoundsSchema('Amount').optional(),
  rate: buildRateSchema('Rate').optional(),
  periods: z
    .array(buildPoundsSchema('A period'))
    .refine((list) => list.length === 12, 'A year must have twelve periods.')
    .nullish(),
})

/** A budget entry as sent by screens and the API (entities.json BudgetEntry). If `years` is left out, later years are unchanged. */
export const budgetEntryInput = z.object({
  id: mongoId.nullish(),
  version: z.number().int().nullish(),
  identifier: buildShortTextSchema('Identifier', 50),
  description: z
    .string('Description is required.')
    .trim()
    .min(1, 'Description is required.')
    .max(200, 'Description can have at most 200 characters.'),
  budgetCodeId: z.number('Budget code is required.').int(),
  costCentreId: allowBlank(z.number('Cost centre was not found.').int()),
  analysisTags: z.array(z.number().int()).max(50).default([]),
  fundCodes: fundShares.default([]),
  notes: buildShortTextSchema('Notes', 2000),
  reminderDate: z.string().refine(isDate, 'Reminder date is not a valid date.').nullish(),
  reminderText: z.string().trim().max(200, 'Reminder text can have at most 200 characters.').nullish(),
  amount: buildPoundsSchema('Amount'),
  ...periods,
  budgetYearName: buildShortTextSchema('Budget year name', 7),
  profileTemplateId: allowBlank(z.number('Profile template was not found.').int()),
  rows: calculatorRows.default([]),
  years: z.array(entryYear).max(maxBudgetYears).optional(),
})
export type BudgetEntryInput = z.infer<typeof budgetEntryInput>

/**
 * Calculates the years of an entry with the engine that its basis names. Every year is “not calculated” if this version of Bursar lacks
 * that engine.
 */
export function calculateEntryYears(entry: StoredEntryPlan, count: number): ProjectedYear[] {
  const unknown: ProjectedYear = { amount: null, periods: Array<null>(12).fill(null), isTyped: false, rate: null }
  return findEngine(entry.basis.engine)?.yearsOf(entry, count) ?? Array<ProjectedYear>(count).fill(unknown)
}

/** Splits an entry into posted lines with the engine that its basis names (rules.md §9). */
export function calculateEntryLines(entry: StoredEntry, count: number): EntryLine[] {
  const engine = findEngine(entry.basis.engine)
  return engine ? engine.linesOfEntry(entry, count) : postEntry(calculateEntryYears(entry, count), entry, entry.fundCodes)
}
