import type { StaffContract } from '../../budget/budget.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { IsoDate } from '../../values/calendar.ts'
import type { ContractId } from '../../values/ids.ts'
import type { Pennies } from '../../values/units.ts'
import type { DatedAward } from '../inputs.ts'
import { type AwardPlacement, placeAward } from './awardsInForce.ts'
import { calculateYearTotals, costContracts, type FrozenBudget, type SharedInputs } from './frozen.ts'

/** A pay award that the user tries out. It replaces the award of the same date, in a pay table or an assumption. */
export interface TrialAward {
  contractTypeIds: readonly number[]
  effectiveDate: IsoDate
  /** 3.5 means 3.5%. */
  rate: string
}

/** Replaces the award of the same date with the trial award. */
export function replaceAward(
  inflation: readonly DatedAward[],
  { effectiveDate, rate }: Pick<TrialAward, 'effectiveDate' | 'rate'>,
  inTable: string | null,
): DatedAward[] {
  const existingAward = inflation.find((award) => award.effectiveDate === effectiveDate)
  // If the existing award applies only to the table and not to other pay, so does the trial award.
  const isAssumed = inTable === null || (existingAward !== undefined && existingAward.liftedTo === undefined)
  const tried: DatedAward = isAssumed
    ? { effectiveDate, rate, ...(inTable !== null && { inTable }) }
    : { effectiveDate, rate: existingAward?.rate ?? '0', inTable, liftedTo: rate }
  return [...inflation.filter((award) => award.effectiveDate !== effectiveDate), tried]
}

/** The placement of a trial award for each of its contract types. */
export function placeTrialAward(frozen: FrozenBudget, shared: SharedInputs, award: TrialAward): Map<number, AwardPlacement> {
  return new Map(award.contractTypeIds.map((id) => [id, placeAward(frozen, { shared, typeId: id, ...award })]))
}

/** Copies the shared inputs with a trial award added; everything else is unchanged. */
export function addTrialAward(shared: SharedInputs, frozen: FrozenBudget, award: TrialAward): SharedInputs {
  const types = { ...shared.assumptions[frozen.staffAssumptionsId] }
  for (const [id, { inTable }] of placeTrialAward(frozen, shared, award)) {
    const typeTables = types[id] ?? { erPension: [], inflation: [] }
    types[id] = { ...typeTables, inflation: replaceAward(typeTables.inflation, award, inTable) }
  }
  return { ...shared, assumptions: { ...shared.assumptions, [frozen.staffAssumptionsId]: types } }
}

/**
 * The cost of all contracts of one type in whole pennies: of each year, and of each contract (null for a year that could not be
 * calculated).
 */
export interface ContractTypeCost {
  years: number[]
  contracts: Map<ContractId, (number | null)[]>
}

export interface BudgetCost {
  /** Whole pennies, without the figures that could not be calculated. */
  years: Pennies[]
  notCalculated: number
  types: Map<number, ContractTypeCost>
}

/** Costs the staff of a budget by year, in total and by contract type, and counts the contracts that could not be calculated. */
export function costBudgetYears(contracts: Iterable<StaffContract>, frozen: FrozenBudget, shared: SharedInputs): BudgetCost {
  const zeros = (): number[] => Array.from({ length: frozen.budget.years }, () => 0)
  const cost: BudgetCost = { years: zeros(), notCalculated: 0, types: new Map() }
  const all = [...contracts]
  const costs = costContracts(all, frozen, shared)
  for (const { id, contractTypeId } of all) {
    const totals = calculateYearTotals(assertDefined(costs.get(id)))
    const type = cost.types.get(contractTypeId) ?? { years: zeros(), contracts: new Map() }
    cost.types.set(contractTypeId, type)
    type.contracts.set(id, totals)
    if (totals.includes(null)) cost.notCalculated++
    totals.forEach((total, year) => {
      cost.years[year] = assertDefined(cost.years[year]) + (total ?? 0)
      type.years[year] = assertDefined(type.years[year]) + (total ?? 0)
    })
  }
  return cost
}

/** The effect of an award on the contracts of one type in one budget. */
export interface ContractTypeEffect {
  contractTypeId: number
  isChosen: boolean
  before: number[]
  after: number[]
  contracts: number
  /** The number of contracts that cost the same in every year; `ended` counts those that end before the award. */
  unchanged: number
  ended: number
  sentences: string[]
}

/** The effect of an award on every contract type that has contracts, chosen or not. */
export function calculateContractTypeEffects(
  contracts: readonly StaffContract[],
  {
    before,
    after,
    award,
    placed,
  }: { before: BudgetCost; after: BudgetCost; award: TrialAward; placed: ReadonlyMap<number, AwardPlacement> },
): ContractTypeEffect[] {
  const ends = new Map(contracts.map((contract) => [contract.id, contract.endDate]))
  return [...before.types].map(([contractTypeId, was]) => {
    const is = assertDefined(after.types.get(contractTypeId))
    const same = [...was.contracts].filter(([id, years]) =>
      years.every((total, year) => total === assertDefined(is.contracts.get(id))[year]),
    )
    const ended = same.filter(([id]) => (ends.get(id) ?? '9') < award.effectiveDate)
    return {
      contractTypeId,
      isChosen: award.contractTypeIds.includes(contractTypeId),
      before: was.years,
      after: is.years,
      contracts: was.contracts.size,
      unchanged: same.length,
      ended: ended.length,
      sentences: placed.get(contractTypeId)?.sentences ?? [],
    }
  })
}

/** A sentence that explains why contracts cost the same with an award; null if all of them change. */
export function explainUnchanged({
  isChosen,
  contracts,
  unchanged,
  ended,
}: Pick<ContractTypeEffect, 'isChosen' | 'contracts' | 'unchanged' | 'ended'>): string | null {
  if (!isChosen)
    return unchanged === contracts
      ? 'Not chosen.'
      : 'Not chosen: only national insurance shared with a chosen contract of the same person changes.'
  if (!unchanged) return null
  if (unchanged === contracts)
    return 'No contract changes in cost: the award already applies, or no contract is paid under it from its date.'
  const rest = unchanged - ended
  const reasons = [
    ...(ended ? [`${ended} ended before the award`] : []),
    ...(rest ? [`${rest} paid by a later salary row or pay table, or not calculated`] : []),
  ]
  return `${unchanged} of ${contracts} contracts cost the same: ${reasons.join('; ')}.`
}
