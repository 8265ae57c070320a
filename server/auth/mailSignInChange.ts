import type { Config } from '../core/config.ts'
import { sendMail } from '../core/mail.ts'

/** Mails about changes to a person's sign-in, in case someone else made them: subject and first sentence. */
const mails = {
  secondStepOn: ['Two-step verification is set up for Bursar', 'You now need a code from your authenticator app to sign in.'],
  secondStepOff: ['Two-step verification was turned off for Bursar', 'You no longer need a code from your authenticator app to sign in.'],
  secondStepReset: [
    'Two-step verification was turned off for Bursar',
    'Someone who manages users turned it off. You no longer need a code, unless one of your user groups requires two-step verification: you then set it up again at your next sign-in.',
  ],
  recoveryCodesNew: ['You have new recovery codes for Bursar', 'New recovery codes were created. The previous ones no longer work.'],
  recoveryCodeUsed: ['A recovery code for Bursar was used', 'Someone signed in as you with one of your recovery codes.'],
  passkeyAdded: ['A passkey was added to your Bursar account', 'Anyone who has it can sign in as you, without your password.'],
  passkeyRemoved: ['A passkey was removed from your Bursar account', 'It can no longer be used to sign in.'],
  passkeysReset: ['Your passkeys for Bursar were removed', 'Someone who manages users removed all of them. Sign in with your password.'],
  signedOut: ['You were signed out of Bursar everywhere', 'Someone who manages users signed you out everywhere.'],
} as const

/** Mails a person about a change to their sign-in. Does nothing if mail is not configured. */
export async function mailSignInChange(config: Config, { email, forename }: { email: string; forename: string }, what: keyof typeof mails) {
  const [subject, sentence] = mails[what]
  await sendMail(config, {
    to: email,
    subject,
    text: `Hello ${forename},\n\n${sentence}\n\nIf this was not you, tell the person who manages users immediately.\n`,
  })
}
