import { displayCount } from '../../domain/format.ts'
import { trpc } from '../shell/api.ts'
import { failed, failedElsewhere, said } from '../shell/notify.tsx'
import { useLastUndo } from '../shell/useLastUndo.ts'

/** The most budgets that are restored together. */
const mostTogether = 20

/** A deleted budget that is to be restored. */
interface Deleted {
  id: string
  name: string
}

/** Restores deleted budgets and says what came of it. */
export function useRestoreBudgets() {
  const { mutateAsync: send, isPending } = trpc.bin.restoreBudgets.useMutation()
  const lastUndo = useLastUndo()
  const restore = async (budgets: readonly Deleted[]): Promise<void> => {
    try {
      const done = await send({ ids: budgets.map(({ id }) => id) })
      const [first] = budgets
      said(`Restored ${budgets.length === 1 && first ? first.name : displayCount(budgets.length, 'budget')}`)
      for (const sentence of done.said) failedElsewhere(sentence)
    } catch (error) {
      failed(error)
    }
  }
  return {
    restore,
    isPending,
    /** The way back from a deletion, for its notice and for Ctrl Z; undefined where there is none. */
    undoOf: (budgets: readonly Deleted[]): (() => void) | undefined =>
      budgets.length && budgets.length <= mostTogether ? lastUndo(() => void restore(budgets)) : undefined,
  }
}
