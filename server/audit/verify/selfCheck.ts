import { and, eq, inArray, sql } from 'drizzle-orm'
import { dayInLondon, momentInLondon } from '../../../domain/values/format.ts'
import { budgetIdOf, type OrganisationId, platform } from '../../../domain/values/ids.ts'
import { must, onlyRow } from '../../../domain/values/must.ts'
import { budgets, logChain, logChecks } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import { advisoryLocks } from '../../core/database/advisoryLocks.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import { log } from '../../core/log.ts'
import { genesisHash } from '../../core/stream/hash.ts'
import { verifyMonitoring } from '../replay/monitoring.ts'
import { verifyPayroll } from '../replay/payroll.ts'
import { replayBudget } from '../replay/replayBudget.ts'
import { sourceOf } from '../replay/source.ts'
import { headsOf, type Link, nameOf, readChain, verifyChain, verifyLinkedChanges } from './chain.ts'
import { verifyDefinitions } from './definitions.ts'
import { foundAgain } from './foundAgain.ts'
import { verifySealings } from './sealings.ts'
import { type Finding, verifyLog } from './verify.ts'
import { type Verified, verifyBudget } from './verifyAll.ts'

/**
 * Checks the chain of one organisation that was not checked today: that what was whole is still there, and that every link since, and every log
 * that got one, is what was written; and that a share of the budgets, replayed, is what screens read. It looks at what stands at one moment,
 * whatever people save meanwhile. What a second look finds again is kept, for those who watch and for administrators, until it is whole.
 * @returns `none` where every chain was checked today, or is being checked by another worker
 */
export async function checkDueChain(store: Store, now: Date): Promise<'whole' | 'broken' | 'none'> {
  const today = momentInLondon(dayInLondon(now)).toISOString()
  const dueChains = await store.asPlatform(async (tx) => {
    await tx.execute(sql`
      insert into log_checks (organisation_id, sequence, hash)
      select id, 0, ${genesisHash} from organisations union all select ${platform}, 0, ${genesisHash} on conflict do nothing`)
    return tx
      .select()
      .from(logChecks)
      .where(sql`coalesce(${logChecks.checkedAt}, '-infinity') < ${today}::timestamptz`)
      .orderBy(sql`${logChecks.checkedAt} nulls first`, logChecks.organisationId)
  })
  for (const due of dueChains) {
    const checked = await checkChain(store, due, now)
    if (!checked) continue
    const [first] = checked.findings
    const checkedAt = now.toISOString()
    if (first) log.error({ organisationId: due.organisationId, findings: checked.findings.length, first: first.problem }, 'a log is broken')
    await store.asPlatform((tx) =>
      tx
        .update(logChecks)
        .set(
          first
            ? { checkedAt, finding: sentenceOf(first), foundAt: due.foundAt ?? checkedAt }
            : { checkedAt, finding: null, foundAt: null, ...checked.last },
        )
        .where(eq(logChecks.organisationId, due.organisationId)),
    )
    return first ? 'broken' : 'whole'
  }
  return 'none'
}

type Due = typeof logChecks.$inferSelect

/** What does not hold of a chain at two looks, and its last link at the last of them; null where another worker is at it. */
async function checkChain(
  store: Store,
  due: Due,
  now: Date,
): Promise<{ findings: Finding[]; last: Pick<Due, 'sequence' | 'hash'> } | null> {
  let last: Pick<Due, 'sequence' | 'hash'> | null = null
  const findings = await foundAgain(async () => {
    const looked = await store.snapshot(async (tx) => {
      const lock = onlyRow(
        await tx.execute<{ is: boolean }>(sql`select pg_try_advisory_xact_lock(${advisoryLocks.checks}, ${due.organisationId}) as is`),
      )
      if (!lock.is) return null
      const since = await findingsSince(tx, due)
      return { last: since.last, findings: [...since.findings, ...(await replayShare(tx, due, now))] }
    })
    last = looked?.last ?? null
    return looked ? looked.findings : []
  })
  return last && { findings, last }
}

const dayMs = 86_400_000

/** The days of the week, 0 to 6, of which budgets are due: every day since the last check; all of them while something is broken. */
function daysDue({ checkedAt, foundAt }: Pick<Due, 'checkedAt' | 'foundAt'>, now: Date): number[] {
  const dayOf = (moment: string | Date): number => Math.floor(new Date(moment).getTime() / dayMs)
  const today = dayOf(now)
  const days = foundAt ? 7 : checkedAt ? today - dayOf(checkedAt) : 1
  return Array.from({ length: Math.min(7, days) }, (_unused, ago) => (today - ago) % 7)
}

/**
 * Replays the budgets of an organisation whose turn it is, a seventh of them each day, and compares what they come to with what screens read:
 * within a week every budget is reached, whether anybody saves anything in it or not.
 */
async function replayShare(tx: OrganisationTx, due: Due, now: Date): Promise<Finding[]> {
  const { organisationId } = due
  const turn = sql`('x' || left(md5(${budgets.id}), 7))::bit(28)::integer % 7`
  const chosen = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(turn, daysDue(due, now))))
    .orderBy(budgets.id)
  const findings: Finding[] = []
  for (const { id } of chosen) findings.push(...(await replayFindings({ tx, organisationId, budgetId: id })))
  return findings
}

async function replayFindings({ tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>): Promise<Finding[]> {
  const source = await sourceOf(tx, organisationId, budgetId)
  // What is not whole cannot be replayed.
  const broken = verifyLog(source, null, [])
  return broken.length ? broken : (await replayBudget(source, tx)).findings
}

const sentenceOf = ({ budgetId, version, problem }: Finding): string =>
  budgetId === null ? problem : `Budget ${budgetId}${version === null ? '' : `, version ${version}`}: ${problem}`

/** What does not hold of a chain since it was last whole, and its last link. */
async function findingsSince(
  tx: OrganisationTx,
  { organisationId, sequence, hash, checkedAt }: Due,
): Promise<{ findings: Finding[]; last: Pick<Due, 'sequence' | 'hash'> }> {
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
      // A change that was sealed has its link long before: only its sealing tells what it became.
      ...(await verifySealings(tx, organisationId)),
      ...(organisationId === platform ? (await verifyDefinitions(tx)).findings : []),
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
  const verified: Verified = {
    budgets: 0,
    events: 0,
    changes: 0,
    definitions: 0,
    chainedSince: null,
    removed: [],
    sealings: [],
    findings: [],
  }
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
