import { type SQL, sql } from 'drizzle-orm'
import { onlyRow } from '../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import type { OrganisationTx } from './database.ts'

/** The reference data, or the staff, of an organisation as a transaction sees them: what was read under the same counts is still true. */
export interface DataVersion {
  /** The database, and as whose it is seen: counts of one are nothing to another. */
  place: string
  /** How many transactions changed what belongs to everybody, and to the organisation. */
  national: number
  own: number
  /** Whether what is read under it is for others too: the transaction has not itself changed any of it, and sees this organisation alone. */
  isForAll: boolean
}

/** Read it before the data, so that what is kept is never older than it says. */
export async function dataVersion(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  subject: 'reference' | 'staff',
): Promise<DataVersion> {
  const row = onlyRow(await tx.execute<DataVersionRow>(dataVersionQuery(organisationId, subject)))
  return row
}

/** The version as a query answers it. */
export type DataVersionRow = { [name in keyof DataVersion]: DataVersion[name] }

/** Asks for the version, for a question that asks for more. */
export function dataVersionQuery(organisationId: OrganisationId, subject: 'reference' | 'staff'): SQL {
  return sql`
    select concat_ws(' ', current_database(), inet_server_port(), current_organisation(), ${organisationId}::text) as place,
      coalesce(max(version) filter (where organisation_id is null), 0)::integer as national,
      coalesce(max(version) filter (where organisation_id = ${organisationId}), 0)::integer as own,
      coalesce(current_setting(${`app.changed_${subject}`}, true), '') = ''
        and current_setting('app.organisation_id', true) = ${String(organisationId)} as "isForAll"
    from data_versions where subject = ${subject} and (organisation_id = ${organisationId} or organisation_id is null)`
}

/** Whether what was kept under a version is what the transaction sees. */
export function isCurrent(kept: DataVersion, now: DataVersion): boolean {
  return now.isForAll && kept.place === now.place && kept.national === now.national && kept.own === now.own
}
