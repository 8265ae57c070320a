import { z } from 'zod'
import type { ScenarioChange } from '../../../domain/budget/items/scenario.ts'
import { reply } from '../../core/calls/reply.ts'
import { yearAmounts } from '../costing/replies.ts'
import type { ExistingAward } from '../whatIf/queries.ts'

const scenarioChange: z.ZodType<ScenarioChange> = z.union([
  z.strictObject({ kind: z.literal('award'), contractTypeIds: z.array(z.int()), effectiveDate: z.iso.date(), rate: z.number() }),
  z.strictObject({ kind: z.literal('removePost'), contractId: z.string().brand<'ContractId'>(), from: z.string() }),
  z.strictObject({ kind: z.literal('hours'), contractId: z.string().brand<'ContractId'>(), from: z.string(), percentage: z.number() }),
  z.strictObject({ kind: z.literal('entry'), entryId: z.string(), percentage: z.number() }),
  z.strictObject({
    kind: z.literal('newEntry'),
    description: z.string(),
    budgetCodeId: z.int(),
    costCentreId: z.int().nullable(),
    amount: z.number(),
    firstYear: z.number(),
  }),
  z.strictObject({ kind: z.literal('pupils'), yearGroup: z.number(), firstYear: z.number(), by: z.number() }),
])

export const existingAward: z.ZodType<ExistingAward> = z.strictObject({
  effectiveDate: z.iso.date(),
  rate: z.string(),
  table: z.string().nullable(),
  contractTypeIds: z.array(z.int()),
})

export const savedScenarioId = reply(z.string())

export const award = reply(
  z.array(
    z.strictObject({
      contractTypeId: z.int(),
      name: z.string(),
      years: z.array(z.strictObject({ before: z.number(), after: z.number() })),
      sentences: z.array(z.string()),
    }),
  ),
)

export const list = reply(
  z.strictObject({
    mostCompared: z.number(),
    yearNames: z.array(z.string()),
    base: z.strictObject({
      years: z.array(yearAmounts),
      notCalculated: z.number(),
    }),
    scenarios: z.array(
      z.strictObject({
        id: z.string(),
        version: z.int(),
        name: z.string(),
        changes: z.array(
          z.strictObject({ change: scenarioChange, words: z.string(), conflict: z.string().nullable(), notes: z.array(z.string()) }),
        ),
        isWithheld: z
          .boolean()
          .describe('Whether its figures are left out, because they would reveal to the caller what one or two people are paid.'),
        years: z.array(yearAmounts),
        notCalculated: z.number(),
      }),
    ),
    contracts: z.array(z.strictObject({ id: z.string(), name: z.string() })).describe('The contracts that changes can apply to.'),
    entries: z.array(z.strictObject({ id: z.string(), name: z.string() })),
    yearGroups: z.array(z.number()),
    contractTypes: z.array(z.strictObject({ id: z.int(), name: z.string() })),
    today: z.string(),
    standing: z.array(existingAward).describe('The existing awards, in tables and assumptions.'),
  }),
)
