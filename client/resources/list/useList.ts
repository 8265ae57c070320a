import { useState } from 'react'
import type { FilterItem } from '../../../domain/lists/lists.ts'
import { type ListName, listNames } from '../../../domain/lists/listViews.ts'
import { requireOneOf } from '../../../domain/values/keysOf.ts'
import { pageOf } from './fit.ts'
import { freshList, type ListState, rememberedList, rememberList } from './listState.ts'
import { startingRows, usePageSize } from './usePageSize.ts'

/** How a list screen begins: its state as it is remembered, and what is fixed. */
interface ListStart {
  /** Columns that are shown only when somebody asks for them. */
  hiddenColumns?: string[]
  /** Filters of the screen itself, beside those that people set. */
  fixed?: readonly FilterItem[]
  /** Filters that a fresh list begins with. */
  startFilters?: readonly FilterItem[] | undefined
}

const requestOf = (
  { firstRow, sort, sortDirection, lastSearch, lastFilters }: ListState,
  pageSize: number,
  fixed: readonly FilterItem[],
) => ({
  pageNumber: pageOf(firstRow, pageSize),
  pageSize,
  sort,
  sortDirection,
  search: lastSearch.value,
  filters: [...fixed, ...lastFilters],
})

/** The list that a key names. */
const nameOf = (key: string): ListName => requireOneOf(listNames, key.slice(0, key.lastIndexOf(' ')))

/** The request that a list screen will make when it is opened, as `useList` does. */
export function firstRequest(key: string, { hiddenColumns = [], fixed = [], startFilters = [] }: ListStart = {}) {
  return requestOf(rememberedList(key, hiddenColumns, startFilters), startingRows(nameOf(key)), fixed)
}

/**
 * What a list screen keeps and sends: the state of its grid, remembered while one of its rows is open, and the request made of it.
 * @param key what the state is remembered under: the name of the list and, after the last space, the selection that it belongs to
 */
export function useList(key: string, { hiddenColumns = [], fixed = [], startFilters = [] }: ListStart = {}) {
  const [state, setState] = useState<ListState>(() => rememberedList(key, hiddenColumns, startFilters))
  const list = nameOf(key)
  const size = usePageSize(list)
  const onState = (next: ListState): void => {
    rememberList(key, next)
    setState(next)
  }
  const { selectAll, toggledNodes } = state
  const selection = { search: state.lastSearch.value, filters: [...fixed, ...state.lastFilters] }
  return {
    /** What the grid takes as it is. */
    grid: { state, onState, size, list },
    state,
    /** Search and filters. */
    selection,
    request: requestOf(state, size.rows, fixed),
    /** What a bulk action takes. */
    chosen: { state: { selectAll, toggledNodes }, ...selection },
    /** After an import the list begins afresh. */
    reset: (): void => onState(freshList(hiddenColumns, startFilters)),
    /** After a bulk action nothing is selected, and the first page shows. */
    unselect: (): void =>
      // What was searched for while the action ran stays.
      setState((now) => {
        const next = { ...now, selectAll: false, toggledNodes: [], firstRow: 0 }
        rememberList(key, next)
        return next
      }),
  }
}
