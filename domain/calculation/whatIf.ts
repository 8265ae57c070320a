import type { StaffContract } from '../budget/budget.ts'
import type { IsoDate } from '../calendar.ts'
import { costContracts, type FrozenBudget, type SharedInputs, yearTotals } from './frozen.ts'
import type { DatedRate } from './inputs.ts'

/** A pay award that is tried out: it takes the place of an award of the same date, else it comes on top of the others. */
export interface TriedAward {
  contractTypeIds: readonly number[]
  effectiveDate: IsoDate
  /** 3.5 means 3.5 %. */
  rate: string
}

/** The awards of a contract type with the tried one among them. */
export function awardsWith(
  inflation: readonly DatedRate[],
  { effectiveDate, rate }: Pick<TriedAward, 'effectiveDate' | 'rate'>,
): DatedRate[] {
  return [...inflation.filter((award) => award.effectiveDate !== effectiveDate), { effectiveDate, rate }]
}

/** The shared inputs as they would be with a tried award; nothing else differs. */
export function sharedWith(shared: SharedInputs, award: TriedAward): SharedInputs {
  const assumptions = Object.fromEntries(
    Object.entries(shared.assumptions).map(([set, types]) => [
      set,
      {
        ...types,
        ...Object.fromEntries(
          award.contractTypeIds.map((id) => {
            const own = types[id] ?? { erPension: [], inflation: [] }
            return [id, { ...own, inflation: awardsWith(own.inflation, award) }]
          }),
        ),
      },
    ]),
  )
  return { ...shared, assumptions }
}

/** What the staff of a budget cost in each year, whole pennies over what can be calculated, and how many contracts cannot. */
export function budgetYears(
  contracts: Iterable<StaffContract>,
  frozen: FrozenBudget,
  shared: SharedInputs,
): { years: number[]; notCalculated: number } {
  const years = Array.from({ length: frozen.budget.years }, () => 0)
  let notCalculated = 0
  for (const cost of costContracts(contracts, frozen, shared).values()) {
    const totals = yearTotals(cost)
    if (totals.includes(null)) notCalculated++
    totals.forEach((total, year) => {
      years[year]! += total ?? 0
    })
  }
  return { years, notCalculated }
}
