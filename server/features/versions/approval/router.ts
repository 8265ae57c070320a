import { z } from 'zod'
import { commentActions, commentInput, commentKinds } from '../../../../domain/budget/items/comment.ts'
import {
  budgetApprovalPermissions,
  budgetSubmissionPermissions,
  canSeeStaff,
  commentReadPermissions,
  commentWritePermissions,
  hasAnyPermission,
} from '../../../../domain/people/permissions.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import { inBudget, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { markCommentsRead, runAddComment, runApprovalStep, runChangeVisibleComment } from '../../../shared/approval/commands.ts'
import { createCommentReadTest, listCommentReaders, presentComments, readApprovalTrail } from '../../../shared/approval/queries.ts'
import * as replies from '../../../shared/approval/replies.ts'
import { readObstacles } from '../../../shared/budgets/obstacles/queries.ts'
import { savedScenarioId } from '../../../shared/scenarios/replies.ts'
import { listOthersWithPermission } from '../../../shared/users/queries.ts'
import { loadItems } from '../../../streams/budget/items.ts'

const comment = z.string().trim().max(2000, 'Comment can have at most 2000 characters.').nullish()

/** Approval of budgets, and comments on their figures. */
export const approvalRouter = router({
  state: inBudget(commentReadPermissions, 'short')
    .output(replies.approvalState)
    .query(async ({ ctx }) => {
      const { locked } = ctx.budget.head
      const trail = await ctx.inTransaction((tx) => readApprovalTrail({ ...ctx, tx, store: ctx.services.store }))
      const inTheWay = locked ? [] : await ctx.inTransaction((tx) => readObstacles(tx, ctx.budget))
      const maySubmit = !locked && hasAnyPermission(ctx.holder, budgetSubmissionPermissions)
      const approvers = maySubmit
        ? await ctx.services.store.asPlatform((tx) =>
            listOthersWithPermission({ ...ctx, tx }, 'ConsoleBudgetManagementReadUpdate', ctx.principal.userId),
          )
        : null
      return { locked, approval: trail[0] ?? null, obstacles: inTheWay, approvers, trail }
    }),
  submit: inBudget(budgetSubmissionPermissions, 'short')
    .input(z.object({ comment }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runApprovalStep({ ...ctx, tx }, { kind: 'submit' }, input.comment ?? null))),
  return: inBudget(budgetApprovalPermissions, 'short')
    .input(z.object({ comment }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runApprovalStep({ ...ctx, tx }, { kind: 'return' }, input.comment ?? null))),
  approve: inBudget(budgetApprovalPermissions, 'short')
    .input(z.object({ comment, name: z.string().trim().max(100, 'Name can have at most 100 characters.').nullish() }))
    .output(emptyReply)
    .mutation(async ({ ctx, input }) => {
      // If nobody else may approve budgets, users may approve their own.
      const others = await ctx.services.store.asPlatform((tx) =>
        listOthersWithPermission({ ...ctx, tx }, 'ConsoleBudgetManagementReadUpdate', ctx.principal.userId),
      )
      await ctx.inTransaction((tx) =>
        runApprovalStep({ ...ctx, tx }, { kind: 'approve', name: input.name || null, others }, input.comment ?? null),
      )
    }),
  comments: inBudget(commentReadPermissions, 'short')
    .output(replies.comments)
    .query(({ ctx }) =>
      ctx.inTransaction(async (tx) => {
        const items = await loadItems({ ...ctx, tx }, 'comment')
        // Comments on a group's figures are stored in one of its budgets, but shown with the group's report.
        const budgetComments = items.filter(({ item }) => !item.about.cell?.groupId)
        const mayRead = await createCommentReadTest(
          tx,
          ctx,
          budgetComments.map(({ item }) => item.about),
        )
        const caller = { organisationId: ctx.organisationId, userId: ctx.principal.userId }
        return presentComments(
          { ...caller, tx, store: ctx.services.store },
          budgetComments.filter(({ item }) => mayRead(item.about)),
        )
      }),
    ),
  /** The people who can be mentioned in a comment on a record: those who may read it, except the caller. */
  readers: inBudget(commentWritePermissions, 'short')
    .input(z.object({ kind: z.enum(commentKinds, 'Choose what the comment is about.') }))
    .output(replies.commentReaders)
    .query(async ({ ctx, input }) => {
      const people = await ctx.services.store.asPlatform((tx) => listCommentReaders(tx, input, ctx))
      return people.filter(({ id }) => id !== ctx.principal.userId).map(({ id, name }) => ({ id, name }))
    }),
  addComment: inBudget(commentWritePermissions, 'short')
    .input(commentInput)
    .output(savedScenarioId)
    .mutation(async ({ ctx, input }) => {
      if (input.about.kind === 'contract' && !canSeeStaff(ctx.holder)) throw forbidden()
      const readers = await ctx.services.store.asPlatform((tx) => listCommentReaders(tx, input.about, ctx))
      return ctx.inTransaction((tx) => runAddComment({ ...ctx, tx }, input, readers))
    }),
  /** Marks comments as read by the caller. */
  seeComments: inBudget(commentReadPermissions, 'short')
    .input(z.object({ ids: z.array(z.string().regex(/^[0-9a-f]{24}$/)).max(500) }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => markCommentsRead({ ...ctx, tx }, ctx.principal.userId, input.ids))),
  changeComment: inBudget(commentWritePermissions, 'short')
    .input(z.object({ id: z.string().regex(/^[0-9a-f]{24}$/), change: z.enum(commentActions) }))
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => runChangeVisibleComment({ ...ctx, tx }, input.id, input.change))),
})
