import { z } from 'zod'
import { reply } from '../../../core/calls/reply.ts'

export const pupils = reply(
  z
    .strictObject({
      id: z.string().nullable(),
      version: z.int().nullable(),
      created: z.string().nullable(),
      rows: z.array(
        z.strictObject({
          phase: z.number().nullable(),
          before: z.number().nullable(),
          years: z.array(z.number().nullable()),
          typed: z.array(z.boolean()),
          kind: z.enum(['Description', 'Total', 'Phase', 'HighNeeds']),
          yearGroup: z.number().nullable(),
          description: z.string().nullable(),
        }),
      ),
      lessons: z
        .array(z.strictObject({ week: z.number().nullable(), taught: z.number().nullable(), weeks: z.number().nullable() }))
        .describe('The timetable of each of five years.'),
      said: z
        .array(z.strictObject({ yearGroup: z.number(), october: z.int(), count: z.number() }))
        .describe('The last numbers from another system; numbers that someone entered or undid are kept.'),
    })
    .meta({ id: 'PupilNumbers' }),
)
