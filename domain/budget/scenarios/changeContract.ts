import { decimal, percent, round, times, whole } from '../../calculation/exact.ts'
import type { PreparedType } from '../../calculation/staffing/prepared.ts'
import { type Day, type IsoDate, toDay, toIsoDate } from '../../values/calendar.ts'
import type { Percent } from '../../values/units.ts'
import type { ContractRow, StaffContract } from '../budget.ts'
import { type RollFacts, rowOn } from '../copies/rollContract.ts'

/** A contract that ends the day before; null when it would not begin any more. */
export function endedBefore(contract: StaffContract, from: IsoDate): StaffContract | null {
  const last: Day = toDay(from) - 1
  if (toDay(contract.startDate) > last) return null
  const endDate = toIsoDate(last)
  return contract.endDate !== null && contract.endDate <= endDate ? contract : { ...contract, endDate }
}

/** A number of hours, weeks or FTE taken to a percentage, with six decimals. */
function share(value: number | null, percentage: Percent): number | null {
  return value === null ? null : round(times(times(decimal(value), percent(percentage)), whole(1_000_000))) / 1_000_000
}

/**
 * A contract that works a percentage of its hours from a day on; rows that come later do so as well.
 * @returns null when its point on that day is in no table
 */
export function withHours(
  contract: StaffContract,
  { from, percentage, type, pointId }: { from: IsoDate; percentage: Percent; type: PreparedType; pointId: RollFacts['pointId'] },
): StaffContract | null {
  const rows = contract.salary.toSorted((a, b) => a.effectiveDate.localeCompare(b.effectiveDate))
  const before = rows.filter((row) => row.effectiveDate < from)
  const later = rows.filter((row) => row.effectiveDate >= from)
  const current = before.at(-1)
  const turned =
    current && later[0]?.effectiveDate !== from ? rowOn(contract, { row: current, day: toDay(from), type, pointId }) : undefined
  if (turned === null) return null
  const less = (row: ContractRow): ContractRow => ({
    ...row,
    fte: share(row.fte, percentage),
    hoursPerWeek: share(row.hoursPerWeek, percentage),
  })
  return { ...contract, salary: [...before, ...(turned ? [turned] : []).map(less), ...later.map(less)] }
}
