import { engineVersion } from '../../calculation/engine.ts'
import { isCalculating } from '../../calculation/nonStaffing/calculator.ts'
import { calculatePercentage, type EntryYear, maxBudgetYears } from '../../calculation/nonStaffing/entries.ts'
import { type PupilRow, rollUpPupilCounts } from '../../calculation/nonStaffing/pupils.ts'
import type { PreparedType } from '../../calculation/staffing/prepared.ts'
import type { TrialAward } from '../../calculation/staffing/whatIf.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { addDecimals } from '../../values/decimals.ts'
import type { ContractId } from '../../values/ids.ts'
import type { Percent } from '../../values/units.ts'
import type { BudgetHead, StaffContract } from '../budget.ts'
import type { RollContractFacts } from '../copies/rollContract.ts'
import type { BudgetEntry } from '../items/budgetEntry.ts'
import type { ScenarioChange } from '../items/scenario.ts'
import { endContractBefore, scaleHours } from './changeContract.ts'

/** The current state of the budget that a scenario changes. */
export interface ScenarioBase {
  head: Pick<BudgetHead, 'numberOfYears'>
  contracts: ReadonlyMap<ContractId, StaffContract>
  entries: ReadonlyMap<string, BudgetEntry>
  /** Empty if the budget has no pupil numbers. */
  pupils: readonly PupilRow[]
}

export interface ScenarioFacts {
  typeOf(contractTypeId: number): PreparedType | undefined
  pointId: RollContractFacts['pointId']
  /** Price rises of a budget code; undefined if the budget may not use it. */
  ratesOf(budgetCodeId: number): number[] | null | undefined
  newId(): string
}

/** A budget with a scenario applied, and the conflict of each change. */
export interface AppliedScenario {
  contracts: Map<ContractId, StaffContract>
  entries: Map<string, BudgetEntry>
  pupils: readonly PupilRow[]
  awards: TrialAward[]
  /** For each change, a sentence that says what it conflicts with, or null. A conflicting change is not applied. */
  conflicts: (string | null)[]
}

/** Applies the changes of a scenario to a budget, in order. The result is not stored, so it always reflects the current budget. */
export function applyScenario(base: ScenarioBase, changes: readonly ScenarioChange[], facts: ScenarioFacts): AppliedScenario {
  const applied: AppliedScenario = {
    contracts: new Map(base.contracts),
    entries: new Map(base.entries),
    pupils: base.pupils,
    awards: [],
    conflicts: [],
  }
  for (const change of changes) applied.conflicts.push(applyChange(applied, { base, change, facts }))
  return applied
}

function applyChange(
  applied: AppliedScenario,
  { base, change, facts }: { base: ScenarioBase; change: ScenarioChange; facts: ScenarioFacts },
): string | null {
  switch (change.kind) {
    case 'award':
      return addAward(applied, change)
    case 'removePost':
    case 'hours':
      return changeContract(applied, { base, change, facts })
    case 'entry':
      return changeEntry(applied, change)
    case 'newEntry': {
      const rates = facts.ratesOf(change.budgetCodeId)
      if (rates === undefined) return 'This budget cannot use that budget code.'
      const id = facts.newId()
      applied.entries.set(id, newEntry(id, change, rates))
      return null
    }
    case 'pupils':
      return changePupils(applied, base.head.numberOfYears, change)
  }
}

function addAward(
  { contracts, awards }: AppliedScenario,
  { contractTypeIds, effectiveDate, rate }: Extract<ScenarioChange, { kind: 'award' }>,
): string | null {
  if (![...contracts.values()].some((contract) => contractTypeIds.includes(contract.contractTypeId)))
    return 'The budget has no contract of these types.'
  if (awards.some((award) => award.effectiveDate === effectiveDate && award.contractTypeIds.some((id) => contractTypeIds.includes(id))))
    return 'Another award in this scenario is for the same contract type and date.'
  awards.push({ contractTypeIds, effectiveDate, rate: String(rate) })
  return null
}

