import type { StaffContract } from '../../budget/budget.ts'
import type { BudgetEntry } from '../../budget/items/budgetEntry.ts'
import type { Figure } from '../../calculation/inputs.ts'
import type { LevyShare } from '../../calculation/levy.ts'
import { type CodeFacts, findBalanceType, findOverviewSection } from '../../calculation/nonStaffing/balances.ts'
import type { FundingRow } from '../../calculation/nonStaffing/funding.ts'
import type { PupilRow } from '../../calculation/nonStaffing/pupils.ts'
import type { FrozenBudget, SharedInputs } from '../../calculation/staffing/frozen.ts'
import { openingBalanceType } from '../../lookups/lookupIds.ts'
import type { Pennies, Pounds } from '../../values/units.ts'

/** A funding prediction that made an entry of the budget. */
export interface UncertainPrediction {
  budgetCodeId: number
  rows: readonly FundingRow[]
  rates: ReadonlyMap<number, Pounds>
  tableYear: number
}

/** Everything that a draw needs to know of a budget. */
export interface UncertainBudget {
  head: { firstYear: number; numberOfYears: number; startMonth: number }
  frozen: FrozenBudget
  shared: SharedInputs
  contracts: readonly StaffContract[]
  entries: readonly BudgetEntry[]
  pupils: readonly PupilRow[]
  predictions: readonly UncertainPrediction[]
  codes: ReadonlyMap<number, CodeFacts>
  levyShares: readonly LevyShare[] | null
  /** The closing reserve and the income of each year as the budget has them, in whole pennies. */
  planned: { closing: Pennies; income: Pennies }[]
}

/** What a draw adds to each year of a budget, in whole pennies; null for a year that it makes impossible to calculate. */
export interface DrawEffect {
  /** On the in-year balance without capital. */
  reserve: Figure[]
  income: Figure[]
}

export function createEffect(years: number): DrawEffect {
  return { reserve: Array<Figure>(years).fill(0), income: Array<Figure>(years).fill(0) }
}

/** Adds an amount posted to a budget code to the effect on a year. Reserves exclude capital, and carried balances change nothing. */
export function addToEffect(
  effect: DrawEffect,
  year: number,
  { code, isStaff, amount }: { code: CodeFacts | null; isStaff: boolean; amount: Figure },
): void {
  const section = findOverviewSection(code, isStaff)
  if (amount === 0 || section === 'balance') return
  if (section === 'income') effect.income[year] = plus(effect.income[year] ?? null, amount)
  if (code && findBalanceType(code) === openingBalanceType.capital) return
  effect.reserve[year] = plus(effect.reserve[year] ?? null, amount === null ? null : section === 'income' ? amount : -amount)
}

const plus = (a: Figure, b: Figure): Figure => (a === null || b === null ? null : a + b)
