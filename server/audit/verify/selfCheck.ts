import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { displayDateTime } from '../../../domain/values/format.ts'
import { type OrganisationId, platformOrganisationId, toBudgetId } from '../../../domain/values/ids.ts'
import { budgets, logChain, logChecks } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import { advisoryLocks } from '../../core/database/advisoryLocks.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import { log } from '../../core/log.ts'
import { genesisHash } from '../../core/stream/hash.ts'
import type { ItemStreamName } from '../../core/stream/itemStream.ts'
import { type LocationLogKind, locationLogKinds, verifyLocationLogs } from '../replay/locationLogs.ts'
import { readStoredBudgetLog } from '../replay/logSource.ts'
import { replayBudget } from '../replay/replayBudget.ts'
import { labelOrganisation, mapHeadsByLog, readChain, verifyChain, verifyReferenceChanges } from './chain.ts'
import { confirmFindings } from './confirmFindings.ts'
import { verifyDatabaseDefinitions } from './definitions.ts'
import { verifySealedEntries } from './sealedEntries.ts'
import { type AuditFinding, verifyLog } from './verify.ts'
import { type VerificationResult, verifyBudget } from './verifyAll.ts'

/**
 * Verifies the chain of one organisation whose check is due: its last verified link, every link and log since then, and some of the budgets
 * by replaying them. It reads one snapshot, so concurrent changes do not matter. Findings that a second check confirms are stored for
 * administrators and monitoring until the chain is intact again.
 * @returns `none` if no chain is due, or other workers are verifying all chains that are due
 */
export async function checkDueChain(store: Store, now: Date): Promise<'whole' | 'broken' | 'none'> {
  const dueChains = await store.asPlatform(async (tx) => {
    await tx.execute(sql`
      insert into log_checks (organisation_id, sequence, hash)
      select id, 0, ${genesisHash} from organisations union all select ${platformOrganisationId}, 0, ${genesisHash} on conflict do nothing`)
    return tx
      .select()
      .from(logChecks)
      .where(sql`coalesce(${logChecks.checkedAt}, '-infinity') < ${lastDueAt(now)}`)
      .orderBy(sql`${logChecks.checkedAt} nulls first`, logChecks.organisationId)
  })
  for (const due of dueChains) {
    const checked = await verifyDueChain(store, due, now)
    if (!checked) continue
    const [first] = checked.findings
    const checkedAt = now.toISOString()
    if (first)
      log.error({ organisationId: due.organisationId, findings: checked.findings.length, first: first.problem }, 'a log failed its check')
    await store.asPlatform((tx) =>
      tx
        .update(logChecks)
        .set(
          first
            ? { checkedAt, finding: toSentence(first), foundAt: due.foundAt ?? checkedAt }
            : { checkedAt, finding: null, foundAt: null, ...checked.last },
        )
        .where(eq(logChecks.organisationId, due.organisationId)),
    )
    return first ? 'broken' : 'whole'
  }
  return 'none'
}

/**
 * When each organisation's check was last due. Each organisation has a different second of the day (UTC), so that the checks of thousands
 * of organisations do not all begin at midnight.
 */
function lastDueAt(now: Date): SQL {
  const second = sql`('x' || left(md5(${logChecks.organisationId}::text), 7))::bit(28)::integer % 86400`
  return sql`to_timestamp(floor((extract(epoch from ${now.toISOString()}::timestamptz) - ${second}) / 86400) * 86400 + ${second})`
}

type DueChain = typeof logChecks.$inferSelect

/** Returns findings confirmed by two checks, and the chain's last link; null if another worker is verifying it. */
async function verifyDueChain(
  store: Store,
  due: DueChain,
  now: Date,
): Promise<{ findings: AuditFinding[]; last: Pick<DueChain, 'sequence' | 'hash'> } | null> {
  let last: Pick<DueChain, 'sequence' | 'hash'> | null = null
  const findings = await confirmFindings(async () => {
    const looked = await store.snapshot(async (tx) => {
      const lock = requireSingleRow(
        await tx.execute<{ is: boolean }>(sql`select pg_try_advisory_xact_lock(${advisoryLocks.checks}, ${due.organisationId}) as is`),
      )
      if (!lock.is) return null
      const since = await verifySinceLastCheck(tx, due)
      return { last: since.last, findings: [...since.findings, ...(await replayDueBudgets(tx, due, now))] }
    })
    last = looked?.last ?? null
    return looked ? looked.findings : []
  })
  return last && { findings, last }
}

const dayMs = 86_400_000

/** The weekdays (0 to 6) since the last check, whose budgets are due; all weekdays while something is broken. */
function weekdaysDue({ checkedAt, foundAt }: Pick<DueChain, 'checkedAt' | 'foundAt'>, now: Date): number[] {
  const dayOf = (moment: string | Date): number => Math.floor(new Date(moment).getTime() / dayMs)
  const today = dayOf(now)
  const days = foundAt ? 7 : checkedAt ? today - dayOf(checkedAt) : 1
  return Array.from({ length: Math.min(7, days) }, (_unused, ago) => (today - ago) % 7)
}

