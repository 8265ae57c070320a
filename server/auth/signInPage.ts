import express, { type Request, type Response, type Router, urlencoded } from 'express'
import type { Provider } from 'oidc-provider'
import type { SignInMethod } from '../../domain/people/signInMethod.ts'
import { DomainError } from '../../domain/words/errors.ts'
import { tracedCall } from '../core/calls/actor.ts'
import type { Services } from '../core/calls/context.ts'
import type { Limits } from '../core/calls/limits.ts'
import { tellRightsChanged } from '../core/live/rightsChanged.ts'
import { log } from '../core/log.ts'
import { activeUser, knownUser, noteSignIn } from './accounts.ts'
import type { HeldIdToken } from './outside/heldIdTokens.ts'
import { type IdClaims, type OutsideIssuer, type OutsideQuestion, outsideCallbackPath, signInOfState } from './outside/issuer.ts'
import { applyGroups, personOf } from './outside/people.ts'
import { escaped, outsidePage, problemLine } from './page.ts'
import { readUsedPasskey } from './passkeys/answers.ts'
import { askForPasskey, hasPasskey, personByPasskey } from './passkeys/passkeys.ts'
import { type PasskeySite, passkeySiteOf } from './passkeys/site.ts'
import { beginSecondStep, begunSecondStep, confirmSecondStep, secondStepOf, spendCode, wrongCode } from './secondStep.ts'
import { codePage, recoveryPage, setUpPage } from './secondStepPages.ts'
import { isStillProved, type Proved } from './signIns.ts'
import { tellPerson } from './tellPerson.ts'
import { typedIn } from './typedIn.ts'

/** What stands on the sign-in page. */
interface PageState {
  email?: string
  /** What was wrong with the email and the password. */
  problem?: string
  /** What was wrong with the passkey. */
  passkeyProblem?: string
}

/** The way in with a passkey, which a script shows where the browser knows passkeys. */
function passkeyForm(uid: string): string {
  return `<form id="passkey" method="post" action="/interaction/${escaped(uid)}" hidden>
<input type="hidden" name="passkey">
<p class="or">or</p>
<button class="other" type="button">Use a passkey</button>
<p class="hint" role="status"></p>
</form>
<script type="module" src="/passkey.js"></script>`
}

function page(uid: string, takesPasskeys: boolean, { email = '', problem, passkeyProblem }: PageState = {}): string {
  const described = problem ? ' aria-describedby="problem" aria-invalid="true"' : ''
  return outsidePage(
    'Sign in',
    'Budgets that schools can prove to the penny.',
    `<form method="post" action="/interaction/${escaped(uid)}">
${problemLine(problem ?? passkeyProblem ?? null)}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username${takesPasskeys ? ' webauthn' : ''}" required value="${escaped(email)}"${email ? '' : ' autofocus'}${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${email ? ' autofocus' : ''}${described}>
<button type="submit">Sign in</button>
</form>
${takesPasskeys ? passkeyForm(uid) : ''}`,
  )
}

/** What stands where the outside issuer did not bring somebody in: why, and the way to try again. */
function outsideProblemPage(uid: string, name: string, problem: string | null): string {
  return outsidePage(
    'Sign in',
    'Budgets that schools can prove to the penny.',
    `${problemLine(problem)}
<a class="button" href="/interaction/${escaped(uid)}?choose=1" autofocus>Sign in with ${escaped(name)}</a>`,
  )
}

/** What was typed and pressed; U+0000, which no address and no password has, is left out. */
function formOf(body: unknown) {
  const text = (name: string): string => typedIn(body, name).replaceAll('\0', '').slice(0, 500)
  return { email: text('email'), password: text('password'), code: text('code'), again: text('again') !== '', goOn: text('goOn') !== '' }
}

/** Somebody whose password was right, or whom the outside issuer named, and who is not in yet: what comes next. */
interface Half extends HeldIdToken, Proved {
  next: 'code' | 'setUp' | 'recovery'
  /** Milliseconds of the clock; after it the sign-in begins again. */
  until: number
}

/** Who is known in a sign-in, and what the outside issuer said of them. */
type Known = Pick<Half, 'userId' | 'endings' | 'idToken'>

/** Milliseconds that somebody has for the second step, the setting up of an app included. */
const halfMs = 15 * 60_000

/** Seconds to wait before somebody may try again: by address from one place, by address from anywhere, and by place (notices K-32). */
async function waitFor(limits: Limits, place: string, address: string): Promise<number> {
  const here = await limits.count('tries', `${place} ${address}`)
  return here || Math.max(...(await Promise.all([limits.count('account', address), limits.count('place', place)])))
}

