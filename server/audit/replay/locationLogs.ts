import { type LocationId, type OrganisationId, toLocationId } from '../../../domain/values/ids.ts'
import { type EventRecord, parseReadable, type StreamKinds } from '../../core/stream/stream.ts'
import { isSame, isSameMoment } from '../compare/same.ts'
import { endsAtHead, type Finding, verifyAnchors, verifyEvents } from '../verify/verify.ts'

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
    const addFinding = (version: number | null, problem: string): void =>
      void findings.push({ budgetId: null, version, problem: `${label}${version === null ? '' : `, version ${version}`}: ${problem}` })
    const records = await logs.recordsOf(locationId)
    const last = records.at(-1)
    verifyEvents(records, addFinding)
    const head = await logs.headOf(locationId)
    if (!head || !endsAtHead(head, last))
      addFinding(null, `It is at version ${head?.version ?? 0} but its log ends at ${last?.version ?? 0}, or the last hash differs.`)
    if (head && last && !isSameMoment(head.savedAt, last.occurredAt))
      addFinding(last.version, 'The table has a different time of the last save.')
    const linked = (heads.get(String(locationId)) ?? []).map((link) => ({ day: 'the chain of the organisation', ...link }))
    verifyAnchors(records, linked, addFinding)
    if (last && linked.at(-1)?.version !== last.version)
      addFinding(last.version, 'The chain of the organisation does not end where this log ends: events were removed or added afterwards.')
    const { events, damaged } = parseReadable(logs.stream, records)
    if (damaged) {
      addFinding(damaged.version, damaged.problem)
      continue
    }
    for (const problem of compareFolded(logs.replay(events), await logs.tablesOf(locationId))) addFinding(null, problem)
    for (const problem of (await logs.straysOf?.(locationId)) ?? []) addFinding(null, problem)
  }
  return findings
}

export function compareFolded(log: FoldedLog, tables: FoldedLog): string[] {
  return [...new Set([...log.items.keys(), ...tables.items.keys()])].flatMap((key) => {
    const [stored, logged] = [tables.items.get(key), log.items.get(key)]
    if (!logged) return [`The table has ${key}, but the log does not.`]
    if (!stored) return [`The log has ${key}, but the table does not.`]
    return isSame(stored, logged) ? [] : [`In the tables, ${key} differs from the log.`]
  })
}
