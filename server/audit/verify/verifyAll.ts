import { eq } from 'drizzle-orm'
import { dayInLondon } from '../../../domain/values/format.ts'
import { budgetIdOf, type OrganisationId, platform } from '../../../domain/values/ids.ts'
import { chainAnchors } from '../../../drizzle/consoleTables.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import type { OutsideAnchor, ReadAnchors } from '../../core/stream/anchorFiles.ts'
import { verifyMonitoring } from '../replay/monitoring.ts'
import { verifyPayroll } from '../replay/payroll.ts'
import { logsOf, type NamedBudget, sourceOf } from '../replay/source.ts'
import { allOrganisations, headsOf, type Link, readChain, verifyChain, verifyReferenceLog } from './chain.ts'
import { verifyDefinitions } from './definitions.ts'
import { foundAgain } from './foundAgain.ts'
import { verifyPins } from './pins.ts'
import { compareRegisters } from './registers.ts'
import { type Removed, removedOrganisations, verifyRemoved } from './removed.ts'
import { compareRuns } from './runs.ts'
import { type Sealing, sealings, verifySealings } from './sealings.ts'
import { type Finding, verifyLog } from './verify.ts'

export interface Verified {
  budgets: number
  events: number
  /** Changes of reference records that stand in the chains. */
  changes: number
  /** Views, functions, policies, triggers and the rest that were compared with what the migrations of this version make. */
  definitions: number
  /** The day of the oldest link: what happened before was linked as it stood then. */
  chainedSince: string | null
  /** Organisations that were taken away with their whole logs, as the chain of the platform says. */
  removed: Removed[]
  /** Upgrades that sealed changes of users after they had been written, as the chain of the platform says. */
  sealings: Sealing[]
  findings: Finding[]
}

/** What is verified: an organisation, or a budget. */
interface Only {
  organisation?: number
  budget?: string
}

/**
 * Whether everything that can be proved without working a figure out again holds, as `verifyOrganisation` says, of each organisation as it stands
 * at one moment, so that what people save meanwhile is not taken for tampering. What is found is reported once a second look has found it again.
 * @param readOutside reads the anchors that are kept outside of the database
 */
export async function verifyStore(
  store: Store,
  only: Only,
  readOutside: () => ReadAnchors,
): Promise<Verified & { anchors: readonly OutsideAnchor[] }> {
  // Read before the database is: an anchor of later would know more than is looked at.
  const { anchors, problems } = readOutside()
  const verified = nothingVerified(await store.snapshot(toldByPlatform))
  for (const organisationId of await store.snapshot((tx) => allOrganisations(tx, anchors))) {
    if (only.organisation !== undefined && only.organisation !== organisationId) continue
    let latest = nothingVerified()
    const findings = await foundAgain(async () => {
      latest = await store.snapshot((tx) => verifyOrganisation(tx, organisationId, { budget: only.budget, outside: anchors }))
      return latest.findings
    })
    addUp(verified, { ...latest, findings })
  }
  // A line that was being written when it was read is whole by now.
  const stillWrong = problems.length ? readOutside().problems : []
  const ofAnchors = problems.filter((problem) => stillWrong.includes(problem))
  return {
    ...verified,
    anchors,
    findings: [...ofAnchors.map((problem) => ({ budgetId: null, version: null, problem })), ...verified.findings],
  }
}

/** The same in a transaction that nobody works beside, with what a single look finds. */
export async function verifyAll(tx: OrganisationTx, only: Only, outside: readonly OutsideAnchor[]): Promise<Verified> {
  const verified = nothingVerified(await toldByPlatform(tx))
  for (const organisationId of await allOrganisations(tx, outside)) {
    if (only.organisation !== undefined && only.organisation !== organisationId) continue
    addUp(verified, await verifyOrganisation(tx, organisationId, { budget: only.budget, outside }))
  }
  return verified
}

const nothingVerified = (told: Pick<Verified, 'removed' | 'sealings'> = { removed: [], sealings: [] }): Verified => ({
  budgets: 0,
  events: 0,
  changes: 0,
  definitions: 0,
  chainedSince: null,
  ...told,
  findings: [],
})

/** What the chain of the platform says itself of what was taken away from the logs. That it says so is proved like any other of its changes. */
const toldByPlatform = async (tx: OrganisationTx) => ({ removed: await removedOrganisations(tx), sealings: await sealings(tx) })

function addUp(sum: Verified, { budgets, events, changes, definitions, chainedSince, findings }: Verified): void {
  sum.budgets += budgets
  sum.events += events
  sum.changes += changes
  sum.definitions += definitions
  sum.chainedSince = [sum.chainedSince, chainedSince].filter((day) => day !== null).sort()[0] ?? null
  sum.findings.push(...findings)
}

