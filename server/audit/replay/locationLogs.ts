import { type LocationId, type OrganisationId, toLocationId } from '../../../domain/values/ids.ts'
import { type EventRecord, parseReadable, type StreamKinds } from '../../core/stream/stream.ts'
import { isSame, isSameMoment } from '../compare/same.ts'
import { endsAtHead, type Finding, hasVersionOf, verifyAnchors, verifyEvents } from '../verify/verify.ts'

/** A folded log of one location: its items by key. */
interface FoldedLog {
  items: ReadonlyMap<string, unknown>
}

type LocationStreamName = 'monitoring' | 'payroll'

/** How to read one kind of location log, such as monitoring. */
export interface LocationLogs<Name extends LocationStreamName> {
  stream: Name
  /** For example "Monitoring" in "Monitoring of location 3". */
  name: string
  locationIds: readonly LocationId[]
  recordsOf: (locationId: LocationId) => Promise<EventRecord[]>
  headOf: (locationId: LocationId) => Promise<{ version: number; lastHash: string; savedAt: string } | undefined>
  replay: (events: readonly StreamKinds[Name]['event'][]) => FoldedLog
  tablesOf: (locationId: LocationId) => Promise<FoldedLog>
  /** Finds rows that no event explains. */
  straysOf?: (locationId: LocationId) => Promise<string[]>
}

/**
 * Verifies one kind of location log: each log is whole, ends where the organisation's chain says, and matches the tables that screens read.
 * @param heads the chain's links to each log, by location
 */
export async function verifyLocationLogs<Name extends LocationStreamName>(
  organisationId: OrganisationId,
  heads: ReadonlyMap<string, { version: number; hash: string }[]>,
  logs: LocationLogs<Name>,
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const locationId of new Set([...logs.locationIds, ...[...heads.keys()].map((id) => toLocationId(Number(id)))])) {
    const label = `${logs.name} of ${locationId ? `location ${locationId}` : `organisation ${organisationId}`}`
    const { damage, differences } = await checkLocationLog(logs, { locationId, links: heads.get(String(locationId)) ?? [] })
    for (const { version, problem } of [...damage, ...differences])
      findings.push({ budgetId: null, version, problem: `${label}${version === null ? '' : `, version ${version}`}: ${problem}` })
  }
  return findings
}

/**
 * Verifies one location log, and compares it with its tables.
 * @param links the chain's links to the log
 * @returns its readable events; what is wrong with the log, also if the tables have something that only a lost event explains; and, if it
 *   can be read to its end, where else the tables differ from it
 */
export async function checkLocationLog<Name extends LocationStreamName>(
  logs: LocationLogs<Name>,
  { locationId, links }: { locationId: LocationId; links: readonly { version: number; hash: string }[] },
): Promise<{ events: StreamKinds[Name]['event'][]; damage: Finding[]; differences: Finding[] }> {
  const [damage, differences]: [Finding[], Finding[]] = [[], []]
  const addDamage = (version: number | null, problem: string): void => void damage.push({ budgetId: null, version, problem })
  const records = await logs.recordsOf(locationId)
  const last = records.at(-1)
  // If the log has no events, rows in its tables can only come from lost events, so a difference counts as damage.
  const addDifference = (version: number | null, problem: string): void =>
    void (last ? differences : damage).push({ budgetId: null, version, problem })
  verifyEvents(records, addDamage)
  const head = await logs.headOf(locationId)
  if (head ? !endsAtHead(head, last) : last) {
    // A head that is behind its log can be made from it; another version is all that is left of an event.
    const add = head?.version && !hasVersionOf(records, head) ? addDamage : addDifference
    add(null, `It is at version ${head?.version ?? 0} but its log ends at ${last?.version ?? 0}, or the last hash differs.`)
  }
  if (head && last && !isSameMoment(head.savedAt, last.occurredAt))
    addDifference(last.version, 'The table has a different time of the last save.')
  const linked = links.map((link) => ({ day: 'the chain of the organisation', ...link }))
  verifyAnchors(records, linked, addDamage)
  if (last && linked.at(-1)?.version !== last.version)
    addDamage(last.version, 'The chain of the organisation does not end where this log ends: events were removed or added afterwards.')
  const { events, damaged } = parseReadable(logs.stream, records)
  if (damaged) {
    addDamage(damaged.version, damaged.problem)
    return { events, damage, differences }
  }
  for (const problem of compareFolded(logs.replay(events), await logs.tablesOf(locationId))) addDifference(null, problem)
  for (const problem of (await logs.straysOf?.(locationId)) ?? []) addDifference(null, problem)
  return { events, damage, differences }
}

export function compareFolded(log: FoldedLog, tables: FoldedLog): string[] {
  return [...new Set([...log.items.keys(), ...tables.items.keys()])].flatMap((key) => {
    const [stored, logged] = [tables.items.get(key), log.items.get(key)]
    if (!logged) return [`The table has ${key}, but the log does not.`]
    if (!stored) return [`The log has ${key}, but the table does not.`]
    return isSame(stored, logged) ? [] : [`In the tables, ${key} differs from the log.`]
  })
}
