import express, { type Router, urlencoded } from 'express'
import type { Provider } from 'oidc-provider'
import { limiter } from '../limiter.ts'
import { log } from '../log.ts'
import type { Store } from '../store/database.ts'
import { signIn } from './accounts.ts'
import { escaped, outsidePage, problemLine } from './page.ts'

function page(uid: string, email: string, problem: string | null): string {
  const described = problem ? ' aria-describedby="problem" aria-invalid="true"' : ''
  return outsidePage(
    'Sign in',
    'Budgets that schools can prove to the penny.',
    `<form method="post" action="/interaction/${escaped(uid)}">
${problemLine(problem)}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username" required value="${escaped(email)}"${email ? '' : ' autofocus'}${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${email ? ' autofocus' : ''}${described}>
<button type="submit">Sign in</button>
</form>`,
  )
}

/** The sign-in page of the embedded issuer; ten tries a minute for each address from one place, since a whole school may sit behind one (notices K-32). */
export function signInRoutes(provider: Provider, store: Store): Router {
  const routes = express.Router()
  const tries = limiter(10, 60_000)
  routes.get('/interaction/:uid', async (req, res) => {
    try {
      const { uid } = await provider.interactionDetails(req, res)
      res.set('Cache-Control', 'no-store').send(page(uid, '', null))
    } catch {
      res.redirect('/')
    }
  })
  routes.post('/interaction/:uid', urlencoded({ extended: false, limit: '10kb' }), async (req, res) => {
    const { email = '', password = '' } = req.body as { email?: string; password?: string }
    try {
      const { uid } = await provider.interactionDetails(req, res)
      const wait = tries(`${req.ip} ${String(email).trim().toLowerCase()}`)
      if (wait > 0)
        return void res
          .status(429)
          .set('Retry-After', String(wait))
          .send(page(uid, String(email), `Too many tries. Try again in ${wait} seconds.`))
      const userId = await signIn(store, String(email), String(password))
      if (userId === null)
        return void res.status(400).send(page(uid, String(email), 'The email or the password is not right. Check both and try again.'))
      await provider.interactionFinished(
        req,
        res,
        { login: { accountId: String(userId), remember: true } },
        { mergeWithLastSubmission: false },
      )
    } catch (error) {
      log.info({ err: error }, 'sign-in page is out of date')
      res.redirect('/')
    }
  })
  return routes
}