/**
 * Replays the budgets due today and compares them with the tables. A seventh of an organisation's budgets is due each day, so that each is
 * replayed within a week even if nobody changes it.
 */
async function replayDueBudgets(tx: OrganisationTx, due: DueChain, now: Date): Promise<AuditFinding[]> {
  const { organisationId } = due
  const weekday = sql`('x' || left(md5(${budgets.id}), 7))::bit(28)::integer % 7`
  const chosen = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(weekday, weekdaysDue(due, now))))
    .orderBy(budgets.id)
  const findings: AuditFinding[] = []
  for (const { id } of chosen) findings.push(...(await replayOneBudget({ tx, organisationId, budgetId: id })))
  return findings
}

async function replayOneBudget({ tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>): Promise<AuditFinding[]> {
  const source = await readStoredBudgetLog(tx, organisationId, budgetId)
  // A broken log cannot be replayed.
  const broken = verifyLog(source, null, [])
  return broken.length ? broken : (await replayBudget(source, tx)).findings
}

const toSentence = ({ budgetId, version, problem }: AuditFinding): string =>
  budgetId === null ? problem : `Budget ${budgetId}${version === null ? '' : `, version ${version}`}: ${problem}`

async function verifySinceLastCheck(
  tx: OrganisationTx,
  { organisationId, sequence, hash, checkedAt }: DueChain,
): Promise<{ findings: AuditFinding[]; last: Pick<DueChain, 'sequence' | 'hash'> }> {
  const links = await readChain(tx, organisationId, { after: sequence })
  const end = links.at(-1)
  const last = end ? { sequence: end.sequence, hash: end.hash } : { sequence, hash }
  const isThere = and(eq(logChain.organisationId, organisationId), eq(logChain.sequence, sequence))
  const [known] = sequence ? await tx.select({ hash: logChain.hash }).from(logChain).where(isThere) : [{ hash }]
  if (known?.hash !== hash) {
    const problem = `Link ${sequence} of the chain of ${labelOrganisation(organisationId)}, which was verified on ${checkedAt && displayDateTime(checkedAt)}, is ${known ? 'different now: the chain has since been rewritten' : 'gone: the chain has since been cut'}.`
    return { findings: [{ budgetId: null, version: null, problem }], last }
  }
  const checkLogs = async <Name extends ItemStreamName, Item>(logs: LocationLogKind<Name, Item>): Promise<AuditFinding[]> => {
    const kind = logs.stream.name
    if (!links.some((link) => link.kind === kind)) return []
    return verifyLocationLogs({ tx, organisationId }, logs, await readChain(tx, organisationId, { kind }))
  }
  return {
    findings: [
      ...verifyChain(organisationId, links, { sequence, hash }),
      ...(await verifyReferenceChanges(tx, organisationId, { links, isAll: false })),
      ...(await verifyBudgets(tx, organisationId, mapHeadsByLog(links, 'budget'))),
      ...(await checkLogs(locationLogKinds.monitoring)),
      // Sealed entries are older than the links verified here, which therefore do not cover them.
      ...(await verifySealedEntries(tx, organisationId)),
      ...(organisationId === platformOrganisationId ? (await verifyDatabaseDefinitions(tx)).findings : []),
      ...(await checkLogs(locationLogKinds.payroll)),
    ],
    last,
  }
}

async function verifyBudgets(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  heads: ReadonlyMap<string, { version: number; hash: string }[]>,
): Promise<AuditFinding[]> {
  const ids = [...heads.keys()].map(toBudgetId)
  if (!ids.length) return []
  const rows = await tx
    .select({ id: budgets.id, version: budgets.version, lastHash: budgets.lastHash })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, ids)))
  const currentHeads = new Map(rows.map(({ id, ...head }) => [id, head]))
  const verified: VerificationResult = {
    budgets: 0,
    events: 0,
    changes: 0,
    definitions: 0,
    chainedSince: null,
    removed: [],
    sealings: [],
    findings: [],
  }
  for (const id of ids)
    await verifyBudget(tx, { id, organisationId, head: currentHeads.get(id) ?? 'gone' }, { heads, outside: [], verified })
  return verified.findings
}

export interface BrokenLog {
  /** Null for the platform's own chain: national reference data, users and user groups. */
  organisation: string | null
  finding: string
  at: string
}

export async function listBrokenLogs(tx: OrganisationTx): Promise<BrokenLog[]> {
  const rows = await tx.execute<{ organisation: string | null; finding: string; at: Date }>(sql`
    select organisations.name as organisation, finding, found_at as at
    from log_checks left join organisations on organisations.id = log_checks.organisation_id
    where finding is not null order by found_at, log_checks.organisation_id`)
  return [...rows].map(({ organisation, finding, at }) => ({ organisation, finding, at: new Date(assertDefined(at)).toISOString() }))
}
