import { z } from 'zod'
import { sharedSources, staffSources } from '../../../domain/budget/sharedSources.ts'
import { reply } from '../../core/calls/reply.ts'
import { fieldChange, namedVersion } from '../../shared/budgets/replies.ts'
import { yearAmounts } from '../../shared/costing/replies.ts'

export const timeline = reply(
  z.strictObject({
    version: z.int(),
    moments: z.array(namedVersion),
    days: z.array(
      z.strictObject({
        people: z.array(z.string()),
        day: z.string(),
        at: z.string().describe('The time of its last event, and the version it created.'),
        version: z.int(),
        changes: z.number(),
      }),
    ),
  }),
)

export const pastBudget = reply(
  z.strictObject({
    name: z.string(),
    at: z.string(),
    version: z.int(),
    moment: z.string().nullable(),
    yearNames: z.array(z.string()),
    years: z.array(yearAmounts),
    codes: z.array(
      z.strictObject({
        code: z.string(),
        description: z.string(),
        isIncome: z.boolean(),
        years: z
          .array(z.number().nullable())
          .describe('Null if nothing in the year could be calculated; `missing` counts the monthly figures left out of the total.'),
        missing: z.array(z.number()),
      }),
    ),
    contracts: z
      .array(z.strictObject({ id: z.string(), name: z.string(), person: z.string().nullable(), years: z.array(z.number().nullable()) }))
      .nullable(),
    entries: z.array(z.strictObject({ id: z.string(), description: z.string(), code: z.string(), years: z.array(z.number().nullable()) })),
  }),
)

const sides = z.strictObject({
  a: z.number().nullable(),
  b: z.number().nullable(),
  missing: z.strictObject({ a: z.number(), b: z.number() }),
})

export const compare = reply(
  z.strictObject({
    a: z.string(),
    b: z.string(),
    years: z.array(z.string()),
    codes: z.array(
      z.strictObject({
        years: z.array(sides),
        code: z.string(),
        description: z.string(),
        isIncome: z.boolean(),
        budgetCodeId: z.int().nullable(),
      }),
    ),
    things: z.array(
      z.strictObject({
        person: z.string().nullable(),
        code: z.string().nullable(),
        years: z.array(sides),
        touches: z.array(z.strictObject({ at: z.string(), actor: z.string() })),
        root: z.string(),
        kind: z.enum(['entry', ...staffSources, 'transfer']),
        name: z.string(),
        budgetCodeId: z.int().nullable(),
        what: z.enum(['changed', 'added', 'removed', 'recosted', 'same']),
        changes: z.array(fieldChange),
      }),
    ),
    unchanged: z.number(),
  }),
)

export const bridge = reply(
  z.strictObject({
    a: z.string(),
    b: z.string(),
    from: z.strictObject({ income: z.number(), staffing: z.number(), other: z.number() }),
    to: z.strictObject({ income: z.number(), staffing: z.number(), other: z.number() }),
    notCalculated: z.array(z.number()),
    leftOut: z
      .array(z.string())
      .describe('The parts of the levy, pools and top slices that are not calculated on one side and so affect a step, in words.'),
    steps: z.array(
      z.strictObject({
        items: z.array(
          z.strictObject({
            income: z.number(),
            staffing: z.number(),
            other: z.number(),
            kind: z.enum(['entry', ...staffSources, 'transfer']),
            root: z.string(),
            contractId: z.string().nullable().describe('The contract as it is in the later budget.'),
            name: z.string(),
            person: z.string().nullable(),
            code: z.string().nullable(),
          }),
        ),
        income: z.number(),
        staffing: z.number(),
        other: z.number(),
        cause: z.enum([
          'entries',
          'transfers',
          'pension',
          'pupils',
          ...sharedSources,
          'other',
          'dates',
          'increments',
          'leavers',
          'hours',
          'terms',
          'starters',
          'payTables',
          'awards',
          'ni',
          'funding',
          'calculations',
          'prices',
          'engine',
          'recorded',
        ]),
        name: z.string(),
      }),
    ),
  }),
)
