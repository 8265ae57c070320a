import type { ContractInput, SalaryRow } from '../../calculation/inputs.ts'
import type { PreparedCalculation } from '../../calculation/staffing/prepared.ts'
import { findIncrement, prepareRow } from '../../calculation/staffing/salary.ts'
import { type IsoDate, toDay } from '../../values/calendar.ts'

function inForce(rows: readonly SalaryRow[], day: IsoDate): SalaryRow | undefined {
  return rows.filter((row) => row.effectiveDate <= day).sort((a, b) => (a.effectiveDate < b.effectiveDate ? 1 : -1))[0]
}

function incrementAt(
  prepared: PreparedCalculation,
  { contract, row, day }: { contract: ContractInput; row: SalaryRow; day: IsoDate },
): number | null {
  const type = prepared.types.get(contract.contractType)
  if (!type || !row.scalePoint) return null
  return findIncrement(prepareRow(type, contract.maximumScalePoint, row), row.scalePoint, toDay(day))
}

/** Copies a contract without the increments that fall after a day, by lowering its maximum scale point. */
export function removeIncrementsAfter(prepared: PreparedCalculation, contract: ContractInput, day: IsoDate): ContractInput {
  const maximum = contract.maximumScalePoint
  const row = maximum && inForce(contract.rows, day)
  const increment = row && incrementAt(prepared, { contract, row, day })
  if (!maximum || increment === null || increment === undefined) return contract
  return { ...contract, maximumScalePoint: { ...maximum, increment: Math.min(maximum.increment, increment) } }
}

/**
 * Copies a contract with its own pay but the hours of `other`, another version of it. Hours change on the dates on which they change in
 * `other`.
 */
export function replaceHours(prepared: PreparedCalculation, contract: ContractInput, other: ContractInput): ContractInput {
  const dates = new Set(contract.rows.map((row) => row.effectiveDate))
  const added = other.rows.flatMap(({ effectiveDate: date }): SalaryRow[] => {
    const row = dates.has(date) ? undefined : inForce(contract.rows, date)
    const increment = row && incrementAt(prepared, { contract, row, day: date })
    // A new row would restart the awards of a spot salary, so spot salaries are not split.
    if (!row?.scalePoint || increment === null || increment === undefined) return []
    return [{ ...row, effectiveDate: date, scalePoint: { ...row.scalePoint, increment } }]
  })
  const rows = [...contract.rows, ...added].map((row) => {
    const hours = inForce(other.rows, row.effectiveDate)
    return hours ? { ...row, fte: hours.fte, hoursPerWeek: hours.hoursPerWeek, weeksPerYear: hours.weeksPerYear } : row
  })
  return { ...contract, rows: rows.sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1)) }
}
