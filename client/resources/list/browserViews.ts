import type { OrganisationId } from '../../../domain/ids.ts'
import type { ListLook, ListName, ListView } from '../../../domain/listViews.ts'
import type { ListState } from './listState.ts'

/** What of a list a view keeps: filters of the screen itself are there anyway. */
export function lookOf({ lastSearch, lastFilters, sort, sortDirection, hiddenColumns }: ListState): ListLook {
  return { search: lastSearch.value, filters: lastFilters.filter((one) => !one.static), sort, sortDirection, hiddenColumns }
}

/** What a list is once it is shown as a view kept it. */
export function shownAs({ lastFilters }: ListState, { search, filters, ...look }: ListLook): Partial<ListState> {
  return { ...look, lastSearch: { value: search }, lastFilters: [...lastFilters.filter((one) => one.static), ...filters] }
}

/** A view as a browser kept it by itself, before they were kept on the server. */
type BrowserView = Omit<ListState, 'selectAll' | 'toggledNodes' | 'pageNumber'> & { name: string }

function isBrowserView(one: unknown): one is BrowserView {
  return typeof one === 'object' && one !== null && ['name', 'lastSearch', 'lastFilters', 'hiddenColumns'].every((name) => name in one)
}

/** The list of actuals wrote the organisation twice. */
const keysOfBrowser = (list: ListName, organisationId: OrganisationId): string[] => [
  `views ${list} ${organisationId}`,
  `views ${list} ${organisationId} ${organisationId}`,
]

function read(key: string): BrowserView[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isBrowserView) : []
  } catch {
    return []
  }
}

/** The views of a list that this browser still keeps by itself. */
export function viewsOfBrowser(list: ListName, organisationId: OrganisationId): Pick<ListView, 'name' | 'look'>[] {
  return keysOfBrowser(list, organisationId)
    .flatMap(read)
    .map(({ name, ...view }) => ({ name, look: lookOf({ selectAll: false, toggledNodes: [], pageNumber: 1, ...view }) }))
}

/** Takes away those that the server has taken over. */
export function forgetInBrowser(list: ListName, organisationId: OrganisationId, taken: readonly string[]): void {
  for (const key of keysOfBrowser(list, organisationId)) {
    const left = read(key).filter(({ name }) => !taken.includes(name))
    if (left.length) window.localStorage.setItem(key, JSON.stringify(left))
    else window.localStorage.removeItem(key)
  }
}
