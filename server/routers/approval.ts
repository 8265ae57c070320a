import { z } from 'zod'
import { commentInput } from '../../domain/budget/items/comment.ts'
import { either } from '../../domain/permissions.ts'
import { runAddComment, runApprovalStep, runChangeComment } from '../commands/approval.ts'
import { loadItems } from '../store/itemStore.ts'
import { userNames } from '../store/referenceLog.ts'
import { organisationKey, unseal } from '../store/vault.ts'
import { inBudget, router } from '../trpc/procedures.ts'

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
  state: inBudget(reading).query(async ({ ctx }) => {
    const { approval, locked } = ctx.budget.head
    if (!approval) return { locked, approval: null }
    const key = await ctx.inTransaction((tx) => organisationKey(tx, ctx.organisationId))
    const by = (await userNames(ctx.services.store, [approval.byId])).get(approval.byId) ?? 'Unknown'
    const { sealedComment, byId: _byId, ...rest } = approval
    return { locked, approval: { ...rest, by, comment: sealedComment ? unseal(key, sealedComment) : null } }
  }),
  submit: inBudget(['BudgetingOverviewReadUpdate', 'ConsoleBudgetManagementReadUpdate'])
    .input(z.object({ comment }))
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runApprovalStep(tx, ctx, { kind: 'submit' }, input.comment ?? null))),
  return: inBudget(['ConsoleBudgetManagementReadUpdate'])
    .input(z.object({ comment }))
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runApprovalStep(tx, ctx, { kind: 'return' }, input.comment ?? null))),
  approve: inBudget(['ConsoleBudgetManagementReadUpdate'])
    .input(z.object({ comment, name: z.string().trim().max(100, 'Name can have at most 100 characters.').nullish() }))
    .mutation(({ ctx, input }) =>
      ctx.inTransaction((tx) => runApprovalStep(tx, ctx, { kind: 'approve', name: input.name || null }, input.comment ?? null)),
    ),
  comments: inBudget(reading).query(async ({ ctx }) => {
    const { items, key } = await ctx.inTransaction(async (tx) => ({
      items: await loadItems(tx, ctx.organisationId, ctx.budgetId, 'comment'),
      key: await organisationKey(tx, ctx.organisationId),
    }))
    const names = await userNames(
      ctx.services.store,
      items.flatMap(({ item }) => [item.byId, item.resolvedById]),
    )
    return items.map(({ id, item }) => ({
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
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runAddComment(tx, ctx, input))),
  changeComment: inBudget(changing)
    .input(z.object({ id: z.string().regex(/^[0-9a-f]{24}$/), change: z.enum(['resolve', 'reopen', 'delete']) }))
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runChangeComment(tx, ctx, input.id, input.change))),
})
