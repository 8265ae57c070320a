import { eq } from 'drizzle-orm'
import { dayInLondon, displayDate, displayDateTime } from '../../../domain/values/format.ts'
import { type OrganisationId, platformOrganisationId, toBudgetId } from '../../../domain/values/ids.ts'
import { dailyLogHeads } from '../../../drizzle/consoleTables.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import type { AnchorReadResult, OutsideAnchor } from '../../core/stream/anchorFiles.ts'
import { locationLogKinds, verifyLocationLogs } from '../replay/locationLogs.ts'
import { listReferencedBudgets, type ReferencedBudget, readStoredBudgetLog, type StoredBudgetLog } from '../replay/logSource.ts'
import { type ChainLink, listChainedOrganisations, mapHeadsByLog, readChain, verifyChain, verifyReferenceChanges } from './chain.ts'
import { compareRecalculationsWithLog } from './compareRecalculations.ts'
import { confirmFindings } from './confirmFindings.ts'
import { verifyDatabaseDefinitions } from './definitions.ts'
import { verifyPackEvents } from './packEvents.ts'
import { compareReferenceRecords } from './registers.ts'
import { listRemovedOrganisations, type RemovedOrganisation, verifyRemovedOrganisation } from './removedOrganisations.ts'
import { listSealingUpgrades, type SealingUpgrade, verifySealedEntries } from './sealedEntries.ts'
import { type AuditFinding, verifyLog } from './verify.ts'

export interface VerificationResult {
  budgets: number
  events: number
  changes: number
  definitions: number
  /** The day of the oldest link. Earlier events were added to the chain on that day, so changes made to them before it are not detected. */
  chainedSince: string | null
  removed: RemovedOrganisation[]
  sealings: SealingUpgrade[]
  findings: AuditFinding[]
}

interface VerificationScope {
  organisation?: number
  budget?: string
}

/**
 * Verifies all organisations, each from one snapshot, so that concurrent changes are not mistaken for tampering. It reports only findings
 * that a second check confirms.
 * @param readOutside reads the anchors stored outside the database
 */
export async function verifyOrganisations(
  store: Store,
  only: VerificationScope,
  readOutside: () => AnchorReadResult,
): Promise<VerificationResult & { anchors: readonly OutsideAnchor[] }> {
  // Read the anchors before the snapshot: an anchor written after it would refer to links that the snapshot lacks.
  const { anchors, problems } = readOutside()
  const verified = createEmptyResult(await store.snapshot(readDeclared))
  for (const organisationId of await store.snapshot((tx) => listChainedOrganisations(tx, anchors))) {
    if (only.organisation !== undefined && only.organisation !== organisationId) continue
    let latest = createEmptyResult()
    const findings = await confirmFindings(async () => {
      latest = await store.snapshot((tx) => verifyOrganisation(tx, organisationId, { budget: only.budget, outside: anchors }))
      return latest.findings
    })
    addResult(verified, { ...latest, findings })
  }
  // A line that was being written during the first read is complete by now.
  const stillWrong = problems.length ? readOutside().problems : []
  const anchorProblems = problems.filter((problem) => stillWrong.includes(problem))
  return {
    ...verified,
    anchors,
    findings: [...anchorProblems.map((problem) => ({ budgetId: null, version: null, problem })), ...verified.findings],
  }
}

/** Verifies all organisations in one transaction, without repeating the checks, so nothing may change the data meanwhile. */
export async function verifyAllOnce(
  tx: OrganisationTx,
  only: VerificationScope,
  outside: readonly OutsideAnchor[],
): Promise<VerificationResult> {
  const verified = createEmptyResult(await readDeclared(tx))
  for (const organisationId of await listChainedOrganisations(tx, outside)) {
    if (only.organisation !== undefined && only.organisation !== organisationId) continue
    addResult(verified, await verifyOrganisation(tx, organisationId, { budget: only.budget, outside }))
  }
  return verified
}

const createEmptyResult = (
  declared: Pick<VerificationResult, 'removed' | 'sealings'> = { removed: [], sealings: [] },
): VerificationResult => ({
  budgets: 0,
  events: 0,
  changes: 0,
  definitions: 0,
  chainedSince: null,
  ...declared,
  findings: [],
})

/** Reads removals of organisations and sealing upgrades from the platform's log, whose entries are verified like every other change. */
const readDeclared = async (tx: OrganisationTx) => ({
  removed: await listRemovedOrganisations(tx),
  sealings: await listSealingUpgrades(tx),
})

function addResult(sum: VerificationResult, { budgets, events, changes, definitions, chainedSince, findings }: VerificationResult): void {
  sum.budgets += budgets
  sum.events += events
  sum.changes += changes
  sum.definitions += definitions
  sum.chainedSince = [sum.chainedSince, chainedSince].filter((day) => day !== null).sort()[0] ?? null
  sum.findings.push(...findings)
}

/**
 * Verifies an organisation, or one of its budgets: all event logs, reference changes and records, the chain, and anchors inside and outside
 * the database; for the platform also the database definitions.
 */
