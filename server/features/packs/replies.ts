import { z } from 'zod'
import type { Headline } from '../../../domain/packs/headlines.ts'
import { chapterNames, type LogPositions, type PackTexts, type UnexplainedLine } from '../../../domain/packs/pack.ts'
import type { PackBlock, PackPage } from '../../../domain/packs/pages.ts'
import type { YearChart } from '../../../domain/reports/yearChart.ts'
import { reply } from '../../core/calls/reply.ts'
import { reportValue } from '../../shared/reports/replies.ts'
import type { ChangesSince, EarlierPackTexts, LatestPack, ListedPack, ShownPack } from './queries.ts'

const done = z.strictObject({ by: z.string(), at: z.string() })

const listedShape = {
  code: z.string().describe('Printed on every page; opens the pack.'),
  year: z.int(),
  month: z.int(),
  locationId: z.int().brand<'LocationId'>().nullable().describe('Null for the whole organisation.'),
  place: z.string(),
  started: done,
  finished: done.nullable().describe('Who finished it and when; null for a draft.'),
}
const listed: z.ZodType<ListedPack> = z.strictObject(listedShape).meta({ id: 'ListedPack' })
export const packs = reply(z.array(listed))

const headline: z.ZodType<Headline> = z.strictObject({
  label: z.string(),
  value: z.string(),
  note: z.string().describe('The comparison below the figure, or the reason why there is no figure.'),
  isBad: z.boolean().describe('Whether it is a deficit, or below the organisation’s floor.'),
})
const amounts = z.array(z.number().nullable())
const chart: z.ZodType<YearChart> = z.strictObject({
  type: z.enum(['balance', 'reserves']),
  title: z.string(),
  years: z.array(z.string()),
  values: amounts.describe('In pounds; null where a figure could not be calculated.'),
  policy: amounts.nullable().describe('The minimum reserve under the organisation’s policy; null if it has none.'),
  description: z.string().describe('The figures in words.'),
})

const latestPack: z.ZodType<LatestPack> = z.strictObject({
  ...listedShape,
  finished: done,
  headlines: z.array(headline),
  sentence: z.string(),
})
export const latestPackReply = reply(latestPack.nullable())

const block: z.ZodType<PackBlock> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string() }),
  z.strictObject({ kind: z.literal('headlines'), headlines: z.array(headline), sentence: z.string() }),
  z.strictObject({ kind: z.literal('chart'), chart }),
  z.strictObject({ kind: z.literal('facts'), facts: z.array(z.tuple([z.string(), z.string()])) }),
  z.strictObject({ kind: z.literal('table'), report: reportValue }),
  z.strictObject({
    kind: z.literal('signatures'),
    roles: z.array(z.strictObject({ role: z.string(), name: z.string().nullable() })),
  }),
])
const page: z.ZodType<PackPage> = z.strictObject({ chapter: z.enum(chapterNames), title: z.string(), blocks: z.array(block) })

const words: z.ZodType<PackTexts> = z.strictObject({
  title: z.string(),
  texts: z.partialRecord(z.enum(chapterNames), z.string()),
  decisions: z.array(z.string()),
  signatories: z.array(z.strictObject({ role: z.string(), name: z.string() })),
  read: z.array(z.enum(chapterNames)).optional().describe('Chapters whose text from an earlier month was checked and kept.'),
})

const earlier: z.ZodType<EarlierPackTexts> = z.strictObject({
  year: z.int(),
  month: z.int(),
  texts: z.partialRecord(z.enum(chapterNames), z.string()),
  decisions: z.array(z.string()),
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
  budgets: z.array(z.string()).describe('Budgets changed since.'),
  monitoring: z.boolean().describe('Whether monitoring has changed since.'),
  figures: z
    .array(z.strictObject({ label: z.string(), was: z.string(), now: z.string() }))
    .nullable()
    .describe('Figures that have changed; null if the caller cannot see the current figures.'),
})

const shown: z.ZodType<ShownPack> = z
  .strictObject({
    ...listedShape,
    version: z.int().describe('The version of the content; send it with a change.'),
    from: z.string().nullable().describe('The pack it continues from.'),
    chapters: z.array(z.enum(chapterNames)),
    words,
    pages: z.array(page),
    references: z.array(z.strictObject({ key: z.string(), label: z.string(), text: z.string() })),
    due: z.array(due).describe('Lines over the threshold that prevent a draft from being finished.'),
    olderCosts: z.string().nullable().describe('The costs that prevent a draft from being finished; null if there are none.'),
    budgetId: z.string().brand<'BudgetId'>().nullable(),
    pins: pins.nullable().describe('The version of each log when it was finished.'),
    since: since.nullable(),
    earlier: earlier.nullable().describe('The earlier month’s text that a draft began with.'),
    hasPaper: z.boolean(),
    mayMake: z.boolean(),
  })
  .meta({ id: 'Pack' })
export const pack = reply(shown)

export const startedPack = reply(z.strictObject({ code: z.string() }))
