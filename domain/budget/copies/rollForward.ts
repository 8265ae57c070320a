import { rollUp } from '../../calculation/pupils.ts'
import { firstOf, yearName } from '../../calendar.ts'
import type { BudgetHead, StaffContract } from '../budget.ts'
import type { BudgetEvent } from '../events.ts'
import type { BudgetState } from '../evolve.ts'
import { contractCopies, itemCopies, plainContract, quickCopies } from './duplicate.ts'
import { type RollFacts, rolledContract } from './rollContract.ts'
import { type RollContext, rolledItem } from './rollItems.ts'

/** What a rolled-forward budget takes over of its source, beside its opening balances (calculation.md §15). */
export function rollForwardEvents(
  state: BudgetState,
  facts: { contract: (contract: StaffContract) => RollFacts; tableYearOf: RollContext['tableYearOf'] },
  newId: () => string,
): BudgetEvent[] {
  const { firstYear, startMonth, numberOfYears } = state.head!
  const first = firstOf(firstYear + 1, startMonth)
  const contracts = [...state.contracts.values()].flatMap((stored) => {
    const contract = plainContract(stored)
    return rolledContract(contract, first, facts.contract(contract)) ?? []
  })
  const numbers = [...state.items.values()].find((item) => item.kind === 'pupils')
  const pupils = numbers ? rollUp(numbers.item.rows, numberOfYears) : []
  const context = { count: numberOfYears, pupils, tableYearOf: facts.tableYearOf }
  const items = [...state.items.values()].flatMap((item) => rolledItem(item, context) ?? [])
  return [
    ...contractCopies(contracts, state.origins, newId),
    ...quickCopies(state.quickCalculations.values(), newId),
    ...itemCopies(items, state.origins, newId),
  ]
}

/** The name of a rolled-forward budget when nobody gives one: the year in it goes up by one. */
export function rolledName({ name, firstYear }: Pick<BudgetHead, 'name' | 'firstYear'>): string {
  const [now, next] = [yearName(firstYear, 0), yearName(firstYear, 1)]
  return name.includes(now) ? name.replace(now, next) : `${name} ${next}`
}

/** The name of a duplicate when nobody gives one. */
export function copyName({ name }: Pick<BudgetHead, 'name'>): string {
  return `${name} (copy)`
}

const longestName = 100

/** A name that no other budget of the location has: with a number behind it where it must be. */
export function freeName(wanted: string, taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  for (let count = 1; ; count++) {
    const tail = count === 1 ? '' : ` (${count})`
    const name = wanted.slice(0, longestName - tail.length) + tail
    if (!used.has(name.toLowerCase())) return name
  }
}
