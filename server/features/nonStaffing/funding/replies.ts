import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import { fundingRow } from '../../../shared/costing/replies.ts'

export const fundingTableRates = reply(z.strictObject({ rates: z.record(z.string(), z.number()), tableYear: z.number() }))

const fundingVersion = z
  .strictObject({ id: z.int(), name: z.string(), type: z.number(), yearName: z.string() })
  .meta({ id: 'FundingVersion' })

export const fundingVersions = reply(z.array(fundingVersion))

const fundingCalculation = z
  .strictObject({ key: z.string(), description: z.string(), formula: z.string(), years: z.array(z.number().nullable()).nullable() })
  .meta({ id: 'FundingCalculation' })

export const calculations = reply(z.array(fundingCalculation))

const shape = z
  .strictObject({
    id: z.string(),
    version: z.int(),
    created: z.string(),
    total: z.number().nullable(),
    totals: z.array(z.number().nullable()),
    worked: z.array(
      z.strictObject({
        years: z.array(z.number().nullable()).nullable(),
        rates: z.array(z.number().nullable()).nullable(),
        numbers: z.array(z.number().nullable()).nullable(),
        problem: z.string().nullable(),
        isLeftOut: z.boolean().describe('A stream without any numbers is left out of the totals.'),
      }),
    ),
    tableRates: z.record(z.string(), z.number()),
    tableYear: z.number().describe('The budget year of the table, counted from 0; rates increase in later years.'),
    leftOut: z.number(),
    stoodIn: z.boolean(),
    entryId: z.string().nullable(),
    isOutOfDate: z.boolean(),
    name: z.string(),
    versionId: z.int().describe('The admin table of local authority funding rates that it uses.'),
    budgetCodeId: z.int(),
    rows: z.array(fundingRow),
  })
  .meta({ id: 'FundingPredictor' })

export const prediction = reply(shape)

export const list = reply(z.array(shape))
