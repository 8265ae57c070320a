import { z } from 'zod'
import { connectionKindNames, findConnectionKind } from '../../../../domain/integrations/connections/all.ts'
import { checkPath, exchangeFormats } from '../../../../domain/integrations/connections/connection.ts'
import { findMappingProblems, maximumFieldLength } from '../../../../domain/integrations/connections/mapping.ts'
import { scheduleIntervals } from '../../../../domain/integrations/connections/schedule.ts'
import { connectionFile } from '../files/inputs.ts'

const field = (name: string) => z.string().trim().max(maximumFieldLength, `${name} can have at most ${maximumFieldLength} characters.`)
const mapping = z.object({
  records: field('Where the records stand').describe(
    'Where the list of records stands in an answer, as data.items; empty: the answer is the list.',
  ),
  columns: z
    .array(
      z.object({
        column: field('Column').describe('A column as in the example.'),
        field: field('Field').describe('What it is read from: a dotted path in a record, or a heading; empty: text is in every row.'),
        text: field('Text').default(''),
      }),
    )
    .max(200, 'There can be at most 200 columns.')
    .describe('None: their fields are called as the columns of the example.'),
})

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
        const problem = checkPath(value)
        if (problem) context.addIssue({ code: 'custom', message: problem })
      })
      .describe('On the web service, or below the folder of the credential; empty: its address or folder itself.'),
    format: z.enum(exchangeFormats).describe('How a web service has it; files in folders are CSV.'),
    schedule: z.object({
      every: z.enum(scheduleIntervals),
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
    file: connectionFile.nullish().describe('Which file goes out; none for what comes in.'),
    mapping: mapping.nullish().describe('Where what comes in stands in what the other system writes; none: as in the example.'),
  })
  .superRefine(({ kind, file, schedule, mapping: said }, context) => {
    if (findConnectionKind(kind).direction === 'out' && !file)
      context.addIssue({ code: 'custom', path: ['file'], message: 'Choose which file goes out.' })
    if (schedule.every === 'week' && schedule.day > 7)
      context.addIssue({ code: 'custom', path: ['schedule'], message: 'A week has the days 1 to 7.' })
    if (findConnectionKind(kind).direction === 'in' && said)
      for (const problem of findMappingProblems(findConnectionKind(kind), said))
        context.addIssue({ code: 'custom', path: problem.field.split('.'), message: problem.message })
  })
export type ConnectionInput = z.infer<typeof connectionInput>
