import type { StoredContract } from '../../../../domain/budget/budget.ts'
import { mapScalePoints, toInputForm } from '../../../../domain/budget/contractForms.ts'
import type { ContractCost } from '../../../../domain/calculation/inputs.ts'
import { toDisplayedProblem } from '../../../../domain/calculation/staffing/displayProblem.ts'
import { dayInLondon, toPounds } from '../../../../domain/values/format.ts'
import type { BudgetId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { StaffMember } from '../../../streams/budget/people.ts'
import { formatListedName } from '../../../streams/budget/staffDirectory.ts'
import type { ItemReminder } from '../../reminders/queries.ts'

/** The budget to which contracts belong. */
export interface BudgetScope {
  organisationId: OrganisationId
  budgetId: BudgetId
}

/** A contract as the API shows it (entities.json StaffContract). */
export function presentContract({
  contract,
  member,
  notes,
  totals,
  problems,
  points,
  hasExtendedLeave,
  reminder,
}: {
  contract: StoredContract
  member: StaffMember | undefined
  notes: string | null
  totals: (number | null)[] | null
  problems: ContractCost['problems']
  points: ReadonlyMap<number, string>
  hasExtendedLeave: boolean
  reminder?: ItemReminder
}) {
  return {
    ...mapScalePoints(toInputForm(contract), (point) => point.id),
    employeeNumber: member?.employeeNumber ?? null,
    name: member ? formatListedName(member) : null,
    notes,
    pointNames: contract.salary.map((row) =>
      row.scalePoint ? (points.get(row.scalePoint.id) ?? `${row.scalePoint.scale} ${row.scalePoint.increment}`) : null,
    ),
    hasExtendedLeave,
    reminderDate: reminder?.when ?? null,
    reminderText: reminder?.description ?? null,
    created: dayInLondon(contract.created),
    costYears: totals?.map((total) => (total === null ? null : toPounds(total))) ?? null,
    problems: problems.map(toDisplayedProblem),
  }
}

export type ShownContract = ReturnType<typeof presentContract>
