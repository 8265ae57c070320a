import type { Engine } from '../../calculation/engine.ts'
import { engineOf } from '../../calculation/engines/engines.ts'
import type { CalculationInputs, ContractInput } from '../../calculation/inputs.ts'
import { contractInput, type FrozenPerson, inputsOf, yearTotals } from '../../calculation/staffing/frozen.ts'
import { type Prepared, prepare } from '../../calculation/staffing/prepared.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { budgetPeriods, type IsoDate } from '../../values/calendar.ts'
import { canonicalJson } from '../../values/canonicalJson.ts'
import type { LastRun } from '../pictures/foldLog.ts'
import type { Picture, PictureContract, RunInputs } from '../pictures/picture.ts'
import { type BridgeItem, type Cause, noSums } from './causes.ts'
import { withHoursOf, withoutIncrementsAfter } from './contractParts.ts'
import { differingParts, heldAt, mixed, type Part, parts } from './inputParts.ts'

/** One year of one picture, from 0. */
export interface End {
  picture: Picture
  year: number
  inputsOf: RunInputs
}

/** Contracts of one employee by what they were first copied from, in the order that decides ties of shares. */
type Contracts = Map<string, ContractInput>
type Costs = Map<string, number>

interface Side {
  contracts: Contracts
  recorded: Costs
  /** Inputs that say the same are one object, whichever run they were kept with. */
  inputs: Known
  engine: Engine
  person: FrozenPerson
}

interface Known {
  key: string
  inputs: CalculationInputs
}

const nobody: FrozenPerson = { ages: null, leaves: [] }

function lastDay({ budget }: CalculationInputs, year: number): IsoDate {
  return assertDefined(budgetPeriods(budget.firstYear, Math.max(budget.years, year + 1), budget.startMonth)[year * 12 + 11]).lastDate
}

/**
 * What moves the cost of staff from one year of a picture to one of another, contract by contract: the whole of each employee is costed again
 * and again with one more cause changed, so the steps add up to the penny. An employee who is only in one of them is a leaver or starter whole.
 * @param targetYear the year of `from` that falls in the same time as that of `to`
 */
export function staffBridge(from: End, to: End, targetYear: number): BridgeItem[] {
  const bench = new Bench()
  const [before, after] = [employees(bench, from), employees(bench, to)]
  const items: BridgeItem[] = []
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const [a, b] = [before.get(key), after.get(key)]
    const named = (root: string): PictureContract => assertDefined(to.picture.contracts.get(root) ?? from.picture.contracts.get(root))
    const put = (cause: Cause, was: Costs, is: Costs): void => {
      for (const root of new Set([...was.keys(), ...is.keys()])) {
        const staffing = (is.get(root) ?? 0) - (was.get(root) ?? 0)
        if (staffing === 0) continue
        const { contractName: name, staffId } = named(root).contract
        items.push({ ...noSums, staffing, cause, kind: 'contract', root, name, staffId, budgetCodeId: null })
      }
    }
    if (a && b) between(bench, { a, b, from, to, targetYear, put })
    else if (a) leaves(bench, { a, from, targetYear, put })
    else if (b) put('starters', new Map(), b.recorded)
  }
  return items
}

type Put = (cause: Cause, was: Costs, is: Costs) => void

/** Somebody who is not in the other picture: first what time does, then the whole cost goes. */
function leaves(bench: Bench, { a, from, targetYear, put }: { a: Side; from: End; targetYear: number; put: Put }): void {
  const end = passTime(bench, { side: a, year: from.year, targetYear, put })
  put('leavers', end, new Map())
}

function between(
  bench: Bench,
  { a, b, from, to, targetYear, put }: { a: Side; b: Side; from: End; to: End; targetYear: number; put: Put },
): void {
  let now = passTime(bench, { side: a, year: from.year, targetYear, put })
  const differing = differingParts(a.inputs.inputs, b.inputs.inputs)
  const changed = new Set<Part>()
  const inputs = (): Known =>
    bench.derived(`${a.inputs.key} ${b.inputs.key} ${[...changed].join()}`, () => mixed(a.inputs.inputs, b.inputs.inputs, changed))
  let person = a.person
  let year = targetYear
  let { engine } = a
  const step = (cause: Cause, contracts: Contracts): void => {
    const is = bench.cost(inputs(), { engine, contracts, person, year })
    put(cause, now, is)
    now = is
  }
  const stay = new Map([...a.contracts].filter(([root]) => b.contracts.has(root)))
  if (stay.size < a.contracts.size) step('leavers', stay)
  const prepared = bench.prepared(inputs())
  const hours = new Map([...stay].map(([root, contract]) => [root, withHoursOf(prepared, contract, assertDefined(b.contracts.get(root)))]))
  step('hours', hours)
  const terms = new Map([...stay.keys()].map((root) => [root, assertDefined(b.contracts.get(root))]))
  step('terms', terms)
  if (b.contracts.size > stay.size) step('starters', b.contracts)
  for (const part of parts) {
    changed.add(part)
    // With the last part come the years of the other budget, and the ages as they fall in them.
    if (part === 'other') [person, year] = [b.person, to.year]
    if (differing.includes(part)) step(part, b.contracts)
  }
  if (engine !== b.engine) {
    ;({ engine } = b)
    step('engine', b.contracts)
  }
  put('recorded', now, b.recorded)
}