/**
 * Whether the logs of budgets, of monitoring and of payroll, the change log of reference records and the records themselves, the chain over both,
 * and the anchors, those in the database and those kept outside of it, hold of an organisation, or of one of its budgets; of the platform also
 * whether the database defines what this version makes.
 */
async function verifyOrganisation(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { budget: only, outside }: { budget: string | undefined; outside: readonly OutsideAnchor[] },
): Promise<Verified> {
  const verified = nothingVerified()
  const removed = (await removedOrganisations(tx)).find((one) => one.organisationId === organisationId)
  if (removed) return { ...verified, findings: await verifyRemoved(tx, removed, outside) }
  const links = await readChain(tx, organisationId)
  const named = withAnchored(await logsOf(tx, organisationId), organisationId, outside)
  const heads = headsOf(links, 'budget')
  for (const id of heads.keys())
    if (!named.some((budget) => budget.id === id)) named.push({ id: budgetIdOf(id), organisationId, head: 'gone' })
  for (const budget of named) if (!only || budget.id === only) await verifyBudget(tx, budget, { heads, outside, verified })
  if (only) return verified
  verified.chainedSince = links[0] ? dayInLondon(links[0].at) : null
  verified.changes = links.filter((link) => link.kind === 'reference').length
  verified.findings.push(
    ...verifyChain(organisationId, links),
    ...anchoredLinks(organisationId, links, outside),
    ...(await verifyReferenceLog(tx, organisationId, links)),
    ...(await verifySealings(tx, organisationId)),
    ...(await compareRegisters(tx, organisationId)),
    ...(await verifyMonitoring(tx, organisationId, headsOf(links, 'monitoring'))),
    ...(await verifyPins(tx, organisationId)),
    ...(await verifyPayroll(tx, organisationId, headsOf(links, 'payroll'))),
    ...(await compareRuns(tx, organisationId)),
  )
  if (organisationId === platform) {
    const { compared, findings } = await verifyDefinitions(tx)
    verified.definitions = compared
    verified.findings.push(...findings)
  }
  return verified
}

/** Whether the log of a budget is whole, and is what its chain and its anchors know of it. */
export async function verifyBudget(
  tx: OrganisationTx,
  { id, organisationId, head }: NamedBudget,
  {
    heads,
    outside,
    verified,
  }: { heads: ReadonlyMap<string, { version: number; hash: string }[]>; outside: readonly OutsideAnchor[]; verified: Verified },
): Promise<void> {
  const source = await sourceOf(tx, organisationId, id)
  const inside = await tx.select().from(chainAnchors).where(eq(chainAnchors.budgetId, id))
  const linked = (heads.get(id) ?? []).map((link) => ({ day: 'the chain of the organisation', ...link }))
  const anchors = outside.flatMap(({ at, budgets }) =>
    budgets.flatMap((budget) =>
      budget.id === id ? [{ day: `${dayInLondon(at)} outside the database`, version: budget.version, hash: budget.hash }] : [],
    ),
  )
  verified.budgets++
  verified.events += source.events.length
  verified.findings.push(...verifyLog(source, head, [...inside, ...linked, ...anchors]))
  for (const { day, version, organisationId: named } of inside)
    if (named !== organisationId)
      verified.findings.push({ budgetId: id, version, problem: `The anchor of ${day} names another organisation: it was changed.` })
  const last = source.events.at(-1)
  if (last && linked.at(-1)?.version !== last.version)
    verified.findings.push({
      budgetId: id,
      version: last.version,
      problem: 'The chain of the organisation does not end where this log ends: one of them was cut or put in afterwards.',
    })
}

/** Budgets that only an anchor outside the database still names are gone whole. */
function withAnchored(named: readonly NamedBudget[], owner: OrganisationId, outside: readonly OutsideAnchor[]): NamedBudget[] {
  const known = new Map(named.map((budget) => [budget.id, budget]))
  for (const { budgets } of outside)
    for (const { id, organisationId } of budgets)
      if (organisationId === owner && !known.has(id)) known.set(id, { id, organisationId, head: 'gone' })
  return [...known.values()]
}

/** Whether the chain still has the links that anchors outside the database name. */
function anchoredLinks(organisationId: OrganisationId, links: readonly Link[], outside: readonly OutsideAnchor[]): Finding[] {
  return outside.flatMap(({ at, chains }) =>
    chains.flatMap(({ organisationId: owner, sequence, hash }) => {
      if (owner !== organisationId || links[sequence - 1]?.hash === hash) return []
      const problem =
        sequence > links.length
          ? `The anchor of ${at} outside the database knows link ${sequence} of the chain of organisation ${organisationId}, which ends at ${links.length}: it was cut since.`
          : `The anchor of ${at} outside the database has another link ${sequence} of the chain of organisation ${organisationId}: it was rewritten since.`
      return [{ budgetId: null, version: null, problem }]
    }),
  )
}
