import { z } from 'zod'
import { cellMeaningNames } from '../../../../domain/integrations/files/layout.ts'
import { reply } from '../../../core/calls/reply.ts'
import type { FilePreview, SavedLayout } from './queries.ts'

const layoutShape: z.ZodType<SavedLayout> = z
  .strictObject({
    id: z.int(),
    version: z.int(),
    created: z.string(),
    name: z.string(),
    layout: z.strictObject({
      columns: z.array(z.strictObject({ heading: z.string(), meaning: z.enum(cellMeaningNames), text: z.string() })),
      hasHeadings: z.boolean(),
      rowsBy: z.enum(['month', 'year']),
      dates: z.enum(['dd/mm/yyyy', 'yyyy-mm-dd']),
      balanceAccount: z.string(),
      levyAccount: z.string(),
      mostRows: z.int().nullable(),
    }),
  })
  .meta({ id: 'FileLayout' })

const triedFile: z.ZodType<FilePreview> = z
  .strictObject({
    rows: z.int(),
    debits: z.number().describe('Pounds, without the balancing entries of a journal.'),
    credits: z.number(),
    headings: z.array(z.string()),
    first: z.array(z.array(z.string())),
    problems: z.array(z.string()).describe('What prevents the file from being created, in sentences; empty if nothing does.'),
    leftOut: z.array(z.strictObject({ location: z.string(), reason: z.string() })),
  })
  .meta({ id: 'TriedFile' })

export const layout = reply(layoutShape)
export const layouts = reply(z.array(layoutShape))
export const filePreview = reply(triedFile)
