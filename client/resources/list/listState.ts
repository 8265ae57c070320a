import type { FilterItem, RowSelectionState } from '../../../domain/lists/lists.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { isOneOf } from '../../../domain/values/keysOf.ts'
import { pageSizes } from '../../../domain/words/notices.ts'

/** The state of a list, remembered while one of its records is open. */
export interface ListState extends RowSelectionState {
  lastSearch: { value: string }
  lastFilters: FilterItem[]
  /** Number of rows before the current page. Unlike a page number, it stays correct when the page size changes. */
  firstRow: number
  sort: string | null
  sortDirection: 'asc' | 'desc'
  hiddenColumns: string[]
}

const remembered = new Map<string, ListState>()

/** Creates the key under which a list's state is remembered. It consists of the screen and the selected location or organisation. */
export function createListKey(
  screen: { path: string; needs: string },
  organisationId: OrganisationId | null,
  locationId: LocationId | null,
): string {
  return `${screen.path} ${screen.needs === 'budget' ? locationId : organisationId}`
}

/**
 * Creates the initial state of a list.
 * @param hiddenColumns columns that are hidden until the user shows them
 */
export function createListState(hiddenColumns: string[] = [], filters: readonly FilterItem[] = []): ListState {
  return {
    selectAll: false,
    toggledNodes: [],
    lastSearch: { value: '' },
    lastFilters: [...filters],
    firstRow: 0,
    sort: null,
    sortDirection: 'asc',
    hiddenColumns,
  }
}

export function readListState(key: string, hiddenColumns: string[] = [], filters: readonly FilterItem[] = []): ListState {
  return remembered.get(key) ?? createListState(hiddenColumns, filters)
}

export function rememberListState(key: string, state: ListState): void {
  remembered.set(key, state)
}

/** A page size that the user can choose: a number of rows, or as many rows as fit into the window. */
export type PageSizeChoice = (typeof pageSizes)[number] | 'fit'

/** Reads the page size chosen for all lists from local storage. If none was chosen or the value is invalid, 10 (notices K-06 to K-08). */
export function readPageSize(): PageSizeChoice {
  return parsePageSize(window.localStorage.getItem('pageSize'))
}

export function storePageSize(choice: PageSizeChoice): void {
  window.localStorage.setItem('pageSize', String(choice))
}

/** Parses a page size from local storage or from the select; an invalid one becomes the default. */
export function parsePageSize(text: string | null): PageSizeChoice {
  const size = Number(text)
  if (text === 'fit') return text
  return isOneOf(pageSizes, size) ? size : pageSizes[0]
}

/** Creates the options of the select for the page size. */
export function createPageSizeOptions(nameOf: (size: number) => string): { value: string; label: string }[] {
  return [...pageSizes.map((size) => ({ value: String(size), label: nameOf(size) })), { value: 'fit', label: 'As many as fit' }]
}

/** Counts the selected rows. */
export function countSelected({ selectAll, toggledNodes }: RowSelectionState, total: number): number {
  return selectAll ? total - toggledNodes.length : toggledNodes.length
}

export function isSelected({ selectAll, toggledNodes }: RowSelectionState, id: number | string): boolean {
  return selectAll !== toggledNodes.includes(id)
}

export function toggleSelected({ selectAll, toggledNodes }: RowSelectionState, id: number | string): RowSelectionState {
  return { selectAll, toggledNodes: toggledNodes.includes(id) ? toggledNodes.filter((one) => one !== id) : [...toggledNodes, id] }
}

/** Row heights in pixels. */
export const rowHeights = { comfortable: 36, compact: 28 } as const
export type RowDensity = keyof typeof rowHeights

/** Reads the row height chosen for all lists from local storage. */
export function readRowDensity(): RowDensity {
  return window.localStorage.getItem('density') === 'compact' ? 'compact' : 'comfortable'
}

export function storeRowDensity(density: RowDensity): void {
  window.localStorage.setItem('density', density)
}
