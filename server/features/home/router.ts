import { replaceIdsWithNames } from '../../../domain/budget/items/comment.ts'
import { setUpPermissions } from '../../../domain/people/permissions.ts'
import { inOrganisation, router } from '../../core/calls/procedures.ts'
import { readUserNames } from '../../core/database/userNames.ts'
import { ensureOrganisationKey, unseal } from '../../core/database/vault.ts'
import { presentSubject } from '../../shared/approval/queries.ts'
import { findFirstSteps, findMonthToClose, findUnreadComments, findWaitingBudgets } from './queries.ts'
import * as replies from './replies.ts'

/** What awaits the caller, for the home page. Everyone may call it; it includes only what their permissions allow. */
export const homeRouter = router({
  waiting: inOrganisation('signedIn', 'short')
    .output(replies.waiting)
    .query(({ ctx }) => ctx.inTransaction((tx) => findWaitingBudgets(tx, ctx))),
  month: inOrganisation('signedIn', 'short')
    .output(replies.month)
    .query(({ ctx }) => ctx.inTransaction((tx) => findMonthToClose(tx, ctx, ctx.now))),
  /** The steps for setting up a new organisation, and which are done. */
  firstSteps: inOrganisation(setUpPermissions, 'short')
    .output(replies.steps)
    .query(({ ctx }) =>
      ctx.inTransaction((tx) =>
        findFirstSteps(
          { ...ctx, tx, store: ctx.services.store },
          { userId: ctx.principal.userId, isInvited: ctx.services.config.oidc === null },
        ),
      ),
    ),
  /** The caller's unread comments. */
  comments: inOrganisation('signedIn', 'short')
    .output(replies.comments)
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
          text: replaceIdsWithNames({ text: unseal(key, sealedText), mentionIds }, personOf),
        })),
      }
    }),
})
