import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type OrganisationId, platformOrganisationId } from '../../../domain/values/ids.ts'
import { logChain } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { OutsideAnchor } from '../../core/stream/anchorFiles.ts'
import { genesisHash, sha256 } from '../../core/stream/hash.ts'
import { listSealedEntries, matchesChainLink } from './sealedEntries.ts'
import type { AuditFinding } from './verify.ts'

/** A link of an organisation's chain. `at` is the time as the text that was hashed. */
export interface ChainLink {
  sequence: number
  kind: 'budget' | 'reference' | 'monitoring' | 'payroll'
  subject: string
  version: number | null
  content: string
  at: string
  previousHash: string
  hash: string
}

const isoMicroseconds = sql.raw(`'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'`)

/**
 * Reads an organisation's chain in order.
 * @param only limits the links to those after a sequence number, of one kind, or of one log of that kind
 */
export async function readChain(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  only: { after?: number; kind?: ChainLink['kind']; subject?: string } = {},
): Promise<ChainLink[]> {
  const {
    at,
    organisationId: owner,
    ...columns
  } = {
    sequence: logChain.sequence,
    kind: logChain.kind,
    subject: logChain.subject,
    version: logChain.version,
    content: logChain.content,
    previousHash: logChain.previousHash,
    hash: logChain.hash,
    at: logChain.at,
    organisationId: logChain.organisationId,
  }
  return tx
    .select({ ...columns, at: sql<string>`to_char(${at} at time zone 'UTC', ${isoMicroseconds})` })
    .from(logChain)
    .where(
      and(
        eq(owner, organisationId),
        only.after === undefined ? undefined : gt(columns.sequence, only.after),
        only.kind && eq(columns.kind, only.kind),
        only.subject === undefined ? undefined : eq(columns.subject, only.subject),
      ),
    )
    .orderBy(asc(logChain.sequence))
}

/**
 * Verifies a chain on its own: sequence numbers without gaps, and each hash covering the previous hash and the link's content.
 * @param before the link that precedes the first of `links`
 */
export function verifyChain(
  organisationId: OrganisationId,
  links: readonly ChainLink[],
  before: Pick<ChainLink, 'sequence' | 'hash'> = { sequence: 0, hash: genesisHash },
): AuditFinding[] {
  const label = labelOrganisation(organisationId)
  const findings: AuditFinding[] = []
  const addFinding = (problem: string): void => void findings.push({ budgetId: null, version: null, problem })
  let [previous, expected] = [before.hash, before.sequence + 1]
  for (const link of links) {
    if (link.sequence !== expected) addFinding(`The chain of ${label} is missing links ${expected} to ${link.sequence - 1}.`)
    else if (link.previousHash !== previous) addFinding(`Link ${link.sequence} of the chain of ${label} does not follow the one before.`)
    const { sequence, kind, subject, version, content, at } = link
    const parts = [link.previousHash, organisationId, sequence, kind, subject, version, content, at].filter((part) => part !== null)
    if (sha256(parts.join('|')) !== link.hash) addFinding(`Link ${sequence} of the chain of ${label} was changed after it was written.`)
    previous = link.hash
    expected = sequence + 1
  }
  return findings
}

export const labelOrganisation = (organisationId: OrganisationId): string =>
  organisationId === platformOrganisationId ? 'the platform' : `organisation ${organisationId}`

export async function listChainedOrganisations(tx: OrganisationTx, outside: readonly OutsideAnchor[]): Promise<OrganisationId[]> {
  const rows = await tx.execute<{ id: OrganisationId }>(sql`
    select distinct organisation_id as id from log_chain union select distinct coalesce(organisation_id, ${platformOrganisationId}) from reference_changes
    union select id from organisations union select organisation_id from budget_events union select organisation_id from monitoring_events
    union select organisation_id from payroll_events`)
  const anchored = outside.flatMap(({ chains }) => chains.map((chain) => chain.organisationId))
  return [...new Set([platformOrganisationId, ...rows.map((row) => row.id), ...anchored])].sort((a, b) => a - b)
}

/** SQL for the text of a reference change from which its hash was computed. */
const hashedText = sql`jsonb_build_array(id, organisation_id, resource, record_id, version, action, before, after, actor_id, request_id,
  to_char(occurred_at at time zone 'UTC', ${isoMicroseconds}))::text`

/**
 * Compares reference changes with their links in the chain: no change may be missing or altered or, with `isAll`, lack a link.
 * @param isAll whether `links` is the whole chain; if so, all changes are read, otherwise only the changes that `links` names
 */
export async function verifyReferenceChanges(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { links, isAll }: { links: readonly ChainLink[]; isAll: boolean },
): Promise<AuditFinding[]> {
  const label = labelOrganisation(organisationId)
  const findings: AuditFinding[] = []
  const addFinding = (problem: string): void => void findings.push({ budgetId: null, version: null, problem })
  const linked = new Map(links.filter((link) => link.kind === 'reference').map((link) => [link.subject, link.content]))
  const sealed = await listSealedEntries(tx, organisationId)
  const isWanted = isAll ? sql`true` : sql`id = any(${sql.param(`{${[...linked.keys()].join(',')}}`)}::bigint[])`
  for (let after = 0; ; ) {
    const rows = await tx.execute<{ id: string; resource: string; record_id: string; text: string }>(sql`
      select id, resource, record_id, ${hashedText} as text from reference_changes
      where coalesce(organisation_id, ${platformOrganisationId}) = ${organisationId} and id > ${after} and ${isWanted} order by id limit 5000`)
    for (const { id, resource, record_id: record, text } of rows) {
      const content = linked.get(id)
      if (content === undefined)
        addFinding(`Change ${id} (${resource} ${record}) of ${label} is not in its chain: it was added afterwards.`)
      else if (!matchesChainLink(sealed.get(id), { content, resource, text }))
        addFinding(`Change ${id} (${resource} ${record}) of ${label} was changed after it was written.`)
      linked.delete(id)
    }
    if (!rows.length) break
    after = Number(assertDefined(rows.at(-1)).id)
  }
  for (const id of linked.keys()) addFinding(`Change ${id} of ${label} is in its chain but not in the change log.`)
  return findings
}

export function mapHeadsByLog(
  links: readonly ChainLink[],
  logKind: 'budget' | 'monitoring' | 'payroll',
): Map<string, { version: number; hash: string }[]> {
  const heads = new Map<string, { version: number; hash: string }[]>()
  for (const { kind, subject, version, content } of links) {
    if (kind !== logKind) continue
    const known = heads.get(subject)
    if (known) known.push({ version: assertDefined(version), hash: content })
    else heads.set(subject, [{ version: assertDefined(version), hash: content }])
  }
  return heads
}
