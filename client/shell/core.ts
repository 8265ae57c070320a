import type { Permission } from '../../domain/people/permissions.ts'
import { hasAnyPermission } from '../../domain/people/permissions.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import {
  type BudgetGroupId,
  type BudgetId,
  type LocationId,
  type OrganisationId,
  toLocationId,
  toOrganisationId,
  toUserId,
  type UserId,
} from '../../domain/values/ids.ts'
import { defaultTerms, type Term, type TermKey, type Terms } from '../../domain/words/terms.ts'
import { api, queryClient, toPublicError } from './api.ts'
import { getSelection, readRememberedSelection, type Selection, setProvisionalSelection, setSelection } from './selection.ts'
import { createStore } from './store.ts'

export interface OrganisationItem {
  id: OrganisationId
  name: string
  /** A value of the list `organisationTypes`. */
  type: number
  flags: Record<string, boolean>
}
export interface LocationItem {
  id: LocationId
  name: string
}
export interface BudgetItem {
  mongoId: BudgetId
  name: string
  locationId: LocationId
  budgetGroupId: BudgetGroupId | null
  firstYear: number
  startMonth: number
  numberOfYears: number
  state: number
  /** A value of the list `versionTypes`. */
  versionType: number
  /** Null unless it is approved. */
  approvedAt: string | null
  isBeingMade: boolean
}

/** Data that every screen needs, loaded at the start and when the selection changes. */
export interface CoreData {
  state: 'loading' | 'ready' | 'failed'
  error: string | null
  user: { id: UserId; name: string; email: string; avatarId: number | null }
  isAdministrator: boolean
  permissions: Permission[]
  /** Locations that the user is limited to in the selected organisation; null for all. */
  locationIds: LocationId[] | null
  types: Record<string, { id: number; name: string }[]>
  terms: Terms
  organisations: OrganisationItem[]
  locations: LocationItem[]
  budgets: BudgetItem[]
  locked: { locked: boolean; budgetGroupIds: BudgetGroupId[] }
}

const noCoreData: CoreData = {
  state: 'loading',
  error: null,
  user: { id: toUserId(0), name: '', email: '', avatarId: null },
  isAdministrator: false,
  permissions: [],
  locationIds: null,
  types: {},
  terms: defaultTerms,
  organisations: [],
  locations: [],
  budgets: [],
  locked: { locked: false, budgetGroupIds: [] },
}
const core = createStore<CoreData>(noCoreData)

export const useCore = core.use
export const getCore = core.get

function patch(part: Partial<CoreData>): void {
  core.set({ ...core.get(), ...part })
}

export function usePermissionCheck(): (anyOf: readonly Permission[] | 'administrator' | 'signedIn') => boolean {
  const { isAdministrator, permissions } = useCore()
  return (anyOf) =>
    anyOf === 'administrator' ? isAdministrator : anyOf === 'signedIn' || hasAnyPermission({ isAdministrator, permissions }, anyOf)
}

/**
 * Returns a check of whether the user can change organisation-wide data, which needs a permission and access to all
 * locations.
 */
export function useOrganisationWideCheck(): (anyOf: readonly Permission[] | 'administrator') => boolean {
  const may = usePermissionCheck()
  const { locationIds } = useCore()
  return (anyOf) => locationIds === null && may(anyOf)
}

/** Returns a function that looks up the organisation's own term for an entity. */
export function useTerm(): (key: TermKey) => Term {
  const { terms } = useCore()
  return (key) => terms[key]
}

const finishLoading = { pageNumber: 1, pageSize: 5000, sort: 'name', sortDirection: 'asc' as const }

