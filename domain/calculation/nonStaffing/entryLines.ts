import { assertDefined } from '../../values/assertDefined.ts'
import type { FundShare } from '../inputs.ts'
import { type CalculatorRow, calculateRows, isCalculating } from './calculator.ts'
import { type EntryLine, type EntryYear, maxBudgetYears, type ProjectedYear, postEntry, projectEntryYears } from './entries.ts'

/** The rates and weights of an entry's last calculation, stored so that a replay gives the same pennies. */
export interface EntryBasis {
  /** The budget code's five rates in per cent; null if it has none. */
  rates: number[] | null
  /** The twelve weights of the profile template; null for an equal split. */
  weights: number[] | null
  /** The version of the engine that calculated the entry; 1.0.0 if absent. */
  engine?: string
}

/** The inputs to a budget entry's amounts, as the log stores them. */
export interface StoredEntryPlan {
  /** Budget year in which the entry begins, from 0. */
  firstYear: number
  years: readonly EntryYear[]
  rows: readonly CalculatorRow[]
  basis: EntryBasis
}

/** A stored entry with the coding that its amounts are posted to. */
export interface StoredEntry extends StoredEntryPlan {
  budgetCodeId: number
  costCentreId: number | null
  fundCodes: readonly FundShare[]
}

/**
 * Calculates the years of a stored entry over the years of its budget. Rows that calculate an amount take precedence over entered years.
 */
export function calculateStoredEntryYears(entry: StoredEntryPlan, count: number): ProjectedYear[] {
  const { rates, weights } = entry.basis
  if (!isCalculating(entry.rows)) return projectEntryYears({ ...entry, rates, weights }, count)
  const { total, weights: entryWeights } = calculateRows(entry.rows, count)
  return total.map((amount, year): ProjectedYear => {
    if (amount === null) return { amount, periods: Array<null>(12).fill(null), isTyped: false, rate: null }
    const typed = Array.from(
      { length: maxBudgetYears },
      (_unused, at): EntryYear => ({ amount: at === year ? amount : null, periods: null, rate: null }),
    )
    const worked = assertDefined(
      projectEntryYears({ firstYear: year, years: typed, rates: null, weights: entryWeights ?? weights }, year + 1)[year],
    )
    return year < entry.firstYear ? { ...worked, amount: 0, periods: Array<number>(12).fill(0) } : { ...worked, isTyped: false }
  })
}

export function buildEntryLines(entry: StoredEntry, count: number): EntryLine[] {
  return postEntry(calculateStoredEntryYears(entry, count), entry, entry.fundCodes)
}
