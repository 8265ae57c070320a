import { type BudgetEntryInput, budgetEntryInput, calculateEntryYears, periodNames } from '../../../domain/budget/items/budgetEntry.ts'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import { type CalculatorRow, isCalculating } from '../../../domain/calculation/nonStaffing/calculator.ts'
import { type EntryYear, maxBudgetYears } from '../../../domain/calculation/nonStaffing/entries.ts'
import { toPennies, toPounds } from '../../../domain/values/format.ts'
import type { Percent, Pounds } from '../../../domain/values/units.ts'
import { type ValidationResult, validateWith } from '../../resources/editor/validateWith.ts'
import type { api } from '../../shell/api.ts'
import type { EntryChoices } from './sheetModel.ts'

export type LoadedEntry = Awaited<ReturnType<typeof api.entries.get.query>>

/** How the amount of an entry is entered: one figure, twelve periods, or rows that add up to it. */
export type AmountMethod = 'amount' | 'periods' | 'rows'

/** The values of an entry in its form, in pounds; empty fields are null. */
export interface EntryDraft {
  id: string | null
  version: number | null
  identifier: string
  description: string
  budgetCodeId: number | null
  costCentreId: number | null
  analysisTags: number[]
  fundCodes: { fundCodeId: number | null; percentage: Percent | null }[]
  notes: string
  reminderDate: string | null
  reminderText: string
  way: AmountMethod
  amount: Pounds | null
  periods: (number | null)[]
  profileTemplateId: number | null
  firstYear: number
  years: { amount: number | null; rate: number | null; periods: (number | null)[] | null }[]
  rows: CalculatorRow[]
}

const blankYears = (): EntryDraft['years'] => Array.from({ length: maxBudgetYears }, () => ({ amount: null, rate: null, periods: null }))

export function createEmptyEntry(): EntryDraft {
  return {
    id: null,
    version: null,
    identifier: '',
    description: '',
    budgetCodeId: null,
    costCentreId: null,
    analysisTags: [],
    fundCodes: [],
    notes: '',
    reminderDate: null,
    reminderText: '',
    way: 'amount',
    amount: null,
    periods: Array<number | null>(12).fill(null),
    profileTemplateId: null,
    firstYear: 0,
    years: blankYears(),
    rows: [],
  }
}

export function toEntryDraft(entry: LoadedEntry, yearNames: readonly string[]): EntryDraft {
  const years = blankYears()
  for (const [index, { amount, rate, periods }] of entry.years.entries()) years[index] = { amount, rate, periods }
  return {
    id: entry.id,
    version: entry.version,
    identifier: entry.identifier ?? '',
    description: entry.description,
    budgetCodeId: entry.budgetCodeId,
    costCentreId: entry.costCentreId,
    analysisTags: entry.analysisTags,
    fundCodes: entry.fundCodes,
    notes: entry.notes ?? '',
    reminderDate: entry.reminderDate,
    reminderText: entry.reminderText ?? '',
    way: isCalculating(entry.rows) ? 'rows' : entry.hasOwnPeriods ? 'periods' : 'amount',
    amount: entry.amount,
    periods: periodNames.map((name) => entry[name]),
    profileTemplateId: entry.profileTemplateId,
    firstYear: Math.max(0, yearNames.indexOf(entry.budgetYearName ?? '')),
    years,
    rows: entry.rows,
  }
}

/** Field labels of an entry. */
export const entryLabels: Partial<Record<keyof EntryDraft, string>> = {
  identifier: 'Identifier',
  description: 'Description',
  budgetCodeId: 'Budget code',
  costCentreId: 'Cost centre',
  analysisTags: 'Analysis tags',
  fundCodes: 'Fund codes',
  notes: 'Notes',
  reminderDate: 'Reminder date',
  reminderText: 'Reminder',
  way: 'How the amount is entered',
  amount: 'Amount',
  periods: 'Periods',
  profileTemplateId: 'Profile',
  firstYear: 'First year',
  years: 'Later years',
  rows: 'Rows',
}

/** Validates a draft and converts it to the API's input. Periods are sent only if they set the amount. */
export function validateEntry(draft: EntryDraft, yearNames: readonly string[]): ValidationResult<BudgetEntryInput> {
  const { way, periods, years, firstYear, rows, amount, reminderDate, reminderText, ...rest } = draft
  const sum = periods.reduce<number>((all, one) => all + (one === null ? 0 : toPennies(one)), 0)
  return validateWith(budgetEntryInput, {
    ...rest,
    budgetCodeId: rest.budgetCodeId ?? undefined,
    reminderDate,
    reminderText: reminderText || null,
    budgetYearName: yearNames[firstYear],
    amount: way === 'periods' ? toPounds(sum) : way === 'rows' ? null : amount,
    ...Object.fromEntries(periodNames.map((name, index) => [name, way === 'periods' ? (periods[index] ?? 0) : null])),
    rows: way === 'rows' ? rows : [],
    years: years.flatMap((year, index) =>
      index !== firstYear && yearNames[index] && (year.amount !== null || year.rate !== null)
        ? [{ yearName: yearNames[index], ...year }]
        : [],
    ),
  })
}

/** Calculates the years of a draft in the same way as the server. */
export function calculateDraftYears(draft: EntryDraft, choices: EntryChoices, count: number) {
  const profile = choices.profiles.find((one) => one.id === draft.profileTemplateId)
  const rates = choices.budgetCodes.find((one) => one.id === draft.budgetCodeId)?.rates ?? null
  const pennies = (value: number | null): number => (value === null ? 0 : toPennies(value))
  const typed = draft.periods.map(pennies)
  const years = draft.years.map((year, index): EntryYear => {
    if (index < draft.firstYear) return { amount: null, periods: null, rate: null }
    if (index > draft.firstYear)
      return {
        amount: year.amount === null ? null : toPennies(year.amount),
        periods: year.periods?.map(pennies) ?? null,
        rate: year.rate,
      }
    if (draft.way === 'periods') return { amount: typed.reduce((all, one) => all + one, 0), periods: typed, rate: null }
    return { amount: draft.amount === null ? null : toPennies(draft.amount), periods: null, rate: null }
  })
  return calculateEntryYears(
    {
      firstYear: draft.firstYear,
      years,
      rows: draft.way === 'rows' ? draft.rows : [],
      basis: { rates, weights: profile?.weights ?? null, engine: engineVersion },
    },
    count,
  )
}
