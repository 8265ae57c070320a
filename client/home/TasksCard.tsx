import { Button, Skeleton } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { formatIsoMonth, formatMonth } from '../../domain/monitoring/monitoring.ts'
import { displayCount } from '../../domain/values/format.ts'
import { toMidSentence } from '../../domain/words/terms.ts'
import { type RouterOutputs, trpc } from '../shell/api.ts'
import { BudgetLink, useOpenBudgetScreen } from '../shell/BudgetLink.tsx'
import { useCoreData, useTerm } from '../shell/core.ts'
import { LoadFailed } from '../shell/LoadFailed.tsx'
import { useScreens } from '../shell/screens/useScreens.ts'
import { useUnfinishedImports } from '../shell/unfinishedImports.ts'
import { RemoveButton } from '../ui/dialogs/RemoveButton.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import textStyles from '../ui/labels/text.module.css'
import { Card, CardHead } from '../ui/layout/Card.tsx'
import { displayKnownPounds } from './displayKnownPounds.ts'
import classes from './home.module.css'

type WaitingBudget = RouterOutputs['home']['waiting']['returned']['first'][number]
type BudgetToApprove = RouterOutputs['home']['waiting']['toApprove']['first'][number]
type Month = NonNullable<RouterOutputs['home']['month']>

/** Up to this many items of a kind are listed individually. */
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
  const isFree = !toApprove.count && !returned.count && !toRecalculate.count && !(month.data && hasOwnTasks(month.data)) && !imports.length
  const counted = (count: number): string => displayCount(count, toMidSentence(term.singular), toMidSentence(term.plural))
  return (
    <Card aria-label="To do">
      <CardHead>To do</CardHead>
      {isFree && !month.isPending && <EmptyState>Nothing to do.</EmptyState>}
      <ul className={classes.waiting}>
        <BudgetTasks of={toApprove} to={approval} more={budgets} word="Approve" counted={counted} />
        <BudgetTasks of={returned} to={approval} more={budgets} word="Returned:" counted={counted} />
        <BudgetTasks of={toRecalculate} to={contracts} more={groups} word="Recalculate" counted={counted} />
        {month.data && hasOwnTasks(month.data) && <MonthEnd {...month.data} />}
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

/** Returns the path of a screen, or null if the user cannot open the screen. */
function useAllowedPath(path: string): string | null {
  return useScreens().some((screen) => screen.path === path) ? path : null
}

/** Shows one line for each budget if there are few, otherwise one line with their number. */
function BudgetTasks({
  of: { count, first },
  to,
  more,
  word,
  counted,
}: {
  of: { count: number; first: readonly (WaitingBudget | BudgetToApprove)[] }
  to: string | null
  /** Path of the full list; null if the user cannot open it. */
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
    <li key={one.budgetId} className={classes.task}>
      <span>
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
        {'figures' in one && one.figures && (
          <span className={textStyles.dim}>
            {one.figures.year}: in-year balance {displayKnownPounds(one.figures.inYear)}, closing balance{' '}
            {displayKnownPounds(one.figures.closing)}
          </span>
        )}
      </span>
      {to && <OpenButton budget={one} to={to} label={`Open ${one.budget} at ${one.location}`} />}
    </li>
  ))
}

/** Opens a screen of a budget, and tells the user if this selects another budget. */
function OpenButton({ budget, to, label }: { budget: Pick<WaitingBudget, 'budgetId' | 'locationId'>; to: string; label: string }) {
  const openAt = useOpenBudgetScreen()
  return (
    <Button variant="default" size="xs" aria-label={label} onClick={() => void openAt(budget, to)}>
      Open
    </Button>
  )
}

/** Whether the user has a task in a month end: to close it, or to complete a step at a school. */
function hasOwnTasks({ mayClose, open }: Month): boolean {
  return open.count > 0 && (mayClose || open.first.some((one) => one.own.length > 0))
}

function LinkIfAllowed({ to, children }: { to: string | null; children: ReactNode }) {
  return to ? <Link to={to}>{children}</Link> : children
}

/** The screen where each task of a month end is done. For other tasks it is the checklist. */
const taskPaths: Partial<Record<Month['open']['first'][number]['own'][number]['task'], string>> = {
  explain: '/monitoring/budget-actuals',
  payroll: '/payroll/reconciliation',
}

function MonthEnd({ month, closed, open, mayClose }: Month) {
  const locationTerm = useTerm()('Location')
  const { locations } = useCoreData()
  const screens = useScreens()
  const inConsole = useAllowedPath('/console/monitoring/month-end')
  const inBudget = useAllowedPath('/monitoring/month-end')
  const path = inConsole ?? inBudget
  const search = `?month=${formatIsoMonth(month)}`
  const link = <LinkIfAllowed to={path && `${path}${search}`}>{formatMonth(month)}</LinkIfAllowed>
  const [only] = open.first
  if (locations.length > 1 || !only)
    return (
      <li className={classes.task}>
        <span>
          <b>
            {mayClose ? 'Close' : 'Month end for'} {link}
          </b>
          <span className={textStyles.dim}>
            {open.count === 1 && only
              ? `${only.location}: ${only.inTheWay.join('; ') || 'ready to close'}`
              : `${displayCount(open.count, toMidSentence(locationTerm.singular), toMidSentence(locationTerm.plural))} to close, ${closed} closed`}
          </span>
        </span>
        {path && (
          <Button
            component={Link}
            variant="default"
            size="xs"
            to={`${path}${search}`}
            aria-label={`Open the month end for ${formatMonth(month)}`}
          >
            Open
          </Button>
        )}
      </li>
    )
  const others = only.inTheWay.filter((words) => !only.own.some((one) => one.words === words))
  return (
    <>
      {only.own.map(({ task, words }) => {
        const wanted = taskPaths[task]
        const to = wanted && screens.some((screen) => screen.path === wanted) ? wanted : inBudget
        const more = task === 'explain' ? '&explain=1' : ''
        return (
          <li key={words} className={classes.task}>
            <span>
              <b>
                {link}: {words}
              </b>
              <span className={textStyles.dim}>{only.budget}</span>
            </span>
            {to && <OpenButton budget={only} to={`${to}${search}${more}`} label={`Open ${formatMonth(month)}: ${words}`} />}
          </li>
        )
      })}
      {mayClose && only.inTheWay.length === 0 && (
        <li>
          <b>Close {link}</b>
          <span className={textStyles.dim}>Ready to close.</span>
        </li>
      )}
      {others.length > 0 && (
        <li className={textStyles.dim}>
          Waiting for others, {formatMonth(month)}: {others.join('; ')}
        </li>
      )}
    </>
  )
}
