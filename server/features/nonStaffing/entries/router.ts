import { z } from 'zod'
import { mongoId } from '../../../../domain/budget/budget.ts'
import { budgetEntryInput } from '../../../../domain/budget/items/budgetEntry.ts'
import { buildPoundsSchema } from '../../../../domain/budget/items/fields.ts'
import { bulkEditRequest, bulkSelection, listRequest } from '../../../../domain/lists/lists.ts'
import { listViewPermissions } from '../../../../domain/people/permissions.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { isOneOf, recordFromKeys } from '../../../../domain/values/keysOf.ts'
import { DomainError, invalid, notFound } from '../../../../domain/words/errors.ts'
import type { BudgetCall } from '../../../core/calls/context.ts'
import { defineRestPaths, inBudget, router } from '../../../core/calls/procedures.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { bulkEditResult, deletedVersions, deletionResult } from '../../../resources/replies.ts'
import { readCodingChoices, readCodingFacts } from '../../../shared/coding/queries.ts'
import { runMoneyChange } from '../../../shared/nonStaffing/changingMoney/commands.ts'
import { runChangeEntries, runDeleteEntries, runPostCalculatedEntry, runSaveEntry } from '../../../shared/nonStaffing/entries/commands.ts'
import { readEntryPage, resolveSelectedEntries } from '../../../shared/nonStaffing/entries/queries.ts'
import * as replies from '../../../shared/nonStaffing/entries/replies.ts'
import { readEntryRows, type ShownEntry } from '../../../shared/nonStaffing/entries/rows.ts'
import { readSheetBlock, readSheetRows, sheetCursor } from '../../../shared/nonStaffing/entries/sheet/queries.ts'
import { readRemindersAbout } from '../../../shared/reminders/queries.ts'

const reading = listViewPermissions('BudgetingNonStaffing')
const writing = ['BudgetingNonStaffingReadUpdate'] as const
const byId = z.object({ id: mongoId })
const at = defineRestPaths('/api/BudgetEntry', { entity: 'BudgetEntry' })

type WithReminder = ShownEntry & { reminderDate: string | null; reminderText: string | null }

async function oneEntry(tx: OrganisationTx, ctx: BudgetCall, id: string): Promise<WithReminder> {
  const [entry] = await readEntryRows({ ...ctx, tx }, ctx.budget.head, [id])
  if (!entry) throw notFound('Budget entry')
  const { userId } = ctx.actor
  const [reminder] = userId === null ? [] : await readRemindersAbout({ ...ctx, tx }, userId, `entry:${id}`)
  return { ...entry, reminderDate: reminder?.when ?? null, reminderText: reminder?.description ?? null }
}

const change = z.object({
  id: mongoId.nullable(),
  version: z.int().nullish(),
  changes: budgetEntryInput.omit({ id: true, version: true }).partial(),
})

/** The fields that a bulk PATCH may change, by path: `/costCentreId`. */
const patchable = [
  'budgetCodeId',
  'costCentreId',
  'analysisTags',
  'fundCodes',
  'profileTemplateId',
  'amount',
  'notes',
  'budgetYearName',
] as const
const patchValues = budgetEntryInput.pick(recordFromKeys(patchable, () => true as const)).partial()

