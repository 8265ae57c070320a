import { z } from 'zod'
import { budgetMongoId } from '../../../domain/budget/budget.ts'
import { driverInput } from '../../../domain/uncertainty/budget/driver.ts'
import { correlationWords } from '../../../domain/uncertainty/correlation.ts'
import { defaultDraws, mostDraws } from '../../../domain/uncertainty/draws.ts'
import { mostSeed } from '../../../domain/uncertainty/generator.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'

/** The most drivers of one run. A trust draws an intake of each location. */
const mostDriversSent = 60

const driverId = z.string('Driver is required.').max(40, 'A driver has no such id.')

export const runRequest = z
  .object({
    budgetId: budgetMongoId.nullish().describe('The budget to draw.'),
    locationIds: z
      .array(z.int().positive().brand<'LocationId'>())
      .max(500, 'A run can have at most 500 locations.')
      .nullish()
      .describe('Without a budget: the locations whose budgets of record are drawn together. Without any: all that the caller can see.'),
    drivers: z.array(driverInput).max(mostDriversSent, `A run can have at most ${mostDriversSent} drivers.`).describe('What is uncertain.'),
    correlations: z
      .array(
        z.object({
          first: driverId,
          second: driverId,
          word: z.enum(keysOf(correlationWords), 'This is not a known way to move together.'),
        }),
      )
      .max(500, 'A run can have at most 500 pairs of drivers.')
      .default([])
      .describe('Which drivers move together. Pairs that are left out do not.'),
    draws: z
      .number('Enter the number of futures.')
      .int('Enter a whole number of futures.')
      .min(1, 'Draw at least one future.')
      .max(mostDraws, 'Draw at most 20,000 futures.')
      .default(defaultDraws)
      .describe('The number of futures.'),
    seed: z
      .number('Enter the seed as a number.')
      .int('Enter the seed as a whole number.')
      .min(0, 'The seed cannot be below zero.')
      .max(mostSeed, `The seed can be at most ${mostSeed}.`)
      .nullish()
      .describe('The number that the futures are drawn from. The same seed gives the same futures. Without one, Bursar chooses it.'),
  })
  .meta({ id: 'UncertaintyRunRequest' })
export type RunRequest = z.infer<typeof runRequest>
