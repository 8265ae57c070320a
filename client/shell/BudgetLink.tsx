import type { MouseEvent, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { openBudget } from './core.ts'
import { notifyFailure } from './notify.tsx'

type BudgetTarget = Parameters<typeof openBudget>[0]

/**
 * Returns a function that opens a budget, possibly another school's, and then one of its screens. Failures are shown
 * to the user.
 */
export function useOpenBudgetScreen(): (budget: BudgetTarget, to: string, state?: unknown) => Promise<void> {
  const navigate = useNavigate()
  return async (budget, to, state) => {
    try {
      await openBudget(budget)
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
