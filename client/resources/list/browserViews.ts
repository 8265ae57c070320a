import type { ListLook, ListName, ListView } from '../../../domain/lists/listViews.ts'
import type { OrganisationId, UserId } from '../../../domain/values/ids.ts'
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
type BrowserView = Omit<ListState, 'selectAll' | 'toggledNodes' | 'firstRow'> & { name: string }

function isBrowserView(one: unknown): one is BrowserView {
  return typeof one === 'object' && one !== null && ['name', 'lastSearch', 'lastFilters', 'hiddenColumns'].every((name) => name in one)
}

/** A list of an organisation, for a person: whoever shares a browser shares the views that it kept. */
interface Whose {
  list: ListName
  organisationId: OrganisationId
  userId: UserId
}

/** The list of actuals wrote the organisation twice. */
const keysOfBrowser = ({ list, organisationId }: Whose): string[] => [
  `views ${list} ${organisationId}`,
  `views ${list} ${organisationId} ${organisationId}`,
]
const keyOfTaken = ({ list, organisationId, userId }: Whose): string => `views taken ${list} ${organisationId} ${userId}`

function read(key: string): unknown[] {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    return []
  }
}

/** The views of a list that this browser kept by itself, and that the server has not taken over for the person yet. */
export function viewsOfBrowser(whose: Whose): Pick<ListView, 'name' | 'look'>[] {
  const taken = read(keyOfTaken(whose))
  return keysOfBrowser(whose)
    .flatMap(read)
    .filter(isBrowserView)
    .filter(({ name }) => !taken.includes(name))
    .map(({ name, ...view }) => ({ name, look: lookOf({ selectAll: false, toggledNodes: [], firstRow: 0, ...view }) }))
}

/** Notes that the server has a view: it stays in the browser for whoever else signs in there. */
export function noteTaken(whose: Whose, name: string): void {
  window.localStorage.setItem(keyOfTaken(whose), JSON.stringify([...read(keyOfTaken(whose)), name]))
}
