import type { CodeId, ImportedAmounts } from '../../../../domain/monitoring/figures.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { closedOf, importedOf, isCumulative, methodsAt, type Place } from '../facts/queries.ts'

/** A year of a location: which of its months are in, and how its codes are forecast that are not forecast by the budget. */
export type MonthsIn = Pick<Place, 'closed' | 'methods'>

/** Of some locations the twelve months from one on. @param asked `start` in months counted from the year 0 */
export async function monthsIn(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  asked: readonly { locationId: LocationId; year: number; start: number }[],
): Promise<MonthsIn[]> {
  const closed = await closedOf(tx, organisationId, asked)
  const methods = await methodsAt(tx, organisationId, asked)
  return asked.map((_one, index) => ({ closed: assertDefined(closed[index]), methods: assertDefined(methods[index]) }))
}

/** What was imported in whole years of some locations, by the sum that each goes to. */
export function importedInYears(
  call: Call<'organisationId'>,
  places: readonly { locationId: LocationId; start: number; sum: number }[],
  { sums, apart }: { sums: readonly (MonthsIn & { start: number })[]; apart: { place: number; code: number; sum: number }[] },
): Promise<Map<CodeId, ImportedAmounts>[]> {
  const whole = places.map(({ locationId, start }) => ({ locationId, start, period: 12 }))
  return importedOf(call, whole, {
    sums: sums.map((sum) => ({ ...sum, period: 12 })),
    sumOf: places.map((one) => one.sum),
    apart,
  })
}

/** Whether what an organisation imports is the year to date. */
export const importsYearToDate = isCumulative
