import type { ContractRow, StaffContract } from '../budget/budget.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { toDay } from '../values/calendar.ts'
import { displayMoney } from '../values/format.ts'
import type { StaffId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { applyPayChange } from './causes/causes.ts'
import { formatDay } from './causes/format.ts'
import { calculatePayByRow, type RowKeyFinder, type WhatIfBaseline } from './causes/whatIfBaseline.ts'
import type { EmployeeRef, PaidAccount } from './payroll.ts'

/** Checks that find errors which no payroll should contain (field.md). */
export const payControls = [
  { id: 'unknownPayee', name: 'Unknown payee' },
  { id: 'afterLeaving', name: 'Paid after leaving' },
  { id: 'beforeStarting', name: 'Paid before starting' },
  { id: 'doubled', name: 'Duplicate element' },
  { id: 'overScale', name: 'Above the top of the scale' },
  { id: 'sharedAccount', name: 'Two people on one bank account' },
] as const
export type PayControl = (typeof payControls)[number]['id']

/** A failed control, described in a sentence with amounts. */
export interface PayControlFinding {
  control: PayControl
  /** Contains no names, because it is stored. The screen lists the names of the employees in `others` after it. */
  sentence: string
  others?: EmployeeRef[]
}

/** An employee of a payroll, with their contracts from the budget. */
export interface EmployeeToCheck {
  /** Null if the employee number is unknown. */
  staffId: StaffId | null
  contracts: readonly StaffContract[]
  /** Actual pay by row; whole pennies. */
  actual: ReadonlyMap<string, Pennies>
  /** Amounts owed from months carried forward, by row: calculated less paid, in whole pennies. */
  arrears?: ReadonlyMap<string, Pennies>
}

/** Figures that differ by at most this are treated as equal. */
const toleranceInPennies = 5

export function findPayControlFailures(
  baseline: WhatIfBaseline,
  { staffId, contracts, actual, arrears }: EmployeeToCheck,
  rowOf: RowKeyFinder,
): PayControlFinding[] {
  const { month, firstDate, prepared, people } = baseline
  const paid = [...actual.values()].reduce((sum, pennies) => sum + pennies, 0)
  if (paid <= 0) return []
  if (staffId === null) return [{ control: 'unknownPayee', sentence: `${displayMoney(paid)} was paid to an unknown employee number.` }]
  const budgetContracts = contracts.filter((contract) => !contract.attritionContract)
  if (!budgetContracts.length) return []
  const ends = budgetContracts.map((contract) => contract.endDate)
  const lastEnd = ends.includes(null) ? null : assertDefined(ends.toSorted().at(-1))
  if (lastEnd !== null && lastEnd < firstDate)
    return [{ control: 'afterLeaving', sentence: `${displayMoney(paid)} was paid after leaving on ${formatDay(toDay(lastEnd), month)}.` }]
  const firstStart = assertDefined(budgetContracts.map((contract) => contract.startDate).sort()[0])
  if (firstStart > month.lastDate)
    return [
      {
        control: 'beforeStarting',
        sentence: `${displayMoney(paid)} was paid before the first contract starts on ${formatDay(toDay(firstStart), month)}.`,
      },
    ]
  const base = { prepared, person: people[staffId] ?? { ages: null, leaves: [] }, contracts: budgetContracts }
  const calculated = calculatePayByRow(baseline, base, rowOf)
  if (!calculated) return []
  const findings: PayControlFinding[] = []
  const doubled = [...actual].filter(([row, pennies]) => {
    const once = calculated.get(row) ?? 0
    return once > toleranceInPennies && Math.abs(pennies - 2 * once) <= toleranceInPennies
  })
  // If a whole month was paid twice, that is one finding, not a finding for each element.
  if (doubled.length) {
    const extra = doubled.reduce((sum, [row]) => sum + assertDefined(calculated.get(row)), 0)
    findings.push({ control: 'doubled', sentence: `Twice the calculated amount was paid: ${displayMoney(extra)} too much.` })
  }
  const top = calculatePayByRow(
    baseline,
    { ...base, contracts: budgetContracts.map((contract) => moveToTopOfScale(baseline, contract)) },
    rowOf,
  )
  for (const row of top ? findBasicPayRows(budgetContracts, rowOf) : []) {
    const most = assertDefined(top).get(row) ?? 0
    // Arrears may be paid in addition, so the part that they account for does not count as pay above the scale.
    const paidForMonth = (actual.get(row) ?? 0) - Math.max(0, arrears?.get(row) ?? 0)
    if (most > 0 && paidForMonth > most + toleranceInPennies && !doubled.some(([one]) => one === row))
      findings.push({
        control: 'overScale',
        sentence: `Basic pay of ${displayMoney(paidForMonth)} is above the top of the scale, ${displayMoney(most)} a month for these hours.`,
      })
  }
  return findings
}

/** Finds, for each employee, the other employees who were paid into the same bank account. */
export function findSharedBankAccounts(paidInto: readonly PaidAccount[]): Map<EmployeeRef, EmployeeRef[]> {
  const holders = new Map<string, Set<EmployeeRef>>()
  for (const { employee, account } of paidInto) holders.set(account, (holders.get(account) ?? new Set()).add(employee))
  const shared = new Map<EmployeeRef, Set<EmployeeRef>>()
  for (const group of holders.values())
    if (group.size > 1)
      for (const employee of group) {
        const others = shared.get(employee) ?? new Set()
        for (const other of group) if (other !== employee) others.add(other)
        shared.set(employee, others)
      }
  return new Map([...shared].map(([employee, others]) => [employee, [...others].sort()]))
}

/** Finds the rows that contain the basic pay of contracts on a scale and of no others. */
function findBasicPayRows(contracts: readonly StaffContract[], rowOf: RowKeyFinder): Set<string> {
  const rowsOf = (contract: StaffContract): string[] =>
    contract.serviceTerms.map((serviceTermId) => rowOf(contract, { serviceTermId, component: 'basic' }))
  const onScale = ({ salary }: StaffContract): boolean => salary.every((row: ContractRow) => row.scalePoint !== null)
  const others = new Set(contracts.filter((contract) => !onScale(contract)).flatMap(rowsOf))
  return new Set(
    contracts
      .filter(onScale)
      .flatMap(rowsOf)
      .filter((row) => !others.has(row)),
  )
}

function moveToTopOfScale({ prepared, month, firstDate }: WhatIfBaseline, contract: StaffContract): StaffContract {
  const row = contract.salary
    .filter((one) => one.effectiveDate <= month.lastDate)
    .sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1))
    .at(-1)
  const point = row?.scalePoint
  if (!point) return contract
  const tables = prepared.payTables[point.kind].filter((table) => table.from <= month.last)
  const increments = tables.flatMap((table) => [...(table.points.get(point.scale)?.keys() ?? [])])
  if (!increments.length) return contract
  const from = assertDefined([contract.startDate, firstDate].sort().at(-1))
  const scalePoint = { kind: point.kind, scale: point.scale, increment: Math.max(...increments) }
  return applyPayChange(contract, { kind: 'row', contractId: contract.id, from, fields: { scalePoint } })
}
