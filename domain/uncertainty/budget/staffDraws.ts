import type { StaffContract } from '../../budget/budget.ts'
import { engine } from '../../calculation/engine.ts'
import type { CalculationInputs, ContractCost, DatedAward, DatedRate, EmployeeInput, Figure } from '../../calculation/inputs.ts'
import type { CodeFacts } from '../../calculation/nonStaffing/balances.ts'
import { listAwardsInForce } from '../../calculation/staffing/awardsInForce.ts'
import { costEmployee } from '../../calculation/staffing/cost.ts'
import { combineInputs, findCoding, groupByEmployee, toContractInput } from '../../calculation/staffing/frozen.ts'
import { type PreparedCalculation, prepareCalculation, prepareType } from '../../calculation/staffing/prepared.ts'
import { replaceAward } from '../../calculation/staffing/whatIf.ts'
import { differsByFewPeople, minimumPeopleShown } from '../../reports/fewPeople.ts'
import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import { findBudgetBounds, findBudgetYearOfDate, type IsoDate, toDay } from '../../values/calendar.ts'
import { displayDate, displayList } from '../../values/format.ts'
import type { BudgetDriver } from './driver.ts'
import type { PlacedDriver } from './moneyDraws.ts'
import { addToEffect, type DrawEffect, type UncertainBudget } from './uncertainBudget.ts'

/** An employee whose pay some driver changes. */
interface TouchedEmployee {
  key: string
  input: EmployeeInput
  contracts: { type: string; codes: Record<'pay' | 'ni' | 'pension', CodeFacts | null> | null }[]
  base: ContractTotals[]
}

/** The totals of a contract by year, and its gross by month. */
interface ContractTotals {
  pay: Figure[]
  ni: Figure[]
  pension: Figure[]
  gross: Figure[]
}

/** A driver on one contract type. */
interface TypeChange {
  index: number
  kind: BudgetDriver['kind']
  from: IsoDate
}

/**
 * Prepares the costing of draws: the inputs once, and only the employees that an award or a pension rate concerns.
 * @returns as `prepareMoneyDraws`; and a function that finds drivers that would reveal what one or two people are paid
 */
