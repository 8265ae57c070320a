import { sql } from 'drizzle-orm'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { platformOrganisationId } from '../../../domain/values/ids.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import {
  isSealedChangeKind,
  type LoggedUser,
  laterSealingLogName,
  readUserKeys,
  toChangedUserId,
  unsealRecord,
} from '../../core/database/userSeal.ts'
import { sha256 } from '../../core/stream/hash.ts'
import type { AuditFinding } from './verify.ts'

/** An upgrade that sealed (encrypted) older log entries about users. */
export interface SealingUpgrade {
  at: string
  changes: number
}

/** The hashes of an entry before (`was`) and after (`is`) it was sealed. The chain contains `was`. */
interface SealedEntry {
  was: string
  is: string
}

/**
 * Lists the log entries that were sealed after they were written; only the platform's log has any.
 * @returns hashes by the id of the entry
 */
export async function listSealedEntries(tx: OrganisationTx, organisationId: OrganisationId): Promise<Map<string, SealedEntry>> {
  if (organisationId !== platformOrganisationId) return new Map()
  const rows = await tx.execute<{ id: string; was: string; is: string }>(sql`
    select change ->> 'id' as id, change ->> 'was' as was, change ->> 'is' as is
    from reference_changes, jsonb_array_elements(after -> 'changes') change
    where organisation_id is null and resource = ${laterSealingLogName} order by reference_changes.id desc`)
  // Nothing is sealed twice, so if an entry appears twice, the later sealing is a forgery. Rows are newest first, so the oldest wins.
  return new Map([...rows].map(({ id, was, is }) => [id, { was, is }]))
}

export async function listSealingUpgrades(tx: OrganisationTx): Promise<SealingUpgrade[]> {
  const rows = await tx.execute<{ at: string | Date; changes: number }>(sql`
    select occurred_at as at, sum(jsonb_array_length(after -> 'changes'))::integer as changes
    from reference_changes where organisation_id is null and resource = ${laterSealingLogName} group by occurred_at order by occurred_at`)
  return [...rows].map(({ at, changes }) => ({ at: new Date(at).toISOString(), changes }))
}

/** Whether an entry matches its link in the chain, either directly or as the sealed form of the entry that was linked. */
export function matchesChainLink(sealed: SealedEntry | undefined, change: { content: string; resource: string; text: string }): boolean {
  const hash = sha256(change.text)
  if (hash === change.content) return true
  return isSealedChangeKind(change.resource) && sealed?.was === change.content && sealed.is === hash
}

interface SealedRow extends Record<string, unknown> {
  id: string
  resource: string
  recordId: string
  before: LoggedUser | null
  after: LoggedUser | null
}

/**
 * Checks that sealing altered nothing: a decrypted entry must match its link exactly. It skips entries that cannot be decrypted, because
 * the user was erased or the installation's secret is not set.
 */
export async function verifySealedEntries(tx: OrganisationTx, organisationId: OrganisationId): Promise<AuditFinding[]> {
  const sealed = [...(await listSealedEntries(tx, organisationId))]
  const findings: AuditFinding[] = []
  if (!sealed.length || !tx.keySeal.hasSecret) return findings
  for (let start = 0; start < sealed.length; start += 1000) {
    const was = new Map(sealed.slice(start, start + 1000).map(([id, change]) => [id, change.was]))
    const rows = await tx.execute<SealedRow>(sql`
      select id::text as id, resource, record_id as "recordId", before, after from reference_changes
      where id = any(${sql.param(`{${[...was.keys()].join(',')}}`)}::bigint[]) order by reference_changes.id`)
    const { opened, unreadable } = await decryptRows(tx, [...rows])
    const changed = (await rebuildHashedTexts(tx, opened)).flatMap(({ id, text }) => (sha256(text) === was.get(id) ? [] : [id]))
    for (const id of [...changed, ...unreadable])
      findings.push({ budgetId: null, version: null, problem: `Change ${id} of the platform was altered when it was sealed.` })
  }
  return findings
}

/**
 * Decrypts the entries for which there is a key.
 * @returns `unreadable`: ids of entries that cannot be decrypted although there is a key, because they were altered after being sealed
 */
async function decryptRows(tx: OrganisationTx, rows: readonly SealedRow[]): Promise<{ opened: SealedRow[]; unreadable: string[] }> {
  const keys = await readUserKeys(tx, [...new Set(rows.map(({ recordId }) => toChangedUserId(recordId)))])
  const [opened, unreadable]: [SealedRow[], string[]] = [[], []]
  for (const row of rows) {
    const key = keys.get(toChangedUserId(row.recordId))
    if (!key) continue
    const [before, after] = [row.before, row.after].map((record) => record && unsealRecord(record, key))
    if ((row.before && !before) || (row.after && !after)) unreadable.push(row.id)
    else opened.push({ ...row, before: before ?? null, after: after ?? null })
  }
  return { opened, unreadable }
}

async function rebuildHashedTexts(tx: OrganisationTx, opened: readonly SealedRow[]): Promise<{ id: string; text: string }[]> {
  if (!opened.length) return []
  const rows = await tx.execute<{ id: string; text: string }>(sql`
    select log.id::text as id, jsonb_build_array(log.id, log.organisation_id, log.resource, log.record_id, log.version, log.action,
      nullif(opened.before, 'null'), nullif(opened.after, 'null'), log.actor_id, log.request_id,
      to_char(log.occurred_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))::text as text
    from reference_changes log
    join json_to_recordset(${JSON.stringify(opened)}::json) as opened (id bigint, before jsonb, after jsonb) on opened.id = log.id`)
  return [...rows]
}