/** What time does to one's contracts between two years of a budget; going back takes the same steps the other way. @returns their cost there */
function passTime(
  bench: Bench,
  {
    side: { contracts, inputs, engine, person, recorded },
    year,
    targetYear,
    put,
  }: { side: Side; year: number; targetYear: number; put: Put },
): Costs {
  const start = bench.cost(inputs, { engine, contracts, person, year })
  put('recorded', recorded, start)
  if (year === targetYear) return start
  const [early, late] = [Math.min(year, targetYear), Math.max(year, targetYear)]
  const day = lastDay(inputs.inputs, early)
  const held = new Set<Part>(parts)
  const at = (): Known => bench.derived(`${inputs.key} held at ${day} ${[...held].join()}`, () => heldAt(inputs.inputs, day, held))
  const prepared = bench.prepared(at())
  const stopped = new Map([...contracts].map(([root, contract]) => [root, withoutIncrementsAfter(prepared, contract, day)]))
  const chain: [Cause, Costs][] = [
    ['dates', bench.cost(at(), { engine, contracts: stopped, person, year: late })],
    ['increments', bench.cost(at(), { engine, contracts, person, year: late })],
  ]
  for (const part of parts) {
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

/** Keeps each set of inputs once, and prepares it once. */
class Bench {
  private readonly ofRuns = new Map<string, Known>()
  private readonly byText = new Map<string, Known>()
  private readonly made = new Map<string, Known>()
  private readonly ready = new Map<string, Prepared>()
  private readonly costings = new Map<string, ReturnType<Engine['costing']>>()

  known(run: LastRun, make: () => CalculationInputs): Known {
    const found = this.ofRuns.get(run.inputs)
    if (found) return found
    const inputs = make()
    const text = canonicalJson(inputs)
    const same = this.byText.get(text) ?? { key: run.inputs, inputs }
    this.byText.set(text, same)
    this.ofRuns.set(run.inputs, same)
    return same
  }

  derived(key: string, make: () => CalculationInputs): Known {
    const found = this.made.get(key) ?? { key, inputs: make() }
    this.made.set(key, found)
    return found
  }

  prepared({ key, inputs }: Known): Prepared {
    const found = this.ready.get(key)
    if (found) return found
    const made = prepare(inputs)
    this.ready.set(key, made)
    return made
  }

  /** What contracts of one employee cost in a year, whole pennies; nothing where it cannot be calculated. */
  cost(
    { key, inputs }: Known,
    { engine, contracts, person, year }: { engine: Engine; contracts: Contracts; person: FrozenPerson; year: number },
  ): Costs {
    const name = `${engine.version} ${key}`
    const costing = this.costings.get(name) ?? engine.costing(inputs)
    this.costings.set(name, costing)
    const costs = costing({ ...person, contracts: [...contracts.values()] })
    return new Map([...contracts.keys()].map((root, index) => [root, yearTotals(assertDefined(costs[index]))[year] ?? 0]))
  }
}

/** The contracts of a picture by employee; those that were never costed cost nothing anywhere. */
function employees(bench: Bench, { picture, year, inputsOf: read }: End): Map<string, Side> {
  const sides = new Map<string, Side>()
  const sorted = [...picture.contracts.values()].sort((a, b) => (a.contract.id < b.contract.id ? -1 : 1))
  for (const { root, contract, years, run } of sorted) {
    if (!run) continue
    const person = contract.staffId === null ? `vacancy:${contract.id}` : String(contract.staffId)
    const key = contract.staffId === null ? `vacancy ${root}` : person
    let side = sides.get(key)
    if (!side) {
      const { frozen, shared } = read(run)
      const inputs = bench.known(run, () => inputsOf(frozen, shared))
      const engine = engineOf(run.engine)
      side = { contracts: new Map(), recorded: new Map(), inputs, engine, person: frozen.people[person] ?? nobody }
      sides.set(key, side)
    }
    side.contracts.set(root, contractInput(contract))
    side.recorded.set(root, years[year] ?? 0)
  }
  return sides
}
