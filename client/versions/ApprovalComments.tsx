import { Box, Group, Skeleton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { commentWritePermissions } from '../../domain/people/permissions.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../domain/values/calendar.ts'
import { BudgetCommentForm, BudgetComments } from '../budget/comments/BudgetComments.tsx'
import type { BudgetComment } from '../budget/comments/CommentList.tsx'
import { trpc } from '../shell/api.ts'
import { useCoreData, usePermissionCheck } from '../shell/core.ts'
import { findCommentPath } from '../shell/findCommentPath.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useSelection } from '../shell/selection.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Choice } from '../ui/fields/Choice.tsx'
import { Card, CardHead } from '../ui/layout/Card.tsx'

/** Possible subjects of a comment: the budget, or one of its codes in one year. */
function useCommentSubjects() {
  const { budgets } = useCoreData()
  const { budgetId } = useSelection()
  const tree = trpc.overview.tree.useQuery({ scheme: 'category' })
  const budget = budgets.find((one) => one.mongoId === budgetId)
  const codes = (tree.data ?? []).flatMap((node) => node.codes).filter((code) => code.id !== null)
  return {
    years: Array.from({ length: budget?.numberOfYears ?? 0 }, (_unused, year) => formatBudgetYear(assertDefined(budget).firstYear, year)),
    codes: codes.map((code) => ({ value: String(code.id), label: `${code.code} ${code.description}` })),
  }
}

/** Comments on the budget, its codes, contracts and entries, with who resolved each. */
export function ApprovalComments({ locked }: { locked: boolean }) {
  const may = usePermissionCheck()
  const { budgetId } = useSelection()
  const things = useCommentSubjects()
  const [code, setCode] = useState<string | null>(null)
  const [year, setYear] = useState<string | null>(null)
  const comments = trpc.approval.comments.useQuery()
  const mayComment = !locked && may(commentWritePermissions)
  const about = (comment: BudgetComment): ReactNode => {
    const { about, name } = comment
    const { kind, year: at } = about
    const path = budgetId && findCommentPath(comment, budgetId, may)
    const words = name ?? (kind === 'budget' ? 'the budget' : 'something that has been deleted')
    return (
      <>
        on {path && name ? <Link to={path}>{words}</Link> : words}
        {at !== null && `, ${things.years[at] ?? ''}`}
      </>
    )
  }
  return (
    <Card style={{ overflow: 'visible' }} aria-label="Comments">
      <CardHead>Comments</CardHead>
      {comments.isError && <LoadFailed query={comments} />}
      {comments.isPending && (
        <Box p="md">
          <Skeleton height={60} />
        </Box>
      )}
      {comments.data?.length === 0 && <EmptyState>No comments yet.</EmptyState>}
      {comments.data && comments.data.length > 0 && <BudgetComments comments={comments.data} locked={locked} about={about} />}
      {mayComment && (
        <BudgetCommentForm
          kind={code ? 'code' : 'budget'}
          reference={code}
          year={year === null ? null : things.years.indexOf(year)}
          name={things.codes.find(({ value }) => value === code)?.label ?? null}
        >
          <Group align="end" gap="sm">
            <Choice
              label="About"
              data={things.codes}
              value={code}
              onChange={setCode}
              placeholder="The whole budget"
              clearable
              w={320}
              maw="100%"
              nothingFoundMessage="Nothing matches."
            />
            <Choice label="Year" data={things.years} value={year} onChange={setYear} placeholder="All" clearable w={130} />
          </Group>
        </BudgetCommentForm>
      )}
    </Card>
  )
}
