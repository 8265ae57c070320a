import type { MouseEvent, ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { openBudget } from './core.ts'
import { failed } from './notify.tsx'

type Place = Parameters<typeof openBudget>[0]

/** Opens a budget, which may be another school's, and then a screen of it. What goes wrong is said. */
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

/** The way to a screen of a budget, which is opened first. */
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
