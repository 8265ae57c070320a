import type { FrozenInputs } from '../../../domain/calculation/staffing/frozen.ts'
import type { BudgetId } from '../../../domain/values/ids.ts'
import { must } from '../../../domain/values/must.ts'
import { eventHash, genesisHash, type HashedEvent, sha256 } from '../../core/stream/hash.ts'
import type { Head, LogSource } from '../replay/source.ts'

/** What does not hold, in a sentence. */
export interface Finding {
  /** Empty where it is about no single budget. */
  budgetId: BudgetId | null
  version: number | null
  problem: string
}

export interface Anchor {
  day: string
  version: number
  hash: string
}

/** What every log has: numbered events, each with a hash over the one before. */
type ChainedEvent = HashedEvent & { previousHash: string; hash: string }

/** Whether a log is whole: versions without gaps, each hash over the one before, the head and the anchors where they were, the inputs as they were written. */
export function verifyLog({ budgetId, events, bodies }: LogSource, head: Head | 'gone' | null, anchors: readonly Anchor[]): Finding[] {
  const findings: Finding[] = []
  const find = (version: number | null, problem: string): void => void findings.push({ budgetId, version, problem })
  verifyEvents(events, find)
  for (const event of events)
    if (event.type === 'StaffContractsRecalculated')
      for (const problem of inputProblems(event.data.inputs, budgetId, bodies)) find(event.version, problem)
  const last = events.at(-1)
  if (head === 'gone' && !last) find(null, 'Its whole log is missing, and something still names the budget.')
  if (head === 'gone' && last && last.type !== 'BudgetDeleted')
    find(last.version, 'The budget is gone, and its log does not say that it was deleted.')
  if (head && head !== 'gone' && !isHead(head, last))
    find(null, `The budget stands at version ${head.version} but its log ends at ${last?.version ?? 0}, or the last hash differs.`)
  verifyAnchors(events, anchors, find)
  return findings
}

type Find = (version: number | null, problem: string) => void

/** Whether the events of a log follow one another, and each is as it was written. */
export function verifyEvents(events: readonly ChainedEvent[], find: Find): void {
  let previous = genesisHash
  let expected = 1
  for (const event of events) {
    if (event.version !== expected)
      find(
        event.version,
        expected === event.version - 1 ? `Version ${expected} is missing.` : `Versions ${expected} to ${event.version - 1} are missing.`,
      )
    else if (event.previousHash !== previous) find(event.version, 'Its previous hash is not the hash of the event before.')
    if (eventHash(event.previousHash, event) !== event.hash)
      find(event.version, 'Its content does not match its hash: it was changed after it was written.')
    previous = event.hash
    expected = event.version + 1
  }
}

/** Whether a log ends where its head says. */
export function isHead(head: Head, last: { version: number; hash: string } | undefined): boolean {
  return head.version === (last?.version ?? 0) && head.lastHash === (last?.hash ?? genesisHash)
}

/** Whether a log still holds what anchors know of it. */
export function verifyAnchors(events: readonly { version: number; hash: string }[], anchors: readonly Anchor[], find: Find): void {
  const byVersion = new Map(events.map((event) => [event.version, event.hash]))
  let cut: Anchor | undefined
  for (const anchor of anchors)
    if (!byVersion.has(anchor.version)) cut = cut && cut.version > anchor.version ? cut : anchor
    else if (byVersion.get(anchor.version) !== anchor.hash)
      find(anchor.version, `The anchor of ${anchor.day} has another hash: the log was rewritten since.`)
  if (cut) find(cut.version, `The anchor of ${cut.day} knows this version, and the log does not: it was cut since.`)
}

function inputProblems(sha: string, budgetId: BudgetId, bodies: ReadonlyMap<string, string>): string[] {
  const body = bodies.get(sha)
  if (body === undefined) return [`The inputs ${sha.slice(0, 12)} are missing.`]
  const { shared, budgets }: FrozenInputs = JSON.parse(body)
  const part = budgets[budgetId]
  const parts = [[sha, 'inputs'], [shared, 'shared inputs'], ...(typeof part === 'string' ? [[part, 'inputs of the budget']] : [])]
  return parts.flatMap(([name, what]) => {
    const kept = bodies.get(must(name))
    if (kept === undefined) return [`The ${what} ${must(name).slice(0, 12)} are missing.`]
    return sha256(kept) === name ? [] : [`The ${what} ${must(name).slice(0, 12)} were changed after they were written.`]
  })
}
