import type { CommentAction, CommentText } from '../../../../domain/budget/items/comment.ts'
import type { BudgetId } from '../../../../domain/values/ids.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Call } from '../../../core/calls/call.ts'
import { addCommentToCheckedSubject, type CommentReader as Person, runChangeComment } from '../../../shared/approval/commands.ts'
import type { ReportReader } from '../../../shared/reports/scopes/queries.ts'
import { refuseWhileUnfilled } from '../../../streams/budget/jobs.ts'
import { type CellWithBudget, findVisibleComment } from './queries.ts'

type CommentWriter = ReportReader & { actor: Actor }

/**
 * Adds a comment on a figure of a report.
 * @returns the id of the comment
 * @throws DomainError as `addCommentToCheckedSubject`; 409 while its budget is being filled
 */
export async function commentOnCell(
  { tx, organisationId, actor }: Call & CommentWriter,
  { cell, home }: CellWithBudget,
  { comment, readers }: { comment: CommentText; readers: readonly Person[] },
): Promise<string> {
  await refuseWhileUnfilled(tx, organisationId, home.id)
  return addCommentToCheckedSubject(
    { tx, organisationId, budgetId: home.id, actor },
    { kind: 'cell', ref: null, year: null, cell },
    { comment, readers },
  )
}

/**
 * Resolves, reopens, deletes or restores a comment on a figure.
 * @throws DomainError 404 for a comment that the caller may not see
 */
export async function changeCellComment(
  call: Call & CommentWriter,
  { budgetId, id, change }: { budgetId: BudgetId; id: string; change: CommentAction },
): Promise<void> {
  const { tx } = call
  if (change !== 'restore') await findVisibleComment({ ...call, budgetId }, id)
  await refuseWhileUnfilled(tx, call.organisationId, budgetId)
  await runChangeComment({ tx, organisationId: call.organisationId, budgetId, actor: call.actor }, id, change)
  // A deleted comment can be read only once it is restored. So check after the change whether the caller may see it; a refusal rolls the
  // change back.
  if (change === 'restore') await findVisibleComment({ ...call, budgetId }, id)
}
