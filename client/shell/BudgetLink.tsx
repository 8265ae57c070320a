import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { buildBudgetUrl } from './selection.ts'

type BudgetTarget = Parameters<typeof buildBudgetUrl>[1]

/** Returns a function that opens a screen of a budget, which may be another school's. */
export function useOpenBudgetScreen(): (budget: BudgetTarget, to: string, state?: unknown) => Promise<void> {
  const navigate = useNavigate()
  return async (budget, to, state) => navigate(buildBudgetUrl(to, budget), { state })
}

/** A link to a screen of a budget, which may be another school's. */
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
  return (
    <Link to={buildBudgetUrl(to, budget)} className={className}>
      {children}
    </Link>
  )
}
