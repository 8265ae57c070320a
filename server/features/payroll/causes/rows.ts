import { unseal } from '../../../core/database/vault.ts'
import type { People } from '../people.ts'
import { shownPerson } from '../rows.ts'
import type { ExplanationRow } from './queries.ts'

/** A search for causes as its user sees it; of locations that they may no longer see nothing is told. */
export function shownExplanation(
  { status, done, total, failure, found }: ExplanationRow,
  people: People,
  locationIds: readonly number[] | null,
) {
  const seen = found?.filter((one) => !locationIds || locationIds.includes(one.locationId)) ?? null
  return {
    status,
    done,
    total,
    failure,
    explained:
      seen?.map(({ employee, sealedNumber, ...one }) => {
        const numbers = new Map(sealedNumber === null ? [] : [[employee, unseal(people.organisationKey, sealedNumber)]])
        const { staffId, employeeNumber } = shownPerson(people, employee, { numbers, locationIds })
        return { ...one, staffId, employeeNumber }
      }) ?? null,
  }
}
