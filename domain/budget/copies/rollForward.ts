import { addUnknownTaxYears } from '../../calculation/employmentAllowance.ts'
import { rollUpPupilCounts } from '../../calculation/nonStaffing/pupils.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { firstDayOfMonth, formatBudgetYear, listBudgetPeriods } from '../../values/calendar.ts'
import type { BudgetHead, StaffContract, StoredLeaveEarnings } from '../budget.ts'
import type { BudgetEvent } from '../events.ts'
import type { BudgetState } from '../evolve.ts'
import { copyContracts, copyItems, copyLeaveEarnings, copyQuickCalculations, toStaffContract } from './duplicate.ts'
import { type RollContractFacts, rollContract } from './rollContract.ts'
import { type RollForwardContext, rollItem, rollPupilRows } from './rollItems.ts'

/** Everything that a rolled-forward budget takes from its source, except opening balances (rules.md §15). */
export function createRollForwardEvents(
  state: BudgetState,
  facts: {
    contract: (contract: StaffContract) => RollContractFacts
    tableYearOf: RollForwardContext['tableYearOf']
    /** The earnings before each leave that has begun by the first day of the new budget. */
    leaveEarnings: readonly StoredLeaveEarnings[]
  },
  newId: () => string,
): BudgetEvent[] {
  const { firstYear, startMonth, numberOfYears } = assertDefined(state.head)
  const first = firstDayOfMonth(firstYear + 1, startMonth)
  const contracts = [...state.contracts.values()].flatMap((stored) => {
    const contract = toStaffContract(stored)
    return rollContract(contract, first, facts.contract(contract)) ?? []
  })
  const numbers = [...state.items.values()].find((item) => item.kind === 'pupils')
  const rows = numbers?.item.rows ?? []
  const pupils = {
    before: rollUpPupilCounts(rows, numberOfYears + 1),
    after: rollUpPupilCounts(rollPupilRows(rows, numberOfYears), numberOfYears),
  }
  const context = { count: numberOfYears, pupils, tableYearOf: facts.tableYearOf }
  const items = [...state.items.values()].flatMap((item) => rollItem(item, context) ?? [])
  const copies = copyContracts(contracts, state.origins, newId)
  return [
    ...copies,
    ...copyLeaveEarnings(facts.leaveEarnings, contracts, copies),
    ...copyQuickCalculations(state.quickCalculations.values(), newId),
    ...copyItems(items, state.origins, newId),
    ...rollTransfers(state),
    ...rollLevyShares(state),
    ...rollEmploymentAllowance(state),
  ]
}

/**
 * Moves pools and top slices on by a year. Remaining years keep their lines to the penny. The added year copies the lines of the last year
 * without amounts, until the new budget's group is recalculated.
 */
function rollTransfers({ head, transfers: posted }: BudgetState): BudgetEvent[] {
  if (!posted?.transfers.length) return []
  const { firstYear, numberOfYears } = assertDefined(head)
  const last = numberOfYears - 1
  const staying = posted.transfers.flatMap((one) => (one.year > 0 ? [{ ...one, year: one.year - 1 }] : []))
  const added = posted.transfers.filter((one) => one.year === last).map((one) => ({ ...one, amounts: one.amounts.map(() => null) }))
  const sentence = `Pools and top slices for ${formatBudgetYear(firstYear, numberOfYears)} are not calculated until the budget is recalculated with a group.`
  const problems = added.length ? [...new Set([...posted.problems, sentence])] : posted.problems
  return [{ type: 'TransfersPosted', data: { ...posted, transfers: [...staying, ...added], problems } }]
}

/** Moves the levy allowance shares on by a year. The shares of the added year are unknown. */
function rollLevyShares({ head, levyShares }: BudgetState): BudgetEvent[] {
  const count = assertDefined(head).numberOfYears * 12
  const shares = Array.from({ length: count }, (_unused, month) => levyShares?.[month + 12] ?? null)
  return shares.some((share) => share !== null) ? [{ type: 'LevyAllowanceShared', data: { shares } }] : []
}

/** Moves the Employment Allowance on by a year. The tax year that begins in the added year is unknown. */
function rollEmploymentAllowance({ head, employmentAllowance: posted }: BudgetState): BudgetEvent[] {
  if (!posted?.years.length) return []
  const { firstYear, numberOfYears, startMonth } = assertDefined(head)
  const added = listBudgetPeriods(firstYear + numberOfYears, 1, startMonth).map(({ first }) => first)
  const sentence = `The Employment Allowance for ${formatBudgetYear(firstYear, numberOfYears)} is not calculated until the budget is recalculated with a group.`
  const problems = [...new Set([...posted.problems, sentence])]
  return [{ type: 'EmploymentAllowancePosted', data: { ...addUnknownTaxYears(posted, added), problems } }]
}

/** Default name of a rolled-forward budget: the year in it goes up by one. */
export function suggestRolledForwardName({ name, firstYear }: Pick<BudgetHead, 'name' | 'firstYear'>): string {
  const [now, next] = [formatBudgetYear(firstYear, 0), formatBudgetYear(firstYear, 1)]
  return name.includes(now) ? name.replace(now, next) : `${name} ${next}`
}

export function suggestCopyName({ name }: Pick<BudgetHead, 'name'>): string {
  return `${name} (copy)`
}

const longestName = 100

/** A name that no other budget of the location has, with a number added if necessary. */
export function findFreeBudgetName(wanted: string, taken: readonly string[]): string {
  const used = new Set(taken.map((name) => name.toLowerCase()))
  for (let count = 1; ; count++) {
    const tail = count === 1 ? '' : ` (${count})`
    const name = wanted.slice(0, longestName - tail.length) + tail
    if (!used.has(name.toLowerCase())) return name
  }
}