async function verifyOrganisation(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { budget: only, outside }: { budget: string | undefined; outside: readonly OutsideAnchor[] },
): Promise<VerificationResult> {
  const verified = createEmptyResult()
  const removed = (await listRemovedOrganisations(tx)).find((one) => one.organisationId === organisationId)
  if (removed) return { ...verified, findings: await verifyRemovedOrganisation(tx, removed, outside) }
  const links = await readChain(tx, organisationId)
  const referenced = addAnchoredBudgets(await listReferencedBudgets(tx, organisationId), organisationId, outside)
  const heads = mapHeadsByLog(links, 'budget')
  for (const id of heads.keys())
    if (!referenced.some((budget) => budget.id === id)) referenced.push({ id: toBudgetId(id), organisationId, head: 'gone' })
  for (const budget of referenced) if (!only || budget.id === only) await verifyBudget(tx, budget, { heads, outside, verified })
  if (only) return verified
  verified.chainedSince = links[0] ? dayInLondon(links[0].at) : null
  verified.changes = links.filter((link) => link.kind === 'reference').length
  verified.findings.push(
    ...verifyChain(organisationId, links),
    ...verifyAnchoredLinks(organisationId, links, outside),
    ...(await verifyReferenceChanges(tx, organisationId, { links, isAll: true })),
    ...(await verifySealedEntries(tx, organisationId)),
    ...(await compareReferenceRecords(tx, organisationId)),
    ...(await verifyLocationLogs({ tx, organisationId }, locationLogKinds.monitoring, links)),
    ...(await verifyPackEvents(tx, organisationId)),
    ...(await verifyLocationLogs({ tx, organisationId }, locationLogKinds.payroll, links)),
    ...(await compareRecalculationsWithLog(tx, organisationId)),
  )
  if (organisationId === platformOrganisationId) {
    const { compared, findings } = await verifyDatabaseDefinitions(tx)
    verified.definitions = compared
    verified.findings.push(...findings)
  }
  return verified
}

/** Reads a budget's log, verifies it against the chain and the anchors, and adds the result to `verified`. */
export async function verifyBudget(
  tx: OrganisationTx,
  { id, organisationId, head }: ReferencedBudget,
  { heads, outside, verified }: { heads: LogHeads; outside: readonly OutsideAnchor[]; verified: VerificationResult },
): Promise<void> {
  const source = await readStoredBudgetLog(tx, organisationId, id)
  verified.budgets++
  verified.events += source.records.length
  verified.findings.push(...(await verifyBudgetLog(tx, source, { head, heads, outside })))
}

/** The versions and hashes of each log that its organisation's chain contains, by the log's id. */
type LogHeads = ReadonlyMap<string, { version: number; hash: string }[]>

/**
 * Verifies a budget's log against the chain and the anchors.
 * @param head the version and hash in the budget's row; null to leave the row unchecked
 */
export async function verifyBudgetLog(
  tx: OrganisationTx,
  source: StoredBudgetLog,
  { head, heads, outside }: { head: ReferencedBudget['head'] | null; heads: LogHeads; outside: readonly OutsideAnchor[] },
): Promise<AuditFinding[]> {
  const { budgetId: id, organisationId } = source
  const rows = await tx.select().from(dailyLogHeads).where(eq(dailyLogHeads.budgetId, id))
  const inside = rows.map((row) => ({ label: `of ${displayDate(row.day)}`, ...row }))
  const linked = (heads.get(id) ?? []).map((link) => ({ label: 'in the chain of the organisation', ...link }))
  const anchors = outside.flatMap(({ at, budgets }) =>
    budgets.flatMap((budget) =>
      budget.id === id ? [{ label: `of ${displayDateTime(at)} outside the database`, version: budget.version, hash: budget.hash }] : [],
    ),
  )
  const findings = verifyLog(source, head, [...inside, ...linked, ...anchors])
  for (const { label, version, organisationId: named } of inside)
    if (named !== organisationId)
      findings.push({ budgetId: id, version, problem: `The anchor ${label} names another organisation: it was changed.` })
  const last = source.records.at(-1)
  if (last && linked.at(-1)?.version !== last.version)
    findings.push({
      budgetId: id,
      version: last.version,
      problem: 'The chain of the organisation does not end where this log ends: events were removed or added afterwards.',
    })
  return findings
}

/** Adds budgets that were removed so completely that only an anchor outside the database still names them. */
export function addAnchoredBudgets(
  named: readonly ReferencedBudget[],
  owner: OrganisationId,
  outside: readonly OutsideAnchor[],
): ReferencedBudget[] {
  const known = new Map(named.map((budget) => [budget.id, budget]))
  for (const { budgets } of outside)
    for (const { id, organisationId } of budgets)
      if (organisationId === owner && !known.has(id)) known.set(id, { id, organisationId, head: 'gone' })
  return [...known.values()]
}

/** Compares the links of an organisation's chain with the anchors stored outside the database. */
export function verifyAnchoredLinks(
  organisationId: OrganisationId,
  links: readonly ChainLink[],
  outside: readonly OutsideAnchor[],
): AuditFinding[] {
  return outside.flatMap(({ at, chains }) =>
    chains.flatMap(({ organisationId: owner, sequence, hash }) => {
      if (owner !== organisationId || links[sequence - 1]?.hash === hash) return []
      const problem =
        sequence > links.length
          ? `The anchor of ${displayDateTime(at)} outside the database records link ${sequence} of the chain of organisation ${organisationId}, which ends at ${links.length}: it has since been cut.`
          : `The anchor of ${displayDateTime(at)} outside the database has a different link ${sequence} of the chain of organisation ${organisationId}: it has since been rewritten.`
      return [{ budgetId: null, version: null, problem }]
    }),
  )
}
