import { z } from 'zod'
import { daySchema, momentSchema, schemaOf, userIdSchema } from '../../values/eventSchema.ts'
import { contractMongoId, groupMongoId, mongoId } from '../budget.ts'
import type { ItemByKind, ItemKind } from './item.ts'

/*
 * The items of a budget as events store them. These schemas check only what was stored, not what users may enter, because input rules
 * change and old events must stay readable. For the same reason they write out each list of names. A change to the stored fields of an item
 * needs a new schema version of its events, unless the field is optional.
 */

const fundShares = z.array(z.object({ fundCodeId: z.int(), percentage: z.number() }))

const calculatorRow = z.object({
  kind: z.int(),
  description: z.string().nullable(),
  value: z.number().nullable(),
  exact: z.string().nullish(),
  years: z.array(z.number().nullable()),
  periods: z.array(z.number()),
})

export const entryBasisSchema = z.object({
  rates: z.array(z.number()).nullable(),
  weights: z.array(z.number()).nullable(),
  engine: z.string().optional(),
})

const commentedCell = z.object({
  report: z.enum([
    'budgetAnalysis',
    'profileBudgetAnalysis',
    'budgetAnalysisByLocation',
    'budgetAnalysisBySingleLocation',
    'costCentreAnalysis',
    'costCentreAnalysisByLocation',
    'costCentreAnalysisBySingleLocation',
    'pupilNumbers',
    'pupilNumbersByLocation',
    'staffing',
    'stakeHolder',
    'stakeHolderByLocation',
    'measures',
    'budgetForecastReturn',
    'cfrReturn',
    'trialBudget',
  ]),
  groupId: groupMongoId.nullable(),
  row: z.string(),
  column: z.string(),
  scheme: z.int(),
  label: z.string().nullable(),
  title: z.string(),
  value: z.union([z.number(), z.string()]).nullable(),
  type: z.enum(['money', 'number', 'ratio', 'percent', 'text', 'date']),
  isOfStaff: z.boolean(),
})

export const itemSchemas = {
  entry: schemaOf<ItemByKind['entry']>()(
    z.object({
      id: mongoId,
      identifier: z.string().nullable(),
      description: z.string(),
      budgetCodeId: z.int(),
      costCentreId: z.int().nullable(),
      analysisTags: z.array(z.int()),
      fundCodes: fundShares,
      sealedNotes: z.string().nullable(),
      firstYear: z.int(),
      years: z.array(
        z.object({
          amount: z.int().nullable(),
          periods: z.array(z.number()).nullable(),
          rate: z.number().nullable(),
          weights: z.array(z.number()).nullish(),
        }),
      ),
      profileTemplateId: z.int().nullable(),
      rows: z.array(calculatorRow),
      source: z.object({ kind: z.enum(['calculation', 'prediction']), id: mongoId }).nullable(),
      basis: entryBasisSchema,
    }),
  ),
  calculation: schemaOf<ItemByKind['calculation']>()(
    z.object({
      id: mongoId,
      name: z.string(),
      description: z.string().nullable(),
      budgetCodeId: z.int(),
      costCentreId: z.int().nullable(),
      fundCodes: fundShares,
      rows: z.array(calculatorRow),
    }),
  ),
  prediction: schemaOf<ItemByKind['prediction']>()(
    z.object({
      id: mongoId,
      name: z.string(),
      versionId: z.int(),
      budgetCodeId: z.int(),
      rows: z.array(
        z.object({
          kind: z.enum(['Type', 'Stream', 'SubTotal', 'Inflation', 'Description', 'Total']),
          category: z.int().nullable(),
          description: z.string().nullable(),
          years: z.array(z.number().nullable()),
          exact: z.array(z.string().nullable()).optional(),
          rate: z.number().nullable(),
          isAwaited: z.boolean().optional(),
        }),
      ),
    }),
  ),
  pupils: schemaOf<ItemByKind['pupils']>()(
    z.object({
      id: mongoId,
      rows: z.array(
        z.object({
          kind: z.enum(['Phase', 'HighNeeds', 'Total', 'Description']),
          phase: z.int().nullable(),
          yearGroup: z.int().nullable(),
          description: z.string().nullable(),
          before: z.number().nullable(),
          years: z.array(z.number().nullable()),
        }),
      ),
      lessons: z.array(z.object({ week: z.number().nullable(), taught: z.number().nullable(), weeks: z.number().nullable() })).optional(),
      said: z
        .array(z.object({ yearGroup: z.int(), october: z.int(), count: z.number(), isTakenBack: z.literal(true).optional() }))
        .optional(),
    }),
  ),
  balance: schemaOf<ItemByKind['balance']>()(z.object({ id: mongoId, description: z.string(), type: z.int(), value: z.int() })),
  comment: schemaOf<ItemByKind['comment']>()(
    z.object({
      id: mongoId,
      about: z.discriminatedUnion('kind', [
        z.object({
          kind: z.enum(['budget', 'code', 'contract', 'entry']),
          ref: z.string().nullable(),
          year: z.int().nullable(),
          cell: z.undefined().optional(),
        }),
        z.object({ kind: z.literal('cell'), ref: z.null(), year: z.null(), cell: commentedCell }),
      ]),
      sealedText: z.string(),
      byId: userIdSchema,
      at: momentSchema,
      resolvedById: userIdSchema.nullable(),
      resolvedAt: momentSchema.nullable(),
      mentionIds: z.array(userIdSchema).optional(),
    }),
  ),
  scenario: schemaOf<ItemByKind['scenario']>()(
    z.object({
      id: mongoId,
      name: z.string(),
      changes: z.array(
        z.discriminatedUnion('kind', [
          z.object({ kind: z.literal('award'), contractTypeIds: z.array(z.int()), effectiveDate: daySchema, rate: z.number() }),
          z.object({ kind: z.literal('removePost'), contractId: contractMongoId, from: daySchema }),
          z.object({ kind: z.literal('hours'), contractId: contractMongoId, from: daySchema, percentage: z.number() }),
          z.object({ kind: z.literal('entry'), entryId: mongoId, percentage: z.number() }),
          z.object({
            kind: z.literal('newEntry'),
            description: z.string(),
            budgetCodeId: z.int(),
            costCentreId: z.int().nullable(),
            amount: z.number(),
            firstYear: z.int(),
          }),
          z.object({ kind: z.literal('pupils'), yearGroup: z.int(), firstYear: z.int(), by: z.number() }),
        ]),
      ),
    }),
  ),
} satisfies { [Kind in ItemKind]: z.ZodType<ItemByKind[Kind]> }
