import { displayCount } from '../../domain/values/format.ts'
import { trpc } from '../shell/api.ts'
import { failed, failedElsewhere, said, wayBack } from '../shell/notify.tsx'

/** The most budgets that are restored together. */
const mostTogether = 20

/** A deleted budget, or budget group, that is to be restored. */
interface Deleted {
  id: string
  name: string
}

/** Restores what was deleted and says what came of it. @param what it is called, of one */
function useRestore(send: (input: { ids: string[] }) => Promise<{ said: string[] }>, what: string) {
  const restore = async (deleted: readonly Deleted[]): Promise<void> => {
    try {
      const done = await send({ ids: deleted.map(({ id }) => id) })
      const [first] = deleted
      said(`Restored ${deleted.length === 1 && first ? first.name : displayCount(deleted.length, what)}`)
      for (const sentence of done.said) failedElsewhere(sentence)
    } catch (error) {
      failed(error)
    }
  }
  return {
    restore,
    /** The way back from a deletion, for its notice and for Ctrl Z; undefined where there is none. */
    undoOf: (deleted: readonly Deleted[]): (() => void) | undefined =>
      deleted.length && deleted.length <= mostTogether ? wayBack(() => restore(deleted), null) : undefined,
  }
}

/** Restores deleted budgets. */
export function useRestoreBudgets() {
  const { mutateAsync: send, isPending } = trpc.bin.restoreBudgets.useMutation()
  return { ...useRestore(send, 'budget'), isPending }
}

/** Restores deleted budget groups. */
export function useRestoreGroups() {
  const { mutateAsync: send, isPending } = trpc.bin.restoreGroups.useMutation()
  return { ...useRestore(send, 'budget group'), isPending }
}