function changeContract(
  { contracts }: AppliedScenario,
  { base, change, facts }: { base: ScenarioBase; change: Extract<ScenarioChange, { kind: 'removePost' | 'hours' }>; facts: ScenarioFacts },
): string | null {
  const contract = contracts.get(change.contractId)
  if (!contract)
    return base.contracts.has(change.contractId)
      ? 'An earlier change in this scenario removes the contract.'
      : 'The contract is no longer in the budget.'
  if (contract.endDate !== null && contract.endDate < change.from) return 'The contract has ended by that date.'
  if (change.kind === 'removePost') {
    const ended = endContractBefore(contract, change.from)
    if (ended) contracts.set(contract.id, ended)
    else contracts.delete(contract.id)
    return null
  }
  const type = facts.typeOf(contract.contractTypeId)
  const less = type && scaleHours(contract, { from: change.from, percentage: change.percentage, type, pointId: facts.pointId })
  if (!less) return 'The contract’s pay on that date is not in any of the budget’s tables.'
  contracts.set(contract.id, less)
  return null
}

function changeEntry({ entries }: AppliedScenario, { entryId, percentage }: Extract<ScenarioChange, { kind: 'entry' }>): string | null {
  const entry = entries.get(entryId)
  if (!entry) return 'The entry is no longer in the budget.'
  if (entry.source || isCalculating(entry.rows)) return 'The entry comes from a calculation. Change that instead.'
  entries.set(entryId, { ...entry, years: entry.years.map((year) => changeYear(year, percentage)) })
  return null
}

/** Changes the amount of an entered year by a percentage. Entered monthly amounts remain as weights. */
function changeYear({ amount, periods, rate, weights }: EntryYear, percentage: Percent): EntryYear {
  if (amount === null) return { amount, periods, rate }
  const spread = periods ?? weights
  return { amount: amount + calculatePercentage(amount, percentage), periods: null, rate, ...(spread && { weights: spread }) }
}

function newEntry(
  id: string,
  { description, budgetCodeId, costCentreId, amount, firstYear }: Extract<ScenarioChange, { kind: 'newEntry' }>,
  rates: number[] | null,
): BudgetEntry {
  const years = Array.from(
    { length: maxBudgetYears },
    (_unused, year): EntryYear => ({ amount: year === firstYear ? amount : null, periods: null, rate: null }),
  )
  return {
    id,
    identifier: null,
    description,
    budgetCodeId,
    costCentreId,
    analysisTags: [],
    fundCodes: [],
    sealedNotes: null,
    firstYear,
    years,
    profileTemplateId: null,
    rows: [],
    source: null,
    basis: { rates, weights: null, engine: engineVersion },
  }
}

function changePupils(applied: AppliedScenario, years: number, change: Extract<ScenarioChange, { kind: 'pupils' }>): string | null {
  const changed = addPupils(applied.pupils, years, change)
  if (typeof changed === 'string') return changed
  applied.pupils = changed
  return null
}

/**
 * Pupil numbers with more or fewer pupils in a year group from a year on.
 * @returns a sentence that says why they cannot be changed, if so
 */
export function addPupils(
  pupils: readonly PupilRow[],
  years: number,
  { yearGroup, firstYear, by }: { yearGroup: number; firstYear: number; by: number },
): PupilRow[] | string {
  const counted = rollUpPupilCounts(pupils, years).find((row) => row.yearGroup === yearGroup)
  if (!counted || firstYear >= years) return 'The budget has no pupil numbers for that year group and year.'
  const known = counted.counts.slice(1)
  if (known.slice(firstYear).some(({ count }) => count === null)) return 'The pupil numbers of that year group are not known.'
  // Earlier years keep only the counts that were already entered; their other counts are still rolled up.
  const typed = (row: PupilRow): PupilRow => ({
    ...row,
    years: Array.from({ length: years }, (_unused, year) =>
      year < firstYear ? (row.years[year] ?? null) : Math.max(0, addDecimals([assertDefined(assertDefined(known[year]).count), by])),
    ),
  })
  return pupils.map((row, index) => (index === counted.index ? typed(row) : row))
}