export function prepareStaffDraws(
  budget: UncertainBudget,
  drivers: readonly PlacedDriver[],
): {
  addDraw(differences: readonly number[], effect: DrawEffect): void
  notes: Map<string, string>
  active: Set<string>
  /** The number of contracts that are not calculated, which no draw includes. */
  notCalculated: number
  findDriversOfFewPeople(): Set<string>
} {
  const { frozen, shared } = budget
  const inputs = combineInputs(frozen, shared)
  const prepared = prepareCalculation(inputs)
  const { changes, notes } = listTypeChanges(budget, drivers)
  const employees: TouchedEmployee[] = []
  const gross: Figure[] = Array<Figure>(frozen.budget.years * 12).fill(0)
  let notCalculated = 0
  for (const [key, contracts] of groupByEmployee(budget.contracts)) {
    const person = frozen.people[key] ?? { ages: null, leaves: [] }
    const input = { ...person, contracts: contracts.map(toContractInput) }
    const costs = costEmployee(prepared, input)
    notCalculated += costs.filter(({ problems }) => problems.length).length
    const base = costs.map(sumCost)
    for (const totals of base) addMonths(gross, totals.gross, 1)
    if (!contracts.some((contract) => changes.has(String(contract.contractTypeId)))) continue
    employees.push({
      key,
      input,
      base,
      contracts: contracts.map((contract) => ({ type: String(contract.contractTypeId), codes: findCodes(budget, contract) })),
    })
  }
  const levyShares = budget.levyShares ?? []
  const levy = engine.levyOf(gross, levyShares)

  function addDraw(differences: readonly number[], effect: DrawEffect): void {
    const drawn = drawInputs({ prepared, inputs, changes }, differences)
    if (!drawn) return
    const drawnGross = [...gross]
    for (const { input, contracts, base } of employees)
      for (const [at, cost] of costEmployee(drawn, input).entries()) {
        const [before, after] = [requireItemAt(base, at), sumCost(cost)]
        addMonths(drawnGross, after.gross, 1)
        addMonths(drawnGross, before.gross, -1)
        const { codes } = requireItemAt(contracts, at)
        if (codes)
          for (const part of ['pay', 'ni', 'pension'] as const)
            for (const [year, was] of before[part].entries()) {
              const is = requireItemAt(after[part], year)
              if (was !== null) addToEffect(effect, year, { code: codes[part], isStaff: true, amount: is === null ? null : is - was })
            }
      }
    for (const [month, is] of engine.levyOf(drawnGross, levyShares).entries()) {
      const was = requireItemAt(levy, month)
      const amount = is === null || was === null ? 0 : is - was
      addToEffect(effect, Math.floor(month / 12), { code: null, isStaff: true, amount })
    }
  }

  /** Whether one or two people alone are paid on a contract type in some month from the day on which a driver begins. */
  function isPaidToFew(type: string, { from }: TypeChange): boolean {
    const { firstYear, startMonth } = budget.head
    const monthOfYear = (Number(from.slice(5, 7)) - startMonth + 12) % 12
    const first = Math.max(0, (findBudgetYearOfDate(from, startMonth) - firstYear) * 12 + monthOfYear)
    for (let month = first; month < frozen.budget.years * 12; month++) {
      const paid = employees.filter(({ contracts, base }) =>
        contracts.some((contract, at) => contract.type === type && requireItemAt(requireItemAt(base, at).gross, month) !== 0),
      )
      if (paid.length > 0 && paid.length < minimumPeopleShown) return true
    }
    return false
  }

  /** Moves each driver alone on each of its contract types, and looks whose pay differs. */
  function findDriversOfFewPeople(): Set<string> {
    const few = new Set<string>()
    for (const { driver, index } of drivers)
      for (const [type, all] of changes) {
        const own = all.filter((change) => change.index === index)
        if (!own.length || few.has(driver.id)) continue
        if (own.some((change) => isPaidToFew(type, change))) few.add(driver.id)
        const moved = drawInputs(
          { prepared, inputs, changes: new Map([[type, own]]) },
          Array.from({ length: index + 1 }, () => 1),
        )
        const pay = Array.from({ length: frozen.budget.years }, () => [new Map<string, Figure>(), new Map<string, Figure>()] as const)
        for (const { key, input, base } of employees) {
          const after = costEmployee(assertDefined(moved), input).map(sumCost)
          for (const [year, [was, is]] of pay.entries()) {
            was.set(key, sumParts(base, year))
            is.set(key, sumParts(after, year))
          }
        }
        if (pay.some(([was, is]) => differsByFewPeople(was, is))) few.add(driver.id)
      }
    return few
  }
  const touched = new Set([...changes.values()].flat().map(({ index }) => index))
  const active = new Set(drivers.flatMap(({ driver, index }) => (touched.has(index) ? [driver.id] : [])))
  return { addDraw, notes, active, notCalculated, findDriversOfFewPeople }
}

/** The drivers of each contract type. A type whose award a pay table already includes is left out, because it is published. */
function listTypeChanges(
  { frozen, shared, contracts, head }: UncertainBudget,
  drivers: readonly PlacedDriver[],
): { changes: Map<string, TypeChange[]>; notes: Map<string, string> } {
  const used = new Set(contracts.map((contract) => contract.contractTypeId))
  const { last } = findBudgetBounds(head.firstYear, head.numberOfYears, head.startMonth)
  const changes = new Map<string, TypeChange[]>()
  const notes = new Map<string, string>()
  for (const { driver, index } of drivers) {
    const from = assertDefined(driver.from)
    const types = driver.contractTypeIds.filter((id) => used.has(id))
    const awards = driver.kind === 'award' ? listAwardsInForce(frozen, shared, types).filter((award) => award.effectiveDate === from) : []
    const published = awards.filter((award) => award.table !== null)
    const isAfter = toDay(from) > last
    const open = isAfter ? [] : types.filter((id) => !published.some((award) => award.contractTypeId === id))
    if (isAfter) notes.set(driver.id, 'It begins after the last day of the budget.')
    else if (!types.length) notes.set(driver.id, 'The budget has no contracts of these types.')
    else if (published.length) {
      const tables = displayList([...new Set(published.map((award) => assertDefined(award.table)))])
      notes.set(
        driver.id,
        `The award of ${displayDate(from)} is published in ${tables}, so it is certain${open.length ? ' for the contract types that use it' : ''}.`,
      )
    } else if (driver.kind === 'award' && !awards.length)
      notes.set(driver.id, `The budget has no award on ${displayDate(from)}, so its pay is taken to include the likely one.`)
    for (const id of open) {
      const all = changes.get(String(id)) ?? []
      changes.set(String(id), [...all, { index, kind: driver.kind, from }])
    }
  }
  return { changes, notes }
}

