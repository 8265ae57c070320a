import { z } from 'zod'
import { budgetMongoId, mongoId } from '../../../domain/budget/budget.ts'
import { commentTextInput, replaceUserIdsWithNames } from '../../../domain/budget/items/comment.ts'
import { setUpPermissions } from '../../../domain/people/permissions.ts'
import { forbidden } from '../../../domain/words/errors.ts'
import { inOrganisation, router } from '../../core/calls/procedures.ts'
import { emptyReply } from '../../core/calls/reply.ts'
import { findSelectedBudget } from '../../core/calls/selectedBudget.ts'
import { readUserNames } from '../../core/database/userNames.ts'
import { decryptText, ensureOrganisationKey } from '../../core/database/vault.ts'
import { addCommentToCheckedSubject, markCommentsRead, runAddComment } from '../../shared/approval/commands.ts'
import { listCommentReaders, presentSubject } from '../../shared/approval/queries.ts'
import {
  findBudgetsAwaitingAction,
  findCommentToAnswer,
  findLowestCash,
  findMonthToClose,
  findUnreadComments,
  listSetupSteps,
} from './queries.ts'
import * as replies from './replies.ts'

/** What awaits the caller, for the home page. Everyone may call it; it includes only what their permissions allow. */
export const homeRouter = router({
  waiting: inOrganisation('signedIn', 'short')
    .output(replies.budgetsAwaitingAction)
    .query(({ ctx }) => ctx.inTransaction((tx) => findBudgetsAwaitingAction(tx, ctx))),
  month: inOrganisation('signedIn', 'short')
    .output(replies.monthToClose)
    .query(({ ctx }) => ctx.inTransaction((tx) => findMonthToClose(tx, ctx, ctx.now))),
  lowestCash: inOrganisation('signedIn', 'report')
    .output(replies.lowestCash)
    .query(({ ctx }) => ctx.inTransaction((tx) => findLowestCash(tx, ctx, ctx.now))),
  /** The steps for setting up a new organisation, and which are done. */
  firstSteps: inOrganisation(setUpPermissions, 'short')
    .output(replies.setupSteps)
    .query(({ ctx }) =>
      ctx.inTransaction((tx) =>
        listSetupSteps(
          { ...ctx, tx, store: ctx.services.store },
          { userId: ctx.principal.userId, isInvited: ctx.services.config.oidc === null },
        ),
      ),
    ),
  /** The caller's unread comments. */
  comments: inOrganisation('signedIn', 'short')
    .output(replies.unreadComments)
    .query(async ({ ctx }) => {
      const { userId } = ctx.principal
      if (userId === null) return { count: 0, first: [] }
      const { unread, key } = await ctx.inTransaction(async (tx) => {
        const found = await findUnreadComments(tx, ctx, userId)
        // An organisation without encrypted data has no key yet. Create one only if there are comments to decrypt.
        return { unread: found, key: found.count ? await ensureOrganisationKey(tx, ctx.organisationId) : null }
      })
      if (!key) return { count: 0, first: [] }
      const names = await readUserNames(
        ctx.services.store,
        unread.first.flatMap(({ comment }) => [comment.byId, ...(comment.mentionIds ?? [])]),
      )
      const personOf = (id: number): string => names.get(id) ?? 'Unknown'
      return {
        count: unread.count,
        first: unread.first.map(({ comment: { id, about, sealedText, mentionIds, byId, at }, ...rest }) => ({
          ...rest,
          id,
          about: presentSubject(about),
          by: personOf(byId),
          at,
          text: replaceUserIdsWithNames({ text: decryptText(key, sealedText), mentionIds }, personOf),
        })),
      }
    }),
  /** Answers a comment where it was made and marks it as read. A user who was mentioned may answer. The comment’s author is notified. */
  answer: inOrganisation('signedIn', 'short')
    .input(z.object({ budgetId: budgetMongoId, id: mongoId, text: commentTextInput.shape.text }))
    .output(emptyReply)
    .mutation(async ({ ctx, input: { budgetId, id, text } }) => {
      const { userId } = ctx.principal
      if (userId === null) throw forbidden()
      const found = await ctx.inTransaction((tx) => findCommentToAnswer(tx, ctx, { userId, budgetId, id }))
      const { about, byId } = found.comment
      const readers = await ctx.services.store.asPlatform((tx) =>
        listCommentReaders(tx, about, { organisationId: ctx.organisationId, locationId: found.locationId }),
      )
      const mentionIds = readers.some((one) => one.id === byId) ? [byId] : []
      await ctx.inTransaction(async (tx) => {
        const call = { tx, organisationId: ctx.organisationId, budgetId, actor: ctx.actor }
        const selected = await findSelectedBudget(tx, { organisationId: ctx.organisationId, locationId: found.locationId, budgetId })
        if (selected?.making) throw selected.making
        const commentText = { text, mentionIds }
        await (about.cell
          ? addCommentToCheckedSubject(call, about, { comment: commentText, readers })
          : runAddComment(call, { about, ...commentText }, readers))
        await markCommentsRead({ ...call, now: ctx.now }, userId, [id])
      })
    }),
})
