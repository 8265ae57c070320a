import { useState } from 'react'
import type { FilterItem } from '../../../domain/lists/lists.ts'
import { type ListName, listNames } from '../../../domain/lists/listViews.ts'
import { requireOneOf } from '../../../domain/values/keysOf.ts'
import { createListState, type ListState, readListState, rememberListState } from './listState.ts'
import { findPageNumber } from './pageFit.ts'
import { countInitialRows, usePageSize } from './usePageSize.ts'

/** The initial settings of a list screen. */
interface ListStart {
  /** Columns that are hidden until the user shows them. */
  hiddenColumns?: string[]
  /** Filters of the screen that always apply, in addition to the user's filters. */
  fixed?: readonly FilterItem[]
  /** Initial filters, which the user can remove. */
  startFilters?: readonly FilterItem[] | undefined
}

const requestOf = (
  { firstRow, sort, sortDirection, lastSearch, lastFilters }: ListState,
  pageSize: number,
  fixed: readonly FilterItem[],
) => ({
  pageNumber: findPageNumber(firstRow, pageSize),
  pageSize,
  sort,
  sortDirection,
  search: lastSearch.value,
  filters: [...fixed, ...lastFilters],
})

/** The name of the list, with which the key starts. */
const nameOf = (key: string): ListName => requireOneOf(listNames, key.slice(0, key.lastIndexOf(' ')))

/** Creates the request that `useListState` will make when its screen opens, for prefetching. */
export function createFirstListRequest(key: string, { hiddenColumns = [], fixed = [], startFilters = [] }: ListStart = {}) {
  return requestOf(readListState(key, hiddenColumns, startFilters), countInitialRows(nameOf(key)), fixed)
}

/**
 * Returns the state of a list screen, which is remembered while one of its records is open, and the request that follows from the state.
 * @param key name of the list and, after the last space, the id of the selected location or organisation
 */
export function useListState(key: string, { hiddenColumns = [], fixed = [], startFilters = [] }: ListStart = {}) {
  const [state, setState] = useState<ListState>(() => readListState(key, hiddenColumns, startFilters))
  const list = nameOf(key)
  const size = usePageSize(list)
  const onState = (next: ListState): void => {
    rememberListState(key, next)
    setState(next)
  }
  const { selectAll, toggledNodes } = state
  const selection = { search: state.lastSearch.value, filters: [...fixed, ...state.lastFilters] }
  return {
    /** Props of the list component. */
    grid: { state, onState, size, list },
    state,
    /** Search and filters. */
    selection,
    request: requestOf(state, size.rows, fixed),
    /** The selection as input for a bulk action. */
    chosen: { state: { selectAll, toggledNodes }, ...selection },
    /** Resets the list after an import. */
    reset: (): void => onState(createListState(hiddenColumns, startFilters)),
    /** Clears the selection and returns to the first page after a bulk action. */
    unselect: (): void =>
      // Keep the search text that the user typed while the action was running.
      setState((now) => {
        const next = { ...now, selectAll: false, toggledNodes: [], firstRow: 0 }
        rememberListState(key, next)
        return next
      }),
  }
}
