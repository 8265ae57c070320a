import type { UserId } from '../../../domain/values/ids.ts'
import { conflict, forbidden } from '../../../domain/words/errors.ts'
import { listPasskeys, type Passkey } from '../../auth/passkeys/passkeys.ts'
import { getPasskeySite, type PasskeySite } from '../../auth/passkeys/site.ts'
import { readSecondStep, type SecondStepState } from '../../auth/secondStep.ts'
import { listOpenSignIns, type OpenSignIn } from '../../auth/signIns.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Services } from '../../core/calls/context.ts'
import type { Principal } from '../../core/calls/principal.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** The context of calls about the caller's own sign-in. */
export interface OwnAccountCall {
  principal: Principal
  services: Services
  actor: Actor
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
  afterwards: (work: (services: Services) => Promise<void>) => void
}

/**
 * The caller as a person.
 * @throws DomainError 403 for a client
 */
export function requireUserId({ principal }: Pick<OwnAccountCall, 'principal'>): UserId {
  if (principal.userId === null) throw forbidden()
  return principal.userId
}

/**
 * The caller, for changes to their second step.
 * @throws DomainError 403 for a client, 409 if the external issuer handles the second step
 */
export function requireSecondStepUserId(call: Pick<OwnAccountCall, 'principal' | 'services'>): UserId {
  if (call.services.config.oidc?.secondStep === 'issuer')
    throw conflict('outside', `Two-step verification is set up at ${call.services.config.oidc.name}.`)
  return requireUserId(call)
}

/**
 * The state of a user's second step. `asksPassword`: whether changes to it require the password. Users who have no
 * password here are not asked for one.
 */
export type SecondStepOfCaller = SecondStepState & { asksPassword: boolean }

/** The state of the caller's second step; null for a client, or if the external issuer handles it. */
export async function readSecondStepOfCaller({
  principal,
  services,
  inTransaction,
}: Pick<OwnAccountCall, 'principal' | 'services' | 'inTransaction'>): Promise<SecondStepOfCaller | null> {
  const { userId } = principal
  const { oidc } = services.config
  if (userId === null || oidc?.secondStep === 'issuer') return null
  return { ...(await inTransaction((tx) => readSecondStep(tx, userId))), asksPassword: oidc === null }
}

/**
 * The caller, and the site that their passkeys are bound to.
 * @throws DomainError 403 for a client, 409 if people sign in elsewhere, or at an address for which browsers create no
 * passkeys
 */
export function requirePasskeyUser(call: Pick<OwnAccountCall, 'principal' | 'services'>): {
  userId: UserId
  signInId: string | null
  site: PasskeySite
} {
  const { config } = call.services
  const site = getPasskeySite(config)
  if (config.oidc) throw conflict('outside', `You sign in at ${config.oidc.name}, so you cannot add a passkey here.`)
  if (!site) throw conflict('passkeySite', `Browsers do not support passkeys for the address ${config.origin}.`)
  return { userId: requireUserId(call), signInId: call.principal.signInId, site }
}

/** A user's passkeys, and whether adding one requires a code. */
export interface PasskeysOfCaller {
  list: Passkey[]
  asksCode: boolean
}

/**
 * The caller's passkeys; null for a client, if people sign in elsewhere, or if browsers create none for this address.
 */
export async function readPasskeysOfCaller({
  principal,
  services,
  inTransaction,
}: Pick<OwnAccountCall, 'principal' | 'services' | 'inTransaction'>): Promise<PasskeysOfCaller | null> {
  const { userId } = principal
  if (userId === null || !getPasskeySite(services.config)) return null
  return inTransaction(async (tx) => ({ list: await listPasskeys(tx, userId), asksCode: (await readSecondStep(tx, userId)).isOn }))
}

/** The caller's current sign-ins; null for a client. */
export async function listSignInsOfCaller({
  principal,
  inTransaction,
}: Pick<OwnAccountCall, 'principal' | 'inTransaction'>): Promise<(OpenSignIn & { isThis: boolean })[] | null> {
  const { userId, signInId } = principal
  if (userId === null) return null
  const open = await inTransaction((tx) => listOpenSignIns(tx, userId))
  return open.map((one) => ({ ...one, isThis: one.id === signInId }))
}