async function loadOrganisations(): Promise<OrganisationItem[]> {
  const { rows } = await assertDefined(api.resources.organisation).list.query(finishLoading)
  return rows.map((row) => ({
    id: toOrganisationId(row.id),
    name: String(row.name),
    type: Number(row.organisationType),
    flags: Object.fromEntries(Object.entries(row).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')),
  }))
}

async function loadLocations(organisationId: OrganisationId): Promise<LocationItem[]> {
  const { rows } = await assertDefined(api.resources.location).list.query({
    ...finishLoading,
    filters: [{ filter: 'organisationId', filterType: 'set', values: [organisationId] }],
  })
  return rows.filter((row) => !row.archive).map((row) => ({ id: toLocationId(row.id), name: String(row.name) }))
}

async function loadBudgets(locationId: LocationId): Promise<BudgetItem[]> {
  return (await api.budgets.listByLocation.query({ ids: [locationId], payload: finishLoading })).rows
}

/** Loads what every screen needs first: lists of choices, terms, the user and their permissions. */
async function loadFirst(organisationId: OrganisationId | null) {
  setProvisionalSelection({ organisationId, locationId: null, budgetId: null })
  const [types, terms, authorisation] = await Promise.all([
    api.startup.types.query(),
    organisationId === null ? defaultTerms : api.terms.dictionary.query(),
    api.startup.authorisation.query(),
  ])
  return { types, terms, authorisation }
}

/**
 * Loads the core data, then the organisations, locations and budgets to select from. Fails if any part fails (behaviours
 * B-011 and B-013). Terms and
 * permissions are read for the remembered organisation, and again if the user no longer has access to it.
 */
export async function loadCore(): Promise<void> {
  patch({ state: 'loading', error: null })
  try {
    const remembered = readRememberedSelection()
    let first = await loadFirst(remembered.organisationId).catch((error) => {
      if (remembered.organisationId === null || toPublicError(error).kind !== 'forbidden') throw error
      return loadFirst(null)
    })
    const rememberedId = getSelection().organisationId
    const organisations = await loadOrganisations()
    const organisationId =
      organisations.find((one) => one.id === remembered.organisationId)?.id ??
      (organisations.length === 1 ? assertDefined(organisations[0]).id : null)
    if (organisationId !== rememberedId) first = await loadFirst(organisationId)
    const locations = organisationId === null ? [] : await loadLocations(organisationId)
    const locationId =
      locations.find((one) => one.id === remembered.locationId)?.id ?? (locations.length === 1 ? assertDefined(locations[0]).id : null)
    const budgets = locationId === null ? [] : await loadBudgets(locationId)
    const budgetId = budgets.find((one) => one.mongoId === remembered.budgetId)?.mongoId ?? budgets[0]?.mongoId ?? null
    setSelection({ organisationId, locationId, budgetId })
    const locked = organisationId === null ? noCoreData.locked : await api.startup.recalculationLocked.query()
    const { user, isAdministrator, permissions, locationIds } = first.authorisation
    patch({
      state: 'ready',
      types: first.types,
      organisations,
      terms: first.terms,
      user,
      isAdministrator,
      permissions: permissions.map((one) => one.name),
      locationIds,
      locations,
      budgets,
      locked,
    })
  } catch (error) {
    console.error(error)
    patch({ state: 'failed', error: error instanceof Error ? error.message : String(error) })
  }
}

/** Selecting an organisation clears the location and budget, then loads its locations. */
export async function selectOrganisation(organisationId: OrganisationId): Promise<void> {
  setSelection({ organisationId, locationId: null, budgetId: null })
  patch({ locations: [], budgets: [] })
  queryClient.clear()
  const [locations, authorisation, terms, locked] = await Promise.all([
    loadLocations(organisationId),
    api.startup.authorisation.query(),
    api.terms.dictionary.query(),
    api.startup.recalculationLocked.query(),
  ])
  patch({
    locations,
    terms,
    locked,
    permissions: authorisation.permissions.map((one) => one.name),
    isAdministrator: authorisation.isAdministrator,
    locationIds: authorisation.locationIds,
  })
  if (locations.length === 1) await selectLocation(assertDefined(locations[0]).id)
}

/** Selecting a location clears the budget, loads the location's budgets and selects the first by name. */
export async function selectLocation(locationId: LocationId): Promise<void> {
  setSelection({ ...getSelection(), locationId, budgetId: null })
  patch({ budgets: [] })
  queryClient.clear()
  const budgets = await loadBudgets(locationId)
  patch({ budgets })
  if (budgets[0]) selectBudget(budgets[0].mongoId)
}

export function selectBudget(budgetId: BudgetId): void {
  queryClient.clear()
  setSelection({ ...getSelection(), budgetId })
}

/**
 * Selects a location and budget unless they are selected already, before opening something that may belong to another
 * school.
 */
export async function openBudget({ locationId, budgetId }: { locationId: LocationId | null; budgetId: BudgetId | null }): Promise<void> {
  if (locationId !== null && locationId !== getSelection().locationId) await selectLocation(locationId)
  if (budgetId !== null && budgetId !== getSelection().budgetId) selectBudget(budgetId)
}

/** Reloads organisations and locations after a change to one of them. */
export async function reloadOrganisationsAndLocations(): Promise<void> {
  const { organisationId } = getSelection()
  const [organisations, locations] = await Promise.all([loadOrganisations(), organisationId === null ? [] : loadLocations(organisationId)])
  patch({ organisations, locations })
}

/** Reloads the location's budgets after a change to one of them. */
export async function reloadBudgets(): Promise<void> {
  const { locationId, budgetId } = getSelection()
  if (locationId === null) return
  const budgets = await loadBudgets(locationId)
  patch({ budgets })
  if (!budgets.some((one) => one.mongoId === budgetId))
    setSelection({ ...getSelection(), budgetId: budgets[0]?.mongoId ?? null } satisfies Selection)
}

/** Reloads the organisation's terms after a change, since they appear throughout. */
export async function reloadTerms(): Promise<void> {
  patch({ terms: await api.terms.dictionary.query() })
}

/** Reloads the locked flag; a failure is only logged (notices X-08). */
export async function reloadLockedFlag(): Promise<void> {
  try {
    if (getSelection().organisationId !== null) patch({ locked: await api.startup.recalculationLocked.query() })
  } catch (error) {
    console.warn(error)
  }
}
