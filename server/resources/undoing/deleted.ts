import { type SQL, sql } from 'drizzle-orm'
import { getRestorableSince } from '../../../domain/changes/bin.ts'
import type { Paged } from '../../../domain/lists/lists.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import type { LocationId, UserId } from '../../../domain/values/ids.ts'
import type { Call } from '../../core/calls/call.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { buildIdArray } from '../useSources.ts'

/** A recently deleted record, from the log. */
export interface DeletedRecord {
  resource: string
  id: number
  record: AnyRecord
  /** Null if the product deleted it. */
  deletedBy: UserId | null
  /** ISO 8601. */
  deletedAt: string
  /** How many dependent rows were deleted with it and will be restored with it. */
  parts: number
}

interface Line extends DeletedRecord, Record<string, unknown> {
  total: number
}

/** The caller who looks into the bin, with what they may restore, and the time of the call. */
export interface BinViewer {
  /** The resources of which the caller may recreate records. */
  resources: readonly AnyResource[]
  rows: RowScope
  now: Date
}

/**
 * SQL condition for the deletions that the bin shows a caller: recent, not recreated since, and within their organisation and locations.
 * Administrators also see national records. The bin reads only the log, so it stores no data of its own and deleted data lasts no longer
 * than in the history.
 */
function binCondition({ resources, rows, now }: BinViewer, search?: string | null): SQL {
  const { organisationId, isAdministrator, locationIds } = rows
  const since = getRestorableSince(now).toISOString()
  const ownDeletions = organisationId === null ? sql`false` : sql`gone.organisation_id = ${organisationId}`
  const kinds = resources.map(
    (resource) => sql`(gone.resource = ${resource.name} and ${visibleDeletionCondition(resource, locationIds, search)})`,
  )
  return sql`gone.action = 'deleted' and gone.occurred_at > ${since}::timestamptz and ${isAdministrator ? sql`(${ownDeletions} or gone.organisation_id is null)` : ownDeletions}
    and (${kinds.length ? sql.join(kinds, sql` or `) : sql`false`})
    and not exists (select from reference_changes later where later.resource = gone.resource and later.record_id = gone.record_id and later.id > gone.id)`
}

/**
 * Limits deleted records to those that match the search and that the caller could see if they still existed, as `buildCallerRowsCondition` does for
 * existing records.
 */
function visibleDeletionCondition(
  resource: AnyResource,
  locationIds: readonly LocationId[] | null,
  search: string | null | undefined,
): SQL {
  const conditions: SQL[] = [sql`true`]
  if (resource.personalBy) conditions.push(sql`gone.before ->> ${resource.personalBy} is null`)
  if (locationIds) {
    if (resource.reach === 'location') conditions.push(sql`gone.record_id::integer = any(${buildIdArray(locationIds)})`)
    else if (resource.fields.locations)
      conditions.push(
        sql`(gone.before -> 'locations' = '[]' or exists (select from jsonb_array_elements(gone.before -> 'locations') place where place::integer = any(${buildIdArray(locationIds)})))`,
      )
    else if (resource.fields.locationId) conditions.push(sql`(gone.before ->> 'locationId')::integer = any(${buildIdArray(locationIds)})`)
  }
  const words = search?.trim().replace(/[\\%_]/g, '\\$&')
  if (words) {
    const named = resource.naming.map((name) => sql`gone.before ->> ${name} ilike ${`%${words}%`}`)
    conditions.push(sql`(${sql.join(named, sql` or `)})`)
  }
  return sql.join(conditions, sql` and `)
}

/** The resources that are parts of others, each with its parent resource and the field that refers to the parent. */
const partsOf = (resources: readonly AnyResource[]) =>
  resources.flatMap((whole) => (whole.parts ?? []).map(({ of, by }) => ({ whole: whole.name, of, by })))

/** Whether a row was deleted together with its parent. Such rows are restored with the parent and not listed separately. */
function deletedWithParentCondition(resources: readonly AnyResource[]): SQL {
  const each = partsOf(resources).map(
    ({ whole, of, by }) => sql`(gone.resource = ${of} and exists (select from reference_changes whole where whole.resource = ${whole}
      and whole.record_id = gone.before ->> ${by} and whole.action = 'deleted' and whole.transaction = gone.transaction))`,
  )
  return each.length ? sql`(${sql.join(each, sql` or `)})` : sql`false`
}

/** The rows that were deleted together with a parent record. The same transaction logged them. */
function partsCondition(resources: readonly AnyResource[]): SQL {
  const each = partsOf(resources).map(
    ({ whole, of, by }) => sql`(gone.resource = ${whole} and part.resource = ${of} and part.before ->> ${by} = gone.record_id)`,
  )
  return sql`part.action = 'deleted' and part.transaction = gone.transaction and ${each.length ? sql`(${sql.join(each, sql` or `)})` : sql`false`}`
}

const line = (resources: readonly AnyResource[]): SQL => sql`gone.resource, gone.record_id::integer as id, gone.before as record,
  gone.actor_id as "deletedBy", gone.occurred_at as "deletedAt",
  (select count(*)::integer from reference_changes part where ${partsCondition(resources)}) as parts`

const asDeleted = ({ total: _total, deletedAt, ...rest }: Line): DeletedRecord => ({
  ...rest,
  deletedAt: new Date(deletedAt).toISOString(),
})

/** A page of the bin, newest first. */
export async function readBinPage(
  call: Call & BinViewer,
  { search, pageNumber, pageSize }: { search?: string | null; pageNumber: number; pageSize: number },
): Promise<Paged<DeletedRecord>> {
  const { tx } = call
  const where = sql`${binCondition(call, search)} and not ${deletedWithParentCondition(call.resources)}`
  const rows = await tx.execute<Line>(sql`
    select ${line(call.resources)}, (select count(*)::integer from reference_changes gone where ${where}) as total
    from reference_changes gone where ${where}
    order by gone.id desc limit ${pageSize} offset ${(pageNumber - 1) * pageSize}`)
  return { rows: [...rows].map(asDeleted), total: rows[0]?.total ?? 0 }
}

/** Selected records of the bin, by id. */
export async function readBinRecords(call: Call & BinViewer, resource: AnyResource, ids: readonly number[]): Promise<DeletedRecord[]> {
  const { tx } = call
  if (!ids.length) return []
  const only = { ...call, resources: [resource] }
  const rows = await tx.execute<Line>(sql`
    select ${line([resource])}, 0 as total from reference_changes gone
    where ${binCondition(only)} and gone.record_id = any(${sql.param(`{${ids.join(',')}}`)}::text[]) order by gone.id`)
  return [...rows].map(asDeleted)
}

/** The rows that were deleted together with some records, by resource. */
export async function readDeletedParts(
  tx: OrganisationTx,
  resource: AnyResource,
  ids: readonly number[],
): Promise<{ resource: string; record: AnyRecord }[]> {
  if (!resource.parts?.length || !ids.length) return []
  const rows = await tx.execute<{ resource: string; record: AnyRecord }>(sql`
    select part.resource, part.before as record from reference_changes gone
    join reference_changes part on ${partsCondition([resource])}
    where gone.resource = ${resource.name} and gone.action = 'deleted' and gone.record_id = any(${sql.param(`{${ids.join(',')}}`)}::text[])
      and not exists (select from reference_changes later where later.resource = gone.resource and later.record_id = gone.record_id and later.id > gone.id)
    order by part.id`)
  return [...rows]
}
