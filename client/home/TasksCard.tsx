import { Skeleton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { formatIsoMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { displayCount } from '../../domain/values/format.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { type RouterOutputs, trpc } from '../shell/api.ts'
import { BudgetLink } from '../shell/BudgetLink.tsx'
import { useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useScreens } from '../shell/screens/useScreens.ts'
import { useUnfinishedImports } from '../shell/unfinishedImports.ts'
import { RemoveButton } from '../ui/dialogs/RemoveButton.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead } from '../ui/layout/Card.tsx'
import classes from './home.module.css'

type WaitingBudget = RouterOutputs['home']['waiting']['toApprove']['first'][number]
type Month = NonNullable<RouterOutputs['home']['month']>

/** Maximum number of items of a kind listed individually. */
const maximumListed = 4

/** The user's tasks: budgets to approve, resubmit or recalculate, the month to close, and files to fix. */
export function TasksCard() {
  const waiting = trpc.home.waiting.useQuery()
  const month = trpc.home.month.useQuery()
  const term = useTerm()('Budget')
  const unfinished = useUnfinishedImports()
  const [imports, setImports] = useState(unfinished.all)
  const approval = useAllowedPath('/overview/approval')
  const contracts = useAllowedPath('/staffing/staff-contracts')
  const groups = useAllowedPath('/console/budget-management/groups')
  const budgets = useAllowedPath('/console/budget-management')
  if (waiting.isError) return <LoadFailed query={waiting} />
  if (month.isError) return <LoadFailed query={month} />
  if (!waiting.data) return <Skeleton height={160} />
  const { toApprove, returned, toRecalculate } = waiting.data
  const isFree = !toApprove.count && !returned.count && !toRecalculate.count && !month.data?.open.count && !imports.length
  const counted = (count: number): string => displayCount(count, toMidSentence(term.singular), toMidSentence(term.plural))
  return (
    <Card aria-label="To do">
      <CardHead>To do</CardHead>
      {isFree && !month.isPending && <EmptyState>Nothing to do.</EmptyState>}
      <ul className={classes.waiting}>
        <BudgetTasks of={toApprove} to={approval} more={budgets} word="Approve" counted={counted} />
        <BudgetTasks of={returned} to={approval} more={budgets} word="Returned:" counted={counted} />
        <BudgetTasks of={toRecalculate} to={contracts} more={groups} word="Recalculate" counted={counted} />
        {month.data && month.data.open.count > 0 && <MonthEnd {...month.data} />}
        {imports.map((one) => (
          <li key={one.path}>
            <b>
              Import <Link to={one.path}>{one.what}</Link>
            </b>
            <span className={textStyles.dim}>
              {one.fileName && `${one.fileName}: `}
              {one.said}{' '}
              <RemoveButton
                label={`Discard the import of ${one.what}`}
                size="xs"
                onRemove={() => {
                  unfinished.remove(one.path)
                  setImports(unfinished.all())
                }}
              />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The path of a screen, or null if the user cannot open it. */
function useAllowedPath(path: string): string | null {
  return useScreens().some((screen) => screen.path === path) ? path : null
}

/** One line per budget while there are few, otherwise one line with the count. */
function BudgetTasks({
  of: { count, first },
  to,
  more,
  word,
  counted,
}: {
  of: { count: number; first: readonly WaitingBudget[] }
  to: string | null
  /** Path of the full list. */
  more: string | null
  word: string
  counted: (count: number) => string
}) {
  if (count > maximumListed)
    return (
      <li>
        <b>
          {word} <LinkIfAllowed to={more}>{counted(count)}</LinkIfAllowed>
        </b>
        <span className={textStyles.dim}>
          {first
            .slice(0, maximumListed)
            .map((one) => one.location)
            .join(', ')}{' '}
          and {count - maximumListed} more
        </span>
      </li>
    )
  return first.map((one) => (
    <li key={one.budgetId}>
      <b>
        {word}{' '}
        {to ? (
          <BudgetLink budget={one} to={to}>
            {one.budget}
          </BudgetLink>
        ) : (
          one.budget
        )}
      </b>
      <span className={textStyles.dim}>{one.location}</span>
    </li>
  ))
}

function LinkIfAllowed({ to, children }: { to: string | null; children: ReactNode }) {
  return to ? <Link to={to}>{children}</Link> : children
}

function MonthEnd({ month, closed, open }: Month) {
  const locationTerm = useTerm()('Location')
  const inConsole = useAllowedPath('/console/monitoring/month-end')
  const inBudget = useAllowedPath('/monitoring/month-end')
  const path = inConsole ?? inBudget
  const [only] = open.first
  return (
    <li>
      <b>
        Close <LinkIfAllowed to={path && `${path}?month=${formatIsoMonth(month)}`}>{formatMonth(month)}</LinkIfAllowed>
      </b>
      <span className={textStyles.dim}>
        {open.count === 1 && only
          ? `${only.location}: ${only.inTheWay.join('; ') || 'nothing is in the way'}`
          : `${displayCount(open.count, toMidSentence(locationTerm.singular), toMidSentence(locationTerm.plural))} to close, ${closed} closed`}
      </span>
    </li>
  )
}
