import type { FrozenInputs } from '../../../domain/calculation/staffing/frozen.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { BudgetId } from '../../../domain/values/ids.ts'
import { genesisHash, hashEvent, sha256 } from '../../core/stream/hash.ts'
import type { StoredEventRow } from '../../core/stream/stream.ts'
import type { LogHead, StoredBudgetLog } from '../replay/logSource.ts'

export interface AuditFinding {
  /** Null if the finding is not about a single budget. */
  budgetId: BudgetId | null
  version: number | null
  problem: string
}

export interface Anchor {
  /** Completes “The anchor …” in findings. */
  label: string
  version: number
  hash: string
}

/** Verifies a budget's log: versions without gaps, hashes that chain, readable events, matching head and anchors, and unaltered inputs. */
export function verifyLog(
  { budgetId, records, events, damaged, bodies }: StoredBudgetLog,
  head: LogHead | 'gone' | null,
  anchors: readonly Anchor[],
): AuditFinding[] {
  const findings: AuditFinding[] = []
  const addFinding = (version: number | null, problem: string): void => void findings.push({ budgetId, version, problem })
  verifyEvents(records, addFinding)
  if (damaged) addFinding(damaged.version, damaged.problem)
  for (const event of events)
    if (event.type === 'StaffContractsRecalculated')
      for (const problem of checkInputs(event.data.inputs, budgetId, bodies)) addFinding(event.version, problem)
  const last = records.at(-1)
  if (head === 'gone' && !last) addFinding(null, 'Its whole log is missing, but other records still refer to the budget.')
  if (head === 'gone' && last && last.type !== 'BudgetDeleted')
    addFinding(last.version, 'The budget is missing, but its log does not say it was deleted.')
  if (head && head !== 'gone' && !endsAtHead(head, last))
    addFinding(null, `The budget is at version ${head.version} but its log ends at ${last?.version ?? 0}, or the last hash differs.`)
  verifyAnchors(records, anchors, addFinding)
  return findings
}

type AddFinding = (version: number | null, problem: string) => void

export function verifyEvents(events: readonly StoredEventRow[], addFinding: AddFinding): void {
  let previous = genesisHash
  let expected = 1
  for (const event of events) {
    if (event.version !== expected)
      addFinding(
        event.version,
        expected === event.version - 1 ? `Version ${expected} is missing.` : `Versions ${expected} to ${event.version - 1} are missing.`,
      )
    else if (event.previousHash !== previous) addFinding(event.version, 'Its previous hash is not the hash of the preceding event.')
    if (hashEvent(event.previousHash, event) !== event.hash)
      addFinding(event.version, 'Its content does not match its hash: it was changed after it was written.')
    previous = event.hash
    expected = event.version + 1
  }
}

export function endsAtHead(head: LogHead, last: { version: number; hash: string } | undefined): boolean {
  return head.version === (last?.version ?? 0) && head.lastHash === (last?.hash ?? genesisHash)
}

/** Whether a log contains the version and hash of a head, wherever the log itself ends. */
export function containsHead(events: readonly { version: number; hash: string }[], head: LogHead): boolean {
  return events.some((event) => endsAtHead(head, event))
}

export function verifyAnchors(
  events: readonly { version: number; hash: string }[],
  anchors: readonly Anchor[],
  addFinding: AddFinding,
): void {
  const byVersion = new Map(events.map((event) => [event.version, event.hash]))
  let cut: Anchor | undefined
  for (const anchor of anchors)
    if (!byVersion.has(anchor.version)) cut = cut && cut.version > anchor.version ? cut : anchor
    else if (byVersion.get(anchor.version) !== anchor.hash)
      addFinding(anchor.version, `The anchor ${anchor.label} has a different hash: the log has since been rewritten.`)
  if (cut) addFinding(cut.version, `The anchor ${cut.label} records this version, but the log does not have it: it has since been cut.`)
}

function checkInputs(sha: string, budgetId: BudgetId, bodies: ReadonlyMap<string, string>): string[] {
  const body = bodies.get(sha)
  if (body === undefined) return [`The inputs ${sha.slice(0, 12)} are missing.`]
  const { shared, budgets }: FrozenInputs = JSON.parse(body)
  const part = budgets[budgetId]
  const parts = [[sha, 'inputs'], [shared, 'shared inputs'], ...(typeof part === 'string' ? [[part, 'inputs of the budget']] : [])]
  return parts.flatMap(([name, what]) => {
    const stored = bodies.get(assertDefined(name))
    if (stored === undefined) return [`The ${what} ${assertDefined(name).slice(0, 12)} are missing.`]
    return sha256(stored) === name ? [] : [`The ${what} ${assertDefined(name).slice(0, 12)} were changed after they were written.`]
  })
}
