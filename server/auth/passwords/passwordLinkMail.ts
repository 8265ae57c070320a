import type { Config } from '../../core/config.ts'
import { sendMail } from '../../core/mail.ts'
import type { NewPasswordLink } from './invitations.ts'

/** Path of the pages behind one-time links for choosing a password. */
export const passwordLinkPath = '/invitation'

export function buildPasswordLinkUrl({ origin }: Pick<Config, 'origin'>, secret: string): string {
  return `${origin}${passwordLinkPath}/${secret}`
}

/**
 * Mails a person a one-time link for choosing a password.
 * @returns whether the mail server accepted the mail
 */
export function mailPasswordLink(
  config: Pick<Config, 'mail' | 'origin'>,
  person: { email: string; forename: string },
  { secret, kind }: Pick<NewPasswordLink, 'secret' | 'kind'>,
): Promise<boolean> {
  const purpose = kind === 'invite' ? 'You have been invited to Bursar. Choose a password here' : 'Choose a new password for Bursar here'
  return sendMail(config, {
    to: person.email,
    subject: kind === 'invite' ? 'Your invitation to Bursar' : 'A new password for Bursar',
    text: `Hello ${person.forename},\n\n${purpose}:\n${buildPasswordLinkUrl(config, secret)}\n\nThe link can be used once. If you did not expect this email, you can ignore it.\n`,
  })
}
