import { type SQL, sql } from 'drizzle-orm'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import type { OrganisationTx } from './database.ts'

/**
 * The version of an organisation's reference data or staff as a transaction sees it. Cached data is valid while its version is the current
 * one.
 */
export interface DataVersion {
  /** Identifies the database and the organisation. Only versions with the same `place` can be compared. */
  place: string
  /** How many transactions changed national data (`national`) and the organisation's data (`own`). */
  national: number
  own: number
  /**
   * Whether other transactions may use what is read under this version: only if this transaction has changed none of it and sees only this
   * organisation.
   */
  isForAll: boolean
}

/** The versions that read-only transactions have read. Other transactions may change the data, so they read its version each time. */
const known = new WeakMap<OrganisationTx, Map<string, Promise<DataVersion>>>()

/**
 * Reads the version; a read-only transaction reads it only once. Must be called before the data is read, so that cached data is never older
 * than its version.
 */
export function readDataVersion(tx: OrganisationTx, organisationId: OrganisationId, subject: 'reference' | 'staff'): Promise<DataVersion> {
  const key = `${organisationId} ${subject}`
  const versions = known.get(tx) ?? new Map<string, Promise<DataVersion>>()
  const version = versions.get(key) ?? tx.execute<DataVersionRow>(buildDataVersionQuery(organisationId, subject)).then(requireSingleRow)
  if (tx.isReadOnly) known.set(tx, versions.set(key, version))
  return version
}

/** The version as a query returns it. */
export type DataVersionRow = { [name in keyof DataVersion]: DataVersion[name] }

/** SQL that selects the version, for a query that also reads other data. */
export function buildDataVersionQuery(organisationId: OrganisationId, subject: 'reference' | 'staff'): SQL {
  return sql`
    select concat_ws(' ', current_database(), inet_server_port(), current_organisation(), ${organisationId}::text) as place,
      coalesce(max(version) filter (where organisation_id is null), 0)::integer as national,
      coalesce(max(version) filter (where organisation_id = ${organisationId}), 0)::integer as own,
      coalesce(current_setting(${`app.changed_${subject}`}, true), '') = ''
        and current_setting('app.organisation_id', true) = ${String(organisationId)} as "isForAll"
    from data_versions where subject = ${subject} and (organisation_id = ${organisationId} or organisation_id is null)`
}

/** Whether data cached under a version is what the transaction sees. */
export function isVersionCurrent(cached: DataVersion, now: DataVersion): boolean {
  return now.isForAll && cached.place === now.place && cached.national === now.national && cached.own === now.own
}
