import { type BudgetId, type LocationId, type OrganisationId, toBudgetId, toLocationId, toOrganisationId } from '../../domain/values/ids.ts'
import { keysOf } from '../../domain/values/keysOf.ts'
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

/** The selection in the cookies. Start-up checks whether it is still valid. */
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

/** Sets the selection for calls made during start-up. The cookies stay, so that leaving the page now loses nothing. */
export function setProvisionalSelection(next: Selection): void {
  selection.set(next)
}

export function setSelection(next: Selection): void {
  for (const key of keysOf(names)) writeCookie(names[key], next[key])
  selection.set(next)
}
