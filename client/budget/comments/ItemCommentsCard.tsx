import { Box, Skeleton } from '@mantine/core'
import { commentWritePermissions } from '../../../domain/people/permissions.ts'
import { trpc } from '../../shell/api.ts'
import { usePermissionCheck } from '../../shell/core.ts'
import { LoadFailed } from '../../shell/LoadFailed.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Card, CardHead, CardNote } from '../../ui/layout/Card.tsx'
import { useIsBudgetLocked } from '../useChangeObstacle.ts'
import { BudgetCommentForm, BudgetComments } from './BudgetComments.tsx'

/** The comments on one contract or budget entry. */
export function ItemCommentsCard({ kind, reference }: { kind: 'contract' | 'entry'; reference: string }) {
  const may = usePermissionCheck()
  const locked = useIsBudgetLocked()
  const all = trpc.approval.comments.useQuery()
  const comments = all.data?.filter(({ about }) => about.kind === kind && about.ref === reference) ?? []
  const mayComment = !locked && may(commentWritePermissions)
  return (
    <Card style={{ overflow: 'visible' }} aria-label="Comments" id="comments">
      <CardHead>
        Comments <CardNote>{comments.length || ''}</CardNote>
      </CardHead>
      {all.isError && <LoadFailed query={all} />}
      {all.isPending && (
        <Box p="md">
          <Skeleton height={40} />
        </Box>
      )}
      {all.data && !comments.length && !mayComment && <EmptyState>No comments yet.</EmptyState>}
      {comments.length > 0 && <BudgetComments comments={comments} locked={locked} />}
      {mayComment && <BudgetCommentForm kind={kind} reference={reference} />}
    </Card>
  )
}
