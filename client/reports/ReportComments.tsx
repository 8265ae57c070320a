import { Button, Skeleton } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { commentWritePermissions } from '../../domain/people/permissions.ts'
import { type CommentableReport, commentableReports, createRowKeys, describeCellValue, findCell } from '../../domain/reports/cells/cells.ts'
import type { ReportName } from '../../domain/reports/registry.ts'
import { getCellType, type Report } from '../../domain/reports/report.ts'
import type { BudgetGroupId, BudgetId } from '../../domain/values/ids.ts'
import { CommentForm } from '../budget/comments/CommentForm.tsx'
import { applyCommentAction, CommentList } from '../budget/comments/CommentList.tsx'
import { answerCache, type RouterOutputs, trpc } from '../shell/api.ts'
import { updateOptimistically } from '../shell/calls/updateOptimistically.ts'
import { useCoreData, usePermissionCheck } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { SideDialog } from '../ui/dialogs/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { SectionStack } from '../ui/layout/SectionStack.tsx'
import { getCommentScope, type ReportParameters } from './reportParameters.ts'

export type CellComment = RouterOutputs['cellComments']['list'][number]

/** A comment with the position of its cell in the report; null if its row or column is not shown now. */
export interface CommentWithCell {
  comment: CellComment
  at: { row: number; column: number } | null
}

/** The comments on a report's figures. */
export interface ReportComments {
  report: CommentableReport
  of: { budgetId: BudgetId } | { budgetGroupId: BudgetGroupId }
  scheme: number
  comments: CommentWithCell[]
  query: ReturnType<typeof trpc.cellComments.list.useQuery>
}

/**
 * Loads the comments on a report's figures; null if the report does not take comments.
 * @param report in whole pennies, without comparison columns
 */
export function useReportComments(name: ReportName, parameters: ReportParameters, report: Report | undefined): ReportComments | null {
  const of = getCommentScope(parameters)
  const spokenName = commentableReports.find((one) => one === name)
  const query = trpc.cellComments.list.useQuery({ report: spokenName ?? 'budgetAnalysis', ...of }, { enabled: of !== null && !!spokenName })
  if (!of || !spokenName) return null
  const { scheme } = parameters
  const placedComments = (query.data ?? []).flatMap((comment): CommentWithCell[] => {
    const { cell } = comment.about
    return cell ? [{ comment, at: report ? findCell(spokenName, report, { ...cell, scheme }) : null }] : []
  })
  return { report: spokenName, of, scheme, comments: placedComments, query }
}

/**
 * Counts the comments on each figure and whether all are resolved, by `row column`.
 * @param shownColumn converts a column's index in the report to its index on the screen
 */
export function countCommentsByCell(
  placedComments: readonly CommentWithCell[],
  shownColumn: (column: number) => number,
): Map<string, { count: number; isSettled: boolean }> {
  const marks = new Map<string, { count: number; isSettled: boolean }>()
  for (const { comment, at } of placedComments) {
    if (!at) continue
    const key = `${at.row} ${shownColumn(at.column)}`
    const before = marks.get(key) ?? { count: 0, isSettled: true }
    marks.set(key, { count: before.count + 1, isSettled: before.isSettled && comment.resolvedAt !== null })
  }
  return marks
}

function CommentsWithActions({
  comments,
  talk,
  about,
}: {
  comments: readonly CellComment[]
  talk: ReportComments
  about?: (comment: CellComment) => ReactNode
}) {
  const change = trpc.cellComments.change.useMutation()
  const { user } = useCoreData()
  const { mutate: markSeen } = trpc.cellComments.see.useMutation()
  const budgetOf = (id: string): string => comments.find((one) => one.id === id)?.budgetId ?? ''
  return (
    <CommentList
      comments={comments}
      locked={comments.every((one) => one.isLocked)}
      about={about}
      change={(action) =>
        updateOptimistically(
          { query: answerCache.cellComments.list, input: { report: talk.report, ...talk.of } },
          (now) => applyCommentAction(now, action, user.name),
          () => change.mutateAsync({ budgetId: budgetOf(action.id), ...action }),
        )
      }
      onSeen={(ids) => {
        for (const budgetId of new Set(ids.map(budgetOf))) markSeen({ budgetId, ids: ids.filter((id) => budgetOf(id) === budgetId) })
      }}
    />
  )
}

