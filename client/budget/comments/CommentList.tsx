import { Button, Group } from '@mantine/core'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { displayDateTime } from '../../../domain/format.ts'
import { notices } from '../../../domain/notices.ts'
import { writingComments } from '../../../domain/permissions.ts'
import type { Answers } from '../../shell/api.ts'
import { useMay } from '../../shell/core.ts'
import { failed, said } from '../../shell/notify.tsx'
import historyStyles from '../../ui/history.module.css'
import textStyles from '../../ui/text.module.css'

export type Comment = Answers['approval']['comments'][number]

/** What people said, each settled by name; showing it is having read it. @param about what a comment is about, where that is not plain */
export function CommentList<C extends Comment>({
  comments,
  locked,
  about,
  change,
  onSeen,
}: {
  comments: readonly C[]
  locked: boolean
  about?: (comment: C) => ReactNode
  change: { mutateAsync: (asked: { id: string; change: 'resolve' | 'reopen' | 'delete' }) => Promise<unknown> }
  onSeen: (ids: string[]) => void
}) {
  const may = useMay()
  const see = useEffectEvent(onSeen)
  const ids = comments.map(({ id }) => id).join()
  useEffect(() => {
    if (ids) see(ids.split(','))
  }, [ids])
  const mayComment = !locked && may(writingComments)
  const ask = async (id: string, what: 'resolve' | 'reopen' | 'delete'): Promise<void> => {
    try {
      await change.mutateAsync({ id, change: what })
      said(notices.saved)
    } catch (error) {
      failed(error)
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
          {mayComment && (
            <Group gap={4}>
              <Button size="compact-xs" variant="subtle" onClick={() => void ask(comment.id, comment.resolvedAt ? 'reopen' : 'resolve')}>
                {comment.resolvedAt ? 'Open again' : 'Resolve'}
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
