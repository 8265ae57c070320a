import { useHotkeys } from '@mantine/hooks'
import { useRef } from 'react'
import { displayCount } from '../../domain/format.ts'
import { trpc } from '../shell/api.ts'
import { failed, failedElsewhere, isNewestUndo, offerUndo, said } from '../shell/notify.tsx'

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
  const newest = useRef<(() => void) | null>(null)
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
  useHotkeys([
    [
      'mod+Z',
      () => {
        if (newest.current && isNewestUndo(newest.current)) newest.current()
      },
    ],
  ])
  return {
    restore,
    isPending,
    /** The way back from a deletion, for its notice and for Ctrl Z; undefined where there is none. */
    undoOf: (budgets: readonly Deleted[]): (() => void) | undefined => {
      if (!budgets.length || budgets.length > mostTogether) return undefined
      const undo = (): void => {
        newest.current = null
        void restore(budgets)
      }
      newest.current = undo
      offerUndo(undo)
      return undo
    },
  }
}
