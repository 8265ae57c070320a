import type { UserId } from '../../../domain/values/ids.ts'
import { conflict, forbidden } from '../../../domain/words/errors.ts'
import { listPasskeys, type Passkey } from '../../auth/passkeys/passkeys.ts'
import { type PasskeySite, passkeySiteForInstallation } from '../../auth/passkeys/site.ts'
import { readSecondStep, type SecondStepState } from '../../auth/secondStep.ts'
import { listOpenSignIns, type OpenSignIn } from '../../auth/signIns.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Services } from '../../core/calls/context.ts'
import type { Principal } from '../../core/calls/principal.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** What a call on one's own sign-in has to do with. */
export interface OwnCall {
  principal: Principal
  services: Services
  actor: Actor
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
  afterwards: (work: (services: Services) => Promise<void>) => void
}

/** The person whose own sign-in is meant. @throws DomainError 403 for a client */
export function ownId({ principal }: Pick<OwnCall, 'principal'>): UserId {
  if (principal.userId === null) throw forbidden()
  return principal.userId
}

/** The same, for their second step. @throws DomainError 403 for a client, 409 where it is asked for elsewhere */
export function stepId(call: Pick<OwnCall, 'principal' | 'services'>): UserId {
  if (call.services.config.oidc?.secondStep === 'issuer')
    throw conflict('outside', `The second step of your sign-in is that of ${call.services.config.oidc.name}.`)
  return ownId(call)
}

/** How a person's second step stands, and whether their password is asked for again before it is changed: not where they have none here. */
export type OwnSecondStep = SecondStepState & { asksPassword: boolean }

/** How the caller's second step stands; null for a client and where it is asked for elsewhere. */
export async function ownSecondStep({
  principal,
  services,
  inTransaction,
}: Pick<OwnCall, 'principal' | 'services' | 'inTransaction'>): Promise<OwnSecondStep | null> {
  const { userId } = principal
  const { oidc } = services.config
  if (userId === null || oidc?.secondStep === 'issuer') return null
  return { ...(await inTransaction((tx) => readSecondStep(tx, userId))), asksPassword: oidc === null }
}

/**
 * The person whose own passkeys are meant, and what these are bound to.
 * @throws DomainError 403 for a client, 409 where people sign in elsewhere, or at an address for which browsers make none
 */
export function passkeyHolder(call: Pick<OwnCall, 'principal' | 'services'>): {
  userId: UserId
  signInId: string | null
  site: PasskeySite
} {
  const { config } = call.services
  const site = passkeySiteForInstallation(config)
  if (config.oidc) throw conflict('outside', `You sign in at ${config.oidc.name}, without a passkey here.`)
  if (!site) throw conflict('passkeySite', `Browsers make no passkeys for the address ${config.origin}.`)
  return { userId: ownId(call), signInId: call.principal.signInId, site }
}

/** A person's passkeys, and whether a code is asked for before one is added. */
export interface OwnPasskeys {
  list: Passkey[]
  asksCode: boolean
}

/** The caller's passkeys; null for a client, where people sign in elsewhere, and where browsers make none. */
export async function ownPasskeys({
  principal,
  services,
  inTransaction,
}: Pick<OwnCall, 'principal' | 'services' | 'inTransaction'>): Promise<OwnPasskeys | null> {
  const { userId } = principal
  if (userId === null || !passkeySiteForInstallation(services.config)) return null
  return inTransaction(async (tx) => ({ list: await listPasskeys(tx, userId), asksCode: (await readSecondStep(tx, userId)).isOn }))
}

/** Where the caller is signed in; null for a client. */
export async function ownSignIns({
  principal,
  inTransaction,
}: Pick<OwnCall, 'principal' | 'inTransaction'>): Promise<(OpenSignIn & { isThis: boolean })[] | null> {
  const { userId, signInId } = principal
  if (userId === null) return null
  const open = await inTransaction((tx) => listOpenSignIns(tx, userId))
  return open.map((one) => ({ ...one, isThis: one.id === signInId }))
}
