import type { UserId } from '../../values/ids.ts'
import type { StoredEvent } from '../events.ts'
import type { Picture } from './picture.ts'

/** Who saved something, and when. */
export interface Touch {
  at: string
  actorId: UserId | null
}

interface Log {
  picture: Picture
  events: readonly StoredEvent[]
}

/** Who touched contracts and entries between two pictures, by what they were first copied from, oldest first. */
export function touchesBetween(a: Log, b: Log): Map<string, Touch[]> {
  const touches = new Map<string, Touch[]>()
  const add = ({ picture, events }: Log, after: number): void => {
    for (const event of events) {
      if (event.version <= after || !('id' in event.data)) continue
      const root = picture.state.origins.get(event.data.id) ?? event.data.id
      touches.set(root, [...(touches.get(root) ?? []), { at: event.occurredAt, actorId: event.actorId }])
    }
  }
  if (a.picture.head.id === b.picture.head.id) {
    const [early, late] = a.picture.version <= b.picture.version ? [a, b] : [b, a]
    add(late, early.picture.version)
  } else {
    add(a, commonVersion(a, b))
    add(b, commonVersion(b, a))
  }
  return new Map([...touches].map(([root, list]) => [root, list.sort((one, other) => (one.at < other.at ? -1 : 1))]))
}

/** Up to which version a budget was the same as another: where that one was made of it, or where its own making ended. */
function commonVersion({ picture, events }: Log, other: Log): number {
  const { source } = other.picture.head
  if (source?.budgetId === picture.head.id) return source.version
  const made = events.filter((event) => event.type === 'BudgetCreated' || event.requestId.startsWith('fill-'))
  return made.at(-1)?.version ?? 0
}
