import { z } from 'zod'
import { connectionKindNames, findConnectionKind } from '../../../../domain/integrations/connections/all.ts'
import { checkPath, exchangeFormats } from '../../../../domain/integrations/connections/connection.ts'
import { findMappingProblems, maximumFieldLength } from '../../../../domain/integrations/connections/mapping.ts'
import { scheduleIntervals } from '../../../../domain/integrations/connections/schedule.ts'
import { connectionFile } from '../files/inputs.ts'

const field = (name: string) => z.string().trim().max(maximumFieldLength, `${name} can have at most ${maximumFieldLength} characters.`)
const mappingInput = z.object({
  records: field('Path to the records').describe(
    'The path to the list of records in a response, such as data.items; empty if the response is the list.',
  ),
  columns: z
    .array(
      z.object({
        column: field('Column').describe('The name of a column in the example.'),
        field: field('Field').describe(
          'Where its value comes from: a dotted path in a record, or a heading; if empty, `text` is used in every row.',
        ),
        text: field('Text').default(''),
      }),
    )
    .max(200, 'There can be at most 200 columns.')
    .describe('Leave it empty if the fields have the same names as the columns in the example.'),
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
      .describe(
        'The path on the web service, or below the credential’s folder. If it is empty, the address or folder of the credential is used.',
      ),
    format: z.enum(exchangeFormats).describe('The format that a web service uses; files in folders are always CSV.'),
    schedule: z.object({
      every: z.enum(scheduleIntervals),
      at: z
        .string()
        .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 02:30.')
        .meta({ examples: ['02:30'] }),
      day: z
        .int()
        .min(1, 'Day must be 1 to 28.')
        .max(28, 'Day must be 1 to 28.')
        .describe('1 (Monday) to 7 for weekly, 1 to 28 for monthly; otherwise ignored.'),
    }),
    file: connectionFile.nullish().describe('The file to send; leave it out for a connection that fetches.'),
    mapping: mappingInput.nullish().describe('How the other system’s fields map to columns; leave it out if they match the example.'),
  })
  .superRefine(({ kind, file, schedule, mapping }, context) => {
    if (findConnectionKind(kind).direction === 'out' && !file)
      context.addIssue({ code: 'custom', path: ['file'], message: 'Choose the file to send.' })
    if (schedule.every === 'week' && schedule.day > 7)
      context.addIssue({ code: 'custom', path: ['schedule'], message: 'Choose a day from 1 to 7.' })
    if (findConnectionKind(kind).direction === 'in' && mapping)
      for (const problem of findMappingProblems(findConnectionKind(kind), mapping))
        context.addIssue({ code: 'custom', path: problem.field.split('.'), message: problem.message })
  })
export type ConnectionInput = z.infer<typeof connectionInput>
