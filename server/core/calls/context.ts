import { hasAnyPermission, listViewPermissions, type Permission } from '../../../domain/people/permissions.ts'
import {
  type BudgetId,
  type LocationId,
  type OrganisationId,
  toBudgetId,
  toLocationId,
  toOrganisationId,
} from '../../../domain/values/ids.ts'
import { allLocationsRequired, DomainError, forbidden } from '../../../domain/words/errors.ts'
import type { Config } from '../config.ts'
import type { OrganisationTx, Store } from '../database/database.ts'
import type { FanOut, Queues } from '../queue/queues.ts'
import { type Actor, toLoggedCallId } from './actor.ts'
import type { RateLimits } from './limits.ts'
import type { Membership, Principal } from './principal.ts'
import type { RestAddress } from './restMeta.ts'
import type { ReachableLocations } from './scope.ts'
import type { BudgetRow } from './selectedBudget.ts'

/** The open resources of the process, passed to every call. */
export interface Services {
  config: Config
  store: Store
  queues: Queues
  fanOut: FanOut
  limits: RateLimits
}

/** The organisation, location and budget that a call selects. */
export interface Selection {
  organisationId: OrganisationId | null
  locationId: LocationId | null
  budgetId: BudgetId | null
}

/** A call before its permissions are checked: the caller and the selection. */
export interface CallContext {
  services: Services
  principal: Principal | null
  selection: Selection
  requestId: string
  /** The `traceparent` header: the caller's trace, which this call continues. */
  traceparent?: string
  /** The `Idempotency-Key` header: one key, or one for each call of a batch. */
  idempotencyKey?: string
  now: Date
  /** The REST address that was called; absent for a call of the browser. */
  address?: RestAddress
  /** Runs the work when it is this call's turn in its batch. */
  turn<T>(work: () => Promise<T>): Promise<T>
  /** Why the call was refused before its permissions were checked, such as unreadable headers or too many calls. */
  refusal?: DomainError
}

/** @throws DomainError for an ApiVersion other than 2, and for invalid ids (behaviours B-061 to B-063) */
export function readSelection(header: (name: string) => string | undefined): Selection {
  const version = header('apiversion')
  if (version !== undefined && version !== '2') throw new DomainError('invalid', 'apiVersion', 'ApiVersion must be 2.')
  return {
    organisationId: organisationHeader(header('organisationid')),
    locationId: locationHeader(header('locationid')),
    budgetId: budgetHeader(header('budgetid')),
  }
}

function idHeader(value: string | undefined, name: string): number | null {
  if (!value) return null
  if (!/^\d{1,9}$/.test(value)) throw new DomainError('invalid', 'header', `${name} must be a whole number.`)
  return Number(value)
}

function organisationHeader(value: string | undefined): OrganisationId | null {
  const id = idHeader(value, 'OrganisationId')
  return id === null ? null : toOrganisationId(id)
}

function locationHeader(value: string | undefined): LocationId | null {
  const id = idHeader(value, 'LocationId')
  return id === null ? null : toLocationId(id)
}

function budgetHeader(value: string | undefined): BudgetId | null {
  if (!value) return null
  if (!/^[0-9a-f]{24}$/.test(value)) throw new DomainError('invalid', 'header', 'BudgetId must have 24 hexadecimal digits.')
  return toBudgetId(value)
}

/** The caller's permissions in the selected organisation. */
export interface CallerRights {
  isAdministrator: boolean
  permissions: readonly Permission[]
  /** The locations the user is limited to; null for all. */
  locationIds: LocationId[] | null
}

/**
 * What the caller may do in an organisation. Without an organisation: only the permissions that the caller holds in all their
 * organisations, and no location; rows are then found through each membership (`listReachableLocations`).
 * @throws DomainError 403 for an organisation that the caller does not belong to
 */
export function buildCallerRights(principal: Principal, organisationId: OrganisationId | null): CallerRights {
  if (principal.isAdministrator) return { isAdministrator: true, permissions: [], locationIds: null }
  if (organisationId === null) {
    const [first, ...others] = principal.memberships
    const everywhere = first?.permissions.filter((name) => others.every((one) => one.permissions.includes(name))) ?? []
    return { isAdministrator: false, permissions: everywhere, locationIds: [] }
  }
  const membership = principal.memberships.find((one) => one.organisationId === organisationId)
  if (!membership) throw forbidden()
  return { isAdministrator: false, permissions: membership.permissions, locationIds: findMemberLocations(membership) }
}

/**
 * Refuses a change that applies to the whole organisation.
 * @throws DomainError 403 for a caller limited to some locations
 */
export function refuseLimitedCaller({ locationIds }: Pick<CallerRights, 'locationIds'>): void {
  if (locationIds) throw allLocationsRequired()
}

/** Whether the caller may see the staff costs of the whole organisation, which the totals of a recalculation reveal. */
export function canSeeAllStaffCosts(holder: CallerRights): boolean {
  return (
    holder.locationIds === null &&
    hasAnyPermission(holder, listViewPermissions('BudgetingOverview', 'BudgetingStaffing', 'ConsoleBudgetGroup'))
  )
}

/** The locations of a membership; null for all (behaviour B-003). A member without any permission has none. */
function findMemberLocations({ permissions, locationIds }: Membership): LocationId[] | null {
  if (!permissions.length) return []
  return locationIds.length ? locationIds : null
}

/**
 * The name under which a call takes its share of the server's capacity: the selected organisation, otherwise the caller's first
 * organisation, or the caller themselves without any.
 */
export function getCapacityShareName({ principal, selection }: { principal: Principal; selection: Selection }): string {
  const organisationId = selection.organisationId ?? principal.memberships[0]?.organisationId
  return organisationId === undefined ? `${principal.kind} ${principal.userId ?? principal.clientId}` : String(organisationId)
}

/**
 * The locations that a caller can reach in each organisation where they hold one of the permissions; in all of their organisations if none
 * is given.
 */
export function listReachableLocations(principal: Principal, anyOf: readonly Permission[]): ReachableLocations[] {
  return principal.memberships
    .filter(({ permissions }) => hasAnyPermission({ isAdministrator: false, permissions }, anyOf))
    .map((membership) => ({ organisationId: membership.organisationId, locationIds: findMemberLocations(membership) }))
}

export function toActor(context: CallContext): Actor {
  return { userId: context.principal?.userId ?? null, requestId: toLoggedCallId(context.requestId), now: context.now }
}

/** The context of a call within a budget. */
export interface BudgetCall {
  organisationId: OrganisationId
  budgetId: BudgetId
  budget: BudgetRow
  actor: Actor
  now: Date
  services: Services
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
}
