import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { type OrganisationId, platform } from '../../../domain/values/ids.ts'
import { must } from '../../../domain/values/must.ts'
import { logChain } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { OutsideAnchor } from '../../core/stream/anchorFiles.ts'
import { genesisHash, sha256 } from '../../core/stream/hash.ts'
import { isAsLinked, sealedChanges } from './sealings.ts'
import type { Finding } from './verify.ts'

/** A link of the chain of an organisation, its time as the text that its hash is taken of. */
export interface Link {
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
 * The chain of an organisation in order.
 * @param only what comes after a link, or the links of some kinds
 */
export async function readChain(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  only: { after?: number; kind?: Link['kind'] } = {},
): Promise<Link[]> {
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
      ),
    )
    .orderBy(asc(logChain.sequence))
}

/**
 * Whether a chain is whole by itself: numbers without gaps, each hash over the one before and what the link says.
 * @param before the link that the first of them follows
 */
export function verifyChain(
  organisationId: OrganisationId,
  links: readonly Link[],
  before: Pick<Link, 'sequence' | 'hash'> = { sequence: 0, hash: genesisHash },
): Finding[] {
  const called = nameOf(organisationId)
  const findings: Finding[] = []
  const find = (problem: string): void => void findings.push({ budgetId: null, version: null, problem })
  let [previous, expected] = [before.hash, before.sequence + 1]
  for (const link of links) {
    if (link.sequence !== expected) find(`The chain of ${called} lacks links ${expected} to ${link.sequence - 1}.`)
    else if (link.previousHash !== previous) find(`Link ${link.sequence} of the chain of ${called} does not follow the one before.`)
    const { sequence, kind, subject, version, content, at } = link
    const said = [link.previousHash, organisationId, sequence, kind, subject, version, content, at].filter((part) => part !== null)
    if (sha256(said.join('|')) !== link.hash) find(`Link ${sequence} of the chain of ${called} was changed after it was written.`)
    previous = link.hash
    expected = sequence + 1
  }
  return findings
}

export const nameOf = (organisationId: OrganisationId): string =>
  organisationId === platform ? 'the platform' : `organisation ${organisationId}`

/** The organisations that a chain, a log or an anchor knows. */
export async function allOrganisations(tx: OrganisationTx, outside: readonly OutsideAnchor[]): Promise<OrganisationId[]> {
  const rows = await tx.execute<{ id: OrganisationId }>(sql`
    select distinct organisation_id as id from log_chain union select distinct coalesce(organisation_id, ${platform}) from reference_changes
    union select id from organisations union select organisation_id from budget_events union select organisation_id from monitoring_events
    union select organisation_id from payroll_events`)
  const anchored = outside.flatMap(({ chains }) => chains.map((chain) => chain.organisationId))
  return [...new Set([platform, ...rows.map((row) => row.id), ...anchored])].sort((a, b) => a - b)
}

/** What a change of a reference record says, as the text that its hash is taken of. */
const said = sql`jsonb_build_array(id, organisation_id, resource, record_id, version, action, before, after, actor_id, request_id,
  to_char(occurred_at at time zone 'UTC', ${isoMicroseconds}))::text`

/** Whether the changes of reference records that some links name are there, and as they were written. */
export async function verifyLinkedChanges(tx: OrganisationTx, organisationId: OrganisationId, links: readonly Link[]): Promise<Finding[]> {
  const called = nameOf(organisationId)
  const findings: Finding[] = []
  const find = (problem: string): void => void findings.push({ budgetId: null, version: null, problem })
  const linked = [...new Map(links.filter((link) => link.kind === 'reference').map((link) => [link.subject, link.content]))]
  const sealed = await sealedChanges(tx, organisationId)
  for (let start = 0; start < linked.length; start += 5000) {
    const some = new Map(linked.slice(start, start + 5000))
    const rows = await tx.execute<{ id: string; resource: string; said: string }>(sql`
      select id, resource, ${said} as said from reference_changes
      where coalesce(organisation_id, ${platform}) = ${organisationId} and id = any(${sql.param(`{${[...some.keys()].join(',')}}`)}::bigint[])`)
    for (const { id, resource, said: text } of rows) {
      const content = some.get(id) ?? ''
      if (!isAsLinked(sealed.get(id), { content, resource, said: text }))
        find(`Change ${id} of ${called} was changed after it was written.`)
      some.delete(id)
    }
    for (const id of some.keys()) find(`Change ${id} of ${called} is in its chain, and the change log lacks it.`)
  }
  return findings
}

/** Whether the change log of reference records is what its chain says: every change there, none changed, none beside it. */
export async function verifyReferenceLog(tx: OrganisationTx, organisationId: OrganisationId, links: readonly Link[]): Promise<Finding[]> {
  const called = nameOf(organisationId)
  const findings: Finding[] = []
  const find = (problem: string): void => void findings.push({ budgetId: null, version: null, problem })
  const linked = new Map(links.filter((link) => link.kind === 'reference').map((link) => [link.subject, link.content]))
  const sealed = await sealedChanges(tx, organisationId)
  for (let after = 0; ; ) {
    const rows = await tx.execute<{ id: string; resource: string; record_id: string; said: string }>(sql`
      select id, resource, record_id, ${said} as said
      from reference_changes where coalesce(organisation_id, ${platform}) = ${organisationId} and id > ${after} order by id limit 5000`)
    for (const { id, resource, record_id: record, said: text } of rows) {
      const content = linked.get(id)
      if (content === undefined) find(`Change ${id} (${resource} ${record}) of ${called} is not in its chain: it was put in afterwards.`)
      else if (!isAsLinked(sealed.get(id), { content, resource, said: text }))
        find(`Change ${id} (${resource} ${record}) of ${called} was changed after it was written.`)
      linked.delete(id)
    }
    if (!rows.length) break
    after = Number(must(rows.at(-1)).id)
  }
  for (const id of linked.keys()) find(`Change ${id} of ${called} is in its chain, and the change log lacks it.`)
  return findings
}

/** The heads that a chain knows of each log of a kind, in order. */
export function headsOf(links: readonly Link[], of: 'budget' | 'monitoring' | 'payroll'): Map<string, { version: number; hash: string }[]> {
  const heads = new Map<string, { version: number; hash: string }[]>()
  for (const { kind, subject, version, content } of links) {
    if (kind !== of) continue
    const own = heads.get(subject)
    if (own) own.push({ version: must(version), hash: content })
    else heads.set(subject, [{ version: must(version), hash: content }])
  }
  return heads
}
