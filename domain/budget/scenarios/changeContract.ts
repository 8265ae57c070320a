import { fromInteger, parseDecimal, parsePercent, round, times } from '../../calculation/exact.ts'
import type { PreparedType } from '../../calculation/staffing/prepared.ts'
import { type Day, type IsoDate, toDay, toIsoDate } from '../../values/calendar.ts'
import type { Percent } from '../../values/units.ts'
import type { ContractRow, StaffContract } from '../budget.ts'
import { type RollContractFacts, restateRow } from '../copies/rollContract.ts'

/** Ends a contract on the day before a date; null if it starts on or after that date. */
export function endContractBefore(contract: StaffContract, from: IsoDate): StaffContract | null {
  const last: Day = toDay(from) - 1
  if (toDay(contract.startDate) > last) return null
  const endDate = toIsoDate(last)
  return contract.endDate !== null && contract.endDate <= endDate ? contract : { ...contract, endDate }
}

/** A percentage of hours, weeks or FTE, rounded to six decimals. */
function takePercentage(value: number | null, percentage: Percent): number | null {
  return value === null ? null : round(times(times(parseDecimal(value), parsePercent(percentage)), fromInteger(1_000_000))) / 1_000_000
}

/**
 * Scales a contract to a percentage of its hours from a date, including its later rows.
 * @returns null if no table has its scale point on that date
 */
export function scaleHours(
  contract: StaffContract,
  { from, percentage, type, pointId }: { from: IsoDate; percentage: Percent; type: PreparedType; pointId: RollContractFacts['pointId'] },
): StaffContract | null {
  const rows = contract.salary.toSorted((a, b) => a.effectiveDate.localeCompare(b.effectiveDate))
  const before = rows.filter((row) => row.effectiveDate < from)
  const later = rows.filter((row) => row.effectiveDate >= from)
  const current = before.at(-1)
  const restated =
    current && later[0]?.effectiveDate !== from ? restateRow(contract, { row: current, day: toDay(from), type, pointId }) : undefined
  if (restated === null) return null
  const scaled = (row: ContractRow): ContractRow => ({
    ...row,
    fte: takePercentage(row.fte, percentage),
    hoursPerWeek: takePercentage(row.hoursPerWeek, percentage),
  })
  return { ...contract, salary: [...before, ...(restated ? [restated] : []).map(scaled), ...later.map(scaled)] }
}
