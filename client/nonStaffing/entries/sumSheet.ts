import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import type { EntryChoices, SheetLine } from './sheetModel.ts'

/** Totals of rows by year, in whole pennies. `missing` counts the rows with a figure that is not calculated. */
export interface SheetTotals {
  income: Pennies[]
  expenditure: Pennies[]
  balance: Pennies[]
  missing: number
}

/** Sums income, expenditure and balance of rows, by the type of their budget codes (rules.md §10). */
export function sumSheet(rows: readonly SheetLine[], choices: EntryChoices, years: number): SheetTotals {
  const incomes = new Set(choices.budgetCodes.filter((code) => code.isIncome).map((code) => code.id))
  const income = Array<number>(years).fill(0)
  const expenditure = Array<number>(years).fill(0)
  let missing = 0
  for (const row of rows) {
    if (row.kind === 'draft' || row.budgetCodeId === null) continue
    if (row.amounts.includes(null)) missing++
    const side = incomes.has(row.budgetCodeId) ? income : expenditure
    for (const [year, sum] of side.entries()) side[year] = sum + (row.amounts[year] ?? 0)
  }
  return { income, expenditure, balance: income.map((one, year) => one - assertDefined(expenditure[year])), missing }
}
