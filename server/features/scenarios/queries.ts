import { calculateEntryLines } from '../../../domain/budget/items/budgetEntry.ts'
import type { ScenarioChange } from '../../../domain/budget/items/scenario.ts'
import {
  type AppliedScenario,
  applyScenario,
  type ScenarioBase,
  type ScenarioFacts,
} from '../../../domain/budget/scenarios/applyScenario.ts'
import { postEmploymentAllowance, postLevy } from '../../../domain/budget/sharedLines.ts'
import { engine } from '../../../domain/calculation/engine.ts'
import type { Figure } from '../../../domain/calculation/inputs.ts'
import { type CodeSum, calculateOverviewYears, type OverviewYear } from '../../../domain/calculation/nonStaffing/balances.ts'
import { rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'
import {
  buildContractLines,
  combineInputs,
  costContracts,
  type FrozenBudget,
  type SharedInputs,
} from '../../../domain/calculation/staffing/frozen.ts'
import { splitByYear } from '../../../domain/calculation/staffing/posting.ts'
import { prepareCalculation } from '../../../domain/calculation/staffing/prepared.ts'
import {
  addTrialAward,
  type ContractTypeEffect,
  calculateContractTypeEffects,
  costBudgetYears,
  placeTrialAward,
  type TrialAward,
} from '../../../domain/calculation/staffing/whatIf.ts'
import { differsByFewPeople, findItemsTooCloseToShown, findKeysToMerge, minimumPeopleShown } from '../../../domain/reports/fewPeople.ts'
import { assertDefined, requireItemAt } from '../../../domain/values/assertDefined.ts'
import { DomainError } from '../../../domain/words/errors.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readCodingFacts } from '../../shared/coding/queries.ts'
import { readCurrentInputs } from '../../shared/costing/inputs/queries.ts'
import { calculatePrediction } from '../../shared/funding/queries.ts'
import { readCodesForTotals } from '../../shared/overview/queries.ts'
import { loadItems } from '../../streams/budget/items.ts'
import { loadContracts } from '../../streams/budget/queries.ts'
import { loadOfferedPoints } from '../../streams/budget/scalePoints.ts'

/** The data of a budget on which scenarios are tried, read once for any number of scenarios. */
export interface PreparedScenarioBase extends ScenarioBase {
  row: BudgetRow
  frozen: FrozenBudget
  shared: SharedInputs
  facts: ScenarioFacts
  codes: Awaited<ReturnType<typeof readCodesForTotals>>
  openings: Map<number, number>
}

export async function prepareScenarioBase(tx: OrganisationTx, row: BudgetRow, newId: () => string): Promise<PreparedScenarioBase> {
  const { organisationId, id, head } = row
  const contracts = await loadContracts({ tx, organisationId, budgetId: id })
  const { shared, frozen } = await readCurrentInputs({ tx, organisationId }, head, { contracts })
  const { types } = prepareCalculation(combineInputs(frozen, shared))
  const points = (await loadOfferedPoints(tx, head)).sort((a, b) => Number(b.newest) - Number(a.newest))
  const coding = await readCodingFacts(tx, organisationId, head)
  const [pupils] = await loadItems({ tx, organisationId, budgetId: id }, 'pupils')
  const openings = new Map<number, number>()
  for (const { item } of await loadItems({ tx, organisationId, budgetId: id }, 'balance'))
    openings.set(item.type, (openings.get(item.type) ?? 0) + item.value)
  return {
    row,
    head,
    frozen,
    shared,
    openings,
    codes: await readCodesForTotals(tx, head.locationId),
    contracts: new Map(contracts.map(({ version: _version, savedAt: _at, created: _created, ...contract }) => [contract.id, contract])),
    entries: new Map((await loadItems({ tx, organisationId, budgetId: id }, 'entry')).map(({ id: entryId, item }) => [entryId, item])),
    pupils: pupils?.item.rows ?? [],
    facts: {
      newId,
      typeOf: (typeId) => types.get(String(typeId)),
      pointId: ({ kind, scale, increment }) =>
        points.find((point) => point.kind === kind && point.scale === scale && point.increment === increment)?.id,
      ratesOf: (codeId) => coding.budgetCodes.get(codeId)?.rates,
    },
  }
}

/** A budget with a scenario applied, calculated from the budget's current state. */
export interface EvaluatedScenario {
  applied: AppliedScenario
  years: OverviewYear[]
  notCalculated: number
  /** The pay of each person in each year. A vacant contract counts as one person. */
  pay: Map<string, Figure>[]
}

/** Calculates a budget with the changes of a scenario or, without changes, the budget itself with current inputs. */
export async function evaluateScenario(
  tx: OrganisationTx,
  prepared: PreparedScenarioBase,
  changes: readonly ScenarioChange[],
): Promise<EvaluatedScenario> {
  const { row, frozen, openings, codes } = prepared
  const { head } = row
  const applied = applyScenario(prepared, changes, prepared.facts)
  const shared = applied.awards.reduce((so, award) => addTrialAward(so, frozen, award), prepared.shared)
  const costs = costContracts(applied.contracts.values(), frozen, shared)
  const sums: CodeSum[] = []
  const add = (codeId: number | null, { isStaff, year, amounts }: { isStaff: boolean; year: number; amounts: readonly Figure[] }): void => {
    const known = amounts.filter((amount) => amount !== null)
    const total = known.reduce((all, amount) => all + amount, 0)
    const code = codeId === null ? null : (codes.get(codeId)?.facts ?? null)
    sums.push({ code, isStaff, year, total, missing: amounts.length - known.length })
  }
  const gross: Figure[] = Array<Figure>(head.numberOfYears * 12).fill(0)
  let notCalculated = 0
  const pay = Array.from({ length: head.numberOfYears }, () => new Map<string, Figure>())
  for (const contract of applied.contracts.values()) {
    const cost = assertDefined(costs.get(contract.id))
    if (cost.problems.length) notCalculated++
    const person = String(contract.staffId ?? contract.id)
    for (const line of splitByYear(buildContractLines(contract, cost, shared))) {
      add(line.budgetCodeId, { isStaff: true, year: line.year, amounts: line.amounts })
      const payByPerson = requireItemAt(pay, line.year)
      payByPerson.set(person, line.amounts.reduce(plus, payByPerson.get(person) ?? 0))
    }
    for (const [month, sum] of gross.entries()) {
      const pay = requireItemAt(assertDefined(cost.years[Math.floor(month / 12)]).gross, month % 12)
      gross[month] = sum === null || pay === null ? null : sum + pay
    }
  }
  for (const line of [...postLevy(gross, row.levyShares, engine), ...postEmploymentAllowance(head, row.employmentAllowance)])
    add(line.budgetCodeId, { isStaff: true, year: line.year, amounts: line.amounts })
  for (const entry of applied.entries.values())
    for (const line of calculateEntryLines(entry, head.numberOfYears))
      add(line.budgetCodeId, { isStaff: false, year: line.year, amounts: line.amounts })
  for (const transfer of row.transfers?.transfers ?? [])
    add(transfer.budgetCodeId, { isStaff: false, year: transfer.year, amounts: transfer.amounts })
  for (const { codeId, year, amount } of await calculateFundingEffect(tx, prepared, applied))
    add(codeId, { isStaff: false, year, amounts: [amount] })
  return { applied, years: calculateOverviewYears(sums, openings, head.numberOfYears), notCalculated, pay }
}

const plus = (a: Figure, b: Figure): Figure => (a === null || b === null ? null : a + b)

/**
 * Finds the scenarios to hide from a caller who may not see staff, because the difference from the budget, or from an earlier scenario,
 * would reveal the pay of one or two people.
 */
export function findHiddenScenarios(base: EvaluatedScenario, scenarios: readonly EvaluatedScenario[]): Set<EvaluatedScenario> {
  const areClose = (a: EvaluatedScenario, b: EvaluatedScenario): boolean =>
    a.pay.some((payByPerson, year) => differsByFewPeople(payByPerson, requireItemAt(b.pay, year)))
  return new Set(findItemsTooCloseToShown([base, ...scenarios], areClose).keys())
}

/**
 * The effect of an award for a caller who may not see staff. Contract types with few people are combined into one row and
 * cannot be raised.
 * @throws DomainError 403 for an award to a contract type of one or two people
 */
export function listVisibleEffects(
  { contracts }: PreparedScenarioBase,
  award: TrialAward,
  effects: readonly ContractTypeEffect[],
): (ContractTypeEffect & { isOfFew: boolean })[] {
  const peopleOf = ({ contractTypeId }: ContractTypeEffect): Set<string> =>
    new Set([...contracts.values()].flatMap((one) => (one.contractTypeId === contractTypeId ? [String(one.staffId ?? one.id)] : [])))
  const paid = effects.map((effect) => ({ key: effect, people: peopleOf(effect) }))
  if (
    paid.some(
      ({ key, people }) => award.contractTypeIds.includes(key.contractTypeId) && people.size > 0 && people.size < minimumPeopleShown,
    )
  )
    throw new DomainError(
      'forbidden',
      'fewPeople',
      'A chosen contract type has fewer than three people. Leave it out, or ask someone who can view staff.',
    )
  const hidden = findKeysToMerge(paid)
  const few = effects.filter((one) => hidden.has(one))
  const visible = effects.filter((one) => !hidden.has(one)).map((one) => ({ ...one, isOfFew: false }))
  const [first, ...others] = few
  if (!first) return visible
  const sums = (pick: (one: ContractTypeEffect) => readonly number[]): number[] =>
    pick(first).map((amount, year) => others.reduce((sum, one) => sum + requireItemAt(pick(one), year), amount))
  const count = (pick: (one: ContractTypeEffect) => number): number => few.reduce((sum, one) => sum + pick(one), 0)
  return [
    ...visible,
    {
      contractTypeId: 0,
      isOfFew: true,
      isChosen: few.some((one) => one.isChosen),
      before: sums((one) => one.before),
      after: sums((one) => one.after),
      contracts: count((one) => one.contracts),
      unchanged: count((one) => one.unchanged),
      ended: count((one) => one.ended),
      sentences: [],
    },
  ]
}

/** Calculates the effect of an award on the budget's contracts, by contract type, and where the award would apply. Nothing is saved. */
export function calculateAwardEffect({ contracts, frozen, shared }: PreparedScenarioBase, award: TrialAward): ContractTypeEffect[] {
  const all = [...contracts.values()]
  const before = costBudgetYears(all, frozen, shared)
  const after = costBudgetYears(all, frozen, addTrialAward(shared, frozen, award))
  return calculateContractTypeEffects(all, { before, after, award, placed: placeTrialAward(frozen, shared, award) })
}

/** The effect of changed pupil numbers on the entries that predictions created in the budget. */
async function calculateFundingEffect(
  tx: OrganisationTx,
  { row, pupils, entries }: PreparedScenarioBase,
  applied: AppliedScenario,
): Promise<{ codeId: number; year: number; amount: number }[]> {
  if (applied.pupils === pupils) return []
  const { organisationId, id, head } = row
  const [before, after] = [rollUpPupilCounts(pupils, head.numberOfYears), rollUpPupilCounts(applied.pupils, head.numberOfYears)]
  const effects: { codeId: number; year: number; amount: number }[] = []
  for (const prediction of await loadItems({ tx, organisationId, budgetId: id }, 'prediction')) {
    const entry = [...entries.values()].find((one) => one.source?.id === prediction.id)
    if (!entry) continue
    const was = (await calculatePrediction(tx, head, { prediction: prediction.item, pupils: before })).total
    const is = (await calculatePrediction(tx, head, { prediction: prediction.item, pupils: after })).total
    for (const [year, amount] of is.entries())
      if (amount !== null && was[year] !== null)
        effects.push({ codeId: entry.budgetCodeId, year, amount: amount - assertDefined(was[year]) })
  }
  return effects
}
