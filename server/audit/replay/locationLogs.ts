import { type LocationId, locationIdOf, type OrganisationId } from '../../../domain/values/ids.ts'
import type { HashedEvent } from '../../core/stream/hash.ts'
import { isSame, isSameMoment } from '../compare/same.ts'
import { type Finding, isHead, verifyAnchors, verifyEvents } from '../verify/verify.ts'

/** A log that each location has one of, folded: everything it keeps, by key. */
interface Folded {
  items: ReadonlyMap<string, unknown>
}

/** How the logs of a kind are read. */
export interface LocationLogs<Event extends HashedEvent & { previousHash: string; hash: string }> {
  /** As in `Monitoring of location 3`. */
  name: string
  /** The locations that any of its tables names. */
  locationIds: readonly LocationId[]
  eventsOf: (locationId: LocationId) => Promise<Event[]>
  headOf: (locationId: LocationId) => Promise<{ version: number; lastHash: string; savedAt: string } | undefined>
  replay: (events: readonly Event[]) => Folded
  tablesOf: (locationId: LocationId) => Promise<Folded>
  /** What else the tables hold that no event brought. */
  straysOf?: (locationId: LocationId) => Promise<string[]>
}

/**
 * Whether the logs of a kind are whole, end where the chain of the organisation ends, and say what the tables say that screens read.
 * @param heads what the chain knows of each log, by location
 */
export async function verifyLocationLogs<Event extends HashedEvent & { previousHash: string; hash: string }>(
  organisationId: OrganisationId,
  heads: ReadonlyMap<string, { version: number; hash: string }[]>,
  logs: LocationLogs<Event>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const locationId of new Set([...logs.locationIds, ...[...heads.keys()].map((id) => locationIdOf(Number(id)))])) {
    const called = `${logs.name} of ${locationId ? `location ${locationId}` : `organisation ${organisationId}`}`
    const find = (version: number | null, problem: string): void =>
      void findings.push({ budgetId: null, version, problem: `${called}${version === null ? '' : `, version ${version}`}: ${problem}` })
    const events = await logs.eventsOf(locationId)
    const last = events.at(-1)
    verifyEvents(events, find)
    const head = await logs.headOf(locationId)
    if (!head || !isHead(head, last))
      find(null, `It stands at version ${head?.version ?? 0} but its log ends at ${last?.version ?? 0}, or the last hash differs.`)
    if (head && last && !isSameMoment(head.savedAt, last.occurredAt))
      find(last.version, 'The table says that it was saved at another time.')
    const linked = (heads.get(String(locationId)) ?? []).map((link) => ({ day: 'the chain of the organisation', ...link }))
    verifyAnchors(events, linked, find)
    if (last && linked.at(-1)?.version !== last.version)
      find(last.version, 'The chain of the organisation does not end where this log ends: one of them was cut or put in afterwards.')
    for (const problem of comparedItems(logs.replay(events), await logs.tablesOf(locationId))) find(null, problem)
    for (const problem of (await logs.straysOf?.(locationId)) ?? []) find(null, problem)
  }
  return findings
}

/** What the tables say differently from the log. */
export function comparedItems(log: Folded, tables: Folded): string[] {
  return [...new Set([...log.items.keys(), ...tables.items.keys()])].flatMap((key) => {
    const [is, should] = [tables.items.get(key), log.items.get(key)]
    if (!should) return [`The table has ${key}, and the log does not.`]
    if (!is) return [`The log has ${key}, and the table does not.`]
    return isSame(is, should) ? [] : [`What the tables say of ${key} is not what the log says.`]
  })
}
