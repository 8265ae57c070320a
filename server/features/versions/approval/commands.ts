import { randomBytes } from 'node:crypto'
import { refuseLocked } from '../../../../domain/budget/decide.ts'
import { approveBudget, nameMoment, returnBudget, submitBudget } from '../../../../domain/budget/decideMoments.ts'
import type { Decided, StoredEvent } from '../../../../domain/budget/events.ts'
import type { Comment, CommentInput } from '../../../../domain/budget/items/comment.ts'
import { deleted, saved } from '../../../../domain/budget/items/item.ts'
import { DomainError, notFound } from '../../../../domain/errors.ts'
import { displayDate } from '../../../../domain/format.ts'
import { mongoIdFrom } from '../../../../domain/mongoId.ts'
import { must } from '../../../../domain/must.ts'
import { commit } from '../../../core/budget/commit.ts'
import { loadItems } from '../../../core/budget/items.ts'
import { refuseWhileOutOfDate } from '../../../core/budget/marks.ts'
import { loadBudget, refuseWhileBusy } from '../../../core/budget/queries.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { organisationKey, seal } from '../../../core/database/vault.ts'
import { type Actor, readEvents } from '../../../core/events/eventLog.ts'
import { refuseWithoutLevy } from '../../calculation/levy/queries.ts'

/** Who changes which budget. */
export interface Change {
  organisationId: number
  budgetId: string
  actor: Actor
}

async function sealed(tx: OrganisationTx, organisationId: number, text: string | null | undefined): Promise<string | null> {
  return text ? seal(await organisationKey(tx, organisationId), text) : null
}

/** What does not change a budget that was submitted: words about it. */
function isAboutIt(event: StoredEvent): boolean {
  return ['BudgetSubmitted', 'BudgetMomentNamed', 'CommentSaved', 'CommentDeleted', 'ScenarioSaved', 'ScenarioDeleted'].includes(event.type)
}

/** Names a version, or takes its name off. @throws DomainError 404 for a version that the budget does not have */
export async function runNameMoment(tx: OrganisationTx, { organisationId, budgetId, actor }: Change, version: number, name: string | null) {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const [event] = await readEvents(tx, organisationId, budgetId, version - 1, version)
  if (!event) throw notFound('Version')
  await commit(tx, row, nameMoment(row.head, version, event.occurredAt, name), actor)
}

type Step = { kind: 'submit' } | { kind: 'return' } | { kind: 'approve'; name: string | null; others: readonly string[] }

/** Submits, returns or approves a budget. */
export async function runApprovalStep(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  step: Step,
  comment: string | null,
): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  if (step.kind !== 'return') await refuseWhileOutOfDate(tx, organisationId, budgetId)
  if (step.kind === 'approve') await refuseWithoutLevy(tx, row)
  if (actor.userId === null) throw new DomainError('forbidden', 'forbidden', 'Only a person can do this.')
  const at = actor.now.toISOString()
  const { head, version } = row
  const submitted = head.approval?.state === 'submitted' ? head.approval.version : version
  const decided: Decided = {
    byId: actor.userId,
    at,
    version: step.kind === 'submit' ? version : submitted,
    sealedComment: await sealed(tx, organisationId, comment),
  }
  if (step.kind === 'submit') await commit(tx, row, submitBudget(head, decided), actor)
  else if (step.kind === 'return') await commit(tx, row, returnBudget(head, decided), actor)
  else {
    const since = (await readEvents(tx, organisationId, budgetId, submitted)).filter((event) => !isAboutIt(event))
    const name = step.name || `Approved ${displayDate(at.slice(0, 10))}`
    await commit(tx, row, approveBudget(head, decided, name, since.length > 0, step.others), actor)
  }
}

/** Says something about a figure. @returns the id of the comment */
export async function runAddComment(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  { about, text }: CommentInput,
): Promise<string> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  refuseLocked(row.head)
  if (actor.userId === null) throw new DomainError('forbidden', 'forbidden', 'Only a person can do this.')
  const id = mongoIdFrom(randomBytes(12))
  const comment: Comment = {
    id,
    about: { kind: about.kind, ref: about.ref ?? null, year: about.year ?? null },
    sealedText: must(await sealed(tx, organisationId, text)),
    byId: actor.userId,
    at: actor.now.toISOString(),
    resolvedById: null,
    resolvedAt: null,
  }
  await commit(tx, row, [saved('comment', id, comment)], actor)
  return id
}

/** Settles a comment, or opens it again; one's own can be taken away. */
export async function runChangeComment(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  id: string,
  change: 'resolve' | 'reopen' | 'delete',
): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  refuseLocked(row.head)
  const [stored] = await loadItems(tx, organisationId, budgetId, 'comment', [id])
  if (!stored) throw notFound('Comment')
  if (change === 'delete') {
    if (stored.item.byId !== actor.userId)
      throw new DomainError('forbidden', 'forbidden', 'Only the person who wrote a comment can delete it.')
    await commit(tx, row, [deleted('comment', id)], actor)
    return
  }
  const isResolved = change === 'resolve'
  if ((stored.item.resolvedAt !== null) === isResolved) return
  const resolved = isResolved
    ? { resolvedById: actor.userId, resolvedAt: actor.now.toISOString() }
    : { resolvedById: null, resolvedAt: null }
  await commit(tx, row, [saved('comment', id, { ...stored.item, ...resolved })], actor)
}
