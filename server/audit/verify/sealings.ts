import { sql } from 'drizzle-orm'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { platform } from '../../../domain/values/ids.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { isSealedKind, type LoggedUser, openRecord, sealedAfterwards, userKeys, userOfChange } from '../../core/database/userSeal.ts'
import { sha256 } from '../../core/stream/hash.ts'
import type { Finding } from './verify.ts'

/** An upgrade that sealed changes of users after they had been written. */
export interface Sealing {
  at: string
  changes: number
}

/** A change that was sealed: the hash that its link holds, and the hash of what it says now. */
interface SealedChange {
  was: string
  is: string
}

/** The changes of an organisation that were sealed after they had been written. All of them are the platform's. */
export async function sealedChanges(tx: OrganisationTx, organisationId: OrganisationId): Promise<Map<string, SealedChange>> {
  if (organisationId !== platform) return new Map()
  const rows = await tx.execute<{ id: string; was: string; is: string }>(sql`
    select change ->> 'id' as id, change ->> 'was' as was, change ->> 'is' as is
    from reference_changes, jsonb_array_elements(after -> 'changes') change
    where organisation_id is null and resource = ${sealedAfterwards} order by reference_changes.id desc`)
  // The first entry about a change counts: nothing is sealed twice.
  return new Map([...rows].map(({ id, was, is }) => [id, { was, is }]))
}

/** When the chain of the platform says that changes were sealed. */
export async function sealings(tx: OrganisationTx): Promise<Sealing[]> {
  const rows = await tx.execute<{ at: string | Date; changes: number }>(sql`
    select occurred_at as at, sum(jsonb_array_length(after -> 'changes'))::integer as changes
    from reference_changes where organisation_id is null and resource = ${sealedAfterwards} group by occurred_at order by occurred_at`)
  return [...rows].map(({ at, changes }) => ({ at: new Date(at).toISOString(), changes }))
}

/** Whether a change is what its link holds, or what became of that when it was sealed. */
export function isAsLinked(sealed: SealedChange | undefined, change: { content: string; resource: string; said: string }): boolean {
  const hash = sha256(change.said)
  if (hash === change.content) return true
  return isSealedKind(change.resource) && sealed?.was === change.content && sealed.is === hash
}

interface SealedRow extends Record<string, unknown> {
  id: string
  resource: string
  recordId: string
  before: LoggedUser | null
  after: LoggedUser | null
}

/**
 * Whether sealing took nothing away and put nothing in: a change that is opened again must be, to the letter, what its link holds. Of users who
 * are gone, and without the secret of the installation, nothing can be opened.
 */
export async function verifySealings(tx: OrganisationTx, organisationId: OrganisationId): Promise<Finding[]> {
  const sealed = [...(await sealedChanges(tx, organisationId))]
  const findings: Finding[] = []
  if (!sealed.length || !tx.keySeal.hasSecret) return findings
  for (let start = 0; start < sealed.length; start += 1000) {
    const was = new Map(sealed.slice(start, start + 1000).map(([id, change]) => [id, change.was]))
    const rows = await tx.execute<SealedRow>(sql`
      select id::text as id, resource, record_id as "recordId", before, after from reference_changes
      where id = any(${sql.param(`{${[...was.keys()].join(',')}}`)}::bigint[]) order by reference_changes.id`)
    const { opened, shut } = await openedRows(tx, [...rows])
    const changed = (await saidBefore(tx, opened)).flatMap(({ id, said }) => (sha256(said) === was.get(id) ? [] : [id]))
    for (const id of [...changed, ...shut])
      findings.push({ budgetId: null, version: null, problem: `Change ${id} of the platform was changed when it was sealed.` })
  }
  return findings
}

/**
 * The rows in clear text as they were written, as far as there is a key.
 * @returns `shut`: the changes that cannot be opened although there is a key, because they are no longer what was sealed with it
 */
async function openedRows(tx: OrganisationTx, rows: readonly SealedRow[]): Promise<{ opened: SealedRow[]; shut: string[] }> {
  const keys = await userKeys(tx, [...new Set(rows.map(({ recordId }) => userOfChange(recordId)))])
  const [opened, shut]: [SealedRow[], string[]] = [[], []]
  for (const row of rows) {
    const key = keys.get(userOfChange(row.recordId))
    if (!key) continue
    const [before, after] = [row.before, row.after].map((record) => record && openRecord(record, key))
    if ((row.before && !before) || (row.after && !after)) shut.push(row.id)
    else opened.push({ ...row, before: before ?? null, after: after ?? null })
  }
  return { opened, shut }
}

/** The texts that the hashes of some changes were taken of, with what they said before. */
async function saidBefore(tx: OrganisationTx, opened: readonly SealedRow[]): Promise<{ id: string; said: string }[]> {
  if (!opened.length) return []
  const rows = await tx.execute<{ id: string; said: string }>(sql`
    select log.id::text as id, jsonb_build_array(log.id, log.organisation_id, log.resource, log.record_id, log.version, log.action,
      nullif(opened.before, 'null'), nullif(opened.after, 'null'), log.actor_id, log.request_id,
      to_char(log.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text as said
    from reference_changes log
    join json_to_recordset(${JSON.stringify(opened)}::json) as opened (id bigint, before jsonb, after jsonb) on opened.id = log.id`)
  return [...rows]
}
