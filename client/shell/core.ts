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
import { api, problemOf, queries } from './api.ts'
import { currentSelection, rememberedSelection, type Selection, setSelection, trySelection } from './selection.ts'
import { store } from './store.ts'

export interface OrganisationItem {
  id: OrganisationId
  name: string
  /** `organisationTypes` of the lookups. */
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
  isBeingMade: boolean
}

/** What every screen needs: loaded at the start, and again when the selection changes. */
export interface Core {
  state: 'loading' | 'ready' | 'failed'
  error: string | null
  user: { id: UserId; name: string; email: string; avatarId: number | null }
  isAdministrator: boolean
  permissions: Permission[]
  /** The locations that the user is limited to in the selected organisation; null: all. */
  locationIds: LocationId[] | null
  types: Record<string, { id: number; name: string }[]>
  terms: Terms
  organisations: OrganisationItem[]
  locations: LocationItem[]
  budgets: BudgetItem[]
  locked: { locked: boolean; budgetGroupIds: BudgetGroupId[] }
}

const nothing: Core = {
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
const core = store<Core>(nothing)

export const useCore = core.use
export const currentCore = core.get

function patch(part: Partial<Core>): void {
  core.set({ ...core.get(), ...part })
}

export function useMay(): (anyOf: readonly Permission[] | 'administrator' | 'signedIn') => boolean {
  const { isAdministrator, permissions } = useCore()
  return (anyOf) =>
    anyOf === 'administrator' ? isAdministrator : anyOf === 'signedIn' || hasAnyPermission({ isAdministrator, permissions }, anyOf)
}

/** Whether the user may change what counts for the whole organisation: with a right for it, and all locations. */
export function useMayForAll(): (anyOf: readonly Permission[] | 'administrator') => boolean {
  const may = useMay()
  const { locationIds } = useCore()
  return (anyOf) => locationIds === null && may(anyOf)
}

/** The word of the current organisation for a thing. */
export function useTerm(): (key: TermKey) => Term {
  const { terms } = useCore()
  return (key) => terms[key]
}

const full = { pageNumber: 1, pageSize: 5000, sort: 'name', sortDirection: 'asc' as const }

async function loadOrganisations(): Promise<OrganisationItem[]> {
  const { rows } = await assertDefined(api.resources.organisation).list.query(full)
  return rows.map((row) => ({
    id: toOrganisationId(row.id),
    name: String(row.name),
    type: Number(row.organisationType),
    flags: Object.fromEntries(Object.entries(row).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')),
  }))
}

async function loadLocations(organisationId: OrganisationId): Promise<LocationItem[]> {
  const { rows } = await assertDefined(api.resources.location).list.query({
    ...full,
    filters: [{ filter: 'organisationId', filterType: 'set', values: [organisationId] }],
  })
  return rows.filter((row) => !row.archive).map((row) => ({ id: toLocationId(row.id), name: String(row.name) }))
}

async function loadBudgets(locationId: LocationId): Promise<BudgetItem[]> {
  return (await api.budgets.listByLocation.query({ ids: [locationId], payload: full })).rows
}

/** What every screen needs before any other: the lists of choices, the words, and who is signed in and may do what. */
async function loadFirst(organisationId: OrganisationId | null) {
  trySelection({ organisationId, locationId: null, budgetId: null })
  const [types, terms, authorisation] = await Promise.all([
    api.startup.types.query(),
    organisationId === null ? defaultTerms : api.terms.dictionary.query(),
    api.startup.authorisation.query(),
  ])
  return { types, terms, authorisation }
}

/**
 * The core loads, and after them what can be selected; starting fails when any of them fails (behaviours B-011 and B-013). The words and the
 * rights are asked for of the remembered organisation, and once more where that is no longer one of the user's.
 */
export async function loadCore(): Promise<void> {
  patch({ state: 'loading', error: null })
  try {
    const remembered = rememberedSelection()
    let first = await loadFirst(remembered.organisationId).catch((error) => {
      if (remembered.organisationId === null || problemOf(error).kind !== 'forbidden') throw error
      return loadFirst(null)
    })
    const asked = currentSelection().organisationId
    const organisations = await loadOrganisations()
    const organisationId =
      organisations.find((one) => one.id === remembered.organisationId)?.id ??
      (organisations.length === 1 ? assertDefined(organisations[0]).id : null)
    if (organisationId !== asked) first = await loadFirst(organisationId)
    const locations = organisationId === null ? [] : await loadLocations(organisationId)
    const locationId =
      locations.find((one) => one.id === remembered.locationId)?.id ?? (locations.length === 1 ? assertDefined(locations[0]).id : null)
    const budgets = locationId === null ? [] : await loadBudgets(locationId)
    const budgetId = budgets.find((one) => one.mongoId === remembered.budgetId)?.mongoId ?? budgets[0]?.mongoId ?? null
    setSelection({ organisationId, locationId, budgetId })
    const locked = organisationId === null ? nothing.locked : await api.startup.recalculationLocked.query()
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

/** Selecting an organisation clears location and budget, then loads its locations. */
export async function selectOrganisation(organisationId: OrganisationId): Promise<void> {
  setSelection({ organisationId, locationId: null, budgetId: null })
  patch({ locations: [], budgets: [] })
  queries.clear()
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

/** Selecting a location clears the budget and loads the budgets of it; the first by name is chosen. */
export async function selectLocation(locationId: LocationId): Promise<void> {
  setSelection({ ...currentSelection(), locationId, budgetId: null })
  patch({ budgets: [] })
  queries.clear()
  const budgets = await loadBudgets(locationId)
  patch({ budgets })
  if (budgets[0]) selectBudget(budgets[0].mongoId)
}

export function selectBudget(budgetId: BudgetId): void {
  queries.clear()
  setSelection({ ...currentSelection(), budgetId })
}

/** Selects a location and a budget of it, where they are not selected already: what is opened next may be of another school. */
export async function openBudget({ locationId, budgetId }: { locationId: LocationId | null; budgetId: BudgetId | null }): Promise<void> {
  if (locationId !== null && locationId !== currentSelection().locationId) await selectLocation(locationId)
  if (budgetId !== null && budgetId !== currentSelection().budgetId) selectBudget(budgetId)
}

/** Reads organisations and locations again, after one of them was made, renamed or archived. */
export async function reloadPlaces(): Promise<void> {
  const { organisationId } = currentSelection()
  const [organisations, locations] = await Promise.all([loadOrganisations(), organisationId === null ? [] : loadLocations(organisationId)])
  patch({ organisations, locations })
}

/** Reads the budgets of the location again, after one was made, renamed or locked. */
export async function reloadBudgets(): Promise<void> {
  const { locationId, budgetId } = currentSelection()
  if (locationId === null) return
  const budgets = await loadBudgets(locationId)
  patch({ budgets })
  if (!budgets.some((one) => one.mongoId === budgetId))
    setSelection({ ...currentSelection(), budgetId: budgets[0]?.mongoId ?? null } satisfies Selection)
}

/** Reads the words of the organisation again, after one was changed: they are used everywhere at once. */
export async function reloadTerms(): Promise<void> {
  patch({ terms: await api.terms.dictionary.query() })
}

/** Reads the locked flag again; a failure is only logged (notices X-08). */
export async function reloadLocked(): Promise<void> {
  try {
    if (currentSelection().organisationId !== null) patch({ locked: await api.startup.recalculationLocked.query() })
  } catch (error) {
    console.warn(error)
  }
}
