import type { CommentAction, CommentText } from '../../../../domain/budget/items/comment.ts'
import type { BudgetId } from '../../../../domain/values/ids.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Call } from '../../../core/calls/call.ts'
import { type Reader as Person, runChangeComment, sayOf } from '../../../shared/approval/commands.ts'
import type { Reader } from '../../../shared/reports/asking/queries.ts'
import { refuseWhileMaking } from '../../../streams/budget/jobs.ts'
import { type FoundCell, seenComment } from './queries.ts'

type Writing = Reader & { actor: Actor }

/**
 * Says something of a figure of a report.
 * @returns the id of the comment
 * @throws DomainError as `sayOf`; 409 while its budget is being made
 */
export async function sayOfCell(
  { tx, organisationId, actor }: Call & Writing,
  { cell, home }: FoundCell,
  { said, readers }: { said: CommentText; readers: readonly Person[] },
): Promise<string> {
  await refuseWhileMaking(tx, organisationId, home.id)
  return sayOf({ tx, organisationId, budgetId: home.id, actor }, { kind: 'cell', ref: null, year: null, cell }, { said, readers })
}

/** Settles what was said of a figure, opens it again, takes one's own away, or brings it back. @throws DomainError 404 for what the caller may not see */
export async function changeCellComment(
  call: Call & Writing,
  { budgetId, id, change }: { budgetId: BudgetId; id: string; change: CommentAction },
): Promise<void> {
  const { tx } = call
  if (change !== 'restore') await seenComment({ ...call, budgetId }, id)
  await refuseWhileMaking(tx, call.organisationId, budgetId)
  await runChangeComment({ tx, organisationId: call.organisationId, budgetId, actor: call.actor }, id, change)
  // What was away is seen once it is back; who may not see it brings nothing back.
  if (change === 'restore') await seenComment({ ...call, budgetId }, id)
}
