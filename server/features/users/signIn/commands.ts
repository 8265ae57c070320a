import { eq } from 'drizzle-orm'
import { requireSingleRow } from '../../../../domain/values/assertDefined.ts'
import type { UserId } from '../../../../domain/values/ids.ts'
import { conflict } from '../../../../domain/words/errors.ts'
import { users } from '../../../../drizzle/accessTables.ts'
import { lockUserUnlessErased } from '../../../auth/erasedUsers.ts'
import { mailSignInChange } from '../../../auth/mailSignInChange.ts'
import { removeAllPasskeys } from '../../../auth/passkeys/passkeys.ts'
import { createPasswordLink, deletePasswordLink } from '../../../auth/passwords/invitations.ts'
import { buildPasswordLinkUrl, mailPasswordLink } from '../../../auth/passwords/passwordLinkMail.ts'
import { removeSecondStep } from '../../../auth/secondStep.ts'
import { signOutEverywhere } from '../../../auth/signIns.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Services } from '../../../core/calls/context.ts'
import type { CallTools } from '../../../core/calls/oneTransaction.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'

/**
 * Creates a one-time link for setting a password. If mail is configured, only the user receives it; otherwise the caller is shown it.
 * Either way the log records who created it, and the user is informed.
 * @throws DomainError 409 if the mail server refused the link, which is then invalid
 */
export async function sendInvitation({ config, store }: Services, id: UserId, actor: Actor) {
  if (config.oidc) throw conflict('outside', `People sign in at ${config.oidc.name} without a password here: they do not need a link.`)
  const { secret, kind, expiresAt } = await store.asPlatform((tx) => createPasswordLink({ tx, actor }, id, config.mail !== null))
  if (!config.mail) return { link: buildPasswordLinkUrl(config, secret), kind, expiresAt, sent: false }
  const person = requireSingleRow(await store.asPlatform((tx) => tx.select().from(users).where(eq(users.id, id))))
  if (!(await mailPasswordLink(config, person, { secret, kind }))) {
    await store.asPlatform((tx) => deletePasswordLink(tx, id))
    throw conflict(
      'mail',
      'The mail server did not accept the email, so no link was created. Try again, or ask the people who manage email.',
    )
  }
  return { link: null, kind, expiresAt, sent: true }
}

/** The caller who removes part of a user's sign-in, and the services that this needs. */
interface SignInRemoval {
  services: Services
  actor: Actor
  afterwards: CallTools['afterwards']
}

/** Removes a user's second step after they lost their phone and recovery codes, and mails the user. */
export async function resetSecondStep(removal: SignInRemoval, id: UserId): Promise<void> {
  await removeAndMail(removal, id, { remove: (tx) => removeSecondStep(tx, id, removal.actor), mail: 'secondStepReset' })
}

/** Removes all of a user's passkeys after they lost a device, and mails the user. */
export async function removePasskeys(removal: SignInRemoval, id: UserId): Promise<void> {
  await removeAndMail(removal, id, { remove: (tx) => removeAllPasskeys(tx, id, removal.actor), mail: 'passkeysReset' })
}

/** Ends all of a user's sign-ins at once, and mails the user. */
export async function endSignIns(removal: SignInRemoval, id: UserId): Promise<{ ended: number }> {
  return { ended: await removeAndMail(removal, id, { remove: (tx) => signOutEverywhere(tx, id, removal.actor), mail: 'signedOut' }) }
}

/** Removes part of a user's sign-in and mails the user. @throws DomainError 409 for an erased user */
async function removeAndMail<Removed>(
  { services: { store }, afterwards }: SignInRemoval,
  id: UserId,
  { remove, mail }: { remove: (tx: OrganisationTx) => Promise<Removed>; mail: Parameters<typeof mailSignInChange>[2] },
): Promise<Removed> {
  const { removed, person } = await store.asPlatform(async (tx) => {
    await lockUserUnlessErased(tx, id)
    return { removed: await remove(tx), person: requireSingleRow(await tx.select().from(users).where(eq(users.id, id))) }
  })
  afterwards(({ config }) => mailSignInChange(config, person, mail))
  return removed
}
