import type { Figure } from '../../calculation/inputs.ts'
import { differsByFewPeople, findKeysToMerge, minimumPeopleShown } from '../../reports/fewPeople.ts'
import type { StoredEvent } from '../events.ts'
import type { BudgetSnapshot, SnapshotContract } from './snapshot.ts'

/** The person that a contract pays. A vacancy counts as one person. */
const personOf = ({ root, contract }: SnapshotContract): string => String(contract.staffId ?? root)

/**
 * Pay by person in one year of a snapshot, over all their contracts; null if any of them is not calculated.
 * @param holders who holds each contract, in this snapshot or the one compared with it
 */
function calculatePayByPerson(
  { contracts, head }: BudgetSnapshot,
  calendarYear: number,
  holders: ReadonlyMap<string, string>,
): Map<string, Figure> {
  const pay = new Map<string, Figure>()
  for (const one of contracts.values()) {
    const amount = one.years[calendarYear - head.firstYear]
    if (amount === undefined) continue
    const person = one.contract.staffId === null ? (holders.get(one.root) ?? one.root) : personOf(one)
    const before = pay.get(person) ?? 0
    pay.set(person, before === null || amount === null ? null : before + amount)
  }
  return pay
}

/** Who holds each contract in any of the snapshots. If a vacancy in one of them is filled in another, it counts as that person in all. */
function listHolders(snapshots: readonly BudgetSnapshot[]): Map<string, string> {
  const all = snapshots.flatMap(({ contracts }) => [...contracts.values()])
  return new Map(all.flatMap((one) => (one.contract.staffId === null ? [] : [[one.root, personOf(one)]])))
}

/**
 * The budget codes whose totals would reveal the pay of a few people, and are therefore hidden from readers without staffing permissions.
 */
export function findCodesOfFewPeople({ lines, contracts }: BudgetSnapshot): Set<number | null> {
  const months = new Map<string, Map<number | null, Set<string>>>()
  for (const { source, root, year, budgetCodeId, months: amounts } of lines) {
    if (source !== 'contract') continue
    const contract = contracts.get(root)
    for (const [month, amount] of amounts.entries()) {
      if (amount === 0) continue
      const codes = months.get(`${year} ${month}`) ?? new Map<number | null, Set<string>>()
      months.set(`${year} ${month}`, codes)
      codes.set(budgetCodeId, (codes.get(budgetCodeId) ?? new Set<string>()).add(contract ? personOf(contract) : root))
    }
  }
  return new Set([...months.values()].flatMap((codes) => [...findKeysToMerge([...codes].map(([key, people]) => ({ key, people })))]))
}

/**
 * Whether readers who may not see individual pay may see the difference between two snapshots. They may not if, in a year that both
 * snapshots cover, the pay of only one or two people differs.
 */
export function canShowDifference(a: BudgetSnapshot, b: BudgetSnapshot): boolean {
  const first = Math.max(a.head.firstYear, b.head.firstYear)
  const end = Math.min(a.head.firstYear + a.head.numberOfYears, b.head.firstYear + b.head.numberOfYears)
  const holders = listHolders([a, b])
  for (let year = first; year < end; year++) {
    if (differsByFewPeople(calculatePayByPerson(a, year, holders), calculatePayByPerson(b, year, holders))) return false
  }
  return true
}

/**
 * Whether readers who may not see individual pay may see an earlier version. Of consecutive versions that differ by one or two people only
 * the last is shown, so that any two visible versions differ by at least three people.
 * @param snapshot of that version
 * @param later all events after that version
 */
export function canShowVersion(snapshot: BudgetSnapshot, later: readonly StoredEvent[]): boolean {
  const holders = new Map([...snapshot.contracts.values()].map((one): [string, string] => [one.contract.id, personOf(one)]))
  for (const event of later)
    if (event.type === 'StaffContractSaved') holders.set(event.data.id, String(event.data.contract.staffId ?? event.data.id))
  let touched = new Set<string>()
  let lastCall = ''
  for (const event of later.toReversed()) {
    // One request counts as one change, with all its saves and the recalculation that follows.
    const call = `${event.requestId} ${event.occurredAt}`
    if (call !== lastCall && touched.size >= minimumPeopleShown) touched = new Set()
    lastCall = call
    const ids =
      event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted'
        ? [event.data.id]
        : event.type === 'StaffContractsRecalculated'
          ? (event.data.contracts ?? [...holders.keys()])
          : []
    for (const id of ids) touched.add(holders.get(id) ?? id)
  }
  return touched.size === 0 || touched.size >= minimumPeopleShown
}
