import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import { calculatorRow } from '../../../shared/costing/replies.ts'

const shape = z
  .strictObject({
    id: z.string(),
    version: z.int(),
    created: z.string(),
    total: z.number().nullable(),
    totals: z.array(z.number().nullable()),
    worked: z.array(z.strictObject({ years: z.array(z.number().nullable()).nullable(), problem: z.string().nullable() })),
    entryId: z.string().nullable(),
    isOutOfDate: z.boolean(),
    name: z.string(),
    description: z.string().nullable(),
    budgetCodeId: z.int(),
    costCentreId: z.int().nullable(),
    fundCodes: z.array(z.strictObject({ fundCodeId: z.int(), percentage: z.number() })),
    rows: z.array(calculatorRow),
  })
  .meta({ id: 'IncomeExpenditureCalculator' })

export const calculation = reply(shape)

export const page = reply(z.strictObject({ rows: z.array(shape), total: z.number() }).meta({ id: 'IncomeExpenditureCalculatorPage' }))