/**
 * The comments on one figure, with a form to add a comment.
 * @param isSought whether the user followed a link to a comment here, so that the page scrolls to it
 */
export function CellCommentThread({
  reportComments,
  report,
  at,
  isSought,
}: {
  reportComments: ReportComments
  report: Report
  at: { row: number; column: number }
  isSought: boolean
}) {
  const part = useRef<HTMLElement>(null)
  const may = usePermissionCheck()
  const row = createRowKeys(reportComments.report, report, reportComments.scheme)[at.row] ?? ''
  const [shownRow, column] = [report.rows[at.row], report.columns[at.column]]
  const mayWrite = may(commentWritePermissions)
  const cell = { report: reportComments.report, ...reportComments.of, scheme: reportComments.scheme, row, column: column?.key ?? '' }
  const readers = trpc.cellComments.readers.useQuery(cell, { staleTime: 60_000, enabled: mayWrite })
  const add = trpc.cellComments.add.useMutation()
  const comments = reportComments.comments.flatMap((one) => (one.at?.row === at.row && one.at.column === at.column ? [one.comment] : []))
  const currentValue = shownRow && column ? describeCellValue(shownRow.values[at.column] ?? null, getCellType(shownRow, column)) : ''
  useEffect(() => {
    if (isSought) part.current?.scrollIntoView({ block: 'end' })
  }, [isSought])
  return (
    <section aria-label="Comments" ref={part}>
      <h3>Comments</h3>
      {reportComments.query.isError ? (
        <LoadFailed query={reportComments.query} />
      ) : reportComments.query.isPending ? (
        <Skeleton height={40} />
      ) : comments.length ? (
        <CommentsWithActions
          talk={reportComments}
          comments={comments}
          about={({ about }) => about.cell && about.cell.was !== currentValue && `when it was ${about.cell.was}`}
        />
      ) : (
        !mayWrite && <EmptyState>No comments yet.</EmptyState>
      )}
      {mayWrite && <CommentForm people={readers.data ?? []} send={(comment) => add.mutateAsync({ ...cell, ...comment })} />}
    </section>
  )
}

/** All comments on a report, including those on figures that are not shown now. */
export function ReportCommentsDialog({
  reportComments,
  onOpen,
  onClose,
}: {
  reportComments: ReportComments
  onOpen: (at: { row: number; column: number }) => void
  onClose: () => void
}) {
  const about = (comment: CellComment): ReactNode => {
    const at = reportComments.comments.find((one) => one.comment.id === comment.id)?.at
    if (at)
      return (
        <>
          on{' '}
          <Button variant="transparent" size="compact-sm" px={0} onClick={() => onOpen(at)}>
            {comment.name}
          </Button>
        </>
      )
    return `on ${comment.name}, which the report no longer shows; the figure was ${comment.about.cell?.was}`
  }
  return (
    <SideDialog onClose={onClose} position="right" size="xl" title="Comments on this report">
      {reportComments.query.isError ? (
        <LoadFailed query={reportComments.query} />
      ) : reportComments.query.isPending ? (
        <Skeleton height={240} />
      ) : reportComments.comments.length ? (
        <CommentsWithActions talk={reportComments} comments={reportComments.comments.map(({ comment }) => comment)} about={about} />
      ) : (
        <SectionStack>
          <EmptyState>
            <h2>No comments yet</h2>
            <p>Open a figure to comment on it.</p>
          </EmptyState>
        </SectionStack>
      )}
    </SideDialog>
  )
}
