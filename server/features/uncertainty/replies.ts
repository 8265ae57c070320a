import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'

const pounds = z.number().nullable()
const chance = z.strictObject({
  count: z.int().describe('The number of futures in which it happens.'),
  of: z.int().describe('The number of futures.'),
})

export const runResult = z
  .strictObject({
    years: z.array(
      z.strictObject({
        year: z.string(),
        planned: pounds.describe('The closing reserve in the budget.'),
        p10: pounds.describe('One future in ten ends below this closing reserve. Null if a future cannot be calculated.'),
        p50: pounds.describe('Half of the futures end below this closing reserve.'),
        p90: pounds.describe('One future in ten ends above this closing reserve.'),
        belowZeroPercent: z.int().nullable().describe('Whole per cent of the futures; 0 only for none of them, 100 only for all.'),
        belowFloorPercent: z.int().nullable().describe('The same for the organisation’s reserve floor; null if it has none.'),
        belowZero: chance.nullable(),
        belowFloor: chance.nullable(),
        meanShortfall: pounds.describe('How far the futures below zero are below it on average; null if none is.'),
        notCalculated: z.int().describe('The number of futures that cannot be calculated.'),
        sentences: z.array(z.string()).describe('The year in words.'),
        missing: z.int().describe('The number of monthly figures that the budget itself lacks in this year or an earlier one.'),
      }),
    ),
    drivers: z.array(
      z.strictObject({
        id: z.string(),
        name: z.string(),
        share: z
          .number()
          .nullable()
          .describe('How much the driver decides of the last closing reserve, from 0 to 1. Drivers that move together share.'),
        note: z.string().nullable().describe('Why the driver changes nothing, or not all that it names.'),
      }),
    ),
    reserveForNineInTen: pounds.describe('The opening reserve with which nine futures in ten stay at or above zero in every year.'),
    openingReserve: pounds,
    sentences: z.array(z.string()).describe('What decides the last year, the reserve that would do, and how the costs were worked out.'),
    withoutOpeningBalance: z.array(z.string()).describe('Locations without an opening balance, whose reserves start from zero.'),
    contractsNotCalculated: z.int().describe('Contracts that cannot be calculated, which no future includes.'),
    movedCorrelations: z
      .array(z.strictObject({ first: z.string(), second: z.string(), said: z.number(), used: z.number() }))
      .describe('Pairs that cannot be true together, and the nearest correlation, from -1 to 1, that is used instead.'),
    draws: z.int(),
    seed: z.int(),
    engine: z.string().describe('The version of the calculation.'),
    version: z.int().nullable().describe('The version of the budget; null for several locations.'),
    budgets: z.array(
      z.strictObject({
        locationId: z.int(),
        location: z.string(),
        budgetId: z.string(),
        version: z.int(),
        inputs: z.string().describe('The hash of the pay tables, rates and other data that the budget is calculated with.'),
      }),
    ),
    leftOut: z
      .array(z.strictObject({ locationId: z.int(), location: z.string() }))
      .describe('Locations without a budget of record, and those hidden from the caller.'),
    interpolation: z
      .strictObject({
        largestDifference: z
          .number()
          .describe('The largest difference in pounds, in a year of a location, to draws that were costed in full.'),
        locationsInFull: z
          .array(z.int())
          .describe('Locations whose futures were all costed in full, because the difference was above £50.'),
      })
      .nullable()
      .describe('How staff were costed for several locations; null if every future was costed in full.'),
  })
  .meta({ id: 'UncertaintyRun' })
export type RunResult = z.infer<typeof runResult>
export const run = reply(runResult)