function parsePatch(items: z.infer<typeof bulkEditRequest>['patch']): z.infer<typeof patchValues> {
  const values: Record<string, unknown> = {}
  for (const { op, path, value } of items) {
    const name = path.replace(/^\//, '')
    if (op !== 'replace' || !isOneOf(patchable, name))
      throw invalid([{ field: name, message: `${name || 'This'} cannot be changed for several budget entries at once.` }])
    values[name] = value
  }
  return patchValues.parse(values)
}

/** Budget entries: non-staff income and expenditure. */
export const entryRouter = router({
  list: inBudget(reading, 'short', at('POST', '/paginated', { summary: 'List budget entries' }))
    .input(listRequest)
    .output(replies.page)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) => readEntryPage(tx, { organisationId: ctx.organisationId, head: ctx.budget.head }, input)),
    ),
  get: inBudget(reading, 'short', at('GET', '/id/{id:mongoId}', { summary: 'Read a budget entry' }))
    .input(byId)
    .output(replies.entry)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => oneEntry(tx, ctx, input.id))),
  save: inBudget(writing, 'short', at('PUT', '/save', { summary: 'Add or change a budget entry' }))
    .input(budgetEntryInput)
    .output(replies.savedEntry)
    .mutation(({ ctx, input }) =>
      runMoneyChange(ctx, async (tx) => {
        const { id, version } = await runSaveEntry({ ...ctx, tx }, input)
        return { ...(await oneEntry(tx, ctx, id)), savedVersion: version }
      }),
    ),
  bulkDelete: inBudget(writing, 'short', at('POST', '/bulkDelete', { summary: 'Delete several budget entries' }))
    .input(bulkSelection)
    .output(deletionResult)
    .mutation(({ ctx, input }) =>
      runMoneyChange(ctx, async (tx) => {
        const rows = await resolveSelectedEntries(tx, { organisationId: ctx.organisationId, head: ctx.budget.head }, input)
        const ids = rows.map((row) => row.id)
        return { deleted: ids.length, versions: await runDeleteEntries({ ...ctx, tx }, ids) }
      }),
    ),
  bulkUpdate: inBudget(writing, 'short', at('POST', '/bulkUpdate', { summary: 'Change the same fields of several budget entries' }))
    .input(bulkEditRequest)
    .output(bulkEditResult)
    .mutation(({ ctx, input }) =>
      runMoneyChange(ctx, async (tx) => {
        const rows = await resolveSelectedEntries(tx, { organisationId: ctx.organisationId, head: ctx.budget.head }, input)
        const changes = parsePatch(input.patch)
        const list = rows.map((row) => ({ id: row.id, changes }))
        try {
          const { versions } = await runChangeEntries({ ...ctx, tx }, list)
          return { updated: versions.length }
        } catch (error) {
          throw nameEntryInError(error, rows)
        }
      }),
    ),
  /** Posts an entry whose years were calculated outside Bursar (behaviour B-172). */
  process: inBudget(writing, 'short', at('PUT', '/process', { summary: 'Post an entry whose years have been calculated' }))
    .input(
      z.object({
        description: budgetEntryInput.shape.description,
        budgetCodeId: budgetEntryInput.shape.budgetCodeId,
        years: z
          .array(
            z.object({
              yearName: z.string('Year name is required.').max(7),
              amount: buildPoundsSchema('Amount').pipe(z.number('Amount is required.')),
              periods: z.array(z.number().multipleOf(0.01)).length(12, 'A year must have twelve periods.').nullish(),
            }),
          )
          .min(1, 'At least one year is required.')
          .max(5),
      }),
    )
    .output(replies.entry)
    .mutation(({ ctx, input }) =>
      runMoneyChange(ctx, async (tx) => oneEntry(tx, ctx, await runPostCalculatedEntry({ ...ctx, tx }, input))),
    ),
  /** The entries for the sheet, in blocks in order of creation. The first block also has the lines from other sources. */
  sheet: inBudget(reading, 'short')
    .input(z.object({ after: sheetCursor.nullish() }).optional())
    .output(replies.sheet)
    .query(({ ctx, input }) => ctx.inTransaction((tx) => readSheetBlock(tx, ctx.budget, { after: input?.after ?? null }))),
  /** The records that entries of this budget may refer to, and the rates of their codes. */
  choices: inBudget(reading, 'short')
    .output(replies.choices)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const facts = await readCodingFacts(tx, ctx.organisationId, ctx.budget.head)
        const { budgetCodes, ...rest } = await readCodingChoices(tx, ctx.budget.head, ctx.holder.locationIds)
        return {
          ...rest,
          budgetCodes: budgetCodes.map((code) => ({ ...code, rates: facts.budgetCodes.get(code.id)?.rates ?? null })),
          costCentresMandatory: facts.costCentresMandatory,
        }
      }),
    ),
  /**
   * Changes cells of many entries, all or none.
   * @returns the rows as stored now, and the version to undo
   */
  change: inBudget(writing, 'short')
    .input(z.object({ changes: z.array(change).min(1).max(5000) }))
    .output(replies.changedEntries)
    .mutation(({ ctx, input }) =>
      runMoneyChange(ctx, async (tx) => {
        const { ids, versions } = await runChangeEntries({ ...ctx, tx }, input.changes)
        return { ids, rows: await readSheetRows(tx, ctx.budget, ids), versions }
      }),
    ),
  delete: inBudget(writing, 'short')
    .input(z.object({ ids: z.array(mongoId).min(1).max(5000) }))
    .output(deletedVersions)
    .mutation(({ ctx, input }) => runMoneyChange(ctx, (tx) => runDeleteEntries({ ...ctx, tx }, input.ids))),
})

/** The error with only its first problem, which names the entry that it concerns. */
function nameEntryInError(error: unknown, rows: readonly { description: string }[]): unknown {
  if (!(error instanceof DomainError) || !error.fields.length) return error
  const { field, message } = assertDefined(error.fields[0])
  const [index, ...path] = field.split('.')
  return new DomainError(error.kind, error.code, `${rows[Number(index)]?.description ?? ''}: ${message}`, {
    fields: [{ field: path.join('.'), message }],
  })
}
