import { type BudgetId, type LocationId, type OrganisationId, toBudgetId, toLocationId, toOrganisationId } from '../../domain/values/ids.ts'
import { keysOf } from '../../domain/values/keysOf.ts'
import { addSelection, formatSelection } from '../../domain/values/selectionAddress.ts'
import { createStore } from './store.ts'

/** The selected organisation and location by id, and the budget by mongoId (behaviour B-053). */
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

/** Clearing part of the selection deletes its cookie (behaviour B-048). */
function writeCookie(name: string, value: string | number | null): void {
  const secure = window.location.protocol === 'https:' || window.location.hostname === 'localhost' ? '; Secure' : ''
  // biome-ignore lint/suspicious/noDocumentCookie: the specification names these cookies, and the cookie store is not in every browser
  document.cookie = `${name}=${value ?? ''}; Path=/; SameSite=Lax; Max-Age=${value === null ? 0 : 31_536_000}${secure}`
}

/** The selection of the last page opened in this browser, from the cookies. It may no longer be valid. */
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

/** Sets the selection that the address names, and remembers it for addresses that name none. */
export function setSelection(next: Selection): void {
  for (const key of keysOf(names)) writeCookie(names[key], next[key])
  selection.set(next)
}

/** The selection that is being loaded for the address, in the form that `formatSelection` writes; empty for none. */
let opening = ''

/** @param named the selection that an address asks for, until it is selected or refused; then empty */
export function setOpeningSelection(named: string): void {
  opening = named
}

/** Whether this is still the selection that the latest address names. */
export function isOpeningSelection(named: string): boolean {
  return opening === named
}

/** The selection that links name, as written in an address: the one being loaded, or else the selected one. */
export function getNamedSelection(): string {
  return opening || formatSelection(selection.get())
}

/**
 * The address of a page of a budget, which may be another school's.
 * @param to path of the page
 * @param budget a null id leaves the location or budget open; the page then uses the selected one, or the first of
 * the location
 */
export function buildBudgetAddress(to: string, budget: { locationId: LocationId | null; budgetId: BudgetId | null }): string {
  const { organisationId, locationId } = selection.get()
  return addSelection(to, formatSelection({ organisationId, locationId: budget.locationId ?? locationId, budgetId: budget.budgetId }))
}
