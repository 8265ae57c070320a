import type { EmploymentAllowance } from '../calculation/employmentAllowance.ts'
import { type Engine, engine as newestEngine } from '../calculation/engine.ts'
import { knownEngine } from '../calculation/engines/engines.ts'
import type { Figure } from '../calculation/inputs.ts'
import type { LevyShare } from '../calculation/levy.ts'
import type { LineComponent, PostedLine } from '../calculation/staffing/posting.ts'
import { budgetPeriods } from '../values/calendar.ts'
import type { BudgetHead } from './budget.ts'

type Coding = Pick<PostedLine, 'budgetCodeId' | 'costCentreId' | 'fundCodeId'>

/** Months of all years of a budget as the lines they are posted to; a year with nothing has none. */
function linesOf(component: LineComponent, coding: Coding, months: readonly Figure[]): PostedLine[] {
  return Array.from({ length: months.length / 12 }, (_unused, year) => ({
    component,
    year,
    ...coding,
    amounts: months.slice(year * 12, year * 12 + 12),
  })).filter(({ amounts }) => amounts.some((amount) => amount !== 0))
}

/**
 * The levy of a budget: what the gross of all its contracts comes to, less its share of the allowance (rules.md §7). Nothing says which code it
 * goes to.
 * @param gross whole pennies of each month; null where a contract is not calculated
 */
export function levyLines(gross: readonly Figure[], shares: readonly LevyShare[] | null | undefined, { levyOf }: Engine): PostedLine[] {
  return linesOf('levy', { budgetCodeId: null, costCentreId: null, fundCodeId: null }, levyOf(gross, shares ?? []))
}

/** The lines of the Employment Allowance in a budget, by the engine that it names or, where this version does not have that, the newest. */
export function allowanceLines(head: BudgetHead, allowance: EmploymentAllowance | null | undefined): PostedLine[] {
  if (!allowance) return []
  const { engine, years, budgetCodeId, costCentreId } = allowance
  return linesOf('employmentAllowance', { budgetCodeId, costCentreId, fundCodeId: null }, allowanceMonths(head, { engine, years }))
}

/** The same by month, over all years of the budget. */
export function allowanceMonths(
  { firstYear, numberOfYears, startMonth }: BudgetHead,
  { engine, years }: Pick<EmploymentAllowance, 'engine' | 'years'>,
): Figure[] {
  const { allowanceOf } = knownEngine(engine) ?? newestEngine
  return allowanceOf(
    years,
    budgetPeriods(firstYear, numberOfYears, startMonth).map(({ first }) => first),
  )
}
