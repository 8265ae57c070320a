import type { UserId } from '../../values/ids.ts'
import { DomainError, invalid, notFound } from '../../words/errors.ts'
import type { BudgetHead } from '../budget.ts'
import { refuseLocked } from '../decide.ts'
import type { BudgetEvent } from '../events.ts'
import type { Comment, CommentAction } from './comment.ts'
import { createItemDeletedEvent, createItemSavedEvent, type StoredItem } from './item.ts'

/** The people whom a comment mentions. @throws DomainError 400 if one of them may not read it */
export function findMentionedReaders<Reader extends { id: UserId }>(readers: readonly Reader[], mentionIds: readonly UserId[]): Reader[] {
  const mentioned = readers.filter(({ id }) => mentionIds.includes(id))
  if (mentioned.length < new Set(mentionIds).size)
    throw invalid([{ field: 'text', message: 'Someone you mentioned cannot see this. Remove their name.' }])
  return mentioned
}

/** Adds an unresolved comment. */
export function addComment(
  head: BudgetHead,
  comment: Pick<Comment, 'id' | 'about' | 'sealedText' | 'byId' | 'at'> & { mentionIds: UserId[] },
): BudgetEvent[] {
  refuseLocked(head)
  const { mentionIds, ...written } = comment
  const item: Comment = { ...written, resolvedById: null, resolvedAt: null, ...(mentionIds.length && { mentionIds }) }
  return [createItemSavedEvent('comment', { id: item.id, item })]
}

/** Resolves, reopens or deletes a comment. @throws DomainError 404; 403 for deleting another person's comment */
export function changeComment(
  head: BudgetHead,
  stored: StoredItem<'comment'> | undefined,
  { change, byId, at }: { change: Exclude<CommentAction, 'restore'>; byId: UserId | null; at: string },
): BudgetEvent[] {
  refuseLocked(head)
  if (!stored) throw notFound('Comment')
  const { id, item } = stored
  if (change === 'delete') {
    if (item.byId !== byId) throw new DomainError('forbidden', 'forbidden', 'Only the person who wrote a comment can delete it.')
    return [createItemDeletedEvent('comment', id)]
  }
  const isResolved = change === 'resolve'
  if ((item.resolvedAt !== null) === isResolved) return []
  const resolved = isResolved ? { resolvedById: byId, resolvedAt: at } : { resolvedById: null, resolvedAt: null }
  return [createItemSavedEvent('comment', { id, item: { ...item, ...resolved } })]
}
