import type { MouseEvent, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { openBudget } from './core.ts'
import { failed } from './notify.tsx'

type Place = Parameters<typeof openBudget>[0]

/**
 * Gives a function that opens a budget, possibly another school's, and then one of its screens. Failures are shown to
 * the user.
 */
export function useOpenAt(): (budget: Place, to: string, state?: unknown) => Promise<void> {
  const navigate = useNavigate()
  return async (budget, to, state) => {
    try {
      await openBudget(budget)
      await navigate(to, { state })
    } catch (error) {
      failed(error)
    }
  }
}

/** A link to a screen of a budget that opens the budget first. */
export function BudgetLink({ budget, to, className, children }: { budget: Place; to: string; className?: string; children: ReactNode }) {
  const openAt = useOpenAt()
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
