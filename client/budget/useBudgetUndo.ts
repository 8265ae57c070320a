import { trpc } from '../shell/api.ts'
import { createDeletionUndo } from '../shell/notify.tsx'
import { getSelection, useSelection } from '../shell/selection.ts'

/**
 * Returns a function that creates the undo of a deletion in the open budget from the versions that the deletion created; it returns
 * undefined if nothing was deleted.
 */
export function useBudgetUndo(): (versions: readonly number[] | undefined) => (() => void) | undefined {
  const { budgetId } = useSelection()
  const { mutateAsync: undo } = trpc.budgets.undo.useMutation()
  return (versions) => {
    if (!versions?.length) return undefined
    return createDeletionUndo(async () => {
      // The versions belong to this budget. In another budget the same version numbers are other changes.
      if (getSelection().budgetId !== budgetId)
        throw new Error('Open the budget again in which it was deleted, then undo it in the history.')
      await undo({ versions: [...versions] })
    })
  }
}
