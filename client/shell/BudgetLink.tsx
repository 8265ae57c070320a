import type { MouseEvent, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { getCore, openBudget } from './core.ts'
import { notifyFailure, notifySuccess } from './notify.tsx'
import { getSelection } from './selection.ts'

type BudgetTarget = Parameters<typeof openBudget>[0]

/** Says which budget is open now, if another one was: figures must never change under a user without a word. */
function announceBudget(before: string | null): void {
  const { locationId, budgetId } = getSelection()
  const { budgets, locations } = getCore()
  const name = budgets.find((one) => one.mongoId === budgetId)?.name
  const place = locations.find((one) => one.id === locationId)?.name
  if (name && before !== null && budgetId !== before) notifySuccess(`${name} of ${place} is open now`)
}

/**
 * Returns a function that opens a budget, possibly another school's, and then one of its screens. A change of the
 * selection and failures are shown to the user.
 */
export function useOpenBudgetScreen(): (budget: BudgetTarget, to: string, state?: unknown) => Promise<void> {
  const navigate = useNavigate()
  return async (budget, to, state) => {
    try {
      const before = getSelection().budgetId
      await openBudget(budget)
      announceBudget(before)
      await navigate(to, { state })
    } catch (error) {
      notifyFailure(error)
    }
  }
}

/** A link to a screen of a budget that opens the budget first. */
export function BudgetLink({
  budget,
  to,
  className,
  children,
}: {
  budget: BudgetTarget
  to: string
  className?: string
  children: ReactNode
}) {
  const openAt = useOpenBudgetScreen()
  const open = (event: MouseEvent): void => {
    event.preventDefault()
    void openAt(budget, to)
  }
  return (
    <Link to={to} className={className} onClick={open}>
      {children}
    </Link>
  )
}
