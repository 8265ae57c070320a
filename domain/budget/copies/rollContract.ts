import { pounds, round, show, times } from '../../calculation/exact.ts'
import type { ScalePoint } from '../../calculation/inputs.ts'
import { contractInput } from '../../calculation/staffing/frozen.ts'
import { awards, type PreparedType } from '../../calculation/staffing/prepared.ts'
import { incrementOn, type PreparedRow, prepareRow } from '../../calculation/staffing/salary.ts'
import { calculationType } from '../../lookups/lookupIds.ts'
import { assertDefined } from '../../values/assertDefined.ts'
import { type Day, toDay, toIsoDate } from '../../values/calendar.ts'
import type { ContractRow, KeptScalePoint, StaffContract } from '../budget.ts'

/** What folding salary rows needs to know of the reference records. */
export interface RollFacts {
  /** Undefined for a contract type that is gone. */
  type: PreparedType | undefined
  /** The record of a point in the budget's newest table that has it. */
  pointId(point: ScalePoint): number | undefined
  /** Whether the person is on extended leave from before the first day until after it: the leave is paid by what stood before. */
  isOnLeave: boolean
}

/**
 * A contract in a budget that begins on a later day: null when it has ended by then. Rows before that day are folded into one on the day
 * itself, on the point and spot salary reached by then (rules.md §15).
 *
 * Rows stay as they are where a fold would change pay: pay that has ceased while another row is to come, a leave across the day, a point that
 * is in no table, an hourly rate whose awards do not come to whole pennies (choice).
 */
export function rolledContract(contract: StaffContract, first: Day, { type, pointId, isOnLeave }: RollFacts): StaffContract | null {
  if (contract.endDate !== null && toDay(contract.endDate) < first) return null
  const rows = contract.salary.toSorted((a, b) => a.effectiveDate.localeCompare(b.effectiveDate))
  const before = rows.filter((row) => toDay(row.effectiveDate) <= first)
  const later = rows.filter((row) => toDay(row.effectiveDate) > first)
  const current = before.at(-1)
  if (!current) return contract
  if (current.calculationCeaseDate !== null && toDay(current.calculationCeaseDate) < first)
    return later.length ? { ...contract, salary: [current, ...later] } : null
  const kept = { ...contract, salary: [current, ...later] }
  if (!type || isOnLeave || toDay(current.effectiveDate) === first) return kept
  const folded = fold({ contract, current, later }, first, { type, pointId })
  return folded ? { ...contract, salary: folded } : kept
}

function fold(
  { contract, current, later }: { contract: StaffContract; current: ContractRow; later: readonly ContractRow[] },
  first: Day,
  { type, pointId }: { type: PreparedType; pointId: RollFacts['pointId'] },
): ContractRow[] | null {
  const prepare = (row: ContractRow): PreparedRow => prepared(contract, row, type)
  const old = prepare(current)
  const onDay = (day: Day): ContractRow | null => rowOn(contract, { row: current, day, type, pointId })
  const row = onDay(first)
  if (!row) return null
  // Support staff must have been on a row for six months before it counts (Green Book): an increment day that the new row would be too
  // young for is written out.
  const [due] = old.increments.filter((day) => day > first)
  const lost = due !== undefined && prepare(row).increments[0] !== due && !later.some((next) => toDay(next.effectiveDate) <= due)
  const up = lost && due !== undefined ? onDay(due) : null
  if (lost && !up) return null
  return up ? [row, up, ...later] : [row, ...later]
}

function prepared(contract: StaffContract, row: ContractRow, type: PreparedType): PreparedRow {
  return prepareRow(type, contract.maximumScalePoint, assertDefined(contractInput({ ...contract, salary: [row] }).rows[0]))
}

/**
 * The row that goes on from another on a later day: on the point and the spot salary reached by then, in whole pennies.
 * @returns null when the point is in no table, or an hourly rate would lose parts of a penny
 */
export function rowOn(
  contract: StaffContract,
  { row, day, type, pointId }: { row: ContractRow; day: Day; type: PreparedType; pointId: RollFacts['pointId'] },
): ContractRow | null {
  const old = prepared(contract, row, type)
  const effectiveDate = toIsoDate(day)
  if (row.scalePoint) {
    const scalePoint = reached(row.scalePoint, incrementOn(old, row.scalePoint, day), pointId)
    return scalePoint && { ...row, effectiveDate, scalePoint }
  }
  if (row.spotAdjustment === null) return { ...row, effectiveDate }
  const spot = times(pounds(String(row.spotAdjustment)), awards(type, old.from, day))
  const pennies = round(spot)
  if (type.calculationType === calculationType.hourly && show(spot, 100) !== show(pennies, 100)) return null
  return { ...row, effectiveDate, spotAdjustment: pennies / 100 }
}

function reached(point: KeptScalePoint, increment: number, pointId: RollFacts['pointId']): KeptScalePoint | null {
  if (increment === point.increment) return point
  const id = pointId({ ...point, increment })
  return id === undefined ? null : { ...point, increment, id }
}
