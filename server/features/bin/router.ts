import { z } from 'zod'
import { budgetMongoId, mongoId } from '../../../domain/budget/budget.ts'
import { binPermissions } from '../../../domain/changes/bin.ts'
import { pageSizes } from '../../../domain/words/notices.ts'
import { inOrganisation, inOrganisationOrGlobal, router } from '../../core/calls/procedures.ts'
import { nameActor, readUserNames } from '../../core/database/userNames.ts'
import { announceRecalculationRequired } from '../../core/live/announce.ts'
import { runRecordChanges } from '../../resources/change.ts'
import { runRestoreBudgets } from '../../shared/restoring/budgets/commands.ts'
import { addBudgetDeleterNames, listDeletedBudgets } from '../../shared/restoring/budgets/queries.ts'
import { runRestoreGroups } from '../../shared/restoring/groups/commands.ts'
import { listDeletedGroups } from '../../shared/restoring/groups/queries.ts'
import { restoreFromBin } from './commands.ts'
import { addDeleterNames, listBin, toBinViewer } from './queries.ts'
import * as replies from './replies.ts'

const kind = z.string().max(50)
const managing = ['ConsoleBudgetManagementReadUpdate'] as const
const grouping = ['ConsoleBudgetGroupReadUpdate'] as const

/** Recently deleted records, for users who may create records of that kind. */
export const binRouter = router({
  list: inOrganisationOrGlobal(binPermissions, 'short')
    .input(
      z.object({
        kinds: z.array(kind).max(50).nullish(),
        search: z.string().max(200).nullish(),
        pageNumber: z.int().min(1).default(1),
        pageSize: z
          .int()
          .min(1)
          .max(Math.max(...pageSizes))
          .default(25),
      }),
    )
    .output(replies.page)
    .query(async ({ ctx, input }) => {
      const page = await ctx.inTransaction((tx) => listBin({ ...toBinViewer(ctx), tx }, input))
      return addDeleterNames(ctx.services.store, page)
    }),
  restore: inOrganisationOrGlobal(binPermissions, 'short')
    .input(
      z.object({
        records: z
          .array(z.object({ kind, id: z.int().positive() }))
          .min(1, 'Choose something to restore.')
          .max(500, 'Choose at most 500 items.'),
        withNeeded: z.boolean().default(false),
      }),
    )
    .output(replies.restoredRecords)
    .mutation(({ ctx, input }) =>
      runRecordChanges(ctx, async (tx) => {
        const changed = await restoreFromBin(tx, { viewer: toBinViewer(ctx), actor: ctx.actor }, input)
        return { result: { restored: changed.reduce((sum, { records }) => sum + records.length, 0) }, changed }
      }),
    ),
  /** Recently deleted budgets at the caller's locations. */
  budgets: inOrganisation(managing, 'short')
    .input(z.object({ search: z.string().max(200).nullish() }))
    .output(replies.budgets)
    .query(async ({ ctx, input }) => {
      const { locationIds } = ctx.holder
      const found = await ctx.inTransaction((tx) => listDeletedBudgets({ ...ctx, tx }, { locationIds, search: input.search }))
      return addBudgetDeleterNames(ctx.services.store, found)
    }),
  restoreBudgets: inOrganisation(managing, 'long')
    .input(z.object({ ids: z.array(budgetMongoId).min(1, 'Choose at least one budget.').max(20, 'Choose at most 20 budgets.') }))
    .output(replies.restoredBudgets)
    .mutation(async ({ ctx, input }) => {
      const { locationIds } = ctx.holder
      const { required, ...restored } = await ctx.inTransaction((tx) => runRestoreBudgets({ ...ctx, tx }, { ids: input.ids, locationIds }))
      await announceRecalculationRequired(ctx.services, required)
      return restored
    }),
  /** Recently deleted budget groups, if their budgets are at the caller's locations. */
  groups: inOrganisation(grouping, 'short')
    .input(z.object({ search: z.string().max(200).nullish() }))
    .output(replies.groups)
    .query(async ({ ctx, input }) => {
      const { locationIds } = ctx.holder
      const found = await ctx.inTransaction((tx) => listDeletedGroups({ ...ctx, tx }, { locationIds, search: input.search }))
      const names = await readUserNames(
        ctx.services.store,
        found.map((group) => group.deletedById),
      )
      return found.map(({ id, name, left, deletedById, deletedAt }) => ({
        id,
        name,
        left,
        deletedBy: nameActor(names, deletedById),
        deletedAt,
      }))
    }),
  restoreGroups: inOrganisation(grouping, 'short')
    .input(z.object({ ids: z.array(mongoId).min(1, 'Choose at least one budget group.').max(20, 'Choose at most 20 budget groups.') }))
    .output(replies.restoredBudgets)
    .mutation(({ ctx, input }) => {
      const { locationIds } = ctx.holder
      return ctx.inTransaction((tx) => runRestoreGroups({ ...ctx, tx }, { ids: input.ids, locationIds }))
    }),
})
