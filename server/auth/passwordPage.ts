import express, { type Router, urlencoded } from 'express'
import { displayCount, displayDateTime } from '../../domain/values/format.ts'
import { tracedCall } from '../core/calls/actor.ts'
import type { Services } from '../core/calls/context.ts'
import { tellRightsChanged } from '../core/live/rightsChanged.ts'
import { sendMail } from '../core/mail.ts'
import { acceptInvitation, invited } from './invitations.ts'
import { guardLinks, linkGone, passwordInputs, problemWith } from './oneTimePage.ts'
import { escaped, outsidePage, problemLine } from './page.ts'
import { type Passkey, passkeysOf } from './passkeys/passkeys.ts'
import { tickedIn, typedIn } from './typedIn.ts'

/** Where a one-time link leads. */
export const invitationPath = '/invitation'

/** Whose password is chosen, with the passkeys that they have. */
interface Chooser {
  email: string
  words: readonly string[]
  kind: 'invite' | 'reset'
  passkeys: readonly Passkey[]
}

/** The passkeys that stay when a password is chosen, to be ticked where somebody else may hold one. */
function passkeyTicks(passkeys: readonly Passkey[], distrusted: readonly number[]): string {
  const ticks = passkeys.map(
    ({ id, name, created, lastUsed }) =>
      `<label class="tick"><input type="checkbox" name="remove" value="${id}"${distrusted.includes(id) ? ' checked' : ''}><span>Remove ${escaped(name)}<small>added ${displayDateTime(created)} · ${
        lastUsed ? `last used ${displayDateTime(lastUsed)}` : 'not used yet'
      }</small></span></label>`,
  )
  return ticks.length
    ? `<fieldset><legend>Passkeys sign in without the password and stay good. Where you do not know one, or somebody else may have the device, remove it.</legend>${ticks.join('')}</fieldset>`
    : ''
}

function form(
  secret: string,
  { email, kind, passkeys, distrusted = [], problem }: Chooser & { distrusted?: readonly number[]; problem: string | null },
): string {
  return outsidePage(
    'Choose a password',
    kind === 'invite' ? 'You have been invited. Choose a password to join.' : 'Choose a new password.',
    `<form method="post" action="${invitationPath}/${escaped(secret)}">
${problemLine(problem)}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" readonly value="${escaped(email)}">
${passwordInputs(problem, true)}
${passkeyTicks(passkeys, distrusted)}
<button type="submit">Save password</button>
</form>`,
  )
}

/** What the mail about a new password says of passkeys. */
function saidOfPasskeys({ removed, left }: { removed: number; left: number }): string {
  const gone = removed ? `\n\n${displayCount(removed, 'passkey')} ${removed === 1 ? 'was' : 'were'} removed with it.` : ''
  const stays = left
    ? `\n\n${displayCount(left, 'passkey')} still ${left === 1 ? 'signs' : 'sign'} you in without it; your profile page lists them.`
    : ''
  return gone + stays
}

/** The page on which an invited person chooses a password, and one who forgot theirs a new one. */
export function passwordRoutes(services: Services): Router {
  const { config, store, limits } = services
  const routes = express.Router()
  routes.use(invitationPath, guardLinks(limits))
  const chooserOf = async (secret: string): Promise<Chooser | null> => {
    const found = await invited(store, secret)
    return found && { ...found, passkeys: await store.asPlatform((tx) => passkeysOf(tx, found.userId)) }
  }
  routes.get(`${invitationPath}/:secret`, async (req, res) => {
    const found = await chooserOf(req.params.secret)
    res.status(found ? 200 : 410).send(found ? form(req.params.secret, { ...found, problem: null }) : linkGone)
  })
  routes.post(`${invitationPath}/:secret`, urlencoded({ extended: false, limit: '10kb' }), async (req, res) => {
    const { secret } = req.params
    const [password, again] = [typedIn(req.body, 'password'), typedIn(req.body, 'again')]
    const distrusted = tickedIn(req.body, 'remove')
    const found = await chooserOf(secret)
    if (!found) return void res.status(410).send(linkGone)
    const problem = await problemWith(password, again, found)
    if (problem) return void res.status(400).send(form(secret, { ...found, distrusted, problem }))
    const done = await acceptInvitation(store, { secret, password, distrusted, requestId: tracedCall(res.locals.requestId) })
    if (!done) return void res.status(410).send(linkGone)
    await tellRightsChanged(services)
    // Said to the person too: somebody else may have had the link.
    await sendMail(config, {
      to: found.email,
      subject: 'Your password for Bursar was changed',
      text: `A new password for Bursar was chosen by a one-time link that was made for you.${saidOfPasskeys(done)}\n\nIf that was not you, tell the person who looks after users at once.\n`,
    })
    res.redirect(303, '/')
  })
  return routes
}
