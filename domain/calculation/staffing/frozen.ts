import { assertDefined, elementAt } from '../../values/assertDefined.ts'
import { firstDayOfMonth, toIsoDate, yearName } from '../../values/calendar.ts'
import type { Pennies } from '../../values/units.ts'
import type {
  AgesReached,
  AppliedLeave,
  CalculationInputs,
  ContractCost,
  ContractInput,
  DatedAward,
  DatedRate,
  Figure,
  KeptContract,
  ScalePoint,
  YearCost,
} from '../inputs.ts'
import { costEmployee } from './cost.ts'
import { type LineOfYears, postContract, type TermCoding } from './posting.ts'
import { prepare } from './prepared.ts'

/** What many calculations share; frozen on its own, so that a saved contract does not store it again. */
export interface SharedInputs {
  tables: CalculationInputs['tables']
  contractTypes: CalculationInputs['contractTypes']
  /** Assumption set, then contract type. */
  assumptions: Record<string, Record<string, { erPension: DatedRate[]; inflation: DatedAward[] }>>
  allowances: CalculationInputs['allowances']
  leaveRulesets: CalculationInputs['leaveRulesets']
  /** Where payroll codes post to, by id; sets that were frozen before lines were kept have none. */
  serviceTerms?: Record<string, TermCoding>
  /** What people call a key: `allowance:12`, `table:5`. */
  labels: Record<string, string>
}

export interface FrozenPerson {
  ages: AgesReached
  leaves: AppliedLeave[]
}

/**
 * The inputs of one recalculation: the SHA-256 of the shared set, and of what is particular to each budget. Sets that were frozen before
 * budgets were kept one by one hold the budget itself. People stand under opaque ids.
 */
export interface FrozenInputs {
  shared: string
  budgets: Record<string, string | FrozenBudget>
}

export interface FrozenBudget {
  budget: CalculationInputs['budget']
  budgetElements: CalculationInputs['budgetElements']
  staffAssumptionsId: number
  people: Record<string, FrozenPerson>
}

/** The inputs of one budget as the engine reads them. */
export function inputsOf(frozen: FrozenBudget, shared: SharedInputs): CalculationInputs {
  return {
    budget: frozen.budget,
    budgetElements: frozen.budgetElements,
    tables: shared.tables,
    contractTypes: shared.contractTypes,
    assumptions: shared.assumptions[frozen.staffAssumptionsId] ?? {},
    allowances: shared.allowances,
    leaveRulesets: shared.leaveRulesets,
  }
}

/** A kept contract as the engine reads it: keys are ids as text, decimals are text. */
export function contractInput(contract: KeptContract): ContractInput {
  const text = (value: number | null): string | null => (value === null ? null : String(value))
  const point = (kept: ScalePoint | null) => kept && { kind: kept.kind, scale: kept.scale, increment: kept.increment }
  return {
    name: contract.id,
    contractType: String(contract.contractTypeId),
    startDate: contract.startDate,
    endDate: contract.endDate,
    maximumScalePoint: point(contract.maximumScalePoint),
    apprentice: contract.apprentice,
    attritionContract: contract.attritionContract,
    rows: contract.salary.map((row) => ({
      effectiveDate: row.effectiveDate,
      calculationCeaseDate: row.calculationCeaseDate,
      scalePoint: point(row.scalePoint),
      spotAdjustment: text(row.spotAdjustment),
      allowances: row.allowances.map(String),
      erPension: row.erPension,
      fte: text(row.fte),
      hoursPerWeek: text(row.hoursPerWeek),
      weeksPerYear: text(row.weeksPerYear),
    })),
  }
}

/** Contracts by employee; a vacancy is an employee of its own. The order of contracts decides ties of shares, so it is by id. */
export function employeesOf<C extends KeptContract>(contracts: Iterable<C>): Map<string, C[]> {
  const employees = new Map<string, C[]>()
  for (const contract of [...contracts].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const key = contract.staffId === null ? `vacancy:${contract.id}` : String(contract.staffId)
    const list = employees.get(key)
    if (list) list.push(contract)
    else employees.set(key, [contract])
  }
  return employees
}

/** What contracts of one budget cost with frozen inputs, by contract id; the same contracts and inputs give the same pennies for ever. */
export function costContracts<C extends KeptContract>(
  contracts: Iterable<C>,
  frozen: FrozenBudget,
  shared: SharedInputs,
): Map<C['id'], ContractCost> {
  const prepared = prepare(inputsOf(frozen, shared))
  const costs = new Map<C['id'], ContractCost>()
  for (const [key, own] of employeesOf(contracts)) {
    const person = frozen.people[key] ?? { ages: null, leaves: [] }
    costEmployee(prepared, { ...person, contracts: own.map(contractInput) }).forEach((cost, index) =>
      costs.set(assertDefined(own[index]).id, cost),
    )
  }
  return costs
}

/** Where a contract's cost is posted: the coding of its first payroll code, as far as that is in the frozen set. */
export function codingOf(contract: KeptContract, shared: SharedInputs): TermCoding | undefined {
  return shared.serviceTerms?.[assertDefined(contract.serviceTerms[0])]
}

/** The lines that a contract's cost is posted to; none where its payroll code is not in the frozen set (rules.md §9). */
export function linesOf(contract: KeptContract, cost: Pick<ContractCost, 'years'>, shared: SharedInputs): LineOfYears[] {
  const coding = codingOf(contract, shared)
  return coding ? postContract(cost, coding, contract.fundCodes) : []
}

/**
 * A cost over the years that its budget has by now. One that was added since it was worked out is not calculated, never nothing, as far as the
 * contract may run into it (rules.md §15); what was worked out is left as it is.
 */
export function overYears(
  cost: ContractCost,
  { endDate }: Pick<KeptContract, 'endDate'>,
  { firstYear, startMonth, numberOfYears }: { firstYear: number; startMonth: number; numberOfYears: number },
): ContractCost {
  const known = cost.years.length
  if (known >= numberOfYears) return cost
  const added = Array.from({ length: numberOfYears - known }, (_unused, index): YearCost => {
    const isOver = endDate !== null && endDate < toIsoDate(firstDayOfMonth(firstYear + known + index, startMonth))
    const figures = (): Figure[] => Array<Figure>(12).fill(isOver ? 0 : null)
    return {
      year: yearName(firstYear, known + index),
      basic: figures(),
      allowances: {},
      leavePay: figures(),
      leaveRecovery: figures(),
      gross: figures(),
      ni: figures(),
      pension: figures(),
    }
  })
  return { ...cost, years: [...cost.years, ...added] }
}

/** Whether some month has pay, or pay that could not be calculated. */
export const hasPay = (cost: ContractCost): boolean => cost.years.some(({ gross }) => gross.some((figure) => figure !== 0))

/** Gross, NI, pension and recovery of each year in whole pennies; null where a month could not be calculated. */
export function yearTotals(cost: ContractCost): (Pennies | null)[] {
  return cost.years.map(({ gross, ni, pension, leaveRecovery }) => withAll(withAll(withAll(withAll(0, gross), ni), pension), leaveRecovery))
}

/**
 * A sum with some figures more; null where one of them, or the sum before, is not calculated. By their index: thousands of these are added up at
 * a time, and an iterator over each leaves more behind than the costings themselves.
 */
function withAll(sum: Pennies | null, figures: readonly Figure[]): Pennies | null {
  if (sum === null) return null
  let total = sum
  for (let month = 0; month < figures.length; month++) {
    const figure = elementAt(figures, month)
    if (figure === null) return null
    total += figure
  }
  return total
}
