import { z } from 'zod'
import { budgetInput, budgetMongoId, settingsInput } from '../../../../domain/budget/budget.ts'
import { suggestRolledForwardName } from '../../../../domain/budget/copies/rollForward.ts'
import { bulkEditRequest, bulkSelection } from '../../../../domain/lists/lists.ts'
import { assertDefined, requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import { defineRestPaths, inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { bulkEditResult, deletionResult } from '../../../resources/replies.ts'
import { toBudgetSettings } from '../../../shared/budgets/commands.ts'
import { getStartMonth, loadVisibleBudget, readOrganisationType } from '../../../shared/budgets/queries.ts'
import { budgetListReply, budgetReply } from '../../../shared/budgets/replies.ts'
import { readHiddenCodes } from '../../../shared/fewPeople/queries.ts'
import { readOverview } from '../../../shared/overview/queries.ts'
import { retryFilling } from '../../../streams/budget/jobs.ts'
import { runCopyBudgets } from '../copies/commands.ts'
import { editBudgets, fillAndReadNewBudgets, runDeleteBudgets, runLockBudgets } from './commands.ts'
import { calculateCostEffect } from './effect.ts'
import { findChosenBudgets, listRolledForwardNames, loadAndLockBudgets } from './queries.ts'
import * as replies from './replies.ts'
import { reviewBudgets } from './review.ts'

const managing = ['ConsoleBudgetManagementReadUpdate'] as const
const wishes = { name: budgetInput.shape.name.nullish(), versionType: budgetInput.shape.versionType }
const several = z.array(budgetMongoId, 'Choose at least one budget.').min(1, 'Choose at least one budget.').max(1000)
const at = defineRestPaths('/api/')

/** The yearly round of budgets: copies, roll forward, locks, bulk changes, deletion. */
export const budgetRoundRouter = router({
  duplicate: inOrganisation(
    managing,
    'short',
    at('POST', 'Budget/duplicate/{id:mongoId}', { status: 201, entity: 'Budget', summary: 'Copy a budget' }),
  )
    .input(z.object({ id: budgetMongoId, ...wishes }))
    .output(budgetReply)
    .mutation(async ({ ctx, input }) => {
      const ids = await ctx.inTransaction(async (tx) => {
        await loadVisibleBudget(tx, ctx, input.id)
        return runCopyBudgets({ ...ctx, tx }, { how: 'duplicate', sourceIds: [input.id] }, input)
      })
      const created = requireSingleRow(await fillAndReadNewBudgets(ctx, ids))
      return created
    }),
  duplicateMany: inOrganisation(
    managing,
    'short',
    at('POST', 'Budget/duplicate', { status: 201, entity: 'Budget', summary: 'Copy several budgets' }),
  )
    .input(bulkSelection.extend(wishes))
    .output(budgetListReply)
    .mutation(async ({ ctx, input }) => {
      const ids = await ctx.inTransaction(async (tx) => {
        const sources = (await findChosenBudgets({ ...ctx, tx }, input)).map((row) => row.id)
        return runCopyBudgets({ ...ctx, tx }, { how: 'duplicate', sourceIds: sources }, input)
      })
      return fillAndReadNewBudgets(ctx, ids)
    }),
  rollForward: inOrganisation(
    managing,
    'short',
    at('POST', 'Budget/rollforward', { status: 201, entity: 'Budget', summary: 'Roll budgets forward by a year' }),
  )
    .input(z.object({ ids: several, ...wishes }))
    .output(budgetListReply)
    .mutation(async ({ ctx, input }) => {
      const ids = await ctx.inTransaction(async (tx) => {
        for (const id of input.ids) await loadVisibleBudget(tx, ctx, id)
        return runCopyBudgets({ ...ctx, tx }, { how: 'rollForward', sourceIds: input.ids }, input)
      })
      return fillAndReadNewBudgets(ctx, ids)
    }),
  /** Retries filling a budget from its source after a failure. */
  fillAgain: inOrganisation(
    managing,
    'short',
    at('POST', 'Budget/fill/{id:mongoId}', { entity: 'Budget', summary: 'Retry copying a new budget from its source' }),
  )
    .input(z.object({ id: budgetMongoId }))
    .output(budgetReply)
    .mutation(async ({ ctx, input }) => {
      await ctx.inTransaction(async (tx) => {
        await loadVisibleBudget(tx, ctx, input.id)
        await retryFilling(tx, ctx.organisationId, input.id)
      })
      const created = requireSingleRow(await fillAndReadNewBudgets(ctx, [input.id]))
      return created
    }),
  /** What rolling budgets forward would create, and what has already been created from them. Balances in whole pennies. */
  rollPreview: inOrganisation(managing, 'short')
    .input(z.object({ ids: several }))
    .output(replies.rollPreview)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await readHiddenCodes({ ...ctx, tx }, input.ids)
        const preview = []
        for (const id of [...new Set(input.ids)].slice(0, 200)) {
          const row = await loadVisibleBudget(tx, ctx, id)
          const { years } = await readOverview(tx, row)
          preview.push({
            id,
            name: row.name,
            newName: suggestRolledForwardName(row.head),
            locationId: row.locationId,
            opening: assertDefined(years[0]).closing,
            missing: assertDefined(years[0]).missing,
            before: await listRolledForwardNames(tx, ctx.organisationId, id),
          })
        }
        return preview
      }),
    ),
  /** What planned budgets would lack. Nothing is saved. */
  review: inOrganisation(managing, 'short')
    .input(
      budgetInput.extend({
        name: z.string().max(200),
        staffAssumptionsId: z.int().nullable(),
        locationIds: z.array(z.int().brand<'LocationId'>()).max(500),
      }),
    )
    .output(replies.budgetWarnings)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const startMonth = getStartMonth(await readOrganisationType(tx, ctx.organisationId))
        return reviewBudgets({ ...ctx, tx }, { ...input, startMonth }, ctx.holder.locationIds)
      }),
    ),
  /** How different tables and assumptions would change the yearly cost, before they are saved. Whole pennies. */
  effect: inOrganisation(managing, 'short')
    .input(settingsInput.extend({ budgetId: budgetMongoId }))
    .output(replies.costEffect)
    .query(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const row = await loadVisibleBudget(tx, ctx, input.budgetId)
        await readHiddenCodes({ ...ctx, tx }, [row.id])
        return calculateCostEffect(tx, row, { ...row.head, ...toBudgetSettings(input) })
      }),
    ),
  lockMany: inOrganisation(managing, 'short', at('POST', 'Budget/fix', { entity: 'Budget', summary: 'Lock several budgets permanently' }))
    .input(bulkSelection)
    .output(bulkEditResult)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        const open = (await findChosenBudgets({ ...ctx, tx }, input)).filter((row) => !row.head.locked).map((row) => row.id)
        await runLockBudgets({ ...ctx, tx }, open)
        return { updated: open.length }
      }),
    ),
  editMany: inOrganisation(
    managing,
    'short',
    at('POST', 'Budget/bulkedit', { entity: 'Budget', summary: 'Change the same fields of several budgets' }),
  )
    .input(bulkEditRequest)
    .output(bulkEditResult)
    .mutation(({ ctx, input }) => editBudgets(ctx, input)),
  editElements: inOrganisation(
    managing,
    'short',
    at('POST', 'BudgetElements/bulk/edit', { entity: 'BudgetElements', summary: 'Change the tables used to cost several budgets' }),
  )
    .input(bulkEditRequest)
    .output(bulkEditResult)
    .mutation(({ ctx, input }) => editBudgets(ctx, input)),
  delete: inOrganisation(
    managing,
    'short',
    at('DELETE', 'Budget/{id:mongoId}', { status: 204, entity: 'Budget', summary: 'Delete a budget' }),
  )
    .input(z.object({ id: budgetMongoId }))
    .output(emptyReply)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => {
        await loadVisibleBudget(tx, ctx, input.id)
        await runDeleteBudgets({ ...ctx, tx }, await loadAndLockBudgets(tx, ctx.organisationId, [input.id]))
      }),
    ),
  deleteMany: inOrganisation(managing, 'short', at('POST', 'Budget/bulkDelete', { entity: 'Budget', summary: 'Delete several budgets' }))
    .input(bulkSelection)
    .output(deletionResult)
    .mutation(({ ctx, input }) =>
      ctx.inTransaction(async (tx) => ({
        deleted: await runDeleteBudgets({ ...ctx, tx }, await findChosenBudgets({ ...ctx, tx }, input)),
      })),
    ),
})
