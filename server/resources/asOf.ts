import { sql } from 'drizzle-orm'
import type { AnyRecord, AnyResource, RecordOf } from '../../domain/resources/resource.ts'
import type { Call } from '../core/calls/call.ts'
import { castRows, readResourceRecords } from '../core/database/tables.ts'

/**
 * The records of a resource that an organisation could see at an earlier time. Starts with today's records and reverses every later change
 * in the change log.
 * @param until ISO 8601; changes before this time are included
 */
export async function readRecordsAsOf<R extends AnyResource>(
  { tx, organisationId }: Call<'organisationId'>,
  resource: R,
  until: string,
): Promise<RecordOf<R>[]> {
  const changed = await tx.execute<{ id: number; before: AnyRecord | null }>(sql`
    select distinct on (record_id) record_id::integer as id, before from reference_changes
    where resource = ${resource.name} and occurred_at >= ${until}::timestamptz and coalesce(organisation_id, ${organisationId}) = ${organisationId}
    order by record_id, id`)
  const since = new Map([...changed].map(({ id, before }) => [id, before]))
  const now: Record<string, unknown>[] = await readResourceRecords(tx, resource)
  const stood = [...now.filter((row) => !since.has(Number(row.id))), ...[...since.values()].flatMap((before) => before ?? [])]
  return castRows(
    resource,
    stood.sort((a, b) => Number(a.id) - Number(b.id)),
  )
}
