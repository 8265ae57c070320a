import { useState } from 'react'
import type { FilterItem } from '../../domain/lists.ts'
import { freshList, type ListState, rememberedList, rememberList, storedPageSize } from './listState.ts'

/**
 * What a list screen keeps and sends: the state of its grid, remembered while one of its rows is open, and the request made of it.
 * @param key what the state is remembered under: the screen and the selection it belongs to
 * @param hiddenColumns columns that are shown only when somebody asks for them
 * @param startFilters filters a fresh list begins with
 * @param fixed filters of the screen itself, beside those that people set
 */
export function useList(
  key: string,
  {
    hiddenColumns = [],
    fixed = [],
    startFilters = [],
  }: { hiddenColumns?: string[]; fixed?: readonly FilterItem[]; startFilters?: readonly FilterItem[] } = {},
) {
  const [state, setState] = useState<ListState>(() => rememberedList(key, hiddenColumns, startFilters))
  const [pageSize, setPageSize] = useState(storedPageSize)
  const onState = (next: ListState): void => {
    rememberList(key, next)
    setState(next)
  }
  const { pageNumber, sort, sortDirection, selectAll, toggledNodes } = state
  const selection = { search: state.lastSearch.value, filters: [...fixed, ...state.lastFilters] }
  return {
    /** What the grid takes as it is. */
    grid: { state, onState, pageSize, onPageSize: setPageSize },
    state,
    /** Search and filters. */
    selection,
    request: { pageNumber, pageSize, sort, sortDirection, ...selection },
    /** What a bulk action takes. */
    chosen: { state: { selectAll, toggledNodes }, ...selection },
    /** After an import the list begins afresh. */
    reset: (): void => onState(freshList(hiddenColumns, startFilters)),
    /** After a bulk action nothing is selected, and the first page shows. */
    unselect: (): void =>
      // What was searched for while the action ran stays.
      setState((now) => {
        const next = { ...now, selectAll: false, toggledNodes: [], pageNumber: 1 }
        rememberList(key, next)
        return next
      }),
  }
}
