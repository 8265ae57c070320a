import { trpc } from '../shell/api.ts'
import { wayBack } from '../shell/notify.tsx'
import { currentSelection, useSelection } from '../shell/selection.ts'

/** The way back from a deletion in the open budget, by the versions that the budget has by it; undefined where nothing was deleted. */
export function useTakeBack(): (versions: readonly number[] | undefined) => (() => void) | undefined {
  const { budgetId } = useSelection()
  const { mutateAsync: undo } = trpc.budgets.undo.useMutation()
  return (versions) => {
    if (!versions?.length) return undefined
    return wayBack(async () => {
      // The versions are those of this budget: in another they would be other changes.
      if (currentSelection().budgetId !== budgetId)
        throw new Error('Open the budget again in which it was deleted, then undo it in the history.')
      await undo({ versions: [...versions] })
    })
  }
}
