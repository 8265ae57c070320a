import { assertDefined, requireItemAt } from '../../values/assertDefined.ts'
import { firstDayOfMonth, formatBudgetYear, toIsoDate } from '../../values/calendar.ts'
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
  LoggedContract,
  ScalePoint,
  YearCost,
} from '../inputs.ts'
import { costEmployee } from './cost.ts'
import { type MultiYearLine, postContract, type TermCoding } from './posting.ts'
import { prepareCalculation } from './prepared.ts'

/** The inputs that many calculations share, frozen separately so that saving a contract does not store them again. */
export interface SharedInputs {
  tables: CalculationInputs['tables']
  contractTypes: CalculationInputs['contractTypes']
  /** By assumption set, then by contract type. */
  assumptions: Record<string, Record<string, { erPension: DatedRate[]; inflation: DatedAward[] }>>
  allowances: CalculationInputs['allowances']
  leaveRulesets: CalculationInputs['leaveRulesets']
  /** Where payroll codes post to, by id; absent from sets that were stored before posted lines were. */
  serviceTerms?: Record<string, TermCoding>
  /** Display names by key, such as `allowance:12` or `table:5`. */
  labels: Record<string, string>
}

export interface FrozenPerson {
  ages: AgesReached
  leaves: AppliedLeave[]
}

/**
 * The inputs of one recalculation: the SHA-256 hash of the shared set, and of the own set of each budget. Older recalculations contain the
 * budget's set itself instead of its hash. People are identified by opaque ids.
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

/** Combines the inputs of one budget in the form the engine reads. */
export function combineInputs(frozen: FrozenBudget, shared: SharedInputs): CalculationInputs {
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

/** Converts a stored contract to the form the engine reads: ids and decimals become text. */
export function toContractInput(contract: LoggedContract): ContractInput {
  const text = (value: number | null): string | null => (value === null ? null : String(value))
  const point = (scalePoint: ScalePoint | null) =>
    scalePoint && { kind: scalePoint.kind, scale: scalePoint.scale, increment: scalePoint.increment }
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

/**
 * Groups contracts by employee; each vacancy is a separate employee. Sorted by id, because the order decides ties when pennies are shared.
 */
export function groupByEmployee<C extends LoggedContract>(contracts: Iterable<C>): Map<string, C[]> {
  const employees = new Map<string, C[]>()
  for (const contract of [...contracts].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const key = contract.staffId === null ? `vacancy:${contract.id}` : String(contract.staffId)
    const list = employees.get(key)
    if (list) list.push(contract)
    else employees.set(key, [contract])
  }
  return employees
}

/** Costs the contracts of one budget with frozen inputs, by contract id. The same contracts and inputs always give the same pennies. */
export function costContracts<C extends LoggedContract>(
  contracts: Iterable<C>,
  frozen: FrozenBudget,
  shared: SharedInputs,
): Map<C['id'], ContractCost> {
  const prepared = prepareCalculation(combineInputs(frozen, shared))
  const costs = new Map<C['id'], ContractCost>()
  for (const [key, employeeContracts] of groupByEmployee(contracts)) {
    const person = frozen.people[key] ?? { ages: null, leaves: [] }
    costEmployee(prepared, { ...person, contracts: employeeContracts.map(toContractInput) }).forEach((cost, index) =>
      costs.set(assertDefined(employeeContracts[index]).id, cost),
    )
  }
  return costs
}

/** The coding of a contract's first payroll code; undefined if the frozen set does not have it. */
export function findCoding(contract: LoggedContract, shared: SharedInputs): TermCoding | undefined {
  return shared.serviceTerms?.[assertDefined(contract.serviceTerms[0])]
}

/** The lines that a contract's cost is posted to; empty if its payroll code is not in the frozen set (rules.md §9). */
export function buildContractLines(contract: LoggedContract, cost: Pick<ContractCost, 'years'>, shared: SharedInputs): MultiYearLine[] {
  const coding = findCoding(contract, shared)
  return coding ? postContract(cost, coding, contract.fundCodes) : []
}

/**
 * Extends a cost to years that were added to its budget after the costing. Figures of an added year are null, not zero, unless the contract
 * has ended by then (rules.md §15). Existing years are unchanged.
 */
export function extendToYears(
  cost: ContractCost,
  { endDate }: Pick<LoggedContract, 'endDate'>,
  { firstYear, startMonth, numberOfYears }: { firstYear: number; startMonth: number; numberOfYears: number },
): ContractCost {
  const known = cost.years.length
  if (known >= numberOfYears) return cost
  const added = Array.from({ length: numberOfYears - known }, (_unused, index): YearCost => {
    const isOver = endDate !== null && endDate < toIsoDate(firstDayOfMonth(firstYear + known + index, startMonth))
    const figures = (): Figure[] => Array<Figure>(12).fill(isOver ? 0 : null)
    return {
      year: formatBudgetYear(firstYear, known + index),
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

/** Whether any month has pay, or pay that could not be calculated. */
export const hasPay = (cost: ContractCost): boolean => cost.years.some(({ gross }) => gross.some((figure) => figure !== 0))

/** Gross, national insurance, pension and recovery of each year in whole pennies; null if any month could not be calculated. */
export function calculateYearTotals(cost: ContractCost): (Pennies | null)[] {
  return cost.years.map(({ gross, ni, pension, leaveRecovery }) => withAll(withAll(withAll(withAll(0, gross), ni), pension), leaveRecovery))
}

/**
 * Adds figures to a sum; null if any figure is null. Loops by index, because thousands of these run at a time and iterators would allocate
 * more than the costings themselves.
 */
function withAll(sum: Pennies | null, figures: readonly Figure[]): Pennies | null {
  if (sum === null) return null
  let total = sum
  for (let month = 0; month < figures.length; month++) {
    const figure = requireItemAt(figures, month)
    if (figure === null) return null
    total += figure
  }
  return total
}
