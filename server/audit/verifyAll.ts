import { eq } from 'drizzle-orm'
import { dayInLondon } from '../../domain/format.ts'
import { budgetIdOf, type OrganisationId, platform } from '../../domain/ids.ts'
import { chainAnchors } from '../../drizzle/consoleTables.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import type { OutsideAnchor } from '../core/events/anchorFiles.ts'
import { allOrganisations, headsOf, type Link, readChain, verifyChain, verifyReferenceLog } from './chain.ts'
import { verifyMonitoring } from './monitoring.ts'
import { verifyPayroll } from './payroll.ts'
import { verifyPins } from './pins.ts'
import { compareRegisters } from './registers.ts'
import { type Removed, removedOrganisations, verifyRemoved } from './removed.ts'
import { compareRuns } from './runs.ts'
import { allLogs, type NamedBudget, sourceOf } from './source.ts'
import { type Anchor, type Finding, verifyLog } from './verify.ts'
import { verifyWorkedOut } from './workedOut.ts'

export interface Verified {
  budgets: number
  events: number
  /** Changes of reference records that stand in the chains. */
  changes: number
  /** The day of the oldest link: what happened before was linked as it stood then. */
  chainedSince: string | null
  /** Organisations that were taken away with their whole logs, as the chain of the platform says. */
  removed: Removed[]
  findings: Finding[]
}

/**
 * Whether everything that can be proved without working a figure out again holds: the logs of budgets, of monitoring and of payroll, the change log of reference records
 * and the records themselves, the chain over both, and the anchors, those in the database and those kept outside of it.
 * @param only an organisation, or a budget
 */
export async function verifyAll(
  tx: OrganisationTx,
  only: { organisation?: number; budget?: string },
  outside: readonly OutsideAnchor[],
): Promise<Verified> {
  const verified: Verified = {
    budgets: 0,
    events: 0,
    changes: 0,
    chainedSince: null,
    removed: await removedOrganisations(tx),
    findings: [],
  }
  const named = withAnchored(await allLogs(tx), outside)
  for (const organisationId of await allOrganisations(tx, outside)) {
    if (only.organisation !== undefined && only.organisation !== organisationId) continue
    const removed = verified.removed.find((one) => one.organisationId === organisationId)
    if (removed) {
      verified.findings.push(...(await verifyRemoved(tx, removed, outside)))
      continue
    }
    const links = await readChain(tx, organisationId)
    const own = named.filter((budget) => budget.organisationId === organisationId)
    const heads = headsOf(links, 'budget')
    for (const id of heads.keys())
      if (!own.some((budget) => budget.id === id)) own.push({ id: budgetIdOf(id), organisationId, head: 'gone' })
    const chosen = own.filter((budget) => !only.budget || budget.id === only.budget)
    for (const budget of chosen) await verifyBudget(tx, budget, { heads, outside, verified })
    if (only.budget) continue
    verified.chainedSince =
      [verified.chainedSince, links[0] ? dayInLondon(links[0].at) : null].filter((day) => day !== null).sort()[0] ?? null
    verified.changes += links.filter((link) => link.kind === 'reference').length
    verified.findings.push(
      ...verifyChain(organisationId, links),
      ...anchoredLinks(organisationId, links, outside),
      ...(await verifyReferenceLog(tx, organisationId, links)),
      ...(await compareRegisters(tx, organisationId)),
      ...(await verifyMonitoring(tx, organisationId, headsOf(links, 'monitoring'))),
      ...(await verifyPins(tx, organisationId)),
      ...(await verifyPayroll(tx, organisationId, headsOf(links, 'payroll'))),
      ...(organisationId === platform ? await verifyWorkedOut(tx) : await compareRuns(tx, organisationId)),
    )
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
  const inside: Anchor[] = await tx.select().from(chainAnchors).where(eq(chainAnchors.budgetId, id))
  const linked = (heads.get(id) ?? []).map((link) => ({ day: 'the chain of the organisation', ...link }))
  const anchors = outside.flatMap(({ at, budgets }) =>
    budgets.flatMap((budget) =>
      budget.id === id ? [{ day: `${dayInLondon(at)} outside the database`, version: budget.version, hash: budget.hash }] : [],
    ),
  )
  verified.budgets++
  verified.events += source.events.length
  verified.findings.push(...verifyLog(source, head, [...inside, ...linked, ...anchors]))
  const last = source.events.at(-1)
  if (last && linked.at(-1)?.version !== last.version)
    verified.findings.push({
      budgetId: id,
      version: last.version,
      problem: 'The chain of the organisation does not end where this log ends: one of them was cut or put in afterwards.',
    })
}

/** Budgets that only an anchor outside the database still names are gone whole. */
function withAnchored(named: readonly NamedBudget[], outside: readonly OutsideAnchor[]): NamedBudget[] {
  const known = new Map(named.map((budget) => [budget.id, budget]))
  for (const { budgets } of outside)
    for (const { id, organisationId } of budgets) if (!known.has(id)) known.set(id, { id, organisationId, head: 'gone' })
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
