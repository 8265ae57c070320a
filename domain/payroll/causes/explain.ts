import type { StaffContract } from '../../budget/budget.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { ContractId, StaffId } from '../../values/ids.ts'
import type { Pennies } from '../../values/units.ts'
import { type Candidate, candidates, type Paid, workedBack } from './candidates.ts'
import type { PayExplanation } from './causes.ts'
import { type Costed, type Ground, payByRow, type RowOf, type RowPay } from './ground.ts'
import { type Pair, pairsWorthCosting } from './pairs.ts'
import { signedFigure } from './words.ts'

/** Whole pennies that a row may be off by for a cause to meet it (rules.md §18). */
const within = 5

/** Explanations by two causes that are offered at most. */
const mostPairsOffered = 5

/** What payroll paid one employee in the month, beside the contracts that the budget calculates it from. */
export interface PaidEmployee {
  staffId: StaffId
  contracts: readonly StaffContract[]
  /** Whole pennies by row. A row that is not here was paid nothing. */
  actual: ReadonlyMap<string, Pennies>
  /** What the months carried forward left owing by row, calculated less paid; whole pennies. */
  arrears: ReadonlyMap<string, Pennies>
  /** Rows that this payroll does not report at all, as one whose files leave employer's pension out: nothing is compared there. */
  notCompared?: ReadonlySet<string>
}

/**
 * The causes that meet what was paid on every row of an employee, each tried by costing the contracts again with that one thing changed, in the
 * order of the law: the first is proposed. Where none holds, FTE or hours worked back from the pay, and two causes together (rules.md §18).
 * @returns nothing where the pay is as calculated, cannot be calculated, or no cause holds
 */
export function explainDifference(ground: Ground, employee: PaidEmployee, rowOf: RowOf): PayExplanation[] {
  const contracts = employee.contracts.filter((contract) => !contract.attritionContract).sort((a, b) => (a.id < b.id ? -1 : 1))
  const person = ground.people[employee.staffId] ?? { ages: null, leaves: [] }
  const base: Costed = { prepared: ground.prepared, person, contracts }
  const calculated = payByRow(ground, base, rowOf)
  if (!calculated || !contracts.length) return []
  const compared = (rows: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    employee.notCompared?.size ? new Map([...rows].filter(([row]) => !assertDefined(employee.notCompared).has(row))) : rows
  const actual = compared(employee.actual)
  if (meets(compared(calculated), actual)) return []

  const paid: Paid = { ground, base, calculated, actual: employee.actual, arrears: employee.arrears, rowOf }
  const difference = signedFigure(sum(actual) - sum(compared(calculated)))
  const cost = (causes: readonly Candidate[]): RowPay => {
    const changed = causes.reduce((one, cause) => cause.apply(one), base)
    return withAdded(payByRow(ground, changed, rowOf), causes)
  }
  const holds = (rows: RowPay): boolean => rows !== undefined && meets(compared(rows), actual)
  const explained = ({ cause, says, change, apply }: Candidate, second?: Candidate): PayExplanation => ({
    cause,
    sentence: second ? `${says}. ${second.says}, ${difference}` : `${says}, ${difference}`,
    change,
    ...(second && { second: second.changeAfter?.(apply(base)) ?? second.change }),
  })

  /** What part of all pay one contract is. */
  const shareOf = (contractId: ContractId): number => {
    const own = payByRow(ground, { ...base, contracts: contracts.filter(({ id }) => id === contractId) }, rowOf)
    return own ? sum(own) / (sum(calculated) || 1) : 1
  }

  const tried = [...candidates(paid)].flatMap((candidate) => {
    const rows = cost([candidate])
    return rows ? [{ candidate, rows }] : []
  })
  const single = distinct(tried.filter(({ rows }) => holds(rows)).map(({ candidate }) => explained(candidate)))
  if (single.length) return single

  const numbers = firstOfEach([...workedBack(paid)].filter((candidate) => holds(cost([candidate]))))
  const numbersThatAre = (how: Candidate['workedBack']): PayExplanation[] =>
    numbers.filter((one) => one.workedBack === how).map((one) => explained(one))
  const usual = numbersThatAre('usual')
  if (usual.length) return [...usual, ...numbersThatAre('odd')]

  const pairs = pairsWorthCosting(
    tried.map(({ candidate, rows }) => ({ candidate, rows: compared(rows) })),
    { calculated: compared(calculated), actual, shareOf },
  )
  const holding = pairs.filter(({ first, second }) => holds(cost([first, second]))).sort(byOrderOfLaw)
  const double = distinct(holding.map(({ first, second }) => explained(first, second))).slice(0, mostPairsOffered)
  // *Choice*: an odd number meets almost anything, so two causes that meet every row come before it.
  return [...double, ...numbersThatAre('odd')]
}

/** Of numbers that are worked back for the same contract, the first. */
function firstOfEach(numbers: readonly Candidate[]): Candidate[] {
  return [...new Map(numbers.toReversed().map((one) => [one.about, one])).values()].toReversed()
}

function withAdded(rows: RowPay, causes: readonly Candidate[]): RowPay {
  if (rows) for (const { added } of causes) for (const [row, pennies] of added ?? []) rows.set(row, (rows.get(row) ?? 0) + pennies)
  return rows
}

function byOrderOfLaw(a: Pair, b: Pair): number {
  return a.places[0] - b.places[0] || a.places[1] - b.places[1]
}

function distinct(explanations: readonly PayExplanation[]): PayExplanation[] {
  return [...new Map(explanations.toReversed().map((one) => [one.sentence, one])).values()].toReversed()
}

function meets(rows: ReadonlyMap<string, number>, actual: ReadonlyMap<string, number>): boolean {
  for (const [row, pennies] of actual) if (Math.abs(pennies - (rows.get(row) ?? 0)) > within) return false
  for (const [row, pennies] of rows) if (!actual.has(row) && Math.abs(pennies) > within) return false
  return true
}

function sum(rows: ReadonlyMap<string, number>): number {
  return [...rows.values()].reduce((total, pennies) => total + pennies, 0)
}
