import { requireNumbers } from '../values/unknownValues.ts'
import type { AnyResource } from './resource.ts'

/** Whether records of a list have locations. Records of other lists apply to the whole organisation. */
export function hasLocationField({ reach, fields }: Pick<AnyResource, 'reach' | 'fields'>): boolean {
  return reach === 'location' || Boolean(fields.locations ?? fields.locationId)
}

/**
 * Whether a record also applies outside the caller's locations: to all locations, to other locations, or to the whole organisation. Only a
 * caller with access to all of the record's locations may change it.
 * @param locationIds the locations that the caller is limited to; null if not limited
 */
export function appliesOutsideLocations(
  resource: Pick<AnyResource, 'reach' | 'fields'>,
  locationIds: readonly number[] | null,
  record: { readonly id?: unknown; readonly locations?: unknown; readonly locationId?: unknown },
): boolean {
  if (!locationIds) return false
  const isOwn = (id: unknown): boolean => locationIds.some((visibleId) => visibleId === id)
  if (resource.reach === 'location') return !isOwn(record.id)
  if (resource.fields.locations) {
    const locationIds = requireNumbers(record.locations)
    return !locationIds.length || !locationIds.every(isOwn)
  }
  return !(resource.fields.locationId && isOwn(record.locationId))
}
