import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { UserId } from '../../../domain/values/ids.ts'
import { conflict, DomainError, invalid, notFound } from '../../../domain/words/errors.ts'
import { findActiveUser, isPasswordCorrect } from '../../auth/accounts.ts'
import { mailSignInChange } from '../../auth/mailSignInChange.ts'
import { addPasskey, beginPasskey, removePasskey, renamePasskey, type ValidPasskeys } from '../../auth/passkeys/passkeys.ts'
import type { PasskeyCreation } from '../../auth/passkeys/verification.ts'
import {
  type AppSetup,
  beginSecondStep,
  confirmSecondStep,
  readSecondStep,
  removeSecondStep,
  renewRecoveryCodes,
  requireCode,
  wrongCodeMessage,
} from '../../auth/secondStep.ts'
import { endSignIn, isSignInOpen, signOutEverywhere } from '../../auth/signIns.ts'
import { type OwnCall, type OwnSecondStep, ownId, passkeyHolder, stepId } from './queries.ts'

/** Asks for the password again, of people who have one here. @throws DomainError 400 at its field */
async function checkPassword({ services }: OwnCall, userId: UserId, password: string): Promise<void> {
  if (services.config.oidc) return
  if (!(await isPasswordCorrect(services.store, userId, password)))
    throw invalid([{ field: 'password', message: 'The password is not right.' }])
}

/** Tells the person by mail, once the change stands. */
function tell({ afterwards }: OwnCall, userId: UserId, what: Parameters<typeof mailSignInChange>[2]): void {
  afterwards(async ({ config, store }) => mailSignInChange(config, assertDefined(await findActiveUser(store, userId)), what))
}

/** Begins to set an authenticator app up. @throws DomainError 400 for a wrong password, 409 where one is set up */
export async function begin(call: OwnCall, password: string): Promise<AppSetup> {
  const userId = stepId(call)
  await checkPassword(call, userId, password)
  return call.inTransaction((tx) => beginSecondStep(tx, userId))
}

/**
 * Ends it with a code of the app.
 * @returns the recovery codes, this once
 * @throws DomainError 400 for a wrong code, 401 where the sign-in was ended at this very moment: who ended it is not to be shut out by an app
 */
export async function confirm(call: OwnCall, code: string): Promise<{ codes: string[] }> {
  const userId = stepId(call)
  const { signInId } = call.principal
  const codes = await call.inTransaction(async (tx) => {
    if (signInId && !(await isSignInOpen(tx, userId, signInId))) throw new DomainError('signIn', 'signIn', 'Sign in to continue.')
    return confirmSecondStep({ ...call, tx }, userId, code)
  })
  if (!codes) throw invalid([{ field: 'code', message: wrongCodeMessage }])
  tell(call, userId, 'secondStepOn')
  return { codes }
}

/** @returns new recovery codes, this once @throws DomainError 400 for a wrong code, 409 where no app is set up */
export async function newRecoveryCodes(call: OwnCall, code: string): Promise<{ codes: string[] }> {
  const userId = stepId(call)
  const codes = await call.inTransaction(async (tx) => {
    if (!(await readSecondStep(tx, userId)).isOn) throw conflict('secondStepOff', 'No authenticator app is set up.')
    await requireCode({ ...call, tx }, userId, code)
    return renewRecoveryCodes(tx, userId, call.actor)
  })
  tell(call, userId, 'recoveryCodesNew')
  return { codes }
}

/** Takes the second step off. @throws DomainError 400 for a wrong password or code, 409 where no app is set up */
export async function takeOff(call: OwnCall, { password, code }: { password: string; code: string }): Promise<OwnSecondStep> {
  const userId = stepId(call)
  await checkPassword(call, userId, password)
  const state = await call.inTransaction(async (tx) => {
    if (!(await readSecondStep(tx, userId)).isOn) throw conflict('secondStepOff', 'No authenticator app is set up.')
    await requireCode({ ...call, tx }, userId, code)
    await removeSecondStep(tx, userId, call.actor)
    return readSecondStep(tx, userId)
  })
  tell(call, userId, 'secondStepOff')
  return { ...state, asksPassword: call.services.config.oidc === null }
}

/**
 * Begins to make a passkey, which counts as both steps: so both are asked for again, the code of whoever has an app.
 * @returns what the browser asks the device for
 * @throws DomainError 400 for a wrong password or code, 409 for somebody who has as many as one may have
 */
export async function beginOwnPasskey(call: OwnCall, { password, code }: { password: string; code: string }) {
  const { site, ...holder } = passkeyHolder(call)
  await checkPassword(call, holder.userId, password)
  return call.inTransaction(async (tx) => {
    if ((await readSecondStep(tx, holder.userId)).isOn) await requireCode({ ...call, tx }, holder.userId, code)
    return beginPasskey(tx, site, holder)
  })
}

/** Keeps the passkey that was made. @throws DomainError 400 for an answer that does not hold, 409 for a passkey that is known */
export async function addOwnPasskey(call: OwnCall, given: { name: string; made: PasskeyCreation }): Promise<void> {
  const { site, ...holder } = passkeyHolder(call)
  await call.inTransaction((tx) => addPasskey({ ...call, tx }, site, { holder, ...given }))
  tell(call, holder.userId, 'passkeyAdded')
}

/** Gives one of the caller's passkeys another name. @throws DomainError 404 for one that is gone, or somebody else's */
export async function renameOwnPasskey(call: OwnCall, given: { id: number; name: string }): Promise<void> {
  const { userId } = passkeyHolder(call)
  await call.inTransaction((tx) => renamePasskey({ ...call, tx }, userId, given))
}

/** Removes one of the caller's passkeys. @throws DomainError 404 for one that is gone, or somebody else's */
export async function removeOwnPasskey(call: OwnCall, id: number): Promise<ValidPasskeys> {
  const { userId, site } = passkeyHolder(call)
  const left = await call.inTransaction((tx) => removePasskey({ ...call, tx }, site, { userId, id }))
  tell(call, userId, 'passkeyRemoved')
  return left
}

/** Ends one of the caller's sign-ins. @throws DomainError 404 for one that is over, or somebody else's */
export async function endOwn(call: OwnCall, id: string): Promise<void> {
  const userId = ownId(call)
  if (!(await call.inTransaction((tx) => endSignIn(tx, id, userId)))) throw notFound('Sign-in')
}

/** Signs the caller out everywhere, here too. */
export async function endAllOwn(call: OwnCall): Promise<{ ended: number }> {
  const userId = ownId(call)
  return { ended: await call.inTransaction((tx) => signOutEverywhere(tx, userId, call.actor)) }
}
