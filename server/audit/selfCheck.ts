import { and, eq, inArray, sql } from 'drizzle-orm'
import { dayInLondon, momentInLondon } from '../../domain/format.ts'
import { budgetIdOf, type OrganisationId, platform } from '../../domain/ids.ts'
import { must } from '../../domain/must.ts'
import { budgets, logChain, logChecks } from '../../drizzle/schema.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { genesisHash } from '../core/events/hash.ts'
import { log } from '../core/log.ts'
import { headsOf, type Link, nameOf, readChain, verifyChain, verifyLinkedChanges } from './chain.ts'
import { verifyMonitoring } from './monitoring.ts'
import { verifyPayroll } from './payroll.ts'
import type { Finding } from './verify.ts'
import { type Verified, verifyBudget } from './verifyAll.ts'

/**
 * Checks the chain of one organisation that was not checked today: that what was whole is still there, and that every link since, and every log
 * that got one, is what was written. What is broken is kept, for those who watch and for administrators, until it is whole again.
 * @returns `none` where every chain was checked today, or is being checked by another worker
 */
export function checkDueChain(store: Store, now: Date): Promise<'whole' | 'broken' | 'none'> {
  const today = momentInLondon(dayInLondon(now)).toISOString()
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`
      insert into log_checks (organisation_id, sequence, hash)
      select id, 0, ${genesisHash} from organisations union all select ${platform}, 0, ${genesisHash} on conflict do nothing`)
    const [due] = await tx
      .select()
      .from(logChecks)
      .where(sql`coalesce(${logChecks.checkedAt}, '-infinity') < ${today}::timestamptz`)
      .orderBy(sql`${logChecks.checkedAt} nulls first`, logChecks.organisationId)
      .limit(1)
      .for('update', { skipLocked: true })
    if (!due) return 'none'
    const { findings, last } = await findingsSince(tx, due)
    const [first] = findings
    const checkedAt = now.toISOString()
    if (first) log.error({ organisationId: due.organisationId, findings: findings.length, first: first.problem }, 'a log is broken')
    await tx
      .update(logChecks)
      .set(
        first
          ? { checkedAt, finding: sentenceOf(first), foundAt: due.foundAt ?? checkedAt }
          : { checkedAt, finding: null, foundAt: null, ...last },
      )
      .where(eq(logChecks.organisationId, due.organisationId))
    return first ? 'broken' : 'whole'
  })
}

const sentenceOf = ({ budgetId, version, problem }: Finding): string =>
  budgetId === null ? problem : `Budget ${budgetId}${version === null ? '' : `, version ${version}`}: ${problem}`

/** What does not hold of a chain since it was last whole, and its last link. */
async function findingsSince(
  tx: OrganisationTx,
  { organisationId, sequence, hash, checkedAt }: typeof logChecks.$inferSelect,
): Promise<{ findings: Finding[]; last: { sequence: number; hash: string } }> {
  const links = await readChain(tx, organisationId, { after: sequence })
  const end = links.at(-1)
  const last = end ? { sequence: end.sequence, hash: end.hash } : { sequence, hash }
  const isThere = and(eq(logChain.organisationId, organisationId), eq(logChain.sequence, sequence))
  const [known] = sequence ? await tx.select({ hash: logChain.hash }).from(logChain).where(isThere) : [{ hash }]
  if (known?.hash !== hash) {
    const problem = `Link ${sequence} of the chain of ${nameOf(organisationId)}, which was whole at ${checkedAt}, is ${known ? 'another now: the chain was rewritten since' : 'gone: the chain was cut since'}.`
    return { findings: [{ budgetId: null, version: null, problem }], last }
  }
  const has = (kind: Link['kind']): boolean => links.some((link) => link.kind === kind)
  const headsIn = async (kind: 'monitoring' | 'payroll') => headsOf(await readChain(tx, organisationId, { kind }), kind)
  return {
    findings: [
      ...verifyChain(organisationId, links, { sequence, hash }),
      ...(await verifyLinkedChanges(tx, organisationId, links)),
      ...(await verifyBudgets(tx, organisationId, headsOf(links, 'budget'))),
      ...(has('monitoring') ? await verifyMonitoring(tx, organisationId, await headsIn('monitoring')) : []),
      ...(has('payroll') ? await verifyPayroll(tx, organisationId, await headsIn('payroll')) : []),
    ],
    last,
  }
}

/** The logs of the budgets that got links. */
async function verifyBudgets(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  heads: ReadonlyMap<string, { version: number; hash: string }[]>,
): Promise<Finding[]> {
  const ids = [...heads.keys()].map(budgetIdOf)
  if (!ids.length) return []
  const rows = await tx
    .select({ id: budgets.id, version: budgets.version, lastHash: budgets.lastHash })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, ids)))
  const standing = new Map(rows.map(({ id, ...head }) => [id, head]))
  const verified: Verified = { budgets: 0, events: 0, changes: 0, chainedSince: null, removed: [], findings: [] }
  for (const id of ids) await verifyBudget(tx, { id, organisationId, head: standing.get(id) ?? 'gone' }, { heads, outside: [], verified })
  return verified.findings
}

/** A chain that was found to be broken. */
export interface BrokenLog {
  /** Empty for the platform's own: national reference data, users and their groups. */
  organisation: string | null
  finding: string
  at: string
}

/** The chains that were broken when they were last checked. */
export async function brokenLogs(tx: OrganisationTx): Promise<BrokenLog[]> {
  const rows = await tx.execute<{ organisation: string | null; finding: string; at: Date }>(sql`
    select organisations.name as organisation, finding, found_at as at
    from log_checks left join organisations on organisations.id = log_checks.organisation_id
    where finding is not null order by found_at, log_checks.organisation_id`)
  return [...rows].map(({ organisation, finding, at }) => ({ organisation, finding, at: new Date(must(at)).toISOString() }))
}
