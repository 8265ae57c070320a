import express, { type Router, urlencoded } from 'express'
import { limiter } from '../limiter.ts'
import type { Store } from '../store/database.ts'
import { acceptInvitation, invited, shortestPassword } from './invitations.ts'
import { escaped, outsidePage, problemLine } from './page.ts'

/** Where a one-time link leads. */
export const invitationPath = '/invitation'

const gone = outsidePage(
  'Link',
  'This link is no longer valid. Links can be used once, and for a limited time. Ask for a new one.',
  '<p><a href="/">Go to the sign-in</a></p>',
)

function form(secret: string, email: string, kind: 'invite' | 'reset', problem: string | null): string {
  const described = problem ? ' aria-describedby="problem" aria-invalid="true"' : ''
  return outsidePage(
    'Choose a password',
    kind === 'invite' ? 'You have been invited. Choose a password to join.' : 'Choose a new password.',
    `<form method="post" action="${invitationPath}/${escaped(secret)}">
${problemLine(problem)}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" readonly value="${escaped(email)}">
<label for="password">Password, at least ${shortestPassword} characters</label>
<input id="password" name="password" type="password" autocomplete="new-password" required minlength="${shortestPassword}" maxlength="200" autofocus${described}>
<label for="again">The same password again</label>
<input id="again" name="again" type="password" autocomplete="new-password" required maxlength="200"${described}>
<button type="submit">Save password</button>
</form>`,
  )
}

function problemWith(password: string, again: string, email: string): string | null {
  if (password.length < shortestPassword) return `The password must have at least ${shortestPassword} characters.`
  if (password.length > 200) return 'The password can have at most 200 characters.'
  if (password.toLowerCase().includes(email.toLowerCase())) return 'The password must not hold your email address.'
  return password === again ? null : 'The two passwords are not the same. Type both again.'
}

/** The page on which an invited person chooses a password, and one who forgot theirs a new one. */
export function passwordRoutes(store: Store): Router {
  const routes = express.Router()
  const tries = limiter(30, 60_000)
  routes.use(invitationPath, (req, res, next) => {
    res.set('Cache-Control', 'no-store').set('Referrer-Policy', 'no-referrer')
    const wait = tries(String(req.ip))
    if (wait)
      return void res.status(429).set('Retry-After', String(wait)).type('text/plain').send(`Too many tries. Try again in ${wait} seconds.`)
    next()
  })
  routes.get(`${invitationPath}/:secret`, async (req, res) => {
    const found = await invited(store, req.params.secret)
    res.status(found ? 200 : 410).send(found ? form(req.params.secret, found.email, found.kind, null) : gone)
  })
  routes.post(`${invitationPath}/:secret`, urlencoded({ extended: false, limit: '10kb' }), async (req, res) => {
    const { secret } = req.params as { secret: string }
    const { password = '', again = '' } = req.body as { password?: string; again?: string }
    const found = await invited(store, secret)
    if (!found) return void res.status(410).send(gone)
    const problem = problemWith(String(password), String(again), found.email)
    if (problem) return void res.status(400).send(form(secret, found.email, found.kind, problem))
    if (!(await acceptInvitation(store, secret, String(password)))) return void res.status(410).send(gone)
    res.redirect(303, '/')
  })
  return routes
}
