import { z } from 'zod'
import { connectionKindNames, kindOf } from '../../../../domain/integrations/connections/all.ts'
import { formats, pathProblem } from '../../../../domain/integrations/connections/connection.ts'
import { rhythms } from '../../../../domain/integrations/connections/schedule.ts'
import { keptFile } from '../files/inputs.ts'

export const connectionInput = z
  .object({
    name: z.string().trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.'),
    kind: z.enum(connectionKindNames),
    credentialId: z.int().positive(),
    path: z
      .string()
      .trim()
      .max(300, 'Path can have at most 300 characters.')
      .superRefine((value, context) => {
        const problem = pathProblem(value)
        if (problem) context.addIssue({ code: 'custom', message: problem })
      })
      .describe('On the web service, or below the folder of the credential; empty: its address or folder itself.'),
    format: z.enum(formats).describe('How a web service has it; files in folders are CSV.'),
    schedule: z.object({
      every: z.enum(rhythms),
      at: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Give a time as 02:30.')
        .meta({ examples: ['02:30'] }),
      day: z
        .int()
        .min(1, 'Day must be 1 to 28.')
        .max(28, 'Day must be 1 to 28.')
        .describe('Of a week 1 (Monday) to 7, of a month 1 to 28; else not read.'),
    }),
    file: keptFile.nullish().describe('Which file goes out; none for what comes in.'),
  })
  .superRefine(({ kind, file, schedule }, context) => {
    if (kindOf(kind).direction === 'out' && !file)
      context.addIssue({ code: 'custom', path: ['file'], message: 'Choose which file goes out.' })
    if (schedule.every === 'week' && schedule.day > 7)
      context.addIssue({ code: 'custom', path: ['schedule'], message: 'A week has the days 1 to 7.' })
  })
export type ConnectionInput = z.infer<typeof connectionInput>
