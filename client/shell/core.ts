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
import { findSelection, formatSelection } from '../../domain/values/selectionAddress.ts'
import { defaultTerms, type Term, type TermKey, type Terms } from '../../domain/words/terms.ts'
import { api, createApi, queryClient, toPublicError } from './api.ts'
import {
  getSelection,
  isLoadingSelection,
  readRememberedSelection,
  type Selection,
  setLoadingSelection,
  setSelection,
} from './selection.ts'
import { createStore } from './store.ts'

export interface SelectableOrganisation {
  id: OrganisationId
  name: string
  /** A value of the list `organisationTypes`. */
  type: number
  flags: Record<string, boolean>
}
export interface SelectableLocation {
  id: LocationId
  name: string
}
export interface SelectableBudget {
  mongoId: BudgetId
  name: string
  locationId: LocationId
  budgetGroupId: BudgetGroupId | null
  firstYear: number
  startMonth: number
  numberOfYears: number
  state: number
  /** A value of the list `budgetVersionTypes`. */
  versionType: number
  /** When the budget was approved; null if it is not approved. */
  approvedAt: string | null
  isBeingMade: boolean
}

/** Data that every screen needs. It is loaded at the start and when the selection changes. */
export interface CoreData {
  state: 'loading' | 'ready' | 'failed'
  error: string | null
  user: { id: UserId; name: string; email: string; avatarId: number | null }
  isAdministrator: boolean
  permissions: Permission[]
  /** The locations of the selected organisation to which the user is limited; null for all locations. */
  locationIds: LocationId[] | null
  types: Record<string, { id: number; name: string }[]>
  terms: Terms
  organisations: SelectableOrganisation[]
  locations: SelectableLocation[]
  budgets: SelectableBudget[]
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

export const useCoreData = core.use
export const getCoreData = core.get

function patch(part: Partial<CoreData>): void {
  core.set({ ...core.get(), ...part })
}

export function usePermissionCheck(): (anyOf: readonly Permission[] | 'administrator' | 'signedIn') => boolean {
  const { isAdministrator, permissions } = useCoreData()
  return (anyOf) =>
    anyOf === 'administrator' ? isAdministrator : anyOf === 'signedIn' || hasAnyPermission({ isAdministrator, permissions }, anyOf)
}

/**
 * Returns a check of whether the user can change organisation-wide data, which needs a permission and access to all
 * locations.
 */
export function useOrganisationWideCheck(): (anyOf: readonly Permission[] | 'administrator') => boolean {
  const may = usePermissionCheck()
  const { locationIds } = useCoreData()
  return (anyOf) => locationIds === null && may(anyOf)
}

/** Returns a function that looks up the organisation's own term for an entity. */
export function useTerm(): (key: TermKey) => Term {
  const { terms } = useCoreData()
  return (key) => terms[key]
}

const finishLoading = { pageNumber: 1, pageSize: 5000, sort: 'name', sortDirection: 'asc' as const }

type Api = typeof api

async function loadOrganisations(server: Api): Promise<SelectableOrganisation[]> {
  const { rows } = await assertDefined(server.resources.organisation).list.query(finishLoading)
  return rows.map((row) => ({
    id: toOrganisationId(row.id),
    name: String(row.name),
    type: Number(row.organisationType),
    flags: Object.fromEntries(Object.entries(row).filter((entry): entry is [string, boolean] => typeof entry[1] === 'boolean')),
  }))
}

async function loadLocations(server: Api, organisationId: OrganisationId): Promise<SelectableLocation[]> {
  const { rows } = await assertDefined(server.resources.location).list.query({
    ...finishLoading,
    filters: [{ filter: 'organisationId', filterType: 'set', values: [organisationId] }],
  })
  return rows.filter((row) => !row.archive).map((row) => ({ id: toLocationId(row.id), name: String(row.name) }))
}

async function loadBudgets(server: Api, locationId: LocationId): Promise<SelectableBudget[]> {
  return (await server.budgets.listByLocation.query({ ids: [locationId], payload: finishLoading })).rows
}

/** Creates an API client for an organisation that is not selected yet, or for no organisation. */
function createStartApi(organisationId: OrganisationId | null): Api {
  return createApi(() => ({ organisationId, locationId: null, budgetId: null }))
}

/** Loads the data that depends only on the organisation: terms, the user and the user's permissions. */
async function loadRights(server: Api, organisationId: OrganisationId | null) {
  const [terms, { user, isAdministrator, permissions, locationIds }] = await Promise.all([
    organisationId === null ? defaultTerms : server.terms.dictionary.query(),
    server.startup.authorisation.query(),
  ])
  return { terms, user, isAdministrator, permissions: permissions.map((one) => one.name), locationIds }
}

function readLocked(server: Api, organisationId: OrganisationId | null) {
  return organisationId === null ? noCoreData.locked : server.startup.recalculationLocked.query()
}

const findOnly = <T>(items: readonly T[]): T | undefined => (items.length === 1 ? items[0] : undefined)

/**
 * Finds the item that a URL names. If the URL does not name one, this is the item selected before, or else the fallback.
 * @returns undefined if the URL names an item that does not exist or that the user may not see
 */
function findNamed<T>(items: readonly T[], namedId: string | null, { idOf, before, fallback }: ItemChoice<T>): T | null | undefined {
  if (namedId !== null) return items.find((one) => String(idOf(one)) === namedId)
  return items.find((one) => idOf(one) === before) ?? fallback ?? null
}

interface ItemChoice<T> {
  idOf: (item: T) => unknown
  before: unknown
  fallback: T | undefined
}

function findOrganisation(organisations: readonly SelectableOrganisation[], named: URLSearchParams, before: Selection) {
  return findNamed(organisations, named.get('o'), {
    idOf: (one) => one.id,
    before: before.organisationId,
    fallback: findOnly(organisations),
  })
}

interface SelectionLists {
  selection: Selection
  locations: SelectableLocation[]
  budgets: SelectableBudget[]
}

/**
 * Loads the locations and budgets from which the user can select, and finds the selection among them.
 * @param named the part of a URL that is a selection
 * @param before the current selection, for the parts that the URL does not name; its lists are loaded again only if they lack what the URL
 * names
 * @returns null if the URL names an item that the user may not see or that does not exist
 */
async function loadSelectionLists(server: Api, named: URLSearchParams, before: SelectionLists): Promise<SelectionLists | null> {
  const { organisationId } = before.selection
  const findLocation = (among: readonly SelectableLocation[]) =>
    findNamed(among, named.get('l'), { idOf: (one) => one.id, before: before.selection.locationId, fallback: findOnly(among) })
  const hasLocation = before.locations.length > 0 && findLocation(before.locations) !== undefined
  const locations = organisationId === null ? [] : hasLocation ? before.locations : await loadLocations(server, organisationId)
  const location = findLocation(locations)
  if (location === undefined) return null
  const findBudget = (among: readonly SelectableBudget[]) =>
    findNamed(among, named.get('b'), { idOf: (one) => one.mongoId, before: before.selection.budgetId, fallback: among[0] })
  const hasBudget = before.budgets.some((one) => one.locationId === location?.id) && findBudget(before.budgets) !== undefined
  const budgets = location === null ? [] : hasBudget ? before.budgets : await loadBudgets(server, location.id)
  const budget = findBudget(budgets)
  if (budget === undefined) return null
  return { selection: { organisationId, locationId: location?.id ?? null, budgetId: budget?.mongoId ?? null }, locations, budgets }
}

const nothingNamed = new URLSearchParams()

/** Returns the organisation for the first calls. The URL may name one that does not exist. */
function guessOrganisation(named: URLSearchParams, remembered: Selection): OrganisationId | null {
  const namedId = named.get('o')
  if (namedId === null) return remembered.organisationId
  return /^[1-9]\d{0,8}$/.test(namedId) ? toOrganisationId(Number(namedId)) : null
}

/**
 * Loads the core data, then the organisations, locations and budgets from which the user can select. Fails if any part fails (behaviours
 * B-011 and B-013). Terms and permissions are read for the organisation of the URL, or else for the remembered organisation, and read again
 * if the user has no access to it. If the URL names something that the user may not see, the remembered selection is used.
 */
export async function loadCore(): Promise<void> {
  patch({ state: 'loading', error: null })
  try {
    const before = readRememberedSelection()
    const named = new URLSearchParams(findSelection(window.location.search))
    const load = async (organisationId: OrganisationId | null) => {
      const server = createStartApi(organisationId)
      const [types, rights] = await Promise.all([server.startup.types.query(), loadRights(server, organisationId)])
      return { organisationId, server, types, rights }
    }
    const guess = guessOrganisation(named, before)
    let first = await load(guess).catch((error) => {
      if (guess === null || toPublicError(error).kind !== 'forbidden') throw error
      return load(null)
    })
    const organisations = await loadOrganisations(first.server)
    const namedOrganisation = findOrganisation(organisations, named, before)
    const organisationId = (namedOrganisation ?? findOrganisation(organisations, nothingNamed, before))?.id ?? null
    if (organisationId !== first.organisationId) first = await load(organisationId)
    const start: SelectionLists = { selection: { ...before, organisationId }, locations: [], budgets: [] }
    const lists =
      (namedOrganisation === undefined ? null : await loadSelectionLists(first.server, named, start)) ??
      assertDefined(await loadSelectionLists(first.server, nothingNamed, start))
    const locked = await readLocked(first.server, organisationId)
    const { selection, locations, budgets } = lists
    setSelection(selection)
    patch({ state: 'ready', types: first.types, organisations, ...first.rights, locations, budgets, locked })
  } catch (error) {
    console.error(error)
    patch({ state: 'failed', error: error instanceof Error ? error.message : String(error) })
  }
}

/**
 * Selects what a URL names, and loads the locations and budgets from which the user can select.
 * @param named the part of the URL that is a selection
 * @param isWanted whether the page still has this URL when everything has loaded
 * @returns whether the user may see everything that the URL names; if not, the selection does not change
 */
export async function selectFromUrl(named: string, isWanted: () => boolean): Promise<boolean> {
  setLoadingSelection(named)
  try {
    const namedIds = new URLSearchParams(named)
    const selection = getSelection()
    const { organisations, locations, budgets } = core.get()
    const organisation = findOrganisation(organisations, namedIds, selection)
    if (!organisation) return false
    const server = createStartApi(organisation.id)
    const isOther = organisation.id !== selection.organisationId
    const known = isOther ? { locations: [], budgets: [] } : { locations, budgets }
    const [lists, others] = await Promise.all([
      loadSelectionLists(server, namedIds, { selection: { ...selection, organisationId: organisation.id }, ...known }),
      isOther ? Promise.all([loadRights(server, organisation.id), readLocked(server, organisation.id)]) : null,
    ])
    if (!lists) return false
    if (!isWanted()) return true
    if (formatSelection(lists.selection) !== formatSelection(selection)) {
      queryClient.clear()
      setSelection(lists.selection)
    }
    patch({ locations: lists.locations, budgets: lists.budgets, ...(others && { ...others[0], locked: others[1] }) })
    return true
  } finally {
    if (isLoadingSelection(named)) setLoadingSelection('')
  }
}

/** Reloads organisations and locations after a change to one of them. */
export async function reloadOrganisationsAndLocations(): Promise<void> {
  const { organisationId } = getSelection()
  const [organisations, locations] = await Promise.all([
    loadOrganisations(api),
    organisationId === null ? [] : loadLocations(api, organisationId),
  ])
  patch(getSelection().organisationId === organisationId ? { organisations, locations } : { organisations })
}

/** Reloads the location's budgets after a change to one of them. */
export async function reloadBudgets(): Promise<void> {
  const { locationId, budgetId } = getSelection()
  if (locationId === null) return
  const budgets = await loadBudgets(api, locationId)
  if (getSelection().locationId !== locationId) return
  patch({ budgets })
  if (!budgets.some((one) => one.mongoId === budgetId)) setSelection({ ...getSelection(), budgetId: budgets[0]?.mongoId ?? null })
}

/** Reloads the organisation's terms after a change, because every screen uses them. */
export async function reloadTerms(): Promise<void> {
  patch({ terms: await api.terms.dictionary.query() })
}

/** Reloads which recalculations are running, because they lock their budgets; a failure is only logged (notices X-08). */
export async function reloadRunningRecalculations(): Promise<void> {
  try {
    if (getSelection().organisationId !== null) patch({ locked: await api.startup.recalculationLocked.query() })
  } catch (error) {
    console.warn(error)
  }
}
