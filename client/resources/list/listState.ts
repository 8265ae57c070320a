import type { FilterItem, ListEditState } from '../../../domain/lists/lists.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { isOneOf } from '../../../domain/values/keysOf.ts'
import { pageSizes } from '../../../domain/words/notices.ts'

/** What a list remembers while one of its children is open. */
export interface ListState extends ListEditState {
  lastSearch: { value: string }
  lastFilters: FilterItem[]
  /** How many rows stand on pages before the one that is shown: that page is shown whatever a page holds. */
  firstRow: number
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
    firstRow: 0,
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

/** What is chosen of the rows of a page: so many, or as many as the window holds. */
export type PageSizeChoice = (typeof pageSizes)[number] | 'fit'

/**
 * The choice for every list, kept in local storage; a stored value that is not offered is replaced by 10 (notices K-06 to K-08). As many as fit is
 * offered beside the sizes.
 */
export function storedPageSize(): PageSizeChoice {
  return pageSizeOf(window.localStorage.getItem('pageSize'))
}

export function storePageSize(choice: PageSizeChoice): void {
  window.localStorage.setItem('pageSize', String(choice))
}

/** What a text names that was kept or chosen. */
export function pageSizeOf(text: string | null): PageSizeChoice {
  const size = Number(text)
  if (text === 'fit') return text
  return isOneOf(pageSizes, size) ? size : pageSizes[0]
}

/** What there is to choose from, as a field takes it. */
export function pageSizeItems(nameOf: (size: number) => string): { value: string; label: string }[] {
  return [...pageSizes.map((size) => ({ value: String(size), label: nameOf(size) })), { value: 'fit', label: 'As many as fit' }]
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

/** Pixels of a row. */
export const rowHeights = { comfortable: 36, compact: 28 } as const
export type Density = keyof typeof rowHeights

/** How tall the rows of lists are, kept in local storage. */
export function storedDensity(): Density {
  return window.localStorage.getItem('density') === 'compact' ? 'compact' : 'comfortable'
}

export function storeDensity(density: Density): void {
  window.localStorage.setItem('density', density)
}
