import { z } from 'zod'
import { staffSources } from '../../../domain/budget/sharedSources.ts'
import { reply } from '../../core/calls/reply.ts'
import { yearAmounts } from '../../shared/costing/replies.ts'

export const sources = reply(
  z.array(
    z.strictObject({
      years: z.array(z.strictObject({ total: z.number(), missing: z.number() })),
      months: z.array(z.array(z.number().nullable())),
      kind: z.enum(['entry', 'contracts', ...staffSources, 'transfer']),
      id: z.string(),
      name: z.string(),
    }),
  ),
)

const sum = z.strictObject({ total: z.number(), missing: z.number() })

/** All income and expenditure of a budget by cost centre or by fund. */
export const byCoding = reply(
  z.array(
    z.strictObject({
      id: z.int().nullable(),
      code: z.string(),
      description: z.string(),
      years: z.array(z.strictObject({ income: sum, staffing: sum, nonStaffing: sum })),
    }),
  ),
)

export const tree = reply(
  z.array(
    z.strictObject({
      codes: z.array(
        z.strictObject({
          years: z.array(z.strictObject({ total: z.number(), missing: z.number() })),
          months: z.array(z.array(z.number())),
          id: z.int().nullable().describe('Empty for the levy, which has no code.'),
          code: z.string(),
          description: z.string(),
        }),
      ),
      key: z.string(),
      name: z.string(),
      side: z.enum(['balance', 'income', 'expenditure']),
    }),
  ),
)

export const summary = reply(
  z.strictObject({
    years: z.array(
      yearAmounts.extend({
        staffShare: z.number().nullable().describe('A percentage with one decimal; null if there is no income.'),
        pupils: z.number().nullable(),
        balances: z.array(z.strictObject({ type: z.number(), opening: z.number(), inYear: z.number(), closing: z.number() })),
      }),
    ),
    hasOpening: z.boolean(),
    reserveFloor: z
      .number()
      .nullable()
      .describe('The minimum reserve under the organisation’s policy, as a percentage of the year’s income; null if it has no policy.'),
    contracts: z.number(),
    contractsNotCalculated: z.number().describe('Contracts with a figure that could not be calculated.'),
    outOfDate: z.array(
      z.strictObject({ id: z.string(), description: z.string(), source: z.enum(['calculation', 'prediction']), sourceId: z.string() }),
    ),
    recalculation: z
      .strictObject({ group: z.string().nullable(), reason: z.string() })
      .nullable()
      .describe('Why the figures are out of date, with the group that the budget is recalculated with; null if they are up to date.'),
    problems: z.array(z.string()),
  }),
)
