import { contractInput, inputsOf } from '../../../../domain/calculation/staffing/frozen.ts'
import { type LeavePeriod, leavePeriods } from '../../../../domain/calculation/staffing/leaveWeeks.ts'
import { prepare } from '../../../../domain/calculation/staffing/prepared.ts'
import { dayOf } from '../../../../domain/calendar.ts'
import { poundsOf } from '../../../../domain/format.ts'
import type { StaffId } from '../../../../domain/ids.ts'
import { must } from '../../../../domain/must.ts'
import type { Pennies } from '../../../../domain/units.ts'
import { type BudgetRow, contractsOfEmployees } from '../../../core/budget/queries.ts'
import type { Call } from '../../../core/calls/call.ts'
import { inputsNow } from '../../calculation/inputs/queries.ts'
import { leavesByStaff } from './queries.ts'

type Shown = Omit<LeavePeriod, 'paid' | 'recovered'> & { paid: number | null; recovered: number | null }

/** The leaves of one person with the pay of their weeks, in pounds, over the person's contracts in a budget. */
export async function leaveTimelines(
  call: Call<'organisationId'>,
  { id: budgetId, head }: BudgetRow,
  staffId: StaffId,
): Promise<{ leaveId: number; periods: Shown[] }[]> {
  const { tx, organisationId } = call
  const own = await contractsOfEmployees({ tx, organisationId, budgetId }, [staffId])
  const rows = (await leavesByStaff(tx, organisationId, [staffId])).get(staffId) ?? []
  if (!own.length || !rows.length) return []
  const { shared, frozen } = await inputsNow(call, head, { contracts: own })
  const person = must(frozen.people[staffId])
  const prepared = prepare(inputsOf(frozen, shared))
  const employee = { ...person, contracts: own.map(contractInput) }
  const pounds = (pennies: Pennies | null): number | null => (pennies === null ? null : poundsOf(pennies))
  return rows.map((row) => {
    const leave = must(person.leaves.find((one) => one.startDate === row.startDate && one.endDate === row.endDate))
    const periods = leavePeriods(prepared, employee, { ...leave, from: dayOf(row.startDate), to: dayOf(row.endDate) })
    return { leaveId: row.id, periods: periods.map((one) => ({ ...one, paid: pounds(one.paid), recovered: pounds(one.recovered) })) }
  })
}
