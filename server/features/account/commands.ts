import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { UserId } from '../../../domain/values/ids.ts'
import { conflict, DomainError, invalid, notFound } from '../../../domain/words/errors.ts'
import { findActiveUser, isPasswordCorrect } from '../../auth/accounts.ts'
import { mailSignInChange } from '../../auth/mailSignInChange.ts'
import { addPasskey, beginPasskeyCreation, type RemainingPasskeys, removePasskey, renamePasskey } from '../../auth/passkeys/passkeys.ts'
import type { PasskeyCreation } from '../../auth/passkeys/verification.ts'
import {
  type AuthenticatorSetup,
  completeAuthenticatorSetup,
  createAuthenticatorKey,
  readSecondStep,
  removeSecondStep,
  renewRecoveryCodes,
  requireSecondStepCode,
  wrongCodeMessage,
} from '../../auth/secondStep.ts'
import { endSignIn, lockIfSignInOpen, signOutEverywhere } from '../../auth/signIns.ts'
import { type OwnAccountCall, requirePasskeyUser, requireSecondStepUserId, requireUserId, type SecondStepOfCaller } from './queries.ts'

/**
 * Checks the re-entered password of users who have one here.
 * @throws DomainError 400 at its field
 */
async function checkPassword({ services }: OwnAccountCall, userId: UserId, password: string): Promise<void> {
  if (services.config.oidc) return
  if (!(await isPasswordCorrect(services.store, userId, password)))
    throw invalid([{ field: 'password', message: 'The password is wrong.' }])
}

/** Mails the user after the commit. */
function mailUserAfterCommit({ afterwards }: OwnAccountCall, userId: UserId, what: Parameters<typeof mailSignInChange>[2]): void {
  afterwards(async ({ config, store }) => mailSignInChange(config, assertDefined(await findActiveUser(store, userId)), what))
}

/**
 * Starts setting up an authenticator app.
 * @throws DomainError 400 for a wrong password, 409 if one is set up already
 */
export async function beginAppSetup(call: OwnAccountCall, password: string): Promise<AuthenticatorSetup> {
  const userId = requireSecondStepUserId(call)
  await checkPassword(call, userId, password)
  return call.inTransaction((tx) => createAuthenticatorKey(tx, userId))
}

/**
 * Completes the setup with a code from the app.
 * @returns the recovery codes, shown only now
 * @throws DomainError 400 for a wrong code, 401 if the sign-in was ended meanwhile: an ended session must not lock its
 * owner out with an app
 */
export async function confirmAppSetup(call: OwnAccountCall, code: string): Promise<{ codes: string[] }> {
  const userId = requireSecondStepUserId(call)
  const { signInId } = call.principal
  const codes = await call.inTransaction(async (tx) => {
    if (signInId && !(await lockIfSignInOpen(tx, userId, signInId))) throw new DomainError('signIn', 'signIn', 'Sign in to continue.')
    return completeAuthenticatorSetup({ ...call, tx }, userId, code)
  })
  if (!codes) throw invalid([{ field: 'code', message: wrongCodeMessage }])
  mailUserAfterCommit(call, userId, 'secondStepOn')
  return { codes }
}

/**
 * Replaces the recovery codes.
 * @returns the new codes, shown only now
 * @throws DomainError 400 for a wrong code, 409 if no app is set up
 */
export async function replaceOwnRecoveryCodes(call: OwnAccountCall, code: string): Promise<{ codes: string[] }> {
  const userId = requireSecondStepUserId(call)
  const codes = await call.inTransaction(async (tx) => {
    if (!(await readSecondStep(tx, userId)).isOn) throw conflict('secondStepOff', 'No authenticator app is set up.')
    await requireSecondStepCode({ ...call, tx }, userId, code)
    return renewRecoveryCodes(tx, userId, call.actor)
  })
  mailUserAfterCommit(call, userId, 'recoveryCodesNew')
  return { codes }
}

/**
 * Removes the second step.
 * @throws DomainError 400 for a wrong password or code, 409 if no app is set up
 */
export async function removeOwnSecondStep(
  call: OwnAccountCall,
  { password, code }: { password: string; code: string },
): Promise<SecondStepOfCaller> {
  const userId = requireSecondStepUserId(call)
  await checkPassword(call, userId, password)
  const state = await call.inTransaction(async (tx) => {
    if (!(await readSecondStep(tx, userId)).isOn) throw conflict('secondStepOff', 'No authenticator app is set up.')
    await requireSecondStepCode({ ...call, tx }, userId, code)
    await removeSecondStep(tx, userId, call.actor)
    return readSecondStep(tx, userId)
  })
  mailUserAfterCommit(call, userId, 'secondStepOff')
  return { ...state, asksPassword: call.services.config.oidc === null }
}

/**
 * Starts creating a passkey. A passkey counts as both steps, so both are required again: the password, and a code if an
 * app is set up.
 * @returns the options for the browser's request to the device
 * @throws DomainError 400 for a wrong password or code, 409 at the limit of passkeys
 */
export async function beginOwnPasskey(call: OwnAccountCall, { password, code }: { password: string; code: string }) {
  const { site, ...holder } = requirePasskeyUser(call)
  await checkPassword(call, holder.userId, password)
  return call.inTransaction(async (tx) => {
    if ((await readSecondStep(tx, holder.userId)).isOn) await requireSecondStepCode({ ...call, tx }, holder.userId, code)
    return beginPasskeyCreation(tx, site, holder)
  })
}

/**
 * Stores the created passkey.
 * @throws DomainError 400 for an invalid answer, 409 for a known passkey
 */
export async function addOwnPasskey(call: OwnAccountCall, given: { name: string; made: PasskeyCreation }): Promise<void> {
  const { site, ...holder } = requirePasskeyUser(call)
  await call.inTransaction((tx) => addPasskey({ ...call, tx }, site, { holder, name: given.name, creation: given.made }))
  mailUserAfterCommit(call, holder.userId, 'passkeyAdded')
}

/**
 * Renames one of the caller's passkeys.
 * @throws DomainError 404 if it does not exist or belongs to someone else
 */
export async function renameOwnPasskey(call: OwnAccountCall, given: { id: number; name: string }): Promise<void> {
  const { userId } = requirePasskeyUser(call)
  await call.inTransaction((tx) => renamePasskey({ ...call, tx }, userId, given))
}

/**
 * Removes one of the caller's passkeys.
 * @throws DomainError 404 if it does not exist or belongs to someone else
 */
export async function removeOwnPasskey(call: OwnAccountCall, id: number): Promise<RemainingPasskeys> {
  const { userId, site } = requirePasskeyUser(call)
  const left = await call.inTransaction((tx) => removePasskey({ ...call, tx }, site, { userId, id }))
  mailUserAfterCommit(call, userId, 'passkeyRemoved')
  return left
}

/**
 * Ends one of the caller's sign-ins.
 * @throws DomainError 404 if it has ended or belongs to someone else
 */
export async function endOwnSignIn(call: OwnAccountCall, id: string): Promise<void> {
  const userId = requireUserId(call)
  if (!(await call.inTransaction((tx) => endSignIn(tx, id, userId)))) throw notFound('Sign-in')
}

/** Signs the caller out everywhere, including here. */
export async function endAllOwnSignIns(call: OwnAccountCall): Promise<{ ended: number }> {
  const userId = requireUserId(call)
  return { ended: await call.inTransaction((tx) => signOutEverywhere(tx, userId, call.actor)) }
}
