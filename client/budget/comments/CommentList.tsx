import { Button, Group } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import type { CommentAction } from '../../../domain/budget/items/comment.ts'
import { commentWritePermissions } from '../../../domain/people/permissions.ts'
import { displayDateTime } from '../../../domain/values/format.ts'
import { notices } from '../../../domain/words/notices.ts'
import type { RouterOutputs } from '../../shell/api.ts'
import { usePermissionCheck } from '../../shell/core.ts'
import { createDeletionUndo, notifyFailure, notifySuccess } from '../../shell/notify.tsx'
import historyStyles from '../../ui/history.module.css'
import textStyles from '../../ui/labels/text.module.css'

export type BudgetComment = RouterOutputs['approval']['comments'][number]

/** Id of a comment that the server has not confirmed. It has no actions yet. */
const pendingId = 'unsaid'

/** Creates a comment to show until the server confirms it, without its subject. */
export function createPendingComment(text: string, by: string): Omit<BudgetComment, 'about' | 'name'> {
  return { id: pendingId, text, by, isOwn: true, at: new Date().toISOString(), resolvedBy: null, resolvedAt: null }
}

/** Returns the comments after an optimistic change to one of them. */
export function applyCommentAction<C extends BudgetComment>(
  comments: readonly C[],
  { id, change }: { id: string; change: CommentAction },
  by: string,
): C[] {
  if (change === 'delete') return comments.filter((one) => one.id !== id)
  // A restored comment is not shown at once, because only the server has its text.
  if (change === 'restore') return [...comments]
  const settled = change === 'resolve' ? { resolvedBy: by, resolvedAt: new Date().toISOString() } : { resolvedBy: null, resolvedAt: null }
  return comments.map((one) => (one.id === id ? { ...one, ...settled } : one))
}

/**
 * A list of comments. Each resolved comment names the person who resolved it. Showing a comment marks it as read.
 * @param about renders the subject of a comment; leave out if the page makes the subject clear
 */
export function CommentList<C extends BudgetComment>({
  comments,
  locked,
  about,
  change,
  onSeen,
}: {
  comments: readonly C[]
  locked: boolean
  about?: (comment: C) => ReactNode
  change: (request: { id: string; change: CommentAction }) => Promise<unknown>
  onSeen: (ids: string[]) => void
}) {
  const may = usePermissionCheck()
  const markSeen = useEffectEvent(onSeen)
  const ids = comments.flatMap(({ id }) => (id === pendingId ? [] : [id])).join()
  useEffect(() => {
    if (ids) markSeen(ids.split(','))
  }, [ids])
  const mayComment = !locked && may(commentWritePermissions)
  const ask = async (id: string, action: CommentAction): Promise<void> => {
    try {
      await change({ id, change: action })
      if (action === 'delete')
        notifySuccess(
          notices.deleted('Comment'),
          createDeletionUndo(() => change({ id, change: 'restore' })),
        )
      else notifySuccess(notices.saved)
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <ul className={historyStyles.history}>
      {comments.map((comment) => (
        <li key={comment.id} className={comment.resolvedAt ? textStyles.dim : undefined}>
          <b>{comment.by}</b> {about?.(comment)}
          <span className={textStyles.dim}> · {displayDateTime(comment.at)}</span>
          <p style={{ margin: '4px 0', whiteSpace: 'pre-wrap' }}>{comment.text}</p>
          {comment.resolvedAt && (
            <span className={textStyles.dim}>
              Resolved by {comment.resolvedBy}, {displayDateTime(comment.resolvedAt)}
            </span>
          )}
          {mayComment && comment.id !== pendingId && (
            <Group gap={4}>
              <Button size="compact-xs" variant="subtle" onClick={() => void ask(comment.id, comment.resolvedAt ? 'reopen' : 'resolve')}>
                {comment.resolvedAt ? 'Reopen' : 'Resolve'}
              </Button>
              {comment.isOwn && (
                <Button size="compact-xs" variant="subtle" color="red" onClick={() => void ask(comment.id, 'delete')}>
                  Delete
                </Button>
              )}
            </Group>
          )}
        </li>
      ))}
    </ul>
  )
}
