import { displayCount } from '../../domain/values/format.ts'
import { trpc } from '../shell/api.ts'
import { createDeletionUndo, notifyBackgroundFailure, notifyFailure, notifySuccess } from '../shell/notify.tsx'

/** Maximum number of budgets that one call restores. */
const maximumPerCall = 20

/** A deleted budget or budget group to restore. */
interface DeletedItem {
  id: string
  name: string
}

/**
 * Restores deleted items and shows a notice with the result.
 * @param noun the word for one item
 */
function useRestore(send: (input: { ids: string[] }) => Promise<{ said: string[] }>, noun: string) {
  const restore = async (deleted: readonly DeletedItem[]): Promise<void> => {
    try {
      const done = await send({ ids: deleted.map(({ id }) => id) })
      const [first] = deleted
      notifySuccess(`Restored ${deleted.length === 1 && first ? first.name : displayCount(deleted.length, noun)}`)
      for (const sentence of done.said) notifyBackgroundFailure(sentence)
    } catch (error) {
      notifyFailure(error)
    }
  }
  return {
    restore,
    /**
     * Creates the function that undoes a deletion, for the notice and for Ctrl+Z; undefined if no item was deleted, or more than one call
     * can restore.
     */
    createUndo: (deleted: readonly DeletedItem[]): (() => void) | undefined =>
      deleted.length && deleted.length <= maximumPerCall ? createDeletionUndo(() => restore(deleted), null) : undefined,
  }
}

export function useRestoreBudgets() {
  const { mutateAsync: send, isPending } = trpc.bin.restoreBudgets.useMutation()
  return { ...useRestore(send, 'budget'), isPending }
}

export function useRestoreBudgetGroups() {
  const { mutateAsync: send, isPending } = trpc.bin.restoreGroups.useMutation()
  return { ...useRestore(send, 'budget group'), isPending }
}
