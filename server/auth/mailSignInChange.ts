import type { Config } from '../core/config.ts'
import { sendMail } from '../core/mail.ts'

/** Mails about changes to a person's sign-in, in case someone else made them: subject and first sentence. */
const mails = {
  secondStepOn: ['The second step of your sign-in to Bursar is set up', 'From now on a code of your authenticator app is asked for.'],
  secondStepOff: ['The second step of your sign-in to Bursar was taken off', 'A code of your authenticator app is no longer asked for.'],
  secondStepReset: [
    'The second step of your sign-in to Bursar was taken off',
    'Somebody who looks after users took it off. A code is no longer asked for, unless a group of yours asks for a second step: then it is set up anew at the next sign-in.',
  ],
  recoveryCodesNew: ['You have new recovery codes for Bursar', 'New recovery codes were made. Those before are good no longer.'],
  recoveryCodeUsed: ['A recovery code for Bursar was used', 'Somebody signed in as you with one of your recovery codes.'],
  passkeyAdded: ['A passkey was added to your sign-in to Bursar', 'Whoever holds it signs in as you, without your password.'],
  passkeyRemoved: ['A passkey of your sign-in to Bursar was removed', 'Nobody signs in with it any more.'],
  passkeysReset: [
    'The passkeys of your sign-in to Bursar were removed',
    'Somebody who looks after users removed all of them. You sign in with your password.',
  ],
  signedOut: ['You were signed out of Bursar everywhere', 'Somebody who looks after users ended every sign-in of yours.'],
} as const

/** Mails a person about a change to their sign-in. Does nothing if mail is not configured. */
export async function mailSignInChange(config: Config, { email, forename }: { email: string; forename: string }, what: keyof typeof mails) {
  const [subject, sentence] = mails[what]
  await sendMail(config, {
    to: email,
    subject,
    text: `Hello ${forename},\n\n${sentence}\n\nIf you know nothing of it, tell the person who looks after users at once.\n`,
  })
}
