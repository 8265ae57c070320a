import { Button, Group, Select, Skeleton, Textarea } from '@mantine/core'
import clsx from 'clsx'
import { useState } from 'react'
import { yearName } from '../../domain/calendar.ts'
import { displayDateTime } from '../../domain/format.ts'
import { must } from '../../domain/must.ts'
import { notices } from '../../domain/notices.ts'
import { problemOf, trpc } from '../shell/api.ts'
import { useCore, useMay } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { failed, said } from '../shell/notify.tsx'
import { useSelection } from '../shell/selection.ts'
import cardStyles from '../ui/Card.module.css'
import { Card, CardHead } from '../ui/Card.tsx'
import { Empty } from '../ui/Empty.tsx'
import historyStyles from '../ui/history.module.css'
import stackStyles from '../ui/Stack.module.css'
import textStyles from '../ui/text.module.css'

/** What a comment can be about: the budget, or one of its codes in one of its years. */
function useThings() {
  const { budgets } = useCore()
  const { budgetId } = useSelection()
  const tree = trpc.overview.tree.useQuery({ scheme: 'category' })
  const budget = budgets.find((one) => one.mongoId === budgetId)
  const codes = (tree.data ?? []).flatMap((node) => node.codes).filter((code) => code.id !== null)
  return {
    years: Array.from({ length: budget?.numberOfYears ?? 0 }, (_unused, year) => yearName(must(budget).firstYear, year)),
    codes: codes.map((code) => ({ value: String(code.id), label: `${code.code} ${code.description}` })),
    nameOf: (ref: string | null): string => {
      const code = codes.find((one) => String(one.id) === ref)
      return code ? `${code.code} ${code.description}` : 'a budget code'
    },
  }
}

/** Comments on the budget and its figures, settled by name. */
export function Comments({ locked }: { locked: boolean }) {
  const may = useMay()
  const things = useThings()
  const [text, setText] = useState('')
  const [code, setCode] = useState<string | null>(null)
  const [year, setYear] = useState<string | null>(null)
  const comments = trpc.approval.comments.useQuery()
  const add = trpc.approval.addComment.useMutation({
    onSuccess: () => {
      setText('')
      said(notices.saved)
    },
    onError: failed,
  })
  const change = trpc.approval.changeComment.useMutation({ onSuccess: () => said(notices.saved), onError: failed })
  const mayComment =
    !locked &&
    may([
      'BudgetingOverviewReadUpdate',
      'BudgetingStaffingReadUpdate',
      'BudgetingNonStaffingReadUpdate',
      'ConsoleBudgetManagementReadUpdate',
    ])
  const error = add.error ? problemOf(add.error).fields.find((one) => one.field === 'text')?.message : undefined
  return (
    <Card style={{ overflow: 'visible' }} aria-label="Comments">
      <CardHead>Comments</CardHead>
      {comments.isError && <LoadFailed query={comments} />}
      {comments.isPending && <Skeleton height={60} m="md" />}
      {comments.data?.length === 0 && <Empty>Nobody has said anything yet.</Empty>}
      {(comments.data?.length ?? 0) > 0 && (
        <ul className={historyStyles.history}>
          {must(comments.data).map((comment) => (
            <li key={comment.id} className={comment.resolvedAt ? textStyles.dim : undefined}>
              <b>{comment.by}</b> on {comment.about.kind === 'code' ? things.nameOf(comment.about.ref) : 'the budget'}
              {comment.about.year !== null && `, ${things.years[comment.about.year] ?? ''}`}
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
                    <Button
                      size="compact-xs"
                      variant="subtle"
                      color="red"
                      onClick={() => change.mutate({ id: comment.id, change: 'delete' })}
                    >
                      Delete
                    </Button>
                  )}
                </Group>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayComment && (
        <form
          noValidate
          className={clsx(cardStyles.cardBody, stackStyles.stack)}
          onSubmit={(event) => {
            event.preventDefault()
            add.mutate({
              about: { kind: code ? 'code' : 'budget', ref: code, year: year === null ? null : things.years.indexOf(year) },
              text,
            })
          }}
        >
          <Group align="end" gap="sm">
            <Select
              label="About"
              data={things.codes}
              value={code}
              onChange={setCode}
              placeholder="The whole budget"
              searchable
              clearable
              w={320}
              maw="100%"
              nothingFoundMessage="Nothing matches."
            />
            <Select label="Year" data={things.years} value={year} onChange={setYear} placeholder="All" clearable w={130} />
          </Group>
          <Textarea
            label="Comment"
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            autosize
            minRows={2}
            maxLength={2000}
            error={error}
          />
          <div>
            <Button type="submit" loading={add.isPending}>
              Add comment
            </Button>
          </div>
        </form>
      )}
    </Card>
  )
}
