import { createRefusedImportError } from '../../../domain/files/refusals.ts'
import type { CellProblem } from '../../../domain/files/texts.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { RecordOf } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readResourceRecords } from '../../core/database/tables.ts'

type LocationRecord = RecordOf<typeof resources.location>
type Row = Record<string, string>

/** The rows of one location. A row's number counts from the first row under the heading, which is 1. */
export interface LocationRows {
  location: LocationRecord
  rows: { row: number; values: Row }[]
}

/**
 * Groups the rows of a file by the name or code in their Location column.
 * @param locationId the location of rows that do not give one; null if each row must, unless there is only one location
 * @throws DomainError with the row, the value and what to do, for a row without a valid location
 */
export async function groupRowsByLocation(
  tx: OrganisationTx,
  { organisationId, locationIds }: RowScope & { organisationId: OrganisationId },
  { rows, locationId }: { rows: readonly Row[]; locationId: LocationId | null },
): Promise<LocationRows[]> {
  const locations = (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })).filter(
    ({ id }) => !locationIds || locationIds.includes(id),
  )
  const only = locationId ?? (locations.length === 1 ? assertDefined(locations[0]).id : null)
  const byName = new Map(
    locations.flatMap(({ id, name, alias, dfeNumber, referenceNumber, budgetCodeFilter }) =>
      [budgetCodeFilter, referenceNumber, dfeNumber, alias, name].flatMap((word) =>
        word ? [[word.trim().toLowerCase(), id] as const] : [],
      ),
    ),
  )
  const errors: CellProblem[] = []
  const byPlace = new Map<LocationId, LocationRows>()
  for (const [index, { Location: locationName = '', ...values }] of rows.entries()) {
    const place = locationName.trim() ? byName.get(locationName.trim().toLowerCase()) : only
    const refuse = (message: string): void => void errors.push({ row: index + 1, column: 'Location', value: locationName, message })
    if (locationName.trim() && !place) refuse('This location was not found. Enter its name, or one of its codes under Console → Locations.')
    else if (!place) refuse('Enter the location of each row: the organisation has more than one.')
    else if (locationId !== null && place !== locationId) refuse('This row belongs to another location. Remove it.')
    if (!place) continue
    const placed = byPlace.get(place) ?? { location: assertDefined(locations.find(({ id }) => id === place)), rows: [] }
    placed.rows.push({ row: index + 1, values })
    byPlace.set(place, placed)
  }
  if (errors.length) throw createRefusedImportError(errors, rows.length)
  return [...byPlace.values()]
}
