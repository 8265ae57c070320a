import { type BudgetId, type LocationId, type OrganisationId, toBudgetId, toLocationId, toOrganisationId } from '../../domain/values/ids.ts'
import { keysOf } from '../../domain/values/keysOf.ts'
import { addSelection, formatSelection } from '../../domain/values/selectionAddress.ts'
import { createStore } from './store.ts'

/** The ids of the selected organisation, location and budget (behaviour B-053). */
export interface Selection {
  organisationId: OrganisationId | null
  locationId: LocationId | null
  budgetId: BudgetId | null
}

const names = { organisationId: 'OrganisationId', locationId: 'LocationId', budgetId: 'BudgetId' } as const

function readCookie(name: string): string | null {
  return (
    document.cookie
      .split('; ')
      .find((part) => part.startsWith(`${name}=`))
      ?.slice(name.length + 1) || null
  )
}

/** Clearing a part of the selection deletes the cookie of that part (behaviour B-048). */
function writeCookie(name: string, value: string | number | null): void {
  const secure = window.location.protocol === 'https:' || window.location.hostname === 'localhost' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the specification names these cookies, and the cookie store is not in every browser
  document.cookie = `${name}=${value ?? ''}; Path=/; SameSite=Lax; Max-Age=${value === null ? 0 : 31_536_000}${secure}`
}

/** Reads the selection of the page last opened in this browser from the cookies. It may no longer be valid. */
export function readRememberedSelection(): Selection {
  const number = (name: string): number | null => Number(readCookie(name)) || null
  const organisation = number(names.organisationId)
  const location = number(names.locationId)
  const budget = readCookie(names.budgetId)
  return {
    organisationId: organisation === null ? null : toOrganisationId(organisation),
    locationId: location === null ? null : toLocationId(location),
    budgetId: budget === null ? null : toBudgetId(budget),
  }
}

const selection = createStore<Selection>({ organisationId: null, locationId: null, budgetId: null })

export const getSelection = selection.get
export const useSelection = selection.use

/** Sets the selection to that of the URL, and remembers it for URLs without a selection. */
export function setSelection(next: Selection): void {
  for (const key of keysOf(names)) writeCookie(names[key], next[key])
  selection.set(next)
}

/** The selection in the URL while it is being loaded, as `formatSelection` writes it; empty if none is being loaded. */
let opening = ''

/**
 * Records that a selection is being loaded.
 * @param named the selection in the URL, as `formatSelection` writes it; empty when it is selected or refused
 */
export function setLoadingSelection(named: string): void {
  opening = named
}

/** Whether the latest URL still has this selection. */
export function isLoadingSelection(named: string): boolean {
  return opening === named
}

/** Returns the selection for links, as written in a URL: the selection that is being loaded, or else the current one. */
export function getSelectionForLinks(): string {
  return opening || formatSelection(selection.get())
}

/**
 * Builds the URL of a page of a budget, which may be another school's.
 * @param to path of the page
 * @param budget if an id is null, the page uses the selected location or budget, or the first budget of the location
 */
export function buildBudgetUrl(to: string, budget: { locationId: LocationId | null; budgetId: BudgetId | null }): string {
  const { organisationId, locationId } = selection.get()
  return addSelection(to, formatSelection({ organisationId, locationId: budget.locationId ?? locationId, budgetId: budget.budgetId }))
}
