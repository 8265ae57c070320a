import type { ReactNode } from 'react'
import type { CommentKind } from '../../../domain/budget/items/comment.ts'
import { answerCache, trpc } from '../../shell/api.ts'
import { updateOptimistically } from '../../shell/calls/updateOptimistically.ts'
import { useCoreData } from '../../shell/core.ts'
import { CommentForm } from './CommentForm.tsx'
import { applyCommentAction, type BudgetComment, CommentList, createPendingComment } from './CommentList.tsx'

/** The cached comments on the open budget, for optimistic updates. */
const cachedComments = { query: answerCache.approval.comments, input: undefined }

/**
 * The comments on the open budget.
 * @param about renders the subject of a comment; leave out if the page makes the subject clear
 */
export function BudgetComments(props: { comments: BudgetComment[]; locked: boolean; about?: (comment: BudgetComment) => ReactNode }) {
  const change = trpc.approval.changeComment.useMutation()
  const markSeen = trpc.approval.seeComments.useMutation()
  const { user } = useCoreData()
  return (
    <CommentList
      {...props}
      change={(action) =>
        updateOptimistically(
          cachedComments,
          (now) => applyCommentAction(now, action, user.name),
          () => change.mutateAsync(action),
        )
      }
      onSeen={(ids) => markSeen.mutate({ ids })}
    />
  )
}

/**
 * A form for commenting on the open budget or on something in it.
 * @param name name of the subject; leave out if the page makes the subject clear
 * @param children shown above the text
 */
export function BudgetCommentForm({
  kind,
  reference,
  year = null,
  name = null,
  children,
}: {
  kind: CommentKind
  reference: string | null
  year?: number | null
  name?: string | null
  children?: ReactNode
}) {
  const readers = trpc.approval.readers.useQuery({ kind }, { staleTime: 60_000 })
  const add = trpc.approval.addComment.useMutation()
  const { user } = useCoreData()
  const about = { kind, ref: reference, year }
  const addComment = (words: { text: string; mentionIds: number[] }): Promise<unknown> => {
    const pendingComment: BudgetComment = { ...createPendingComment(words.text, user.name), about, name }
    return updateOptimistically(
      cachedComments,
      (now) => [...now, pendingComment],
      () => add.mutateAsync({ about, ...words }),
    )
  }
  return (
    <CommentForm people={readers.data ?? []} send={addComment}>
      {children}
    </CommentForm>
  )
}
