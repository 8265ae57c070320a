import { assertDefined } from '../../values/assertDefined.ts'
import type { FundShare } from '../inputs.ts'
import { type CalculatorRow, calculate, isCalculating } from './calculator.ts'
import { type EntryLine, type EntryYear, entryYears, mostYears, postEntry, type WorkedYear } from './entries.ts'

/** The rates and weights an entry was last worked out with, kept so that a replay comes to the same pennies. */
export interface EntryBasis {
  /** The budget code's five rates in per cent; null: it has none. */
  rates: number[] | null
  /** The twelve weights of the profile template; null: equal. */
  weights: number[] | null
  /** The engine that worked it out; absent: 1.0.0. */
  engine?: string
}

/** What the amounts of a budget entry follow from, as the log keeps it. */
export interface KeptEntryPlan {
  /** The year it begins in, from 0. */
  firstYear: number
  years: readonly EntryYear[]
  rows: readonly CalculatorRow[]
  basis: EntryBasis
}

/** The same, and where its amounts are posted. */
export interface KeptEntry extends KeptEntryPlan {
  budgetCodeId: number
  costCentreId: number | null
  fundCodes: readonly FundShare[]
}

/** An entry's years as they stand in a budget of so many years; rows that calculate give the amounts. */
export function yearsOf(entry: KeptEntryPlan, count: number): WorkedYear[] {
  const { rates, weights } = entry.basis
  if (!isCalculating(entry.rows)) return entryYears({ ...entry, rates, weights }, count)
  const { total, weights: own } = calculate(entry.rows, count)
  return total.map((amount, year): WorkedYear => {
    if (amount === null) return { amount, periods: Array<null>(12).fill(null), isTyped: false, rate: null }
    const typed = Array.from(
      { length: mostYears },
      (_unused, at): EntryYear => ({ amount: at === year ? amount : null, periods: null, rate: null }),
    )
    const worked = assertDefined(entryYears({ firstYear: year, years: typed, rates: null, weights: own ?? weights }, year + 1)[year])
    return year < entry.firstYear ? { ...worked, amount: 0, periods: Array<number>(12).fill(0) } : { ...worked, isTyped: false }
  })
}

/** The lines an entry is posted to (rules.md §9). */
export function linesOfEntry(entry: KeptEntry, count: number): EntryLine[] {
  return postEntry(yearsOf(entry, count), entry, entry.fundCodes)
}
