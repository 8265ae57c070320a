import { Button, Group } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { displayDateTime } from '../../../domain/format.ts'
import { notices } from '../../../domain/notices.ts'
import { writingComments } from '../../../domain/permissions.ts'
import { type Answers, trpc } from '../../shell/api.ts'
import { useMay } from '../../shell/core.ts'
import { failed, said } from '../../shell/notify.tsx'
import historyStyles from '../../ui/history.module.css'
import textStyles from '../../ui/text.module.css'

export type Comment = Answers['approval']['comments'][number]

/** What people said, each settled by name; showing it is having read it. @param about what a comment is about, where that is not plain */
export function CommentList({
  comments,
  locked,
  about,
}: {
  comments: Comment[]
  locked: boolean
  about?: (comment: Comment) => ReactNode
}) {
  const may = useMay()
  const change = trpc.approval.changeComment.useMutation({ onSuccess: () => said(notices.saved), onError: failed })
  const { mutate: see } = trpc.approval.seeComments.useMutation()
  const ids = comments.map(({ id }) => id).join()
  useEffect(() => {
    if (ids) see({ ids: ids.split(',') })
  }, [ids, see])
  const mayComment = !locked && may(writingComments)
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
              <Button
                size="compact-xs"
                variant="subtle"
                onClick={() => change.mutate({ id: comment.id, change: comment.resolvedAt ? 'reopen' : 'resolve' })}
              >
                {comment.resolvedAt ? 'Open again' : 'Resolve'}
              </Button>
              {comment.isOwn && (
                <Button size="compact-xs" variant="subtle" color="red" onClick={() => change.mutate({ id: comment.id, change: 'delete' })}>
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
