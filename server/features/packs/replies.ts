import { z } from 'zod'
import { chapterNames, type LogPositions, type PackWords, type UnexplainedLine } from '../../../domain/packs/pack.ts'
import type { PackBlock, PackPage } from '../../../domain/packs/pages.ts'
import { reply } from '../../core/calls/reply.ts'
import { reportValue } from '../../shared/reports/replies.ts'
import type { ChangesSince, ListedPack, ShownPack } from './queries.ts'

const done = z.strictObject({ by: z.string(), at: z.string() })

const listedShape = {
  code: z.string().describe('Stands on every page, and opens the pack.'),
  year: z.int(),
  month: z.int(),
  locationId: z.int().brand<'LocationId'>().nullable().describe('Null: the whole organisation.'),
  place: z.string(),
  started: done,
  finished: done.nullable().describe('Null: a draft.'),
}
const listed: z.ZodType<ListedPack> = z.strictObject(listedShape).meta({ id: 'ListedPack' })
export const packs = reply(z.array(listed))

const block: z.ZodType<PackBlock> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({ kind: z.literal('facts'), facts: z.array(z.tuple([z.string(), z.string()])) }),
  z.strictObject({ kind: z.literal('table'), report: reportValue }),
  z.strictObject({
    kind: z.literal('signatures'),
    roles: z.array(z.strictObject({ role: z.string(), name: z.string().nullable() })),
  }),
])
const page: z.ZodType<PackPage> = z.strictObject({ chapter: z.enum(chapterNames), title: z.string(), blocks: z.array(block) })

const words: z.ZodType<PackWords> = z.strictObject({
  title: z.string(),
  texts: z.partialRecord(z.enum(chapterNames), z.string()),
  decisions: z.array(z.string()),
  signatories: z.array(z.strictObject({ role: z.string(), name: z.string() })),
})

const due: z.ZodType<UnexplainedLine> = z.strictObject({
  budgetCodeId: z.int(),
  code: z.string().nullable(),
  description: z.string(),
  needs: z.enum(['reason', 'action']),
})

const pins: z.ZodType<LogPositions> = z.strictObject({
  budgets: z.array(z.strictObject({ id: z.string().brand<'BudgetId'>(), version: z.int(), hash: z.string() })),
  logs: z.array(z.strictObject({ locationId: z.int().brand<'LocationId'>(), version: z.int(), hash: z.string() })),
})

const since: z.ZodType<ChangesSince> = z.strictObject({
  budgets: z.array(z.string()).describe('Budgets that were changed since.'),
  monitoring: z.boolean().describe('Something of monitoring was changed since.'),
  figures: z
    .array(z.strictObject({ label: z.string(), was: z.string(), now: z.string() }))
    .nullable()
    .describe('Figures that are others now; null: the caller may not see figures as they stand.'),
})

const shown: z.ZodType<ShownPack> = z
  .strictObject({
    ...listedShape,
    version: z.int().describe('What a change is made from.'),
    from: z.string().nullable().describe('The pack that it goes on from.'),
    chapters: z.array(z.enum(chapterNames)),
    words,
    pages: z.array(page),
    references: z.array(z.strictObject({ key: z.string(), label: z.string(), text: z.string() })),
    due: z.array(due).describe('Lines over the threshold that keep a draft from being finished.'),
    olderCosts: z.string().nullable().describe('Says whose costs keep a draft from being finished; null: nobody’s.'),
    budgetId: z.string().brand<'BudgetId'>().nullable(),
    pins: pins.nullable().describe('Where every log stood when it was finished.'),
    since: since.nullable(),
    hasPaper: z.boolean(),
    mayMake: z.boolean(),
  })
  .meta({ id: 'Pack' })
export const pack = reply(shown)

export const started = reply(z.strictObject({ code: z.string() }))
