import { formatForDerivation, parsePounds, round, times } from '../../calculation/exact.ts'
import type { ScalePoint } from '../../calculation/inputs.ts'
import { toContractInput } from '../../calculation/staffing/frozen.ts'
import { multiplyAwards, type PreparedType } from '../../calculation/staffing/prepared.ts'
import { findIncrement, type PreparedRow, prepareRow } from '../../calculation/staffing/salary.ts'
import { calculationType } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { type Day, toDay, toIsoDate } from '../../values/calendar.ts'
import type { ContractRow, StaffContract, StoredScalePoint } from '../budget.ts'

/** What `rollContract` needs to know about a contract's type, scale points and holder in order to merge salary rows. */
export interface RollContractFacts {
  /** Undefined if the contract type no longer exists. */
  type: PreparedType | undefined
  /** Id of a point in the newest table of the budget that contains it. */
  pointId(point: ScalePoint): number | undefined
  /** Whether the person is on extended leave on the first day. Leave pay depends on the rows before it. */
  isOnLeave: boolean
}

/**
 * Rolls a contract into a budget that begins later; null if it has ended by then. Rows before the first day are merged into one row on that
 * day, at the point and spot salary reached by then (rules.md §15).
 *
 * Our choice: rows are not merged where that would change pay. This is so if pay has ceased and another row follows, if a leave spans the
 * first day, if no table has the point, or if the awards of an hourly rate do not give whole pennies.
 */
export function rollContract(contract: StaffContract, first: Day, { type, pointId, isOnLeave }: RollContractFacts): StaffContract | null {
  if (contract.endDate !== null && toDay(contract.endDate) < first) return null
  const rows = contract.salary.toSorted((a, b) => a.effectiveDate.localeCompare(b.effectiveDate))
  const before = rows.filter((row) => toDay(row.effectiveDate) <= first)
  const later = rows.filter((row) => toDay(row.effectiveDate) > first)
  const current = before.at(-1)
  if (!current) return contract
  if (current.calculationCeaseDate !== null && toDay(current.calculationCeaseDate) < first)
    return later.length ? { ...contract, salary: [current, ...later] } : null
  const remaining = { ...contract, salary: [current, ...later] }
  if (!type || isOnLeave || toDay(current.effectiveDate) === first) return remaining
  const folded = foldEarlierRows({ contract, current, later }, first, { type, pointId })
  return folded ? { ...contract, salary: folded } : remaining
}

function foldEarlierRows(
  { contract, current, later }: { contract: StaffContract; current: ContractRow; later: readonly ContractRow[] },
  first: Day,
  { type, pointId }: { type: PreparedType; pointId: RollContractFacts['pointId'] },
): ContractRow[] | null {
  const prepare = (row: ContractRow): PreparedRow => prepareSalaryRow(contract, row, type)
  const old = prepare(current)
  const onDay = (day: Day): ContractRow | null => restateRow(contract, { row: current, day, type, pointId })
  const row = onDay(first)
  if (!row) return null
  // Support staff need six months on a row before an increment (Green Book). Where the merged row would be too young for the next
  // increment, a row is added on the day of that increment.
  const [due] = old.increments.filter((day) => day > first)
  const lost = due !== undefined && prepare(row).increments[0] !== due && !later.some((next) => toDay(next.effectiveDate) <= due)
  const up = lost && due !== undefined ? onDay(due) : null
  if (lost && !up) return null
  return up ? [row, up, ...later] : [row, ...later]
}

function prepareSalaryRow(contract: StaffContract, row: ContractRow, type: PreparedType): PreparedRow {
  return prepareRow(type, contract.maximumScalePoint, assertDefined(toContractInput({ ...contract, salary: [row] }).rows[0]))
}

/**
 * Restates a row on a later day, at the point and spot salary reached by then, in whole pennies.
 * @returns null if no table has the point, or an hourly rate would lose fractions of a penny
 */
export function restateRow(
  contract: StaffContract,
  { row, day, type, pointId }: { row: ContractRow; day: Day; type: PreparedType; pointId: RollContractFacts['pointId'] },
): ContractRow | null {
  const old = prepareSalaryRow(contract, row, type)
  const effectiveDate = toIsoDate(day)
  if (row.scalePoint) {
    const scalePoint = pointAtIncrement(row.scalePoint, findIncrement(old, row.scalePoint, day), pointId)
    return scalePoint && { ...row, effectiveDate, scalePoint }
  }
  if (row.spotAdjustment === null) return { ...row, effectiveDate }
  const spot = times(parsePounds(String(row.spotAdjustment)), multiplyAwards(type, old.from, day))
  const pennies = round(spot)
  if (type.calculationType === calculationType.hourly && formatForDerivation(spot, 100) !== formatForDerivation(pennies, 100)) return null
  return { ...row, effectiveDate, spotAdjustment: pennies / 100 }
}

function pointAtIncrement(point: StoredScalePoint, increment: number, pointId: RollContractFacts['pointId']): StoredScalePoint | null {
  if (increment === point.increment) return point
  const id = pointId({ ...point, increment })
  return id === undefined ? null : { ...point, increment, id }
}
