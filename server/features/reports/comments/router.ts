import {
  commentWritePermissions,
  hasAnyPermission,
  type PermissionHolder,
  reportReadPermissions,
} from '../../../../domain/people/permissions.ts'
import { forbidden } from '../../../../domain/words/errors.ts'
import { inOrganisation, router } from '../../../core/calls/procedures.ts'
import { emptyReply } from '../../../core/calls/reply.ts'
import { markCommentsRead } from '../../../shared/approval/commands.ts'
import { commentReaders } from '../../../shared/approval/replies.ts'
import { savedScenarioId } from '../../../shared/scenarios/replies.ts'
import { changeCellComment, commentOnCell } from './commands.ts'
import { cellCommentText, cellRequest, commentChange, commentedReportRequest, commentsSeen } from './inputs.ts'
import { listCellReaders, readCellComments, readReportCell } from './queries.ts'
import * as replies from './replies.ts'

/** Only readers of a report may comment on its figures. @throws DomainError 403 */
function checkReader(holder: PermissionHolder): void {
  if (!hasAnyPermission(holder, reportReadPermissions)) throw forbidden()
}

/** Comments on the figures of reports. */
export const cellCommentRouter = router({
  list: inOrganisation(reportReadPermissions, 'short')
    .input(commentedReportRequest)
    .output(replies.comments)
    .query(({ ctx, input }) =>
      ctx.inTransaction((tx) => readCellComments({ ...ctx, tx, store: ctx.services.store }, ctx.principal.userId, input)),
    ),
  /**
   * The people whom the caller can mention in a comment on a figure: those who may see the figure, except the caller. Empty for callers who
   * may not comment.
   */
  readers: inOrganisation(reportReadPermissions, 'short')
    .input(cellRequest)
    .output(commentReaders)
    .query(async ({ ctx, input }) => {
      if (!hasAnyPermission(ctx.holder, commentWritePermissions)) return []
      const people = await ctx.inTransaction(async (tx) =>
        listCellReaders(tx, {
          store: ctx.services.store,
          organisationId: ctx.organisationId,
          commented: await readReportCell({ ...ctx, tx }, input),
        }),
      )
      return people.filter(({ id }) => id !== ctx.principal.userId).map(({ id, name }) => ({ id, name }))
    }),
  add: inOrganisation(commentWritePermissions, 'short')
    .input(cellCommentText)
    .output(savedScenarioId)
    .mutation(async ({ ctx, input }) => {
      checkReader(ctx.holder)
      return ctx.inTransaction(async (tx) => {
        const found = await readReportCell({ ...ctx, tx }, input)
        return commentOnCell({ ...ctx, tx }, found, {
          comment: input,
          readers: await listCellReaders(tx, { store: ctx.services.store, organisationId: ctx.organisationId, commented: found }),
        })
      })
    }),
  change: inOrganisation(commentWritePermissions, 'short')
    .input(commentChange)
    .output(emptyReply)
    .mutation(({ ctx, input }) => ctx.inTransaction((tx) => changeCellComment({ ...ctx, tx }, input))),
  /** Marks comments as read by the caller. */
  see: inOrganisation(reportReadPermissions, 'short')
    .input(commentsSeen)
    .output(emptyReply)
    .mutation(({ ctx, input: { budgetId, ids } }) =>
      ctx.inTransaction((tx) =>
        markCommentsRead({ tx, organisationId: ctx.organisationId, budgetId, now: ctx.now }, ctx.principal.userId, ids),
      ),
    ),
})
