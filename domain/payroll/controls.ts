import type { ContractRow, StaffContract } from '../budget/budget.ts'
import { assertDefined } from '../values/assertDefined.ts'
import { toDay } from '../values/calendar.ts'
import { displayMoney } from '../values/format.ts'
import type { StaffId } from '../values/ids.ts'
import type { Pennies } from '../values/units.ts'
import { withChange } from './causes/causes.ts'
import { type Ground, payByRow, type RowOf } from './causes/ground.ts'
import { dayWords } from './causes/words.ts'
import type { EmployeeRef, PaidInto } from './payroll.ts'

/** What a payroll should never do, beside what differs (field.md). */
export const payControls = [
  { id: 'unknownPayee', name: 'Unknown payee' },
  { id: 'afterLeaving', name: 'Paid after leaving' },
  { id: 'beforeStarting', name: 'Paid before starting' },
  { id: 'doubled', name: 'Doubled element' },
  { id: 'overScale', name: 'Over the top of the scale' },
  { id: 'sharedAccount', name: 'Two people on one bank account' },
] as const
export type PayControl = (typeof payControls)[number]['id']

/** What was found, in one sentence with its figures. */
export interface PayFinding {
  control: PayControl
  /** Ends where `others` are to be named: who they are stands in no sentence that is kept. */
  sentence: string
  others?: EmployeeRef[]
}

/** An employee of a payroll, with the contracts that the budget has. */
export interface Payee {
  /** Null: nobody here has this employee number. */
  staffId: StaffId | null
  contracts: readonly StaffContract[]
  /** What was paid by row; whole pennies. */
  actual: ReadonlyMap<string, Pennies>
  /** What the months carried forward left owing by row, calculated less paid; whole pennies. */
  arrears?: ReadonlyMap<string, Pennies>
}

/** Whole pennies that figures may be apart and yet be the same. */
const within = 5

/** The controls that an employee's pay of a month does not pass. */
export function findingsOf(ground: Ground, { staffId, contracts, actual, arrears }: Payee, rowOf: RowOf): PayFinding[] {
  const { month, firstDate, prepared, people } = ground
  const paid = [...actual.values()].reduce((sum, pennies) => sum + pennies, 0)
  if (paid <= 0) return []
  if (staffId === null)
    return [{ control: 'unknownPayee', sentence: `${displayMoney(paid)} was paid to an employee number that nobody here has.` }]
  const own = contracts.filter((contract) => !contract.attritionContract)
  if (!own.length) return []
  const ends = own.map((contract) => contract.endDate)
  const lastEnd = ends.includes(null) ? null : assertDefined(ends.toSorted().at(-1))
  if (lastEnd !== null && lastEnd < firstDate)
    return [{ control: 'afterLeaving', sentence: `${displayMoney(paid)} was paid after leaving on ${dayWords(toDay(lastEnd), month)}.` }]
  const firstStart = assertDefined(own.map((contract) => contract.startDate).sort()[0])
  if (firstStart > month.lastDate)
    return [
      { control: 'beforeStarting', sentence: `${displayMoney(paid)} was paid before starting on ${dayWords(toDay(firstStart), month)}.` },
    ]
  const base = { prepared, person: people[staffId] ?? { ages: null, leaves: [] }, contracts: own }
  const calculated = payByRow(ground, base, rowOf)
  if (!calculated) return []
  const findings: PayFinding[] = []
  const doubled = [...actual].filter(([row, pennies]) => {
    const once = calculated.get(row) ?? 0
    return once > within && Math.abs(pennies - 2 * once) <= within
  })
  // A whole month paid twice is one finding, not one for each element.
  if (doubled.length) {
    const extra = doubled.reduce((sum, [row]) => sum + assertDefined(calculated.get(row)), 0)
    findings.push({ control: 'doubled', sentence: `Paid twice what is calculated: ${displayMoney(extra)} too much.` })
  }
  const top = payByRow(ground, { ...base, contracts: own.map((contract) => atTop(ground, contract)) }, rowOf)
  for (const row of top ? basicRows(own, rowOf) : []) {
    const most = assertDefined(top).get(row) ?? 0
    // What was owed is paid on top of a month without being too much of it.
    const is = (actual.get(row) ?? 0) - Math.max(0, arrears?.get(row) ?? 0)
    if (most > 0 && is > most + within && !doubled.some(([one]) => one === row))
      findings.push({
        control: 'overScale',
        sentence: `Basic pay of ${displayMoney(is)} is over the top of the scale, ${displayMoney(most)} a month for these hours.`,
      })
  }
  return findings
}

/** Who else was paid into the same bank account, by everybody of whom there is somebody else. */
export function sharedAccounts(paidInto: readonly PaidInto[]): Map<EmployeeRef, EmployeeRef[]> {
  const holders = new Map<string, Set<EmployeeRef>>()
  for (const { employee, account } of paidInto) holders.set(account, (holders.get(account) ?? new Set()).add(employee))
  const shared = new Map<EmployeeRef, Set<EmployeeRef>>()
  for (const own of holders.values())
    if (own.size > 1)
      for (const employee of own) {
        const others = shared.get(employee) ?? new Set()
        for (const other of own) if (other !== employee) others.add(other)
        shared.set(employee, others)
      }
  return new Map([...shared].map(([employee, others]) => [employee, [...others].sort()]))
}

/** The rows that hold the basic pay of contracts on a scale, and of no others. */
function basicRows(contracts: readonly StaffContract[], rowOf: RowOf): Set<string> {
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

/** A contract on the highest point of its scale. */
function atTop({ prepared, month, firstDate }: Ground, contract: StaffContract): StaffContract {
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
  return withChange(contract, { kind: 'row', contractId: contract.id, from, fields: { scalePoint } })
}
