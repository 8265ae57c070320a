import type { StaffContract } from '../../budget/budget.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import type { ContractId, StaffId } from '../../values/ids.ts'
import type { Pennies } from '../../values/units.ts'
import { type CauseCandidate, deriveHoursFromPay, type EmployeeComparison, listCandidates } from './candidates.ts'
import type { PayExplanation } from './causes.ts'
import { formatSignedFigure } from './format.ts'
import { type CandidatePair, selectPairsToCost } from './pairs.ts'
import { type CostingCase, calculatePayByRow, type PayByRow, type RowKeyFinder, type WhatIfBaseline } from './whatIfBaseline.ts'

/** The largest difference at which a row still matches (rules.md §18). */
const toleranceInPennies = 5

const maximumPairsOffered = 5

/** An employee's actual pay for the month, with their contracts from the budget. */
export interface PaidEmployee {
  staffId: StaffId
  contracts: readonly StaffContract[]
  /** Whole pennies by row. An absent row was not paid. */
  actual: ReadonlyMap<string, Pennies>
  /** Amounts owed from months carried forward, by row: calculated less paid, in whole pennies. */
  arrears: ReadonlyMap<string, Pennies>
  /** The rows that this payroll never reports, such as employer pension. They are not compared. */
  notCompared?: ReadonlySet<string>
}

/**
 * Explains a difference by trying each cause: the contracts are recosted with one change, and every row is compared. Causes are tried in
 * the order of rules.md §18, and the first that matches is proposed. If no cause matches, FTE and hours are derived from the pay, and pairs
 * of causes are tried.
 * @returns empty if pay matches, cannot be calculated, or no cause explains it
 */
export function explainPayDifference(baseline: WhatIfBaseline, employee: PaidEmployee, rowOf: RowKeyFinder): PayExplanation[] {
  const contracts = employee.contracts.filter((contract) => !contract.attritionContract).sort((a, b) => (a.id < b.id ? -1 : 1))
  const person = baseline.people[employee.staffId] ?? { ages: null, leaves: [] }
  const base: CostingCase = { prepared: baseline.prepared, person, contracts }
  const calculated = calculatePayByRow(baseline, base, rowOf)
  if (!calculated || !contracts.length) return []
  const compared = (rows: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    employee.notCompared?.size ? new Map([...rows].filter(([row]) => !assertDefined(employee.notCompared).has(row))) : rows
  const actual = compared(employee.actual)
  if (matchesActual(compared(calculated), actual)) return []

  const paid: EmployeeComparison = { baseline, base, calculated, actual: employee.actual, arrears: employee.arrears, rowOf }
  const difference = formatSignedFigure(sumRows(actual) - sumRows(compared(calculated)))
  const cost = (causes: readonly CauseCandidate[]): PayByRow => {
    const changed = causes.reduce((one, cause) => cause.apply(one), base)
    return addExtraPay(calculatePayByRow(baseline, changed, rowOf), causes)
  }
  const holds = (rows: PayByRow): boolean => rows !== undefined && matchesActual(compared(rows), actual)
  const explain = ({ cause, says, change, apply }: CauseCandidate, second?: CauseCandidate): PayExplanation => ({
    cause,
    sentence: second ? `${says}. ${second.says}, ${difference}` : `${says}, ${difference}`,
    change,
    ...(second && { second: second.changeAfter?.(apply(base)) ?? second.change }),
  })

  /** The share of total pay that a contract accounts for. */
  const shareOf = (contractId: ContractId): number => {
    const contractPay = calculatePayByRow(baseline, { ...base, contracts: contracts.filter(({ id }) => id === contractId) }, rowOf)
    return contractPay ? sumRows(contractPay) / (sumRows(calculated) || 1) : 1
  }

  const tried = [...listCandidates(paid)].flatMap((candidate) => {
    const rows = cost([candidate])
    return rows ? [{ candidate, rows }] : []
  })
  const single = distinctSentences(tried.filter(({ rows }) => holds(rows)).map(({ candidate }) => explain(candidate)))
  if (single.length) return single

  const workedBackCandidates = firstForEachContract([...deriveHoursFromPay(paid)].filter((candidate) => holds(cost([candidate]))))
  const workedBackAs = (how: CauseCandidate['workedBack']): PayExplanation[] =>
    workedBackCandidates.filter((one) => one.workedBack === how).map((one) => explain(one))
  const usual = workedBackAs('usual')
  if (usual.length) return [...usual, ...workedBackAs('odd')]

  const pairs = selectPairsToCost(
    tried.map(({ candidate, rows }) => ({ candidate, rows: compared(rows) })),
    { calculated: compared(calculated), actual, shareOf },
  )
  const holding = pairs.filter(({ first, second }) => holds(cost([first, second]))).sort(byOrderOfLaw)
  const double = distinctSentences(holding.map(({ first, second }) => explain(first, second))).slice(0, maximumPairsOffered)
  // Our choice (rules.md leaves this open): an unusual FTE can match almost any amount, so pairs of causes are offered first.
  return [...double, ...workedBackAs('odd')]
}

function firstForEachContract(numbers: readonly CauseCandidate[]): CauseCandidate[] {
  return [...new Map(numbers.toReversed().map((one) => [one.about, one])).values()].toReversed()
}

function addExtraPay(rows: PayByRow, causes: readonly CauseCandidate[]): PayByRow {
  if (rows) for (const { added } of causes) for (const [row, pennies] of added ?? []) rows.set(row, (rows.get(row) ?? 0) + pennies)
  return rows
}

function byOrderOfLaw(a: CandidatePair, b: CandidatePair): number {
  return a.indexes[0] - b.indexes[0] || a.indexes[1] - b.indexes[1]
}

function distinctSentences(explanations: readonly PayExplanation[]): PayExplanation[] {
  return [...new Map(explanations.toReversed().map((one) => [one.sentence, one])).values()].toReversed()
}

function matchesActual(rows: ReadonlyMap<string, number>, actual: ReadonlyMap<string, number>): boolean {
  for (const [row, pennies] of actual) if (Math.abs(pennies - (rows.get(row) ?? 0)) > toleranceInPennies) return false
  for (const [row, pennies] of rows) if (!actual.has(row) && Math.abs(pennies) > toleranceInPennies) return false
  return true
}

function sumRows(rows: ReadonlyMap<string, number>): number {
  return [...rows.values()].reduce((total, pennies) => total + pennies, 0)
}
