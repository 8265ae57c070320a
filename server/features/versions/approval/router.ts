import { z } from 'zod'
import { commentInput } from '../../../../domain/budget/items/comment.ts'
import { approvingBudgets, either, maySeeStaff, submittingBudgets } from '../../../../domain/permissions.ts'
import { loadItems } from '../../../core/budget/items.ts'
import { inBudget, router } from '../../../core/calls/procedures.ts'
import { nothing } from '../../../core/calls/reply.ts'
import { organisationKey, unseal } from '../../../core/database/vault.ts'
import { userNames } from '../../../resources/referenceLog.ts'
import { save } from '../../scenarios/replies.ts'
import { othersWhoMay } from '../../users/queries.ts'
import { runAddComment, runApprovalStep, runChangeComment } from './commands.ts'
import * as replies from './replies.ts'

const reading = [...either('BudgetingOverview', 'BudgetingStaffing', 'BudgetingNonStaffing', 'ConsoleBudgetManagement')]
const changing = [
  'BudgetingOverviewReadUpdate',
  'BudgetingStaffingReadUpdate',
  'BudgetingNonStaffingReadUpdate',
  'ConsoleBudgetManagementReadUpdate',
] as const
const comment = z.string().trim().max(2000, 'Comment can have at most 2000 characters.').nullish()

/** How a budget is approved, and what people say of its figures. */
export const approvalRouter = router({
  state: inBudget(reading)
    .output(replies.state)
    .query(async ({ ctx }) => {
      const { approval, locked } = ctx.budget.head
      if (!approval) return { locked, approval: null }
      const key = await ctx.inTransaction((tx) => organisationKey(tx, ctx.organisationId))
      const by = (await userNames(ctx.services.store, [approval.byId])).get(approval.byId) ?? 'Unknown'
      const { sealedComment, byId: _byId, ...rest } = approval
      return { locked, approval: { ...rest, by, comment: sealedComment ? unseal(key, sealedComment) : null } }
    }),
  submit: inBudget(submittingBudgets)
    .input(z.object({ comment }))
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runApprovalStep(tx, ctx, { kind: 'submit' }, input.comment ?? null))),
  return: inBudget(approvingBudgets)
    .input(z.object({ comment }))
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runApprovalStep(tx, ctx, { kind: 'return' }, input.comment ?? null))),
  approve: inBudget(approvingBudgets)
    .input(z.object({ comment, name: z.string().trim().max(100, 'Name can have at most 100 characters.').nullish() }))
    .output(nothing)
    .mutation(async ({ ctx, input }) => {
      // A trust in which one person alone may approve goes on: there is nobody to ask.
      const others = await ctx.services.store.asPlatform((tx) =>
        othersWhoMay(tx, 'ConsoleBudgetManagementReadUpdate', ctx, ctx.principal.userId),
      )
      await ctx.inTransaction((tx) =>
        runApprovalStep(tx, ctx, { kind: 'approve', name: input.name || null, others }, input.comment ?? null),
      )
    }),
  comments: inBudget(reading)
    .output(replies.comments)
    .query(async ({ ctx }) => {
      const { items, key } = await ctx.inTransaction(async (tx) => ({
        items: await loadItems(tx, ctx.organisationId, ctx.budgetId, 'comment'),
        key: await organisationKey(tx, ctx.organisationId),
      }))
      const names = await userNames(
        ctx.services.store,
        items.flatMap(({ item }) => [item.byId, item.resolvedById]),
      )
      const shown = items.filter(({ item }) => item.about.kind !== 'contract' || maySeeStaff(ctx.holder))
      return shown.map(({ id, item }) => ({
        id,
        about: item.about,
        text: unseal(key, item.sealedText),
        by: names.get(item.byId) ?? 'Unknown',
        isOwn: item.byId === ctx.principal.userId,
        at: item.at,
        resolvedBy: item.resolvedById === null ? null : (names.get(item.resolvedById) ?? 'Unknown'),
        resolvedAt: item.resolvedAt,
      }))
    }),
  addComment: inBudget(changing)
    .input(commentInput)
    .output(save)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runAddComment(tx, ctx, input))),
  changeComment: inBudget(changing)
    .input(z.object({ id: z.string().regex(/^[0-9a-f]{24}$/), change: z.enum(['resolve', 'reopen', 'delete']) }))
    .output(nothing)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runChangeComment(tx, ctx, input.id, input.change))),
})
