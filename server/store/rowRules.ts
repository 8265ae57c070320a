import { inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { AnyResource } from '../../domain/resources/resource.ts'

type Columns = Record<string, AnyPgColumn>

/** Whose rows a call may touch; the context makes it from headers and memberships, nobody else. */
export interface RowScope {
  organisationId: number | null
  /** The locations a user is limited to; null: all. */
  locationIds: number[] | null
  /** Those the user belongs to, where a call is not made within one of them. */
  organisationIds?: number[]
  isAdministrator: boolean
  /** Only the organisation's own rows of a list that has national ones too. */
  ownOnly?: boolean
  /** Only what shows now (behaviour B-258). */
  shownOnly?: boolean
}

/** Which rows of a list a user may see, beside what row-level security already keeps away. */
export function visible(resource: AnyResource, columns: Columns, scope: RowScope, requestType?: number | null): SQL[] {
  const conditions: (SQL | undefined)[] = [
    ...ownership(resource, columns, scope, requestType),
    ...byLocation(resource, columns, scope),
    ...(scope.shownOnly && resource.shown ? showsNow(columns, resource.shown) : []),
    // Personal reminders are kept by their owners alone, through calls of their own.
    resource.name === 'reminder' ? isNull(columns.userId!) : undefined,
  ]
  return conditions.filter((one): one is SQL => one !== undefined)
}

function ownership(resource: AnyResource, columns: Columns, scope: RowScope, requestType?: number | null): (SQL | undefined)[] {
  const { organisationId, organisationIds } = scope
  const among = (column: AnyPgColumn): SQL => inArray(column, organisationIds?.length ? organisationIds : [-1])
  if (resource.name === 'organisation') return [organisationIds && among(columns.id!)]
  if (resource.name === 'location' && organisationIds) return [among(columns.organisationId!)]
  if (resource.scope === 'organisation') return [organisationId === null ? undefined : sql`${columns.organisationId!} = ${organisationId}`]
  if (resource.scope !== 'globalOrOrganisation') return []
  const type = scope.ownOnly ? 1 : requestType || 3
  if (type === 1) return [sql`${columns.organisationId!} = ${organisationId ?? -1}`]
  if (type === 2) return [isNull(columns.organisationId!)]
  if (organisationId !== null) return [sql`(${columns.organisationId!} is null or ${columns.organisationId!} = ${organisationId})`]
  return [organisationIds && or(isNull(columns.organisationId!), among(columns.organisationId!))]
}

/** Rows of other locations are out of sight for people who are limited to some; rows of no location are everybody's. */
function byLocation(resource: AnyResource, columns: Columns, { locationIds }: RowScope): SQL[] {
  if (!locationIds) return []
  const own = sql.param(`{${locationIds.join(',')}}`)
  if (resource.name === 'location') return [sql`${columns.id!} = any(${own}::int[])`]
  if (columns.locations) return [sql`(${columns.locations} = '{}' or ${columns.locations} && ${own}::int[])`]
  if (resource.fields.locationId) return [sql`${columns.locationId!} = any(${own}::int[])`]
  return []
}

/** Enabled and within its dates; a plain date counts to its end. */
function showsNow(columns: Columns, { enabled, from, until, unless }: NonNullable<AnyResource['shown']>): (SQL | undefined)[] {
  const ends = columns[until]!
  const isDay = ends.getSQLType() === 'date'
  const now = isDay ? sql`current_date` : sql`now()`
  const begins = from && columns[from]!
  return [
    enabled && sql`${columns[enabled]!}`,
    begins && sql`(${begins} is null or ${begins} <= ${now})`,
    or(isNull(ends), isDay ? sql`${ends} >= ${now}` : sql`${ends} > ${now}`, unless ? sql`${columns[unless]!}` : undefined),
  ].map((one) => one || undefined)
}
