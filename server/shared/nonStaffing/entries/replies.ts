import { z } from 'zod'
import type { EntrySource } from '../../../../domain/budget/items/budgetEntry.ts'
import { reply } from '../../../core/calls/reply.ts'
import { calculatorRow } from '../../costing/replies.ts'
import type { LinkedLine, SheetBlock } from './sheet/queries.ts'

const entrySource: z.ZodType<EntrySource> = z
  .strictObject({ kind: z.enum(['calculation', 'prediction']), id: z.string() })
  .meta({ id: 'EntrySource' })

const listed = z
  .strictObject({
    budgetYearName: z.string().nullable(),
    profileTemplateId: z.int().nullable(),
    rows: z.array(calculatorRow),
    years: z.array(
      z.strictObject({
        yearName: z.string(),
        amount: z.number().nullable(),
        rate: z.number().nullable(),
        periods: z.array(z.number()).nullable(),
        worked: z.strictObject({ amount: z.number().nullable(), periods: z.array(z.number().nullable()), rate: z.number().nullable() }),
      }),
    ),
    hasOwnPeriods: z.boolean(),
    ratesOfCode: z.array(z.number()).nullable(),
    source: entrySource.nullable(),
    isOutOfDate: z.boolean(),
    period1: z.number().nullable(),
    period2: z.number().nullable(),
    period3: z.number().nullable(),
    period4: z.number().nullable(),
    period5: z.number().nullable(),
    period6: z.number().nullable(),
    period7: z.number().nullable(),
    period8: z.number().nullable(),
    period9: z.number().nullable(),
    period10: z.number().nullable(),
    period11: z.number().nullable(),
    period12: z.number().nullable(),
    id: z.string(),
    version: z.int(),
    created: z.string(),
    identifier: z.string().nullable(),
    description: z.string(),
    budgetCodeId: z.int(),
    costCentreId: z.int().nullable(),
    analysisTags: z.array(z.number()),
    fundCodes: z.array(z.strictObject({ fundCodeId: z.int(), percentage: z.number() })),
    notes: z.string().nullable(),
    amount: z.number().nullable(),
  })
  .meta({ id: 'ListedBudgetEntry' })

/** An entry with the caller's own reminder about it. */
const budgetEntry = listed.extend({ reminderDate: z.string().nullable(), reminderText: z.string().nullable() }).meta({ id: 'BudgetEntry' })

const linkedLine: z.ZodType<LinkedLine> = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['topSlice', 'gagPool', 'levy']),
  budgetCodeId: z.int().nullable(),
  amounts: z.array(z.number().nullable()),
})

const sheetBlock: z.ZodType<SheetBlock> = z.strictObject({
  version: z.int().describe('The version of the budget that the block comes from.'),
  yearNames: z.array(z.string()),
  total: z.number().describe('All entries of the budget.'),
  rows: z.string().describe('An array of `SheetRow` as JSON.'),
  next: z.strictObject({ created: z.string(), id: z.string() }).nullable().describe('The cursor of the next block; null if there is none.'),
  linked: z.array(linkedLine),
  problems: z.array(z.string()),
})

export const sheet = reply(sheetBlock)

export const entry = reply(budgetEntry)

export const changedEntries = reply(z.strictObject({ ids: z.array(z.string()), rows: z.string(), versions: z.array(z.number()) }))

export const choices = reply(
  z.strictObject({
    budgetCodes: z.array(
      z.strictObject({
        rates: z.array(z.number()).nullable(),
        id: z.int(),
        code: z.string(),
        description: z.string(),
        isIncome: z.boolean(),
        isOffered: z.boolean().describe('Codes of other locations are shown on entries that have them but are not offered.'),
      }),
    ),
    costCentresMandatory: z.boolean(),
    costCentres: z.array(z.strictObject({ id: z.int(), code: z.string(), description: z.string(), isOffered: z.boolean() })),
    fundCodes: z.array(z.strictObject({ id: z.int(), code: z.string(), description: z.string(), isOffered: z.boolean() })),
    analysisTags: z.array(
      z.strictObject({
        id: z.int(),
        code: z.string(),
        description: z.string(),
        textColor: z.string(),
        backgroundColor: z.string(),
        icon: z.string().nullable(),
        isOffered: z.boolean(),
      }),
    ),
    profiles: z.array(
      z.strictObject({ id: z.int(), code: z.string(), description: z.string(), weights: z.array(z.number()), isOffered: z.boolean() }),
    ),
  }),
)

export const listedEntries = reply(z.array(listed))

export const page = reply(z.strictObject({ rows: z.array(listed), total: z.number() }).meta({ id: 'BudgetEntryPage' }))

export const savedEntry = reply(
  budgetEntry
    .extend({ savedVersion: z.number().nullable().describe('The version that the save created; null if nothing changed.') })
    .meta({ id: 'SavedBudgetEntry' }),
)
