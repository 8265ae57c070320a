import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import { costProblem } from '../../../shared/costing/replies.ts'

const result = z
  .strictObject({
    monthlyBasic: z.number(),
    monthlyErNi: z.number(),
    monthlyErPension: z.number(),
    monthlyTotal: z.number(),
    annualBasic: z.number(),
    annualErNi: z.number(),
    annualErPension: z.number(),
    annualTotal: z.number(),
    hourlyRate: z.number(),
    dailyRate: z.number(),
  })
  .meta({ id: 'QuickCalculatorResult' })

export const preview = reply(
  z
    .strictObject({
      result: result.nullable(),
      problems: z.array(costProblem),
      ratesOf: z.string(),
    })
    .nullable(),
)

const shape = z
  .strictObject({
    budgetId: z.string().brand<'BudgetId'>(),
    scalePointId: z.int().nullable(),
    version: z.int().nullable(),
    created: z.string().nullable(),
    result: z.array(result),
    problems: z.array(costProblem),
    ratesOf: z.string(),
    id: z.string(),
    name: z.string(),
    type: z.number(),
    contractTypeId: z.int(),
    spotOrAdjustment: z.number().nullable().describe('Pounds with at most two decimals.'),
    allowanceIds: z.array(z.int()),
    eRpension: z.boolean(),
    hoursPerWeek: z.number().nullable(),
    paidWeeksPerYear: z.number().nullable(),
    fte: z.number().nullable(),
  })
  .meta({ id: 'QuickCalculator' })

export const quickCalculation = reply(shape)

export const page = reply(z.strictObject({ rows: z.array(shape), total: z.number() }).meta({ id: 'QuickCalculatorPage' }))
