import { Skeleton } from '@mantine/core'
import { useState } from 'react'
import { commentWritePermissions } from '../../domain/people/permissions.ts'
import { BudgetCommentForm, BudgetComments } from '../budget/comments/BudgetComments.tsx'
import { useIsBudgetLocked } from '../budget/useChangeObstacle.ts'
import { useBudgetYearNames } from '../budget/useYearNames.ts'
import { trpc } from '../shell/api.ts'
import { usePermissionCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { confirmDiscard } from '../shell/unsavedChanges.ts'
import { SideDialog } from '../ui/dialogs/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'

/** Returns, by code id, the number of comments on each budget code of the open budget, and how many are unresolved. */
export function useCodeCommentCounts(): ReadonlyMap<string, { count: number; open: number }> {
  const comments = trpc.approval.comments.useQuery()
  const counts = new Map<string, { count: number; open: number }>()
  for (const { about, resolvedAt } of comments.data ?? []) {
    if (about.kind !== 'code' || about.ref === null) continue
    const { count, open } = counts.get(about.ref) ?? { count: 0, open: 0 }
    counts.set(about.ref, { count: count + 1, open: open + (resolvedAt === null ? 1 : 0) })
  }
  return counts
}

/**
 * Comments on a budget code, for all years or one year.
 * @param name code and description; null if the budget no longer uses the code, in which case the comments are read-only
 */
export function BudgetCodeComments({ codeId, name, onClose }: { codeId: string; name: string | null; onClose: () => void }) {
  const may = usePermissionCheck()
  const isLocked = useIsBudgetLocked()
  const years = useBudgetYearNames()
  const [year, setYear] = useState<string | null>(null)
  const all = trpc.approval.comments.useQuery()
  const comments = all.data?.filter(({ about }) => about.kind === 'code' && about.ref === codeId) ?? []
  const mayComment = name !== null && !isLocked && may(commentWritePermissions)
  return (
    <SideDialog
      onClose={() => void confirmDiscard().then((go) => go && onClose())}
      position="right"
      size="lg"
      title={`Comments on ${name ?? comments[0]?.name ?? 'a budget code'}`}
    >
      <SectionStack>
        {all.isError && <LoadFailed query={all} />}
        {all.isPending && <Skeleton height={60} />}
        {all.data && !comments.length && (
          <EmptyState>
            {mayComment
              ? 'Nobody has commented on this code yet.'
              : isLocked
                ? 'Nobody has commented on this code. This budget is locked, so no comments can be added.'
                : 'Nobody has commented on this code.'}
          </EmptyState>
        )}
        {comments.length > 0 && (
          <BudgetComments
            comments={comments}
            locked={isLocked}
            about={({ about: { year: at } }) => at !== null && at !== undefined && years[at] && `on ${years[at]}`}
          />
        )}
        {mayComment && (
          <BudgetCommentForm kind="code" reference={codeId} year={year === null ? null : years.indexOf(year)} name={name}>
            <Choice label="Year" data={years} value={year} onChange={setYear} placeholder="All" clearable w={150} />
          </BudgetCommentForm>
        )}
      </SectionStack>
    </SideDialog>
  )
}
