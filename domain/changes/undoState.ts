/** A change in a log, as far as it takes part in undoing. */
interface LoggedChange {
  version: number
  data: object
}

/** The version that a change takes back; null: it takes none back. */
const undoneBy = ({ data }: LoggedChange): number | null => {
  const undoes: unknown = Reflect.get(data, 'undoes')
  return typeof undoes === 'number' ? undoes : null
}

/** What stands of the changes that came after another, with what they did to that one itself. */
export interface UndoState<Change> {
  /** The change itself has been taken back, and not been made again. */
  isUndone: boolean
  /** The changes since that stand: what was taken back is as if it had never been, and what was made again stands again. */
  since: Change[]
}

/**
 * What stands of the changes since one of them: whoever takes back the third and then the second change of a thing is stopped by neither.
 * @param since what came after `change` and touched the same thing, in order
 */
export function undoStateSince<Change extends LoggedChange>(change: LoggedChange, since: readonly Change[]): UndoState<Change> {
  // Every undo adds or takes away what some change did: how often that is there, beside how it was just after `change`.
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
  return { isUndone: isTakenBack, since: [...sums.values()].flatMap(({ by, last }) => (by === 0 ? [] : [last])) }
}
