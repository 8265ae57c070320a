import { eq } from 'drizzle-orm'
import { onlyRow } from '../../../../domain/values/assertDefined.ts'
import type { UserId } from '../../../../domain/values/ids.ts'
import { conflict } from '../../../../domain/words/errors.ts'
import { users } from '../../../../drizzle/accessTables.ts'
import { lockUnlessErased } from '../../../auth/erasedUsers.ts'
import { createPasswordLink, deletePasswordLink } from '../../../auth/invitations.ts'
import { mailSignInChange } from '../../../auth/mailSignInChange.ts'
import { removeAllPasskeys } from '../../../auth/passkeys/passkeys.ts'
import { invitationPath } from '../../../auth/passwordPage.ts'
import { removeSecondStep } from '../../../auth/secondStep.ts'
import { signOutEverywhere } from '../../../auth/signIns.ts'
import type { Actor } from '../../../core/calls/actor.ts'
import type { Services } from '../../../core/calls/context.ts'
import type { Tools } from '../../../core/calls/oneTransaction.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { sendMail } from '../../../core/mail.ts'

/**
 * A one-time link by which a person sets a password. It is mailed to the person where mail is configured, and then shown to nobody else;
 * without mail it is shown to who asked for it. Either way the log says who made it, and the person is told.
 * @throws DomainError 409 when the mail server did not take it: the link is good no longer
 */
export async function sendInvitation({ config, store }: Services, id: UserId, actor: Actor) {
  if (config.oidc) throw conflict('outside', `People sign in at ${config.oidc.name}, without a password here: they need no link.`)
  const { secret, kind, expiresAt } = await store.asPlatform((tx) => createPasswordLink({ tx, actor }, id, config.mail !== null))
  const link = `${config.origin}${invitationPath}/${secret}`
  if (!config.mail) return { link, kind, expiresAt, sent: false }
  const person = onlyRow(await store.asPlatform((tx) => tx.select().from(users).where(eq(users.id, id))))
  const what = kind === 'invite' ? 'You have been invited to Bursar. Choose a password here' : 'Choose a new password for Bursar here'
  const sent = await sendMail(config, {
    to: person.email,
    subject: kind === 'invite' ? 'Your invitation to Bursar' : 'A new password for Bursar',
    text: `Hello ${person.forename},\n\n${what}:\n${link}\n\nThe link can be used once. If you did not expect it, you need not do anything.\n`,
  })
  if (!sent) {
    await store.asPlatform((tx) => deletePasswordLink(tx, id))
    throw conflict('mail', 'The mail server did not take the mail, so no link was made. Try again, or ask who looks after mail.')
  }
  return { link: null, kind, expiresAt, sent: true }
}

/** Who takes something of a person's sign-in away, and what it is done with. */
interface Taking {
  services: Services
  actor: Actor
  afterwards: Tools['afterwards']
}

/** Takes a person's second step off, for somebody who has lost their phone and their recovery codes. The person is told by mail. */
export async function resetSecondStep(taking: Taking, id: UserId): Promise<void> {
  await takeAndTell(taking, id, { take: (tx) => removeSecondStep(tx, id, taking.actor), told: 'secondStepReset' })
}

/** Removes every passkey of a person, for somebody who has lost a device. The person is told by mail. */
export async function resetPasskeys(taking: Taking, id: UserId): Promise<void> {
  await takeAndTell(taking, id, { take: (tx) => removeAllPasskeys(tx, id, taking.actor), told: 'passkeysReset' })
}

/** Ends every sign-in of a person: whoever has one of their browsers is shut out at once. The person is told by mail. */
export async function endSignIns(taking: Taking, id: UserId): Promise<{ ended: number }> {
  return { ended: await takeAndTell(taking, id, { take: (tx) => signOutEverywhere(tx, id, taking.actor), told: 'signedOut' }) }
}

/** Takes something away, and tells the person once it is gone. @throws DomainError 409 for a user who was erased */
async function takeAndTell<Taken>(
  { services: { store }, afterwards }: Taking,
  id: UserId,
  { take, told }: { take: (tx: OrganisationTx) => Promise<Taken>; told: Parameters<typeof mailSignInChange>[2] },
): Promise<Taken> {
  const { taken, person } = await store.asPlatform(async (tx) => {
    await lockUnlessErased(tx, id)
    return { taken: await take(tx), person: onlyRow(await tx.select().from(users).where(eq(users.id, id))) }
  })
  afterwards(({ config }) => mailSignInChange(config, person, told))
  return taken
}
