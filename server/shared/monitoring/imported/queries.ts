import type { CodeId, ImportedAmounts } from '../../../../domain/monitoring/figures.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import {
  type MonitoredLocation,
  readCumulativeSetting,
  readForecastMethods,
  readImportedActuals,
  readMonthsWithImports,
} from '../facts/queries.ts'

/** A location's year: the months with actuals, and the codes with a forecast method other than the budget. */
export type ClosedMonthsAndMethods = Pick<MonitoredLocation, 'closed' | 'methods'>

/**
 * The months with actuals and the forecast methods of a year at some locations.
 * @param locations `start` is the first month of the year, counted in months since year 0
 */
export async function readMonthsWithActuals(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  locations: readonly { locationId: LocationId; year: number; start: number }[],
): Promise<ClosedMonthsAndMethods[]> {
  const closed = await readMonthsWithImports(tx, organisationId, locations)
  const methods = await readForecastMethods(tx, organisationId, locations)
  return locations.map((_one, index) => ({ closed: assertDefined(closed[index]), methods: assertDefined(methods[index]) }))
}

/** The actuals of whole years at some locations, each added to the given sum. */
export function readImportedYears(
  call: Call<'organisationId'>,
  locations: readonly { locationId: LocationId; start: number; sum: number }[],
  {
    sums,
    apart,
  }: { sums: readonly (ClosedMonthsAndMethods & { start: number })[]; apart: { locationIndex: number; code: number; sum: number }[] },
): Promise<Map<CodeId, ImportedAmounts>[]> {
  const whole = locations.map(({ locationId, start }) => ({ locationId, start, period: 12 }))
  return readImportedActuals(call, whole, {
    sums: sums.map((sum) => ({ ...sum, period: 12 })),
    sumOf: locations.map((one) => one.sum),
    apart,
  })
}

/** Whether an organisation imports year-to-date figures. */
export const readImportsYearToDate = readCumulativeSetting
