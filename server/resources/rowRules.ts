import { and, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { requestType as whose } from '../../domain/lookups/lookupIds.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { countsElsewhere, saysWhere } from '../../domain/resources/sharing.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import { affectsUnseenLocations, forbidden, needsAllLocations } from '../../domain/words/errors.ts'
import type { Reach, RowScope } from '../core/calls/scope.ts'

type Columns = Record<string, AnyPgColumn>

/** Which rows of a list a user may see, beside what row-level security already keeps away. */
export function visible(
  resource: AnyResource,
  { columns, scope, requestType }: { columns: Columns; scope: RowScope; requestType?: number | null },
): SQL[] {
  const conditions: (SQL | undefined)[] = [
    ...owned(resource, { columns, scope, requestType }),
    ...(scope.shownOnly && resource.shown ? showsNow(columns, resource.shown) : []),
    // What is one person's alone is kept through calls of its own.
    resource.personalBy ? isNull(assertDefined(columns[resource.personalBy])) : undefined,
  ]
  return conditions.filter((one): one is SQL => one !== undefined)
}

function owned(
  resource: AnyResource,
  { columns, scope, requestType }: { columns: Columns; scope: RowScope; requestType?: number | null },
): (SQL | undefined)[] {
  const { organisationId, reaches, locationIds } = scope
  if (resource.reach === 'organisation') {
    if (reaches) return [inArray(assertDefined(columns.id), reaches.length ? reaches.map((one) => one.organisationId) : [-1])]
    return [scope.isAdministrator || organisationId === null ? undefined : sql`${assertDefined(columns.id)} = ${organisationId}`]
  }
  const within = byLocation(resource, columns, locationIds)
  // Who has no right at all in the selected organisation sees nothing that is its own.
  const isOutside = organisationId !== null && locationIds?.length === 0
  if (resource.scope === 'organisation') {
    if (reaches) return [inReach(resource, columns, reaches)]
    if (isOutside) return [sql`false`]
    return [organisationId === null ? undefined : sql`${assertDefined(columns.organisationId)} = ${organisationId}`, within]
  }
  if (resource.scope !== 'globalOrOrganisation') return [within]
  const type = scope.ownOnly ? whose.own : requestType || whose.both
  if (type === whose.own) return [isOutside ? sql`false` : sql`${assertDefined(columns.organisationId)} = ${organisationId ?? -1}`, within]
  if (type === whose.national || isOutside) return [isNull(assertDefined(columns.organisationId)), isOutside ? undefined : within]
  if (organisationId !== null)
    return [sql`(${assertDefined(columns.organisationId)} is null or ${assertDefined(columns.organisationId)} = ${organisationId})`, within]
  return [reaches ? or(isNull(assertDefined(columns.organisationId)), inReach(resource, columns, reaches)) : within]
}

/** The rows of each organisation that the user reaches, there as far as the user is limited in that one. */
function inReach(resource: AnyResource, columns: Columns, reaches: readonly Reach[]): SQL {
  const inside = reaches.filter(({ locationIds }) => locationIds?.length !== 0)
  const each = inside.map(({ organisationId, locationIds }) =>
    and(sql`${assertDefined(columns.organisationId)} = ${organisationId}`, byLocation(resource, columns, locationIds)),
  )
  return or(...each) ?? sql`false`
}

/** Rows of other locations are out of sight for people who are limited to some; rows of no location are everybody's. */
function byLocation(resource: AnyResource, columns: Columns, locationIds: readonly LocationId[] | null): SQL | undefined {
  if (!locationIds) return undefined
  const own = sql.param(`{${locationIds.join(',')}}`)
  if (resource.reach === 'location') return sql`${assertDefined(columns.id)} = any(${own}::int[])`
  if (columns.locations) return sql`(${columns.locations} = '{}' or ${columns.locations} && ${own}::int[])`
  return resource.fields.locationId ? sql`${assertDefined(columns.locationId)} = any(${own}::int[])` : undefined
}

/** A new record as it came in: what somebody limited to some locations gives no location is for all of their own. */
export function withOwnLocations<Input extends Record<string, unknown>>(limitedTo: readonly number[] | null, input: Input): Input {
  const { locations } = input
  const isNone = locations === undefined || locations === null || (Array.isArray(locations) && !locations.length)
  return limitedTo && isNone ? { ...input, locations: [...limitedTo] } : input
}

/**
 * What somebody who is limited to some locations gets wrong when they say where a record may be used.
 * @returns a sentence, or null when nothing is wrong
 */
export function locationProblem(limitedTo: readonly number[] | null, chosen: readonly number[]): string | null {
  if (!limitedTo) return null
  if (!chosen.length) return 'Choose at least one of your locations.'
  return chosen.every((id) => limitedTo.includes(id)) ? null : 'Choose locations of your own only.'
}

/**
 * Refuses a change of a record by somebody to whom it does not wholly belong: a national one by others than the administrator (behaviour
 * B-275), one that other locations share by somebody who is limited to some.
 * @throws DomainError 403
 */
export function refuseChange(
  resource: AnyResource,
  { isAdministrator, locationIds }: Pick<RowScope, 'isAdministrator' | 'locationIds'>,
  record: AnyRecord,
): void {
  if (resource.scope === 'globalOrOrganisation' && record.organisationId === null && !isAdministrator) throw forbidden()
  if (countsElsewhere(resource, locationIds, record)) throw saysWhere(resource) ? affectsUnseenLocations() : needsAllLocations()
}

/** Enabled and within its dates; a plain date counts to its end. */
function showsNow(columns: Columns, { enabled, from, until, unless }: NonNullable<AnyResource['shown']>): (SQL | undefined)[] {
  const ends = assertDefined(columns[until])
  const isDay = ends.getSQLType() === 'date'
  const now = isDay ? sql`(now() at time zone 'Europe/London')::date` : sql`now()`
  const begins = from && assertDefined(columns[from])
  return [
    enabled && sql`${assertDefined(columns[enabled])}`,
    begins && sql`(${begins} is null or ${begins} <= ${now})`,
    or(isNull(ends), isDay ? sql`${ends} >= ${now}` : sql`${ends} > ${now}`, unless ? sql`${assertDefined(columns[unless])}` : undefined),
  ].map((one) => one || undefined)
}