const tooManyTries = (wait: number): string => `Too many tries. Try again in ${wait} seconds.`

/** The same for every reason: it says of nobody that they sign in here. */
const passkeyRefused = 'This passkey was not accepted. Try again, or sign in with your password.'

/** Whether an issuer says that it asked for more than one proof (RFC 8176). */
const saysTwoSteps = ({ amr }: IdClaims): boolean => Array.isArray(amr) && amr.includes('mfa')

/**
 * The sign-in page of the embedded issuer: the password or a passkey, or the way to the outside issuer of the installation and back, and after it the second
 * step of whoever has or needs one.
 */
export function signInRoutes(provider: Provider, services: Services, outside: OutsideIssuer | null): Router {
  const { config, store, limits } = services
  const routes = express.Router()
  const passkeys = passkeySiteOf(config)
  const signInPage = (uid: string, state?: PageState): string => page(uid, passkeys !== null, state)

  /** How far a sign-in is; null: nothing was typed or asked yet, or too long ago. */
  async function details(req: Request, res: Response): Promise<{ uid: string; half: Half | null; question: OutsideQuestion | null }> {
    const { uid, result } = await provider.interactionDetails(req, res)
    // The provider keeps what `remember` gave it, as it was.
    const { half, question } = (result ?? {}) as { half?: Half; question?: OutsideQuestion }
    const inTime = <Kept extends { until: number }>(kept: Kept | undefined): Kept | null => (kept && Date.now() < kept.until ? kept : null)
    // A server of the version before wrote none of how often sign-ins were ended: its sign-in begins again.
    const isWhole = typeof half?.endings === 'number'
    return { uid, half: isWhole ? inTime(half) : null, question: inTime(question) }
  }

  const remember = (req: Request, res: Response, kept: { half: Half } | { question: OutsideQuestion } | null) =>
    provider.interactionResult(req, res, { ...kept }, { mergeWithLastSubmission: false })

  async function finish(
    req: Request,
    res: Response,
    { uid, known: { userId, endings, idToken }, way }: { uid: string; known: Known; way: SignInMethod },
  ): Promise<void> {
    if (!(await store.asPlatform((tx) => noteSignIn(tx, { userId, endings }, new Date())))) return ended(req, res, uid)
    await provider.interactionFinished(
      req,
      res,
      { login: { accountId: String(userId), remember: true }, endings, way, ...(idToken && { idToken }) },
      { mergeWithLastSubmission: false },
    )
  }

  /** Somebody proved who they are, and all their sign-ins were ended before theirs was kept. */
  async function ended(req: Request, res: Response, uid: string): Promise<void> {
    // What was kept of it half done went with the others.
    await remember(req, res, null).catch(() => undefined)
    const problem = 'Your sign-ins were ended while you signed in. Sign in again.'
    res.status(400).send(outside ? outsideProblemPage(uid, outside.settings.name, problem) : signInPage(uid, { problem }))
  }

  /** Somebody is known: on to their second step, if they have one or need one, or in. */
  async function goOn(req: Request, res: Response, { uid, known }: { uid: string; known: Known }): Promise<void> {
    const { isOn, isRequired } = await store.asPlatform((tx) => secondStepOf(tx, known.userId))
    if (!isOn && !isRequired) return finish(req, res, { uid, known, way: outside ? 'outside' : 'password' })
    if (!isOn) await store.asPlatform((tx) => beginSecondStep(tx, known.userId))
    await remember(req, res, { half: { ...known, next: isOn ? 'code' : 'setUp', until: Date.now() + halfMs } })
    res.redirect(303, `/interaction/${uid}`)
  }

  /** Off to the outside issuer. */
  async function askOutside(
    req: Request,
    res: Response,
    { uid, outside: { settings, ask } }: { uid: string; outside: OutsideIssuer },
  ): Promise<void> {
    try {
      const { url, question } = await ask(uid, req.query.choose !== undefined)
      await remember(req, res, { question })
      res.redirect(303, url)
    } catch (error) {
      log.warn({ err: error }, 'the outside issuer could not be asked')
      const problem = `${settings.name} cannot be reached at the moment. Try again in a minute.`
      res.status(502).send(outsideProblemPage(uid, settings.name, problem))
    }
  }

  /** Back from the outside issuer: the answer is taken once, whatever it says. */
  async function takeAnswer(
    req: Request,
    res: Response,
    { at: { uid, question }, outside: { settings, answer } }: { at: Awaited<ReturnType<typeof details>>; outside: OutsideIssuer },
  ): Promise<void> {
    const refuse = (status: number, problem: string): void => void res.status(status).send(outsideProblemPage(uid, settings.name, problem))
    if (!question || req.query.state !== question.state) return refuse(400, 'This sign-in took too long or was begun anew. Try again.')
    await remember(req, res, null)
    const answered = await answer(new URL(req.originalUrl, config.origin).searchParams.toString(), question).catch((error) => {
      // The message alone: what came back may hold the code.
      log.info({ why: String(error?.error ?? error?.code ?? error?.name) }, 'an answer of the outside issuer was not taken')
      return null
    })
    if (!answered) return refuse(400, `The sign-in at ${settings.name} was not finished. Try again.`)
    const { claims, idToken } = answered
    const person = await store.asPlatform((tx) => personOf(tx, claims, settings))
    if (typeof person === 'string') return refuse(403, person)
    const changed = await store
      .asPlatform((tx) => applyGroups(tx, person, { claims, settings, requestId: tracedCall(res.locals.requestId) }))
      .catch((error) => {
        if (!(error instanceof DomainError) || error.code !== 'lastAdministrator') throw error
        log.warn(
          { userId: person.id },
          'the last who may look after users kept their user groups, which their groups elsewhere no longer give',
        )
        return false
      })
    if (changed) await tellRightsChanged(services)
    const known = { userId: person.id, endings: person.endings, idToken }
    if (settings.secondStep === 'issuer' || saysTwoSteps(claims)) return finish(req, res, { uid, known, way: 'outside' })
    return goOn(req, res, { uid, known })
  }

  async function takePassword(req: Request, res: Response, uid: string): Promise<void> {
    const { email, password } = formOf(req.body)
    const [place, address] = [String(req.ip), email.trim().toLowerCase()]
    const wait = await waitFor(limits, place, address)
    if (wait > 0)
      return void res
        .status(429)
        .set('Retry-After', String(wait))
        .send(signInPage(uid, { email, problem: tooManyTries(wait) }))
    const known = await knownUser(store, email, password)
    if (!known)
      return void res
        .status(400)
        .send(signInPage(uid, { email, problem: 'The email or the password is not right. Check both and try again.' }))
    await Promise.all([limits.forgive('account', address), limits.forgive('place', place)])
    return goOn(req, res, { uid, known })
  }

  /** A passkey counts as both steps: the device has made sure who holds it. */
  async function takePasskey(req: Request, res: Response, { uid, site }: { uid: string; site: PasskeySite }): Promise<void> {
    const used = readUsedPasskey(typedIn(req.body, 'passkey'))
    const [place, which] = [String(req.ip), `passkey ${used?.id ?? ''}`]
    const wait = await waitFor(limits, place, which)
    if (wait > 0)
      return void res
        .status(429)
        .set('Retry-After', String(wait))
        .send(signInPage(uid, { passkeyProblem: tooManyTries(wait) }))
    const known = await personByPasskey(store, site, { uid, used, requestId: tracedCall(res.locals.requestId), now: new Date() })
    if (!known) return void res.status(400).send(signInPage(uid, { passkeyProblem: passkeyRefused }))
    await Promise.all([limits.forgive('account', which), limits.forgive('place', place)])
    return finish(req, res, { uid, known, way: 'passkey' })
  }

  async function startAgain(req: Request, res: Response, uid: string): Promise<void> {
    await remember(req, res, null)
    // Not on to the issuer by itself: browsers let no form lead to another site that the page does not name.
    if (outside) return void res.send(outsideProblemPage(uid, outside.settings.name, null))
    res.redirect(303, req.originalUrl)
  }

  /** Sends the page of what comes next. */
  async function sendNext(
    req: Request,
    res: Response,
    { uid, half: { userId, next }, problem }: { uid: string; half: Half; problem: string | null },
  ): Promise<void> {
    const holdsPasskey = passkeys !== null && (await store.asPlatform((tx) => hasPasskey(tx, userId)))
    if (next === 'code') return void res.send(codePage(uid, holdsPasskey, problem))
    if (next === 'recovery') return void res.send(recoveryPage(uid, null))
    const enrolment = await store.asPlatform((tx) => begunSecondStep(tx, userId))
    // An app that was set up meanwhile, in another window, is asked for its code after the password.
    if (!enrolment) return startAgain(req, res, uid)
    res.send(setUpPage(uid, enrolment, { holdsPasskey, problem }))
  }

  async function takeStep(req: Request, res: Response, { uid, half }: { uid: string; half: Half }): Promise<void> {
    const { userId, next } = half
    const { code, goOn } = formOf(req.body)
    const user = await activeUser(store, userId)
    if (!user) return void res.redirect('/')
    const way = outside ? 'outsideAndCode' : 'passwordAndCode'
    if (next === 'recovery') return goOn ? finish(req, res, { uid, known: half, way }) : void res.redirect(303, req.originalUrl)
    const [who, place] = [`user ${userId}`, String(req.ip)]
    const wait = Math.max(...(await Promise.all([limits.count('codes', who), limits.count('place', place)])))
    if (wait) {
      res.status(429).set('Retry-After', String(wait))
      return sendNext(req, res, { uid, half, problem: tooManyTries(wait) })
    }
    const actor = { userId, requestId: tracedCall(res.locals.requestId), now: new Date() }
    const forgive = () => Promise.all([limits.forgive('codes', who), limits.forgive('place', place)])
    if (next === 'code') {
      const used = await store.asPlatform((tx) => spendCode({ tx, actor }, userId, code))
      if (!used) {
        res.status(400)
        return sendNext(req, res, { uid, half, problem: wrongCode })
      }
      await forgive()
      if (used === 'recovery') await tellPerson(config, user, 'recoveryCodeUsed')
      return finish(req, res, { uid, known: half, way })
    }
    const codes = await store.asPlatform(async (tx) => (await isStillProved(tx, half)) && confirmSecondStep({ tx, actor }, userId, code))
    if (codes === false) return ended(req, res, uid)
    if (!codes) {
      res.status(400)
      return sendNext(req, res, { uid, half, problem: wrongCode })
    }
    await forgive()
    await tellPerson(config, user, 'secondStepOn')
    await remember(req, res, { half: { ...half, next: 'recovery' } })
    res.send(recoveryPage(uid, codes))
  }

  routes.use('/interaction', (_req, res, next) => {
    res.set('Cache-Control', 'no-store')
    next()
  })
  routes.get('/interaction/:uid', async (req, res) => {
    try {
      const { uid, half } = await details(req, res)
      if (half) await sendNext(req, res, { uid, half, problem: null })
      else if (outside) await askOutside(req, res, { uid, outside })
      else res.send(signInPage(uid))
    } catch {
      res.redirect('/')
    }
  })
  if (passkeys)
    routes.post('/interaction/:uid/passkey', async (req, res) => {
      const wait = await limits.count('beginnings', String(req.ip))
      if (wait) return void res.status(429).set('Retry-After', String(wait)).json(null)
      try {
        const { uid } = await details(req, res)
        res.json(await store.asPlatform((tx) => askForPasskey(tx, passkeys, uid)))
      } catch {
        res.status(410).json(null)
      }
    })
  if (outside) {
    // Registered at the issuer is one address; what is kept of a sign-in is found only below its own, by its cookie.
    routes.get(outsideCallbackPath, (req, res) => {
      const uid = signInOfState(req.query.state)
      const { searchParams } = new URL(req.originalUrl, config.origin)
      res.set('Cache-Control', 'no-store').set('Referrer-Policy', 'no-referrer')
      res.redirect(303, uid ? `/interaction/${uid}/answer?${searchParams}` : '/')
    })
    routes.get('/interaction/:uid/answer', async (req, res) => {
      const at = await details(req, res).catch(() => null)
      if (!at) return res.redirect('/')
      try {
        await takeAnswer(req, res, { at, outside })
      } catch (error) {
        // Not back to the beginning: the issuer knows them still, and would send them here again and again.
        log.error({ err: error }, 'a sign-in through the outside issuer failed here')
        const problem = 'Something went wrong here. Try again, or ask the person who looks after users.'
        if (!res.headersSent) res.status(500).send(outsideProblemPage(at.uid, outside.settings.name, problem))
      }
    })
  }
  routes.post('/interaction/:uid', urlencoded({ extended: false, limit: '10kb' }), async (req, res) => {
    try {
      const { uid, half } = await details(req, res)
      if (passkeys && typedIn(req.body, 'passkey')) return await takePasskey(req, res, { uid, site: passkeys })
      if (!half && outside) return await startAgain(req, res, uid)
      if (!half) return await takePassword(req, res, uid)
      if (!formOf(req.body).again) return await takeStep(req, res, { uid, half })
      await startAgain(req, res, uid)
    } catch (error) {
      log.info({ err: error }, 'sign-in page is out of date')
      res.redirect('/')
    }
  })
  return routes
}
