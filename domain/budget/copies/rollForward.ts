import { withLaterYears } from '../../calculation/employmentAllowance.ts'
import { rollUp } from '../../calculation/nonStaffing/pupils.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { budgetPeriods, firstDayOfMonth, yearName } from '../../values/calendar.ts'
import type { BudgetHead, KeptLeaveEarnings, StaffContract } from '../budget.ts'
import type { BudgetEvent } from '../events.ts'
import type { BudgetState } from '../evolve.ts'
import { contractCopies, earningsCopies, itemCopies, plainContract, quickCopies } from './duplicate.ts'
import { type RollFacts, rolledContract } from './rollContract.ts'
import { type RollContext, rolledItem, rolledPupils } from './rollItems.ts'

/** What a rolled-forward budget takes over of its source, beside its opening balances (rules.md §15). */
export function rollForwardEvents(
  state: BudgetState,
  facts: {
    contract: (contract: StaffContract) => RollFacts
    tableYearOf: RollContext['tableYearOf']
    /** Of leaves that have begun by the first day of the new budget. */
    leaveEarnings: readonly KeptLeaveEarnings[]
  },
  newId: () => string,
): BudgetEvent[] {
  const { firstYear, startMonth, numberOfYears } = assertDefined(state.head)
  const first = firstDayOfMonth(firstYear + 1, startMonth)
  const contracts = [...state.contracts.values()].flatMap((stored) => {
    const contract = plainContract(stored)
    return rolledContract(contract, first, facts.contract(contract)) ?? []
  })
  const numbers = [...state.items.values()].find((item) => item.kind === 'pupils')
  const rows = numbers?.item.rows ?? []
  const pupils = { before: rollUp(rows, numberOfYears + 1), after: rollUp(rolledPupils(rows, numberOfYears), numberOfYears) }
  const context = { count: numberOfYears, pupils, tableYearOf: facts.tableYearOf }
  const items = [...state.items.values()].flatMap((item) => rolledItem(item, context) ?? [])
  const copies = contractCopies(contracts, state.origins, newId)
  return [
    ...copies,
    ...earningsCopies(facts.leaveEarnings, contracts, copies),
    ...quickCopies(state.quickCalculations.values(), newId),
    ...itemCopies(items, state.origins, newId),
    ...rolledTransfers(state),
    ...rolledShares(state),
    ...rolledAllowance(state),
  ]
}

/**
 * Pools and top slices a year later: the years that stay keep their lines to the penny, those of the last year are added and not calculated
 * until the group of the new budget is recalculated.
 */
function rolledTransfers({ head, transfers: posted }: BudgetState): BudgetEvent[] {
  if (!posted?.transfers.length) return []
  const { firstYear, numberOfYears } = assertDefined(head)
  const last = numberOfYears - 1
  const staying = posted.transfers.flatMap((one) => (one.year > 0 ? [{ ...one, year: one.year - 1 }] : []))
  const added = posted.transfers.filter((one) => one.year === last).map((one) => ({ ...one, amounts: one.amounts.map(() => null) }))
  const sentence = `Pools and top slices of ${yearName(firstYear, numberOfYears)} are not calculated until the budget is recalculated with a group.`
  const problems = added.length ? [...new Set([...posted.problems, sentence])] : posted.problems
  return [{ type: 'TransfersPosted', data: { ...posted, transfers: [...staying, ...added], problems } }]
}

/** The shares of the levy allowance a year later; those of the added year are not known. */
function rolledShares({ head, levyShares }: BudgetState): BudgetEvent[] {
  const count = assertDefined(head).numberOfYears * 12
  const shares = Array.from({ length: count }, (_unused, month) => levyShares?.[month + 12] ?? null)
  return shares.some((share) => share !== null) ? [{ type: 'LevyAllowanceShared', data: { shares } }] : []
}

/** The Employment Allowance a year later; the tax year that begins in the added year is not known. */
function rolledAllowance({ head, employmentAllowance: posted }: BudgetState): BudgetEvent[] {
  if (!posted?.years.length) return []
  const { firstYear, numberOfYears, startMonth } = assertDefined(head)
  const added = budgetPeriods(firstYear + numberOfYears, 1, startMonth).map(({ first }) => first)
  const sentence = `The Employment Allowance of ${yearName(firstYear, numberOfYears)} is not calculated until the budget is recalculated with a group.`
  const problems = [...new Set([...posted.problems, sentence])]
  return [{ type: 'EmploymentAllowancePosted', data: { ...withLaterYears(posted, added), problems } }]
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
