import type { Engine } from '../../calculation/engine.ts'
import { getEngine } from '../../calculation/engines/engines.ts'
import type { CalculationInputs, ContractInput } from '../../calculation/inputs.ts'
import { calculateYearTotals, combineInputs, type FrozenPerson, toContractInput } from '../../calculation/staffing/frozen.ts'
import { type PreparedCalculation, prepareCalculation } from '../../calculation/staffing/prepared.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { type IsoDate, listBudgetPeriods } from '../../values/calendar.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import type { LastRecalculation } from '../snapshots/foldLog.ts'
import type { BudgetSnapshot, RecalculationInputsLoader, SnapshotContract } from '../snapshots/snapshot.ts'
import { type BridgeCause, type BridgeItem, zeroAmounts } from './causes.ts'
import { removeIncrementsAfter, replaceHours } from './contractParts.ts'
import { findDifferingParts, freezePartsAfter, type InputPart, inputParts, mixInputs } from './inputParts.ts'

/** One year of one snapshot; years count from 0. */
export interface BridgeYear {
  snapshot: BudgetSnapshot
  year: number
  inputsOf: RecalculationInputsLoader
}

/**
 * Contracts of one employee, keyed by the contract that each was first copied from. The order decides who gets leftover pennies when costs
 * are shared.
 */
type Contracts = Map<string, ContractInput>
type Costs = Map<string, number>

interface EmployeeSide {
  contracts: Contracts
  recorded: Costs
  /** Equal inputs are one object, even if different recalculations stored them, so `===` tells whether two are equal. */
  inputs: InputSet
  engine: Engine
  person: FrozenPerson
}

interface InputSet {
  key: string
  inputs: CalculationInputs
}

const noPersonFacts: FrozenPerson = { ages: null, leaves: [] }

function lastDay({ budget }: CalculationInputs, year: number): IsoDate {
  return assertDefined(listBudgetPeriods(budget.firstYear, Math.max(budget.years, year + 1), budget.startMonth)[year * 12 + 11]).lastDate
}

/**
 * Bridges staff costs contract by contract. It recosts all contracts of each employee with one more cause changed at a time, so that the
 * steps add up to the penny. An employee who is in only one snapshot counts in full as a leaver or starter.
 * @param targetYear the year of `from` that covers the same dates as the year of `to`
 */
export function bridgeStaff(from: BridgeYear, to: BridgeYear, targetYear: number): BridgeItem[] {
  const bench = new CostingCache()
  const [before, after] = [groupByEmployee(bench, from), groupByEmployee(bench, to)]
  const items: BridgeItem[] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [a, b] = [before.get(key), after.get(key)]
    const contractAt = (root: string): SnapshotContract =>
      assertDefined(to.snapshot.contracts.get(root) ?? from.snapshot.contracts.get(root))
    const put = (cause: BridgeCause, was: Costs, is: Costs): void => {
      for (const root of new Set([...was.keys(), ...is.keys()])) {
        const staffing = (is.get(root) ?? 0) - (was.get(root) ?? 0)
        if (staffing === 0) continue
        const { contractName: name, staffId } = contractAt(root).contract
        items.push({ ...zeroAmounts, staffing, cause, kind: 'contract', root, name, staffId, budgetCodeId: null })
      }
    }
    if (a && b) bridgeEmployee(bench, { a, b, from, to, targetYear, put })
    else if (a) bridgeLeaver(bench, { a, from, targetYear, put })
    else if (b) put('starters', new Map(), b.recorded)
  }
  return items
}

type AddItems = (cause: BridgeCause, was: Costs, is: Costs) => void

/**
 * Bridges an employee who is not in the `to` snapshot: first the effect of time, then the remaining cost under
 * "leavers".
 */
function bridgeLeaver(
  bench: CostingCache,
  { a, from, targetYear, put }: { a: EmployeeSide; from: BridgeYear; targetYear: number; put: AddItems },
): void {
  const end = passTime(bench, { side: a, year: from.year, targetYear, put })
  put('leavers', end, new Map())
}

function bridgeEmployee(
  bench: CostingCache,
  {
    a,
    b,
    from,
    to,
    targetYear,
    put,
  }: { a: EmployeeSide; b: EmployeeSide; from: BridgeYear; to: BridgeYear; targetYear: number; put: AddItems },
): void {
  let now = passTime(bench, { side: a, year: from.year, targetYear, put })
  const differing = findDifferingParts(a.inputs.inputs, b.inputs.inputs)
  const changed = new Set<InputPart>()
  const inputs = (): InputSet =>
    bench.derived(`${a.inputs.key} ${b.inputs.key} ${[...changed].join()}`, () => mixInputs(a.inputs.inputs, b.inputs.inputs, changed))
  let person = a.person
  let year = targetYear
  let { engine } = a
  const step = (cause: BridgeCause, contracts: Contracts): void => {
    const is = bench.cost(inputs(), { engine, contracts, person, year })
    put(cause, now, is)
    now = is
  }
  const stayers = new Map([...a.contracts].filter(([root]) => b.contracts.has(root)))
  if (stayers.size < a.contracts.size) step('leavers', stayers)
  const prepared = bench.prepared(inputs())
  const hours = new Map(
    [...stayers].map(([root, contract]) => [root, replaceHours(prepared, contract, assertDefined(b.contracts.get(root)))]),
  )
  step('hours', hours)
  const terms = new Map([...stayers.keys()].map((root) => [root, assertDefined(b.contracts.get(root))]))
  step('terms', terms)
  if (b.contracts.size > stayers.size) step('starters', b.contracts)
  for (const part of inputParts) {
    changed.add(part)
    // `other`, the last part, also replaces the budget years and, with them, the employee's ages.
    if (part === 'other') [person, year] = [b.person, to.year]
    if (differing.includes(part)) step(part, b.contracts)
  }
  if (engine !== b.engine) {
    ;({ engine } = b)
    step('engine', b.contracts)
  }
  put('recorded', now, b.recorded)
}

