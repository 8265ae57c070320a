import { conflict, forbidden } from '../../../domain/errors.ts'
import { type SecondStepState, secondStepOf } from '../../auth/secondStep.ts'
import { type OpenSignIn, openSignIns } from '../../auth/signIns.ts'
import type { Services } from '../../core/calls/context.ts'
import type { Principal } from '../../core/calls/principal.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { Actor } from '../../core/events/eventLog.ts'

/** What a call on one's own sign-in has to do with. */
export interface OwnCall {
  principal: Principal
  services: Services
  actor: Actor
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
  afterwards: (work: (services: Services) => Promise<void>) => void
}

/** The person whose own sign-in is meant. @throws DomainError 403 for a client, 409 beside an outside issuer */
export function ownId({ principal, services }: Pick<OwnCall, 'principal' | 'services'>): number {
  if (principal.userId === null) throw forbidden()
  if (services.config.oidc) throw conflict('outside', 'You sign in elsewhere: this is kept there.')
  return principal.userId
}

/** How the caller's second step stands; null for a client and beside an outside issuer. */
export async function ownSecondStep({
  principal,
  services,
  inTransaction,
}: Pick<OwnCall, 'principal' | 'services' | 'inTransaction'>): Promise<SecondStepState | null> {
  const { userId } = principal
  return userId === null || services.config.oidc ? null : inTransaction((tx) => secondStepOf(tx, userId))
}

/** Where the caller is signed in; null for a client and beside an outside issuer. */
export async function ownSignIns({
  principal,
  services,
  inTransaction,
}: Pick<OwnCall, 'principal' | 'services' | 'inTransaction'>): Promise<(OpenSignIn & { isThis: boolean })[] | null> {
  const { userId, signInId } = principal
  if (userId === null || services.config.oidc) return null
  const open = await inTransaction((tx) => openSignIns(tx, userId))
  return open.map((one) => ({ ...one, isThis: one.id === signInId }))
}
