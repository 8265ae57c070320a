import { conflict, invalid, notFound } from '../../../domain/errors.ts'
import { must } from '../../../domain/must.ts'
import { activeUser, isPasswordOf } from '../../auth/accounts.ts'
import {
  beginSecondStep,
  confirmSecondStep,
  type Enrolment,
  removeSecondStep,
  renewRecoveryCodes,
  secondStepOf,
  takeCode,
  wrongCode,
} from '../../auth/secondStep.ts'
import { endSignIn, signOutEverywhere } from '../../auth/signIns.ts'
import { tellPerson } from '../../auth/tellPerson.ts'
import { type OwnCall, type OwnSecondStep, ownId, stepId } from './queries.ts'

/** Asks for the password again, of people who have one here. @throws DomainError 400 at its field */
async function checkPassword({ services }: OwnCall, userId: number, password: string): Promise<void> {
  if (services.config.oidc) return
  if (!(await isPasswordOf(services.store, userId, password))) throw invalid([{ field: 'password', message: 'The password is not right.' }])
}

/** Tells the person by mail, once the change stands. */
function tell({ afterwards }: OwnCall, userId: number, what: Parameters<typeof tellPerson>[2]): void {
  afterwards(async ({ config, store }) => tellPerson(config, must(await activeUser(store, userId)), what))
}

/** Begins to set an authenticator app up. @throws DomainError 400 for a wrong password, 409 where one is set up */
export async function begin(call: OwnCall, password: string): Promise<Enrolment> {
  const userId = stepId(call)
  await checkPassword(call, userId, password)
  return call.inTransaction((tx) => beginSecondStep(tx, userId))
}

/** Ends it with a code of the app. @returns the recovery codes, this once @throws DomainError 400 for a wrong code */
export async function confirm(call: OwnCall, code: string): Promise<{ codes: string[] }> {
  const userId = stepId(call)
  const codes = await call.inTransaction((tx) => confirmSecondStep(tx, userId, code, call.actor))
  if (!codes) throw invalid([{ field: 'code', message: wrongCode }])
  tell(call, userId, 'secondStepOn')
  return { codes }
}

/** @returns new recovery codes, this once @throws DomainError 400 for a wrong code, 409 where no app is set up */
export async function newRecoveryCodes(call: OwnCall, code: string): Promise<{ codes: string[] }> {
  const userId = stepId(call)
  const codes = await call.inTransaction(async (tx) => {
    if (!(await secondStepOf(tx, userId)).isOn) throw conflict('secondStepOff', 'No authenticator app is set up.')
    await takeCode(tx, userId, code, call.actor)
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
    if (!(await secondStepOf(tx, userId)).isOn) throw conflict('secondStepOff', 'No authenticator app is set up.')
    await takeCode(tx, userId, code, call.actor)
    await removeSecondStep(tx, userId, call.actor)
    return secondStepOf(tx, userId)
  })
  tell(call, userId, 'secondStepOff')
  return { ...state, asksPassword: call.services.config.oidc === null }
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
