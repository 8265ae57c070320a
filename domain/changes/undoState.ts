import type { UserId } from '../values/ids.ts'
import { conflict, DomainError } from '../words/errors.ts'

/** The properties of a logged change that matter for undo. */
interface LoggedChange {
  version: number
  data: object
}

/** The version that a change undoes; null if it is not an undo. */
const undoneBy = ({ data }: LoggedChange): number | null => {
  const undoes: unknown = Reflect.get(data, 'undoes')
  return typeof undoes === 'number' ? undoes : null
}

/** Whether later changes have undone a change, and which later changes are in effect. */
export interface UndoState<Change> {
  /** Whether the change itself is currently undone. */
  isUndone: boolean
  /** Later changes that are still in effect: without those that were undone, but with those that were redone. */
  changesInEffect: Change[]
}

/**
 * Determines which later changes are still in effect, so that a user can undo the latest change of a record and then the one before it.
 * @param since later changes of the same record, in order
 */
export function determineUndoState<Change extends LoggedChange>(change: LoggedChange, since: readonly Change[]): UndoState<Change> {
  // For each original change, a sum over the later changes: 1 for the change itself and for a redo, −1 for an undo. At zero, it is as it
  // was just after `change`.
  const meanings = new Map([[change.version, { of: change.version, by: 1 }]])
  const sums = new Map<number, { by: number; last: Change }>()
  for (const later of since) {
    const undone = undoneBy(later)
    const before = undone === null ? undefined : (meanings.get(undone) ?? { of: undone, by: 1 })
    const meaning = before ? { of: before.of, by: -before.by } : { of: later.version, by: 1 }
    meanings.set(later.version, meaning)
    sums.set(meaning.of, { by: (sums.get(meaning.of)?.by ?? 0) + meaning.by, last: later })
  }
  const isTakenBack = (sums.get(change.version)?.by ?? 0) !== 0
  return { isUndone: isTakenBack, changesInEffect: [...sums.values()].flatMap(({ by, last }) => (by === 0 ? [] : [last])) }
}

/**
 * Only the author of a change may undo it.
 * @param ofSystems whether the user may also undo changes by other systems, which have no user
 * @throws DomainError 403
 */
export function refuseChangeOfOthers(change: { actorId: UserId | null }, actorId: UserId | null, ofSystems = false): void {
  if (change.actorId === null ? !ofSystems : change.actorId !== actorId)
    throw new DomainError('forbidden', 'forbidden', 'Only the person who made a change can undo it.')
}

/**
 * Lists the later changes that are still in effect (see `UndoState.changesInEffect`).
 * @throws DomainError 409 if the change itself is undone
 */
export function listChangesInEffect<Change extends LoggedChange>(change: LoggedChange, since: readonly Change[]): Change[] {
  const standing = determineUndoState(change, since)
  if (standing.isUndone) throw conflict('newer', 'This has already been undone.')
  return standing.changesInEffect
}
