import { requireNumbers } from '../values/unknownValues.ts'
import type { AnyResource } from './resource.ts'

/** Whether the records of a list say at which locations they count. Those of other lists count for the whole organisation. */
export function saysWhere({ reach, fields }: Pick<AnyResource, 'reach' | 'fields'>): boolean {
  return reach === 'location' || Boolean(fields.locations ?? fields.locationId)
}

/**
 * Whether a record also counts where a caller has no rights: at all locations, at more of them than the caller's, or, as in a list that no
 * location has for itself, in the whole organisation. Only somebody who has all those locations changes it.
 * @param locationIds the locations that the caller is limited to; null: all
 */
export function countsElsewhere(
  resource: Pick<AnyResource, 'reach' | 'fields'>,
  locationIds: readonly number[] | null,
  record: { readonly id?: unknown; readonly locations?: unknown; readonly locationId?: unknown },
): boolean {
  if (!locationIds) return false
  const isOwn = (id: unknown): boolean => locationIds.some((own) => own === id)
  if (resource.reach === 'location') return !isOwn(record.id)
  if (resource.fields.locations) {
    const places = requireNumbers(record.locations)
    return !places.length || !places.every(isOwn)
  }
  return !(resource.fields.locationId && isOwn(record.locationId))
}
