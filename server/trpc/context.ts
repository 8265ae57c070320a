import { DomainError, forbidden } from '../../domain/errors.ts'
import type { Permission } from '../../domain/permissions.ts'
import type { Principal } from '../auth/accounts.ts'
import type { Config } from '../config.ts'
import type { FanOut, Queues } from '../queue/queues.ts'
import type { Store } from '../store/database.ts'
import type { Actor } from '../store/eventLog.ts'

/** What the process has open; handed to every call. */
export interface Services {
  config: Config
  store: Store
  queues: Queues
  fanOut: FanOut
}

/** The selection that a call carries (spec 2 §7.1). */
export interface Selection {
  organisationId: number | null
  locationId: number | null
  budgetId: string | null
}

/** One call before its gate: who it is and what it selects, nothing checked yet. */
export interface CallContext {
  services: Services
  principal: Principal | null
  selection: Selection
  requestId: string
  now: Date
  /** Why the call was refused before its gate: headers that cannot be read, too many calls. */
  refusal?: DomainError
}

/** @throws DomainError for an ApiVersion that is not 2, and for ids that are no ids (behaviours B-061 to B-063) */
export function selectionOf(header: (name: string) => string | undefined): Selection {
  const version = header('apiversion')
  if (version !== undefined && version !== '2') throw new DomainError('invalid', 'apiVersion', 'ApiVersion must be 2.')
  return {
    organisationId: idHeader(header('organisationid'), 'OrganisationId'),
    locationId: idHeader(header('locationid'), 'LocationId'),
    budgetId: mongoHeader(header('budgetid')),
  }
}

function idHeader(value: string | undefined, name: string): number | null {
  if (!value) return null
  if (!/^\d{1,9}$/.test(value)) throw new DomainError('invalid', 'header', `${name} must be a whole number.`)
  return Number(value)
}

function mongoHeader(value: string | undefined): string | null {
  if (!value) return null
  if (!/^[0-9a-f]{24}$/.test(value)) throw new DomainError('invalid', 'header', 'BudgetId must have 24 hexadecimal digits.')
  return value
}

/** Who may do what in the selected organisation. */
export interface Holder {
  isAdministrator: boolean
  permissions: readonly Permission[]
  /** The locations the user is limited to; null: all. */
  locationIds: number[] | null
}

/** @throws DomainError 403 for an organisation the caller does not belong to */
export function holderIn(principal: Principal, organisationId: number | null): Holder {
  if (principal.isAdministrator) return { isAdministrator: true, permissions: [], locationIds: null }
  if (organisationId === null)
    return { isAdministrator: false, permissions: [...new Set(principal.memberships.flatMap((one) => one.permissions))], locationIds: null }
  const membership = principal.memberships.find((one) => one.organisationId === organisationId)
  if (!membership) throw forbidden()
  return {
    isAdministrator: false,
    permissions: membership.permissions,
    locationIds: membership.locationIds.length ? membership.locationIds : null,
  }
}

export function actorOf(context: CallContext): Actor {
  return { userId: context.principal?.userId ?? null, requestId: context.requestId, now: context.now }
}
