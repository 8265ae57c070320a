import express, { type Router, urlencoded } from 'express'
import type { Services } from '../core/calls/context.ts'
import { tellRightsChanged } from '../core/live/rightsChanged.ts'
import { sendMail } from '../core/mail.ts'
import { acceptInvitation, invited } from './invitations.ts'
import { guardLinks, linkGone, passwordInputs, problemWith } from './oneTimePage.ts'
import { escaped, outsidePage, problemLine } from './page.ts'
import { typedIn } from './typedIn.ts'

/** Where a one-time link leads. */
export const invitationPath = '/invitation'

function form(secret: string, { email, kind, problem }: { email: string; kind: 'invite' | 'reset'; problem: string | null }): string {
  return outsidePage(
    'Choose a password',
    kind === 'invite' ? 'You have been invited. Choose a password to join.' : 'Choose a new password.',
    `<form method="post" action="${invitationPath}/${escaped(secret)}">
${problemLine(problem)}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" readonly value="${escaped(email)}">
${passwordInputs(problem, true)}
<button type="submit">Save password</button>
</form>`,
  )
}

/** The page on which an invited person chooses a password, and one who forgot theirs a new one. */
export function passwordRoutes(services: Services): Router {
  const { config, store, limits } = services
  const routes = express.Router()
  routes.use(invitationPath, guardLinks(limits))
  routes.get(`${invitationPath}/:secret`, async (req, res) => {
    const found = await invited(store, req.params.secret)
    res.status(found ? 200 : 410).send(found ? form(req.params.secret, { email: found.email, kind: found.kind, problem: null }) : linkGone)
  })
  routes.post(`${invitationPath}/:secret`, urlencoded({ extended: false, limit: '10kb' }), async (req, res) => {
    const { secret } = req.params
    const [password, again] = [typedIn(req.body, 'password'), typedIn(req.body, 'again')]
    const found = await invited(store, secret)
    if (!found) return void res.status(410).send(linkGone)
    const problem = await problemWith(password, again, found.email)
    if (problem) return void res.status(400).send(form(secret, { email: found.email, kind: found.kind, problem }))
    if (!(await acceptInvitation(store, { secret, password, requestId: String(res.locals.requestId) })))
      return void res.status(410).send(linkGone)
    await tellRightsChanged(services)
    // Said to the person too: somebody else may have had the link.
    await sendMail(config, {
      to: found.email,
      subject: 'Your password for Bursar was changed',
      text: 'A new password for Bursar was chosen by a one-time link that was made for you.\n\nIf that was not you, tell the person who looks after users at once.\n',
    })
    res.redirect(303, '/')
  })
  return routes
}
