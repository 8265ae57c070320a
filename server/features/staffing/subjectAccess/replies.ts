import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'
import type { AccessPack } from './queries.ts'

const text = z.string()
const words = z.string().nullable()

const shape: z.ZodType<AccessPack> = z
  .strictObject({
    madeAt: text,
    organisation: text,
    person: z.array(z.strictObject({ field: text, value: text })),
    leave: z.array(z.strictObject({ from: text, to: text, ruleSet: text, notes: words })),
    contracts: z.array(
      z.strictObject({
        budget: text,
        location: text,
        name: text,
        position: words,
        department: words,
        from: words,
        to: words,
        notes: words,
        rows: z.array(
          z.strictObject({
            from: text,
            scalePoint: words,
            fte: z.number().nullable(),
            hoursPerWeek: z.number().nullable(),
            weeksPerYear: z.number().nullable(),
          }),
        ),
        costs: z.array(
          z.strictObject({ year: text, pounds: z.number().nullable().describe('Pounds; null if it could not be calculated.') }),
        ),
      }),
    ),
    payroll: z.array(
      z.strictObject({
        month: text,
        location: text,
        code: text,
        description: text,
        pounds: z.number(),
        source: z.enum(['imported', 'typed']),
      }),
    ),
    payrollNotes: z.array(z.strictObject({ month: text, text })),
    hrFile: z
      .array(z.strictObject({ location: text, day: text, values: z.array(z.strictObject({ column: text, value: text })) }))
      .describe('The latest data about the person from an HR system.'),
    comments: z.array(z.strictObject({ at: text, by: text, contract: text, budget: text, text })).describe('Comments on the contracts.'),
    reminders: z.array(z.strictObject({ when: text, description: text, notes: words, by: text })),
    changes: z.array(
      z.strictObject({
        at: text,
        by: text,
        what: text,
        fields: z.array(z.strictObject({ field: text, before: text, after: text })),
      }),
    ),
    elsewhere: z.array(text).describe('Other places that may hold data and cannot be searched automatically.'),
  })
  .meta({ id: 'AccessPack' })

export const pack = reply(shape)
