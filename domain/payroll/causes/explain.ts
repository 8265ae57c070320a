import type { StaffContract } from '../../budget/budget.ts'
import type { StaffId } from '../../ids.ts'
import { must } from '../../must.ts'
import type { Pennies } from '../../units.ts'
import { type Candidate, candidates, type Paid } from './candidates.ts'
import type { PayExplanation } from './causes.ts'
import { type Costed, type Ground, payByRow, type RowOf } from './ground.ts'
import { signedFigure } from './words.ts'

/** Whole pennies that a row may be off by for a cause to meet it (rules.md §18). */
const within = 5

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
 * order of the law: the first is proposed (rules.md §18).
 * @returns nothing where the pay is as calculated, cannot be calculated, or no cause holds
 */
export function explainDifference(ground: Ground, employee: PaidEmployee, rowOf: RowOf): PayExplanation[] {
  const contracts = employee.contracts.filter((contract) => !contract.attritionContract).sort((a, b) => (a.id < b.id ? -1 : 1))
  const person = ground.people[employee.staffId] ?? { ages: null, leaves: [] }
  const base: Costed = { prepared: ground.prepared, person, contracts }
  const calculated = payByRow(ground, base, rowOf)
  if (!calculated || !contracts.length) return []
  const compared = (rows: ReadonlyMap<string, number>): ReadonlyMap<string, number> =>
    employee.notCompared?.size ? new Map([...rows].filter(([row]) => !must(employee.notCompared).has(row))) : rows
  const paid: Paid = { ground, base, calculated, actual: employee.actual, arrears: employee.arrears, rowOf }
  const actual = compared(employee.actual)
  if (meets(compared(calculated), actual)) return []
  const difference = sum(actual) - sum(compared(calculated))
  const [holding, weak]: [PayExplanation[], PayExplanation[]] = [[], []]
  const said = new Set<string>()
  for (const candidate of candidates(paid)) {
    const rows = rowsOf(ground, candidate, rowOf)
    if (!rows || !meets(compared(rows), actual) || said.has(candidate.says)) continue
    said.add(candidate.says)
    const { cause, says, change, isWeak } = candidate
    ;(isWeak ? weak : holding).push({ cause, sentence: `${says}, ${signedFigure(difference)}`, change })
  }
  return [...holding, ...weak]
}

function rowsOf(ground: Ground, { rows, costed }: Candidate, rowOf: RowOf): ReadonlyMap<string, number> | undefined {
  return costed ? payByRow(ground, costed, rowOf) : rows
}

function meets(rows: ReadonlyMap<string, number>, actual: ReadonlyMap<string, number>): boolean {
  for (const [row, pennies] of actual) if (Math.abs(pennies - (rows.get(row) ?? 0)) > within) return false
  for (const [row, pennies] of rows) if (!actual.has(row) && Math.abs(pennies) > within) return false
  return true
}

function sum(rows: ReadonlyMap<string, number>): number {
  return [...rows.values()].reduce((total, pennies) => total + pennies, 0)
}