/**
 * Adds the effect of time on one employee's contracts between two years of a budget. Going back in time takes the same steps with the
 * opposite sign.
 * @returns their cost in the target year
 */
function passTime(
  bench: CostingCache,
  {
    side: { contracts, inputs, engine, person, recorded },
    year,
    targetYear,
    put,
  }: { side: EmployeeSide; year: number; targetYear: number; put: AddItems },
): Costs {
  const start = bench.cost(inputs, { engine, contracts, person, year })
  put('recorded', recorded, start)
  if (year === targetYear) return start
  const [early, late] = [Math.min(year, targetYear), Math.max(year, targetYear)]
  const day = lastDay(inputs.inputs, early)
  const held = new Set<InputPart>(inputParts)
  const at = (): InputSet =>
    bench.derived(`${inputs.key} held at ${day} ${[...held].join()}`, () => freezePartsAfter(inputs.inputs, day, held))
  const prepared = bench.prepared(at())
  const stopped = new Map([...contracts].map(([root, contract]) => [root, removeIncrementsAfter(prepared, contract, day)]))
  const chain: [BridgeCause, Costs][] = [
    ['dates', bench.cost(at(), { engine, contracts: stopped, person, year: late })],
    ['increments', bench.cost(at(), { engine, contracts, person, year: late })],
  ]
  for (const part of inputParts) {
    held.delete(part)
    chain.push([part, bench.cost(at(), { engine, contracts, person, year: late })])
  }
  let before = bench.cost(inputs, { engine, contracts, person, year: early })
  for (const [cause, after] of chain) {
    if (year < targetYear) put(cause, before, after)
    else put(cause, after, before)
    before = after
  }
  return bench.cost(inputs, { engine, contracts, person, year: targetYear })
}

class CostingCache {
  private readonly byRun = new Map<string, InputSet>()
  private readonly byText = new Map<string, InputSet>()
  private readonly derivedByKey = new Map<string, InputSet>()
  private readonly preparedByKey = new Map<string, PreparedCalculation>()
  private readonly costings = new Map<string, ReturnType<Engine['costing']>>()

  inputsOfRun(run: LastRecalculation, make: () => CalculationInputs): InputSet {
    const cached = this.byRun.get(run.inputs)
    if (cached) return cached
    const inputs = make()
    const text = canonicalJson(inputs)
    const same = this.byText.get(text) ?? { key: run.inputs, inputs }
    this.byText.set(text, same)
    this.byRun.set(run.inputs, same)
    return same
  }

  derived(key: string, make: () => CalculationInputs): InputSet {
    const derived = this.derivedByKey.get(key) ?? { key, inputs: make() }
    this.derivedByKey.set(key, derived)
    return derived
  }

  prepared({ key, inputs }: InputSet): PreparedCalculation {
    const cachedInputs = this.preparedByKey.get(key)
    if (cachedInputs) return cachedInputs
    const prepared = prepareCalculation(inputs)
    this.preparedByKey.set(key, prepared)
    return prepared
  }

  /** Costs of one employee's contracts in a year, whole pennies; 0 where a cost cannot be calculated. */
  cost(
    { key, inputs }: InputSet,
    { engine, contracts, person, year }: { engine: Engine; contracts: Contracts; person: FrozenPerson; year: number },
  ): Costs {
    const name = `${engine.version} ${key}`
    const costing = this.costings.get(name) ?? engine.costing(inputs)
    this.costings.set(name, costing)
    const costs = costing({ ...person, contracts: [...contracts.values()] })
    return new Map([...contracts.keys()].map((root, index) => [root, calculateYearTotals(assertDefined(costs[index]))[year] ?? 0]))
  }
}

/** Contracts of a snapshot by employee, without those that were never costed. */
function groupByEmployee(bench: CostingCache, { snapshot, year, inputsOf: read }: BridgeYear): Map<string, EmployeeSide> {
  const sides = new Map<string, EmployeeSide>()
  const sorted = [...snapshot.contracts.values()].sort((a, b) => (a.contract.id < b.contract.id ? -1 : 1))
  for (const { root, contract, years, run } of sorted) {
    if (!run) continue
    const person = contract.staffId === null ? `vacancy:${contract.id}` : String(contract.staffId)
    const key = contract.staffId === null ? `vacancy ${root}` : person
    let side = sides.get(key)
    if (!side) {
      const { frozen, shared } = read(run)
      const inputs = bench.inputsOfRun(run, () => combineInputs(frozen, shared))
      const engine = getEngine(run.engine)
      side = { contracts: new Map(), recorded: new Map(), inputs, engine, person: frozen.people[person] ?? noPersonFacts }
      sides.set(key, side)
    }
    side.contracts.set(root, toContractInput(contract))
    side.recorded.set(root, years[year] ?? 0)
  }
  return sides
}
