import type { EmploymentAllowance } from '../calculation/employmentAllowance.ts'
import { type Engine, engine as newestEngine } from '../calculation/engine.ts'
import { findEngine } from '../calculation/engines/engines.ts'
import type { Figure } from '../calculation/inputs.ts'
import type { LevyShare } from '../calculation/levy.ts'
import type { LineComponent, PostedLine } from '../calculation/staffing/posting.ts'
import { listBudgetPeriods } from '../values/calendar.ts'
import type { BudgetHead } from './budget.ts'

type LineCoding = Pick<PostedLine, 'budgetCodeId' | 'costCentreId' | 'fundCodeId'>

/** Posts the months of all budget years as lines, one for each year that is not zero. */
function postMonths(component: LineComponent, coding: LineCoding, months: readonly Figure[]): PostedLine[] {
  return Array.from({ length: months.length / 12 }, (_unused, year) => ({
    component,
    year,
    ...coding,
    amounts: months.slice(year * 12, year * 12 + 12),
  })).filter(({ amounts }) => amounts.some((amount) => amount !== 0))
}

/**
 * Posts the levy: calculated on the gross pay of all contracts, less the budget's share of the allowance (rules.md §7). It has no budget
 * code.
 * @param gross whole pennies of each month; null if a contract is not calculated
 */
export function postLevy(gross: readonly Figure[], shares: readonly LevyShare[] | null | undefined, { levyOf }: Engine): PostedLine[] {
  return postMonths('levy', { budgetCodeId: null, costCentreId: null, fundCodeId: null }, levyOf(gross, shares ?? []))
}

/** Posts the Employment Allowance with the engine that it names, or the newest one if this version lacks that engine. */
export function postEmploymentAllowance(head: BudgetHead, allowance: EmploymentAllowance | null | undefined): PostedLine[] {
  if (!allowance) return []
  const { engine, years, budgetCodeId, costCentreId } = allowance
  return postMonths(
    'employmentAllowance',
    { budgetCodeId, costCentreId, fundCodeId: null },
    listEmploymentAllowanceMonths(head, { engine, years }),
  )
}

/** The Employment Allowance by month, over all budget years. */
export function listEmploymentAllowanceMonths(
  { firstYear, numberOfYears, startMonth }: BudgetHead,
  { engine, years }: Pick<EmploymentAllowance, 'engine' | 'years'>,
): Figure[] {
  const { allowanceOf } = findEngine(engine) ?? newestEngine
  return allowanceOf(
    years,
    listBudgetPeriods(firstYear, numberOfYears, startMonth).map(({ first }) => first),
  )
}
