import { z } from 'zod'
import { reply } from '../../core/calls/reply.ts'

const pennies = 'Whole pennies by year: savings less one-off costs.'
const plan = z.array(z.string()).meta({ description: 'The ids of the chosen options, sorted by code unit.' })

export const answer = reply(
  z
    .strictObject({
      status: z.enum(['proven', 'impossible', 'not proven']).meta({
        description:
          'Whether the plan is proven to be the best, no plan is possible, or time ran out before either was certain. If it is not proven, the plan is the best that was found in time.',
      }),
      plan,
      pain: z.int().nullable().meta({ description: 'The total pain of the plan. Null without a plan.' }),
      saves: z.array(z.int()).meta({ description: `${pennies} Empty without a plan.` }),
      next: z.array(z.strictObject({ plan, pain: z.int(), saves: z.array(z.int()).meta({ description: pennies }) })).meta({
        description:
          'The next two plans. Each leaves out at least one option of each better plan. There are fewer if no more are possible or time ran out first.',
      }),
      conflict: z.array(z.strictObject({ kind: z.enum(['rule', 'target']), index: z.int() })).meta({
        description:
          'If no plan is possible: rules and targets that cannot hold together, by their position in the request, from 0. Without any one of them, the others can hold. Empty if time ran out first.',
      }),
      most: z.array(z.int()).meta({
        description:
          'If no plan is possible: the most that each year could save on its own under the rules, in whole pennies. Empty if no choice of options meets the rules or time ran out first.',
      }),
    })
    .meta({
      id: 'SavingsAnswer',
      examples: [
        {
          status: 'proven',
          plan: ['lettings', 'supply cover'],
          pain: 35,
          saves: [1_250_000, 1_500_000],
          next: [{ plan: ['one class fewer'], pain: 70, saves: [1_800_000, 3_600_000] }],
          conflict: [],
          most: [],
        },
      ],
    }),
)
