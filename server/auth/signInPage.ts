import express, { type Router, urlencoded } from 'express'
import type { Provider } from 'oidc-provider'
import type { Limits } from '../core/calls/limits.ts'
import type { Store } from '../core/database/database.ts'
import { log } from '../core/log.ts'
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

/** What was typed; U+0000, which no address and no password has, is left out. */
function formOf(body: unknown): { email: string; password: string } {
  const { email = '', password = '' } = (body ?? {}) as { email?: unknown; password?: unknown }
  const text = (value: unknown): string => String(value).replaceAll('\0', '').slice(0, 500)
  return { email: text(email), password: text(password) }
}

/** Seconds to wait before somebody may try again: by address from one place, by address from anywhere, and by place (notices K-32). */
async function waitFor(limits: Limits, place: string, address: string): Promise<number> {
  const here = await limits.count('tries', `${place} ${address}`)
  return here || Math.max(...(await Promise.all([limits.count('account', address), limits.count('place', place)])))
}

/** The sign-in page of the embedded issuer. */
export function signInRoutes(provider: Provider, store: Store, limits: Limits): Router {
  const routes = express.Router()
  routes.get('/interaction/:uid', async (req, res) => {
    try {
      const { uid } = await provider.interactionDetails(req, res)
      res.set('Cache-Control', 'no-store').send(page(uid, '', null))
    } catch {
      res.redirect('/')
    }
  })
  routes.post('/interaction/:uid', urlencoded({ extended: false, limit: '10kb' }), async (req, res) => {
    const { email, password } = formOf(req.body)
    try {
      const { uid } = await provider.interactionDetails(req, res)
      const [place, address] = [String(req.ip), email.trim().toLowerCase()]
      const wait = await waitFor(limits, place, address)
      if (wait > 0)
        return void res
          .status(429)
          .set('Retry-After', String(wait))
          .send(page(uid, email, `Too many tries. Try again in ${wait} seconds.`))
      const userId = await signIn(store, email, password)
      if (userId === null)
        return void res.status(400).send(page(uid, email, 'The email or the password is not right. Check both and try again.'))
      await Promise.all([limits.forgive('account', address), limits.forgive('place', place)])
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
