import { and, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { requestType as whose } from '../../domain/lookups/lookupIds.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { appliesOutsideLocations, hasLocationField } from '../../domain/resources/sharing.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import { allLocationsRequired, forbidden, otherLocationsAffected } from '../../domain/words/errors.ts'
import type { ReachableLocations, RowScope } from '../core/calls/scope.ts'

type Columns = Record<string, AnyPgColumn>

/** The SQL condition for the rows of a list that a user may see, in addition to row-level security. */
export function buildCallerRowsCondition(
  resource: AnyResource,
  { columns, scope, requestType }: { columns: Columns; scope: RowScope; requestType?: number | null },
): SQL[] {
  const conditions: (SQL | undefined)[] = [
    ...isOwnedCondition(resource, { columns, scope, requestType }),
    ...(scope.shownOnly && resource.shown ? listShownNowConditions(columns, resource.shown) : []),
    // Personal records, which belong to one user, have procedures of their own.
    resource.personalBy ? isNull(assertDefined(columns[resource.personalBy])) : undefined,
  ]
  return conditions.filter((one): one is SQL => one !== undefined)
}

function isOwnedCondition(
  resource: AnyResource,
  { columns, scope, requestType }: { columns: Columns; scope: RowScope; requestType?: number | null },
): (SQL | undefined)[] {
  const { organisationId, reaches, locationIds } = scope
  if (resource.reach === 'organisation') {
    if (reaches) return [inArray(assertDefined(columns.id), reaches.length ? reaches.map((one) => one.organisationId) : [-1])]
    return [scope.isAdministrator || organisationId === null ? undefined : sql`${assertDefined(columns.id)} = ${organisationId}`]
  }
  const within = locationCondition(resource, columns, locationIds)
  // A caller with no permissions in the selected organisation sees none of its records.
  const isOutside = organisationId !== null && locationIds?.length === 0
  if (resource.scope === 'organisation') {
    if (reaches) return [withinReachCondition(resource, columns, reaches)]
    if (isOutside) return [sql`false`]
    return [organisationId === null ? undefined : sql`${assertDefined(columns.organisationId)} = ${organisationId}`, within]
  }
  if (resource.scope !== 'globalOrOrganisation') return [within]
  const type = scope.ownOnly ? whose.own : requestType || whose.both
  if (type === whose.own) return [isOutside ? sql`false` : sql`${assertDefined(columns.organisationId)} = ${organisationId ?? -1}`, within]
  if (type === whose.national || isOutside) return [isNull(assertDefined(columns.organisationId)), isOutside ? undefined : within]
  if (organisationId !== null)
    return [sql`(${assertDefined(columns.organisationId)} is null or ${assertDefined(columns.organisationId)} = ${organisationId})`, within]
  return [reaches ? or(isNull(assertDefined(columns.organisationId)), withinReachCondition(resource, columns, reaches)) : within]
}

/** SQL condition for the rows of all organisations in which the user has access, limited to their locations in each. */
function withinReachCondition(resource: AnyResource, columns: Columns, reaches: readonly ReachableLocations[]): SQL {
  const inside = reaches.filter(({ locationIds }) => locationIds?.length !== 0)
  const each = inside.map(({ organisationId, locationIds }) =>
    and(sql`${assertDefined(columns.organisationId)} = ${organisationId}`, locationCondition(resource, columns, locationIds)),
  )
  return or(...each) ?? sql`false`
}

/** Hides rows of other locations from users limited to some locations. Rows without a location are visible to everyone. */
function locationCondition(resource: AnyResource, columns: Columns, locationIds: readonly LocationId[] | null): SQL | undefined {
  if (!locationIds) return undefined
  const callerLocations = sql.param(`{${locationIds.join(',')}}`)
  if (resource.reach === 'location') return sql`${assertDefined(columns.id)} = any(${callerLocations}::int[])`
  if (columns.locations) return sql`(${columns.locations} = '{}' or ${columns.locations} && ${callerLocations}::int[])`
  return resource.fields.locationId ? sql`${assertDefined(columns.locationId)} = any(${callerLocations}::int[])` : undefined
}

/**
 * Completes the input of a new record: if a user limited to some locations chooses none, the record applies to all locations of the user.
 */
export function fillInCallerLocations<Input extends Record<string, unknown>>(limitedTo: readonly number[] | null, input: Input): Input {
  const { locations } = input
  const isNone = locations === undefined || locations === null || (Array.isArray(locations) && !locations.length)
  return limitedTo && isNone ? { ...input, locations: [...limitedTo] } : input
}

/** Checks the locations that a user limited to some locations chose for a record. @returns a sentence that says what is wrong, or null */
export function findLocationProblem(limitedTo: readonly number[] | null, chosen: readonly number[]): string | null {
  if (!limitedTo) return null
  if (!chosen.length) return 'Choose at least one of your locations.'
  return chosen.every((id) => limitedTo.includes(id)) ? null : 'Choose only your own locations.'
}

/**
 * Refuses changes to records that also affect others: national records unless the user is an administrator (behaviour B-275), and records
 * shared with locations outside the user's.
 * @throws DomainError 403
 */
export function refuseSharedRecordChange(
  resource: AnyResource,
  { isAdministrator, locationIds }: Pick<RowScope, 'isAdministrator' | 'locationIds'>,
  record: AnyRecord,
): void {
  if (resource.scope === 'globalOrOrganisation' && record.organisationId === null && !isAdministrator) throw forbidden()
  if (appliesOutsideLocations(resource, locationIds, record))
    throw hasLocationField(resource) ? otherLocationsAffected() : allLocationsRequired()
}

/** Conditions for a record that is enabled and within its dates. An end date without a time includes that whole day. */
function listShownNowConditions(
  columns: Columns,
  { enabled, from, until, unless }: NonNullable<AnyResource['shown']>,
): (SQL | undefined)[] {
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
