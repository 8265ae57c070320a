import { requireNumbers } from '../values/unknownValues.ts'
import type { AnyResource } from './resource.ts'

/** Whether records of a list name their locations. Records of other lists apply to the whole organisation. */
export function namesLocations({ reach, fields }: Pick<AnyResource, 'reach' | 'fields'>): boolean {
  return reach === 'location' || Boolean(fields.locations ?? fields.locationId)
}

/**
 * Whether a record also applies outside a caller's locations: to all locations, to others, or to the whole organisation. Only a caller with
 * all those locations may change it.
 * @param locationIds the locations the caller is limited to; null for all
 */
export function appliesElsewhere(
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
