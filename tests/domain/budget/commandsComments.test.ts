import { describe, it } from 'vitest'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import type { Comment } from '../../../domain/budget/items/comment.ts'
import { addComment, changeComment, findMentionedReaders } from '../../../domain/budget/items/decideComment.ts'
import { toUserId, type UserId } from '../../../domain/values/ids.ts'
import { oneOfEach } from '../../support/stories/budgetEvents.ts'
import { type Budget, created, given, idOf, kim, sam } from '../../support/stories/budgetStory.ts'

const { BudgetLocked: locked } = oneOfEach
const isLocked = { code: 'locked', message: 'This budget is locked.' }
const at = '2026-10-05T10:00:00.000Z'
const later = '2026-10-06T10:00:00.000Z'

const comment: Comment = {
  id: idOf('7'),
  about: { kind: 'entry', ref: idOf('a'), year: null },
  sealedText: 'sealed',
  byId: sam,
  at,
  resolvedById: null,
  resolvedAt: null,
}
const saved = (change: Partial<Comment> = {}): BudgetEvent => ({
  type: 'CommentSaved',
  data: { id: comment.id, item: { ...comment, ...change } },
})
const settled = saved({ resolvedById: kim, resolvedAt: later })

describe('a comment on a budget', () => {
  const add =
    (mentionIds: UserId[] = []) =>
    ({ head }: Budget): BudgetEvent[] => {
      const { resolvedById: _by, resolvedAt: _at, ...written } = comment
      return addComment(head, { ...written, mentionIds })
    }
  const change =
    (what: 'resolve' | 'reopen' | 'delete', byId: UserId) =>
    (budget: Budget): BudgetEvent[] =>
      changeComment(budget.head, budget.items('comment')[0], { change: what, byId, at: later })

  it('is stored as unresolved, with the people it mentions', () => {
    given(created()).when(add()).gives(saved())
    given(created())
      .when(add([kim]))
      .gives(saved({ mentionIds: [kim] }))
  })
  it('can mention only people who may read it', () => {
    const mention =
      (...mentionIds: UserId[]) =>
      ({ head }: Budget): BudgetEvent[] => {
        const { resolvedById: _by, resolvedAt: _at, ...written } = comment
        const mentioned = findMentionedReaders([{ id: sam }, { id: kim }], mentionIds)
        return addComment(head, { ...written, mentionIds: mentioned.map(({ id }) => id) })
      }
    given(created())
      .when(mention(kim, kim))
      .gives(saved({ mentionIds: [kim] }))
    given(created())
      .when(mention(kim, toUserId(3)))
      .isRefused({ code: 'invalid', message: 'Someone you mentioned cannot see this. Remove their name.', fields: ['text'] })
  })
  it('can be resolved and reopened by anybody, once each', () => {
    given(created(), saved()).when(change('resolve', kim)).gives(settled)
    given(created(), settled).when(change('resolve', sam)).changesNothing()
    given(created(), settled).when(change('reopen', sam)).gives(saved())
    given(created(), saved()).when(change('reopen', sam)).changesNothing()
  })
  it('can be deleted only by its author', () => {
    given(created(), saved())
      .when(change('delete', sam))
      .gives({ type: 'CommentDeleted', data: { id: comment.id } })
    given(created(), saved())
      .when(change('delete', kim))
      .isRefused({ code: 'forbidden', message: 'Only the person who wrote a comment can delete it.' })
  })
  it('that was deleted cannot be changed', () => {
    given(created()).when(change('resolve', sam)).isRefused({ code: 'notFound', message: 'Comment was not found.' })
  })
  it('of a locked budget can be neither added nor changed', () => {
    given(created(), locked).when(add()).isRefused(isLocked)
    for (const what of ['resolve', 'reopen', 'delete'] as const)
      given(created(), saved(), locked).when(change(what, sam)).isRefused(isLocked)
  })
})
