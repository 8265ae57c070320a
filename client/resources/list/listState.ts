import type { LocationId, OrganisationId } from '../../../domain/ids.ts'
import { isOneOf } from '../../../domain/keysOf.ts'
import type { FilterItem, ListEditState } from '../../../domain/lists.ts'
import { pageSizes } from '../../../domain/notices.ts'

/** What a list remembers while one of its children is open. */
export interface ListState extends ListEditState {
  lastSearch: { value: string }
  lastFilters: FilterItem[]
  pageNumber: number
  sort: string | null
  sortDirection: 'asc' | 'desc'
  hiddenColumns: string[]
}

const remembered = new Map<string, ListState>()

/** What the state of a list is remembered under: its screen and the selection it belongs to. */
export function listKey(
  screen: { path: string; needs: string },
  organisationId: OrganisationId | null,
  locationId: LocationId | null,
): string {
  return `${screen.path} ${screen.needs === 'budget' ? locationId : organisationId}`
}

/** @param hiddenColumns columns that are shown only when somebody asks for them */
export function freshList(hiddenColumns: string[] = [], filters: readonly FilterItem[] = []): ListState {
  return {
    selectAll: false,
    toggledNodes: [],
    lastSearch: { value: '' },
    lastFilters: [...filters],
    pageNumber: 1,
    sort: null,
    sortDirection: 'asc',
    hiddenColumns,
  }
}

export function rememberedList(key: string, hiddenColumns: string[] = [], filters: readonly FilterItem[] = []): ListState {
  return remembered.get(key) ?? freshList(hiddenColumns, filters)
}

export function rememberList(key: string, state: ListState): void {
  remembered.set(key, state)
}

/** The page size of every list, kept in local storage; a stored value that is not offered is replaced by 10 (notices K-06 to K-08). */
export function storedPageSize(): number {
  const size = Number(window.localStorage.getItem('pageSize'))
  return isOneOf(pageSizes, size) ? size : pageSizes[0]
}

export function storePageSize(size: number): void {
  window.localStorage.setItem('pageSize', String(size))
}

/** How many rows a bulk action takes. */
export function selectedCount({ selectAll, toggledNodes }: ListEditState, total: number): number {
  return selectAll ? total - toggledNodes.length : toggledNodes.length
}

export function isSelected({ selectAll, toggledNodes }: ListEditState, id: number | string): boolean {
  return selectAll !== toggledNodes.includes(id)
}

export function toggled({ selectAll, toggledNodes }: ListEditState, id: number | string): ListEditState {
  return { selectAll, toggledNodes: toggledNodes.includes(id) ? toggledNodes.filter((one) => one !== id) : [...toggledNodes, id] }
}

/** How tall the rows of lists are, kept in local storage. */
export function storedDensity(): 'comfortable' | 'compact' {
  return window.localStorage.getItem('density') === 'compact' ? 'compact' : 'comfortable'
}

export function storeDensity(density: 'comfortable' | 'compact'): void {
  window.localStorage.setItem('density', density)
}
