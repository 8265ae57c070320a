import express, { type Router, urlencoded } from 'express'
import { DomainError } from '../../../domain/words/errors.ts'
import { toLoggedCallId } from '../../core/calls/actor.ts'
import type { Services } from '../../core/calls/context.ts'
import { log } from '../../core/log.ts'
import { findUserByEmail } from '../accounts.ts'
import { parseFormField } from '../formFields.ts'
import { renderPage } from '../html.ts'
import { guardLinkPages } from '../oneTimePage.ts'
import { createPasswordLink } from './invitations.ts'
import { mailPasswordLink } from './passwordLinkMail.ts'

export const forgottenPasswordPath = '/forgotten-password'

const title = 'Forgotten password'
const backLink = '<p><a href="/">Back to the sign-in page</a></p>'

const askPage = renderPage(
  title,
  'Enter the email address that you sign in with. We will email you a link to choose a new password.',
  `<form method="post" action="${forgottenPasswordPath}">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required maxlength="254" autofocus>
<button type="submit">Send link</button>
</form>
${backLink}`,
)

/** Shown whether or not the address is known, so that it does not reveal who has an account. */
const sentPage = renderPage(
  title,
  'If this address belongs to a user, the link is on its way. It can be used once, within 24 hours. No email after a few minutes? Check your junk folder, or ask the person who manages users.',
  backLink,
)

const noMailPage = renderPage(
  title,
  'This installation cannot send email. Ask the person who manages users for a link to choose a new password.',
  backLink,
)

/** Routes of the page where people who forgot their password ask for a link to choose a new one. */
export function createForgottenPasswordRoutes(services: Services): Router {
  const { config, limits } = services
  const routes = express.Router()
  routes.use(forgottenPasswordPath, guardLinkPages(limits))
  routes.get(forgottenPasswordPath, (_req, res) => void res.send(config.mail ? askPage : noMailPage))
  routes.post(forgottenPasswordPath, urlencoded({ extended: false, limit: '10kb' }), async (req, res) => {
    if (!config.mail) return void res.send(noMailPage)
    const email = parseFormField(req.body, 'email').replaceAll('\0', '').trim().toLowerCase().slice(0, 254)
    // After too many requests for one address no email is sent, but the reply is the same.
    const isMailed = email !== '' && (await limits.count('forgotten', email)) === 0
    // Answer before mailing: the delay would reveal that the address is known.
    res.send(sentPage)
    if (isMailed) await sendLink(services, email, toLoggedCallId(res.locals.requestId))
  })
  return routes
}

/** Sends the link to the user with this address, if there is one. A failure is only logged, because the person can ask again. */
async function sendLink({ store, config }: Services, email: string, requestId: string): Promise<void> {
  try {
    const user = await findUserByEmail(store, email)
    if (!user?.active) return
    // Anybody can enter this address, so the log must not say that its user asked.
    const actor = { userId: null, requestId, now: new Date() }
    const link = await store.asPlatform((tx) => createPasswordLink({ tx, actor }, user.id, true))
    await mailPasswordLink(config, user, link)
  } catch (error) {
    if (!(error instanceof DomainError)) log.error({ err: error }, 'a link for a forgotten password could not be sent')
  }
}
