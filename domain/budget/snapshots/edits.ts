import type { UserId } from '../../values/ids.ts'
import type { StoredEvent } from '../events.ts'
import type { BudgetSnapshot } from './snapshot.ts'

export interface Edit {
  at: string
  actorId: UserId | null
}

interface Log {
  snapshot: BudgetSnapshot
  events: readonly StoredEvent[]
}

/**
 * Lists the edits of contracts and entries between two snapshots, oldest first, by the id that a contract or entry shares with its copies.
 */
export function listEditsBetween(a: Log, b: Log): Map<string, Edit[]> {
  const touches = new Map<string, Edit[]>()
  const add = ({ snapshot, events }: Log, after: number): void => {
    for (const event of events) {
      if (event.version <= after || !('id' in event.data)) continue
      const root = snapshot.state.origins.get(event.data.id) ?? event.data.id
      touches.set(root, [...(touches.get(root) ?? []), { at: event.occurredAt, actorId: event.actorId }])
    }
  }
  if (a.snapshot.head.id === b.snapshot.head.id) {
    const [early, late] = a.snapshot.version <= b.snapshot.version ? [a, b] : [b, a]
    add(late, early.snapshot.version)
  } else {
    add(a, lastCommonVersion(a, b))
    add(b, lastCommonVersion(b, a))
  }
  return new Map([...touches].map(([root, list]) => [root, list.sort((one, other) => (one.at < other.at ? -1 : 1))]))
}

/**
 * The last version at which a budget still equalled another: the version from which the other was copied or, if it is the copy, the end of
 * its own creation.
 */
function lastCommonVersion({ snapshot, events }: Log, other: Log): number {
  const { source } = other.snapshot.head
  if (source?.budgetId === snapshot.head.id) return source.version
  const creation = events.filter((event) => event.type === 'BudgetCreated' || event.requestId.startsWith('fill-'))
  return creation.at(-1)?.version ?? 0
}