/** The inputs of a draw: those of the budget with other awards and pension rates; null if none of them differs. */
function drawInputs(
  {
    prepared,
    inputs,
    changes,
  }: { prepared: PreparedCalculation; inputs: CalculationInputs; changes: ReadonlyMap<string, readonly TypeChange[]> },
  differences: readonly number[],
): PreparedCalculation | null {
  let types: PreparedCalculation['types'] | undefined
  for (const [name, all] of changes) {
    if (all.every(({ index }) => differences[index] === 0)) continue
    let { inflation, erPension } = inputs.assumptions[name] ?? { inflation: [], erPension: [] }
    for (const { index, kind, from } of all) {
      const by = requireItemAt(differences, index)
      if (by === 0) continue
      if (kind === 'award') inflation = raiseAward(inflation, from, by)
      else erPension = raisePension(erPension, from, by)
    }
    types ??= new Map(prepared.types)
    types.set(name, prepareType({ contractTypes: inputs.contractTypes, assumptions: { [name]: { inflation, erPension } } }, name))
  }
  return types ? { ...prepared, types } : null
}

/** Adds percentage points to the award of a day; an award that the budget does not have is a new one. */
function raiseAward(inflation: readonly DatedAward[], from: IsoDate, by: number): DatedAward[] {
  const before = inflation.find((award) => award.effectiveDate === from)
  return replaceAward(inflation, { effectiveDate: from, rate: addPoints(before?.rate ?? '0', by) }, null)
}

/** Adds percentage points to the pension rate in force from a day on. Without any rate before, later ones alone are raised. */
function raisePension(rates: readonly DatedRate[], from: IsoDate, by: number): DatedRate[] {
  const sorted = rates.toSorted((a, b) => a.effectiveDate.localeCompare(b.effectiveDate))
  const inForce = sorted.findLast((rate) => rate.effectiveDate <= from)
  const raised = ({ effectiveDate, rate }: DatedRate): DatedRate => ({ effectiveDate, rate: addPoints(rate, by) })
  return [
    ...sorted.filter((rate) => rate.effectiveDate < from),
    ...(inForce ? [raised({ effectiveDate: from, rate: inForce.rate })] : []),
    ...sorted.filter((rate) => rate.effectiveDate > from).map(raised),
  ]
}

const addPoints = (rate: string, by: number): string => (Number(rate) + by).toFixed(6)

/** The budget codes of a contract's cost; null if it is not posted. */
function findCodes({ shared, codes }: UncertainBudget, contract: StaffContract): TouchedEmployee['contracts'][number]['codes'] {
  const coding = findCoding(contract, shared)
  if (!coding) return null
  const factsOf = (id: number): CodeFacts | null => codes.get(id) ?? null
  return {
    pay: factsOf(coding.basic.budgetCodeId),
    ni: factsOf(coding.ni.budgetCodeId),
    pension: factsOf(coding.pension.budgetCodeId),
  }
}

function sumCost({ years }: ContractCost): ContractTotals {
  const totals: ContractTotals = { pay: [], ni: [], pension: [], gross: [] }
  for (const year of years) {
    const [gross, recovery] = [sumFigures(year.gross), sumFigures(year.leaveRecovery)]
    totals.pay.push(gross === null || recovery === null ? null : gross + recovery)
    totals.ni.push(sumFigures(year.ni))
    totals.pension.push(sumFigures(year.pension))
    totals.gross.push(...year.gross)
  }
  return totals
}

/** Null if any figure is. Loops by index, because millions of these run at a time. */
function sumFigures(figures: readonly Figure[]): Figure {
  let sum = 0
  for (let at = 0; at < figures.length; at++) {
    const figure = requireItemAt(figures, at)
    if (figure === null) return null
    sum += figure
  }
  return sum
}

function sumParts(contracts: readonly ContractTotals[], year: number): Figure {
  return sumFigures(
    contracts.flatMap(({ pay, ni, pension }) => [requireItemAt(pay, year), requireItemAt(ni, year), requireItemAt(pension, year)]),
  )
}

function addMonths(sums: Figure[], months: readonly Figure[], sign: 1 | -1): void {
  for (let at = 0; at < sums.length; at++) {
    const [sum, month] = [requireItemAt(sums, at), requireItemAt(months, at)]
    sums[at] = sum === null || month === null ? null : sum + sign * month
  }
}
