import express, { type Router, urlencoded } from 'express'
import { displayCount, displayDateTime } from '../../../domain/values/format.ts'
import { toLoggedCallId } from '../../core/calls/actor.ts'
import type { Services } from '../../core/calls/context.ts'
import { announceRightsChanged } from '../../core/live/rightsChanged.ts'
import { sendMail } from '../../core/mail.ts'
import { parseFormField, parseTickedIds } from '../formFields.ts'
import { escapeHtml, renderPage, renderProblem } from '../html.ts'
import { findNewPasswordProblem, guardLinkPages, invalidLinkPage, renderPasswordInputs } from '../oneTimePage.ts'
import { listPasskeys, type Passkey } from '../passkeys/passkeys.ts'
import { findUserByPasswordLink, setPasswordByLink } from './invitations.ts'
import { passwordLinkPath } from './passwordLinkMail.ts'

interface PasswordChooser {
  email: string
  words: readonly string[]
  kind: 'invite' | 'reset'
  passkeys: readonly Passkey[]
}

/** Checkboxes to remove passkeys that someone else may hold. */
function renderPasskeyCheckboxes(passkeys: readonly Passkey[], distrusted: readonly number[]): string {
  const ticks = passkeys.map(
    ({ id, name, created, lastUsed }) =>
      `<label class="tick"><input type="checkbox" name="remove" value="${id}"${distrusted.includes(id) ? ' checked' : ''}><span>Remove ${escapeHtml(name)}<small>added ${displayDateTime(created)} · ${
        lastUsed ? `last used ${displayDateTime(lastUsed)}` : 'not used yet'
      }</small></span></label>`,
  )
  return ticks.length
    ? `<fieldset><legend>Passkeys sign in without the password and still work. Remove any that you do not recognise, or that are on a device someone else may have.</legend>${ticks.join('')}</fieldset>`
    : ''
}

function renderForm(
  secret: string,
  { email, kind, passkeys, distrusted = [], problem }: PasswordChooser & { distrusted?: readonly number[]; problem: string | null },
): string {
  return renderPage(
    'Choose a password',
    kind === 'invite' ? 'You have been invited. Choose a password to join.' : 'Choose a new password.',
    `<form method="post" action="${passwordLinkPath}/${escapeHtml(secret)}">
${renderProblem(problem)}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" readonly value="${escapeHtml(email)}">
${renderPasswordInputs(problem, true)}
${renderPasskeyCheckboxes(passkeys, distrusted)}
<button type="submit">Save password</button>
</form>`,
  )
}

function describeRemovedPasskeys({ removed, left }: { removed: number; left: number }): string {
  const gone = removed ? `\n\n${displayCount(removed, 'passkey')} ${removed === 1 ? 'was' : 'were'} removed with it.` : ''
  const stays = left
    ? `\n\n${displayCount(left, 'passkey')} still ${left === 1 ? 'signs' : 'sign'} you in without it; your profile page lists them.`
    : ''
  return gone + stays
}

export function createPasswordLinkRoutes(services: Services): Router {
  const { config, store, limits } = services
  const routes = express.Router()
  routes.use(passwordLinkPath, guardLinkPages(limits))
  const findChooser = async (secret: string): Promise<PasswordChooser | null> => {
    const found = await findUserByPasswordLink(store, secret)
    return found && { ...found, passkeys: await store.asPlatform((tx) => listPasskeys(tx, found.userId)) }
  }
  routes.get(`${passwordLinkPath}/:secret`, async (req, res) => {
    const found = await findChooser(req.params.secret)
    res.status(found ? 200 : 410).send(found ? renderForm(req.params.secret, { ...found, problem: null }) : invalidLinkPage)
  })
  routes.post(`${passwordLinkPath}/:secret`, urlencoded({ extended: false, limit: '10kb' }), async (req, res) => {
    const { secret } = req.params
    const [password, again] = [parseFormField(req.body, 'password'), parseFormField(req.body, 'again')]
    const distrusted = parseTickedIds(req.body, 'remove')
    const found = await findChooser(secret)
    if (!found) return void res.status(410).send(invalidLinkPage)
    const problem = await findNewPasswordProblem(password, again, found)
    if (problem) return void res.status(400).send(renderForm(secret, { ...found, distrusted, problem }))
    const done = await setPasswordByLink(store, { secret, password, distrusted, requestId: toLoggedCallId(res.locals.requestId) })
    if (!done) return void res.status(410).send(invalidLinkPage)
    await announceRightsChanged(services)
    // Also tell the person, because someone else may have used the link.
    await sendMail(config, {
      to: found.email,
      subject: 'Your password for Bursar was changed',
      text: `A one-time link created for you was used to set a new password for Bursar.${describeRemovedPasskeys(done)}\n\nIf that was not you, tell the person who manages users immediately.\n`,
    })
    res.redirect(303, '/')
  })
  return routes
}
