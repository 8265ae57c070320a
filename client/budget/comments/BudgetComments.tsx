import type { ReactNode } from 'react'
import type { CommentKind } from '../../../domain/budget/items/comment.ts'
import { trpc } from '../../shell/api.ts'
import { CommentForm } from './CommentForm.tsx'
import { type Comment, CommentList } from './CommentList.tsx'

/** What people say of the open budget. @param about what a comment is about, where that is not plain */
export function BudgetComments(props: { comments: Comment[]; locked: boolean; about?: (comment: Comment) => ReactNode }) {
  const change = trpc.approval.changeComment.useMutation()
  const see = trpc.approval.seeComments.useMutation()
  return <CommentList {...props} change={change} onSeen={(ids) => see.mutate({ ids })} />
}

/** Says something of the open budget, or of a thing in it. @param children what stands above the text */
export function BudgetCommentForm({
  kind,
  reference,
  year = null,
  children,
}: {
  kind: CommentKind
  reference: string | null
  year?: number | null
  children?: ReactNode
}) {
  const readers = trpc.approval.readers.useQuery({ kind }, { staleTime: 60_000 })
  const add = trpc.approval.addComment.useMutation()
  return (
    <CommentForm people={readers.data ?? []} say={(said) => add.mutateAsync({ about: { kind, ref: reference, year }, ...said })}>
      {children}
    </CommentForm>
  )
}
