import { useLocation, useNavigate } from 'react-router'
import { addSelection, formatSelection } from '../../domain/values/selectionAddress.ts'
import type { Selection } from './selection.ts'

/** Navigation state of an address whose selection the user has chosen themselves, so that it need not be announced. */
interface ChosenState {
  isChosen: true
}

/** Whether the user chose the selection of an address in the bar or the search, by the state of its navigation. */
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
