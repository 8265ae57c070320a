import { toDisplayedProblem } from '../../../../domain/calculation/staffing/displayProblem.ts'
import { combineInputs, toContractInput } from '../../../../domain/calculation/staffing/frozen.ts'
import { calculateLeaveEffect } from '../../../../domain/calculation/staffing/leaveEffect.ts'
import { buildLeavePeriods, type LeavePeriod } from '../../../../domain/calculation/staffing/leaveWeeks.ts'
import { prepareCalculation } from '../../../../domain/calculation/staffing/prepared.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { formatBudgetYear, listBudgetPeriods, toDay } from '../../../../domain/values/calendar.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import type { StaffId } from '../../../../domain/values/ids.ts'
import type { Pennies } from '../../../../domain/values/units.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import { readCurrentInputs } from '../../../shared/costing/inputs/queries.ts'
import { readLeavesByStaff } from '../../../shared/costing/leave/queries.ts'
import { loadContractsOfEmployees } from '../../../streams/budget/queries.ts'

const plus = (a: Pennies | null, b: Pennies | null): Pennies | null => (a === null || b === null ? null : a + b)

type ShownPeriod = Omit<LeavePeriod, 'paid' | 'recovered'> & { paid: number | null; recovered: number | null }

/** How much a leave changes the cost of one year, in pounds. */
interface YearCostChange {
  year: string
  change: number | null
}

/**
 * A person's leaves, each with its periods, their weekly pay, and its effect on the cost of each budget year. Pounds, over all the person's
 * contracts in the budget.
 */
export async function buildLeaveTimelines(
  call: Call<'organisationId'>,
  { id: budgetId, head }: BudgetRow,
  staffId: StaffId,
): Promise<{ leaveId: number; ruleSetId: number; periods: ShownPeriod[]; changes: YearCostChange[] }[]> {
  const { tx, organisationId } = call
  const employeeContracts = await loadContractsOfEmployees({ tx, organisationId, budgetId }, [staffId])
  const rows = (await readLeavesByStaff(tx, organisationId, [staffId])).get(staffId) ?? []
  if (!employeeContracts.length || !rows.length) return []
  const { shared, frozen } = await readCurrentInputs(call, head, { contracts: employeeContracts })
  const person = assertDefined(frozen.people[staffId])
  const prepared = prepareCalculation(combineInputs(frozen, shared))
  const employee = { ...person, contracts: employeeContracts.map(toContractInput) }
  const pounds = (pennies: Pennies | null): number | null => (pennies === null ? null : toPounds(pennies))
  const months = listBudgetPeriods(head.firstYear, head.numberOfYears, head.startMonth)
  return rows.map((row) => {
    const leave = assertDefined(person.leaves.find((one) => one.startDate === row.startDate && one.endDate === row.endDate))
    const periods = buildLeavePeriods(prepared, employee, { ...leave, from: toDay(row.startDate), to: toDay(row.endDate) })
    const byContract = calculateLeaveEffect(prepared, employee, [leave])
    const changes = Array.from({ length: head.numberOfYears }, (_unused, year): YearCostChange[] => {
      const change = byContract.reduce<Pennies | null>((sum, years) => plus(sum, years[year] ?? null), 0)
      const isIn = months
        .slice(year * 12, year * 12 + 12)
        .some(({ first, last }) => first <= toDay(row.endDate) && last >= toDay(row.startDate))
      // Leave out years without a day of the leave, even if their cost could not be calculated.
      return isIn || change ? [{ year: formatBudgetYear(head.firstYear, year), change: pounds(change) }] : []
    }).flat()
    return {
      leaveId: row.id,
      ruleSetId: Number(leave.ruleset),
      periods: periods.map((one) => ({
        ...one,
        paid: pounds(one.paid),
        recovered: pounds(one.recovered),
        problem: one.problem && toDisplayedProblem(one.problem),
      })),
      changes,
    }
  })
}
