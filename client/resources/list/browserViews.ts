import type { ListName, ListView, ListViewSettings } from '../../../domain/lists/listViews.ts'
import type { OrganisationId, UserId } from '../../../domain/values/ids.ts'
import type { ListState } from './listState.ts'

/** Returns the part of a list's state that a view saves. The screen's own filters are left out, because they always apply. */
export function toSavedView({ lastSearch, lastFilters, sort, sortDirection, hiddenColumns }: ListState): ListViewSettings {
  return { search: lastSearch.value, filters: lastFilters.filter((one) => !one.static), sort, sortDirection, hiddenColumns }
}

/** Returns the changes to a list's state that apply a saved view. */
export function applySavedView({ lastFilters }: ListState, { search, filters, ...look }: ListViewSettings): Partial<ListState> {
  return { ...look, lastSearch: { value: search }, lastFilters: [...lastFilters.filter((one) => one.static), ...filters] }
}

/** A view as earlier versions stored it in the browser. */
type BrowserView = Omit<ListState, 'selectAll' | 'toggledNodes' | 'firstRow'> & { name: string }

function isBrowserView(one: unknown): one is BrowserView {
  return typeof one === 'object' && one !== null && ['name', 'lastSearch', 'lastFilters', 'hiddenColumns'].every((name) => name in one)
}

/** Identifies a user's list in an organisation. Users who share a browser share the views that are stored in it. */
interface ViewOwner {
  list: ListName
  organisationId: OrganisationId
  userId: UserId
}

/** Keys in local storage. The second is for the list of actuals, whose key contained the organisation twice. */
const listStorageKeys = ({ list, organisationId }: ViewOwner): string[] => [
  `views ${list} ${organisationId}`,
  `views ${list} ${organisationId} ${organisationId}`,
]
const migratedKeyOf = ({ list, organisationId, userId }: ViewOwner): string => `views taken ${list} ${organisationId} ${userId}`

function read(key: string): unknown[] {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored : []
  } catch {
    return []
  }
}

/** Reads the views of a list in this browser that have not yet been copied to the server for this user. */
export function readBrowserViews(owner: ViewOwner): Pick<ListView, 'name' | 'look'>[] {
  const taken = read(migratedKeyOf(owner))
  return listStorageKeys(owner)
    .flatMap(read)
    .filter(isBrowserView)
    .filter(({ name }) => !taken.includes(name))
    .map(({ name, ...view }) => ({ name, look: toSavedView({ selectAll: false, toggledNodes: [], firstRow: 0, ...view }) }))
}

/** Records that a view has been copied to the server for this user. The view stays in the browser for other users who sign in there. */
export function markViewMigrated(owner: ViewOwner, name: string): void {
  window.localStorage.setItem(migratedKeyOf(owner), JSON.stringify([...read(migratedKeyOf(owner)), name]))
}
