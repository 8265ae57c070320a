import { useLocation, useNavigate } from 'react-router'
import { addSelection, formatSelection } from '../../domain/values/selectionAddress.ts'
import type { Selection } from './selection.ts'

/** Navigation state which says that the user chose the selection in the URL, so that the page need not announce it. */
interface ChosenState {
  isChosen: true
}

/** Whether the user chose the selection in the bar or the search, according to the navigation state. */
export function isSelectionChosenByUser(state: unknown): state is ChosenState {
  return typeof state === 'object' && state !== null && 'isChosen' in state
}

/** Returns a function that shows the same page for another selection. */
export function useChooseSelection(): (selection: Selection) => Promise<void> {
  const navigate = useNavigate()
  const { pathname, search, hash, state } = useLocation()
  return async (selection) =>
    navigate(addSelection(`${pathname}${search}${hash}`, formatSelection(selection)), {
      state: { ...state, isChosen: true } satisfies ChosenState,
    })
}
