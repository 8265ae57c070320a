import type { PayControlFinding } from '../../../../domain/payroll/controls.ts'
import type { EmployeeRef } from '../../../../domain/payroll/payroll.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import { decryptText } from '../../../core/database/vault.ts'
import type { PayrollPeople } from '../../../shared/payroll/people/queries.ts'
import { presentPerson } from '../rows.ts'
import type { ExplanationRow } from './queries.ts'

/** A search for causes as the user who started it sees it, without locations that they may no longer see. */
export function presentExplanation(
  { status, done, total, failure, found }: ExplanationRow,
  people: PayrollPeople,
  locationIds: readonly LocationId[] | null,
) {
  const seen = found?.filter((one) => !locationIds || locationIds.includes(one.locationId)) ?? null
  const numbers = new Map(
    seen?.flatMap(({ employee, sealedNumber }) =>
      sealedNumber === null ? [] : [[employee, decryptText(people.organisationKey, sealedNumber)] as const],
    ),
  )
  const at = new Set(seen?.map((one) => one.employee))
  const displayEmployee = (employee: EmployeeRef): string =>
    (at.has(employee) && presentPerson(people, employee, { numbers, locationIds }).employeeNumber) || 'someone you cannot see'
  const shownFinding = ({ control, sentence, others }: PayControlFinding) => ({
    control,
    sentence: others ? `${sentence} ${[...new Set(others.map(displayEmployee))].join(' and ')}.` : sentence,
  })
  return {
    status,
    done,
    total,
    failure,
    explained:
      seen?.map(({ employee, sealedNumber: _sealed, findings, ...one }) => {
        const { staffId, employeeNumber } = presentPerson(people, employee, { numbers, locationIds })
        return { ...one, findings: findings.map(shownFinding), staffId, employeeNumber }
      }) ?? null,
  }
}
