import express, { type Request, type Response, type Router, urlencoded } from 'express'
import type { Provider } from 'oidc-provider'
import type { Services } from '../core/calls/context.ts'
import type { Limits } from '../core/calls/limits.ts'
import { log } from '../core/log.ts'
import { activeUser, knownUser, noteSignIn } from './accounts.ts'
import { escaped, outsidePage, problemLine } from './page.ts'
import { beginSecondStep, begunSecondStep, confirmSecondStep, secondStepOf, spendCode, wrongCode } from './secondStep.ts'
import { codePage, recoveryPage, setUpPage } from './secondStepPages.ts'
import { tellPerson } from './tellPerson.ts'
import { typedIn } from './typedIn.ts'

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

/** What was typed and pressed; U+0000, which no address and no password has, is left out. */
function formOf(body: unknown) {
  const text = (name: string): string => typedIn(body, name).replaceAll('\0', '').slice(0, 500)
  return { email: text('email'), password: text('password'), code: text('code'), again: text('again') !== '', goOn: text('goOn') !== '' }
}

/** Somebody whose password was right and who is not in yet: what comes next. */
interface Half {
  userId: number
  next: 'code' | 'setUp' | 'recovery'
  /** Milliseconds of the clock; after it the password is asked for again. */
  until: number
}

/** Milliseconds that somebody has for the second step, the setting up of an app included. */
const halfMs = 15 * 60_000

/** Seconds to wait before somebody may try again: by address from one place, by address from anywhere, and by place (notices K-32). */
async function waitFor(limits: Limits, place: string, address: string): Promise<number> {
  const here = await limits.count('tries', `${place} ${address}`)
  return here || Math.max(...(await Promise.all([limits.count('account', address), limits.count('place', place)])))
}

const tooManyTries = (wait: number): string => `Too many tries. Try again in ${wait} seconds.`

/** The sign-in page of the embedded issuer: the password, and after it the second step of whoever has or needs one. */
export function signInRoutes(provider: Provider, services: Services): Router {
  const { config, store, limits } = services
  const routes = express.Router()

  /** How far a sign-in is; null: nothing was typed yet, or too long ago. */
  async function details(req: Request, res: Response): Promise<{ uid: string; half: Half | null }> {
    const { uid, result } = await provider.interactionDetails(req, res)
    // The provider keeps what `remember` gave it, as it was.
    const half = result?.half as Half | undefined
    return { uid, half: half && Date.now() < half.until ? half : null }
  }

  const remember = (req: Request, res: Response, half: Half | null) =>
    provider.interactionResult(req, res, half ? { half } : {}, { mergeWithLastSubmission: false })

  async function finish(req: Request, res: Response, userId: number): Promise<void> {
    await store.asPlatform((tx) => noteSignIn(tx, userId, new Date()))
    await provider.interactionFinished(
      req,
      res,
      { login: { accountId: String(userId), remember: true } },
      { mergeWithLastSubmission: false },
    )
  }

  async function takePassword(req: Request, res: Response, uid: string): Promise<void> {
    const { email, password } = formOf(req.body)
    const [place, address] = [String(req.ip), email.trim().toLowerCase()]
    const wait = await waitFor(limits, place, address)
    if (wait > 0)
      return void res
        .status(429)
        .set('Retry-After', String(wait))
        .send(page(uid, email, tooManyTries(wait)))
    const userId = await knownUser(store, email, password)
    if (userId === null)
      return void res.status(400).send(page(uid, email, 'The email or the password is not right. Check both and try again.'))
    await Promise.all([limits.forgive('account', address), limits.forgive('place', place)])
    const { isOn, isRequired } = await store.asPlatform((tx) => secondStepOf(tx, userId))
    if (!isOn && !isRequired) return finish(req, res, userId)
    if (!isOn) await store.asPlatform((tx) => beginSecondStep(tx, userId))
    await remember(req, res, { userId, next: isOn ? 'code' : 'setUp', until: Date.now() + halfMs })
    res.redirect(303, req.originalUrl)
  }

  async function startAgain(req: Request, res: Response): Promise<void> {
    await remember(req, res, null)
    res.redirect(303, req.originalUrl)
  }

  /** Sends the page of what comes next. */
  async function sendNext(req: Request, res: Response, uid: string, { userId, next }: Half, problem: string | null): Promise<void> {
    if (next === 'code') return void res.send(codePage(uid, problem))
    if (next === 'recovery') return void res.send(recoveryPage(uid, null))
    const enrolment = await store.asPlatform((tx) => begunSecondStep(tx, userId))
    // An app that was set up meanwhile, in another window, is asked for its code after the password.
    if (!enrolment) return startAgain(req, res)
    res.send(setUpPage(uid, enrolment, problem))
  }

  async function takeStep(req: Request, res: Response, uid: string, half: Half): Promise<void> {
    const { userId, next } = half
    const { code, goOn } = formOf(req.body)
    const user = await activeUser(store, userId)
    if (!user) return void res.redirect('/')
    if (next === 'recovery') return goOn ? finish(req, res, userId) : void res.redirect(303, req.originalUrl)
    const [who, place] = [`user ${userId}`, String(req.ip)]
    const wait = Math.max(...(await Promise.all([limits.count('codes', who), limits.count('place', place)])))
    if (wait) {
      res.status(429).set('Retry-After', String(wait))
      return sendNext(req, res, uid, half, tooManyTries(wait))
    }
    const actor = { userId, requestId: String(res.locals.requestId), now: new Date() }
    const forgive = () => Promise.all([limits.forgive('codes', who), limits.forgive('place', place)])
    if (next === 'code') {
      const used = await store.asPlatform((tx) => spendCode(tx, userId, code, actor))
      if (!used) return void res.status(400).send(codePage(uid, wrongCode))
      await forgive()
      if (used === 'recovery') await tellPerson(config, user, 'recoveryCodeUsed')
      return finish(req, res, userId)
    }
    const codes = await store.asPlatform((tx) => confirmSecondStep(tx, userId, code, actor))
    if (!codes) {
      res.status(400)
      return sendNext(req, res, uid, half, wrongCode)
    }
    await forgive()
    await tellPerson(config, user, 'secondStepOn')
    await remember(req, res, { ...half, next: 'recovery' })
    res.send(recoveryPage(uid, codes))
  }

  routes.use('/interaction', (_req, res, next) => {
    res.set('Cache-Control', 'no-store')
    next()
  })
  routes.get('/interaction/:uid', async (req, res) => {
    try {
      const { uid, half } = await details(req, res)
      if (half) await sendNext(req, res, uid, half, null)
      else res.send(page(uid, '', null))
    } catch {
      res.redirect('/')
    }
  })
  routes.post('/interaction/:uid', urlencoded({ extended: false, limit: '10kb' }), async (req, res) => {
    try {
      const { uid, half } = await details(req, res)
      if (!half) return await takePassword(req, res, uid)
      if (!formOf(req.body).again) return await takeStep(req, res, uid, half)
      await startAgain(req, res)
    } catch (error) {
      log.info({ err: error }, 'sign-in page is out of date')
      res.redirect('/')
    }
  })
  return routes
}
