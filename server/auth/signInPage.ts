import express, { type Request, type Response, type Router, urlencoded } from 'express'
import type { Provider } from 'oidc-provider'
import type { SignInMethod } from '../../domain/people/signInMethod.ts'
import { DomainError } from '../../domain/words/errors.ts'
import { toLoggedCallId } from '../core/calls/actor.ts'
import type { Services } from '../core/calls/context.ts'
import type { RateLimits } from '../core/calls/limits.ts'
import { announceRightsChanged } from '../core/live/rightsChanged.ts'
import { log } from '../core/log.ts'
import { countSignIn } from '../core/watch/counters.ts'
import { type DemoUser, demoPassword, demoUsers } from '../demo/access.ts'
import { findActiveUser, findUserByPassword, recordSignIn } from './accounts.ts'
import { listActiveDemoPeople } from './demoPeople.ts'
import { parseFormField } from './formFields.ts'
import { escapeHtml, renderPage, renderProblem } from './html.ts'
import { mailSignInChange } from './mailSignInChange.ts'
import {
  type IdClaims,
  type OutsideIssuer,
  type OutsideSignInRequest,
  outsideCallbackPath,
  parseSignInIdFromState,
} from './outside/issuer.ts'
import { applyGroupClaim, findPersonByClaims } from './outside/people.ts'
import type { StoredIdToken } from './outside/storedIdTokens.ts'
import { beginPasskeySignIn, findPersonByPasskey, hasPasskey } from './passkeys/passkeys.ts'
import { getPasskeySite, type PasskeySite } from './passkeys/site.ts'
import { parsePasskeySignIn } from './passkeys/verification.ts'
import { forgottenPasswordPath } from './passwords/forgottenPasswordPage.ts'
import {
  completeAuthenticatorSetup,
  createAuthenticatorKey,
  findPendingAuthenticatorSetup,
  readSecondStep,
  redeemSecondStepCode,
  wrongCodeMessage,
} from './secondStep.ts'
import { renderAuthenticatorSetupPage, renderRecoveryCodesPage, renderSecondStepCodePage } from './secondStepPages.ts'
import { lockIfProofIsValid, type ProvenPerson } from './signIns.ts'

interface PageState {
  email?: string
  problem?: string
  passkeyProblem?: string
}

/** The passkey form. A script shows it if the browser supports passkeys. */
function passkeyForm(uid: string): string {
  return `<form id="passkey" method="post" action="/interaction/${escapeHtml(uid)}" hidden>
<input type="hidden" name="passkey">
<p class="or">or</p>
<button class="other" type="button">Use a passkey</button>
<p class="hint" role="status"></p>
</form>
<script type="module" src="/passkey.js"></script>`
}

/** One button for each person of the demo, if the installation has the demo. */
function demoForm(uid: string, people: readonly DemoUser[]): string {
  const buttons = people.map(
    ({ email, forename, surname, position, school }) =>
      `<button name="demo" value="${escapeHtml(email)}">${escapeHtml(`${forename} ${surname}`)}<small>${escapeHtml(school ? `${position}, ${school}` : position)}</small></button>`,
  )
  return `<form class="demo" method="post" action="/interaction/${escapeHtml(uid)}">
<h2>Look around as one of the demo users</h2>
${buttons.join('\n')}
</form>`
}

function page(
  uid: string,
  { takesPasskeys, demoPeople }: { takesPasskeys: boolean; demoPeople: readonly DemoUser[] },
  { email = '', problem, passkeyProblem }: PageState,
): string {
  const described = problem ? ' aria-describedby="problem" aria-invalid="true"' : ''
  return renderPage(
    'Sign in',
    'Budgets that schools can prove to the penny.',
    `<form method="post" action="/interaction/${escapeHtml(uid)}">
${renderProblem(problem ?? passkeyProblem ?? null)}
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="username${takesPasskeys ? ' webauthn' : ''}" required value="${escapeHtml(email)}"${email ? '' : ' autofocus'}${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${email ? ' autofocus' : ''}${described}>
<button type="submit">Sign in</button>
</form>
<p class="more"><a href="${forgottenPasswordPath}">Forgotten password</a></p>
${takesPasskeys ? passkeyForm(uid) : ''}
${demoPeople.length ? demoForm(uid, demoPeople) : ''}`,
  )
}

/** Page after a failed sign-in at the outside issuer: the reason, and a link to retry. */
function outsideProblemPage(uid: string, name: string, problem: string | null): string {
  return renderPage(
    'Sign in',
    'Budgets that schools can prove to the penny.',
    `${renderProblem(problem)}
<a class="button" href="/interaction/${escapeHtml(uid)}?choose=1" autofocus>Sign in with ${escapeHtml(name)}</a>`,
  )
}

/** Reads the posted form. Drops U+0000, which PostgreSQL cannot store and no address or password contains. */
function readForm(body: unknown) {
  const text = (name: string): string => parseFormField(body, name).replaceAll('\0', '').slice(0, 500)
  return { email: text('email'), password: text('password'), code: text('code'), again: text('again') !== '', goOn: text('goOn') !== '' }
}

/** A sign-in whose first step succeeded and whose next step is pending. It is stored with the provider's interaction. */
interface PendingSignIn extends StoredIdToken, ProvenPerson {
  next: 'code' | 'setUp' | 'recovery'
  /** Epoch milliseconds after which the sign-in must start again. */
  until: number
}

type IdentifiedPerson = Pick<PendingSignIn, 'userId' | 'endings' | 'idToken'>

/** Milliseconds for the second step, including setting up an app. */
const pendingMs = 15 * 60_000

/**
 * Counts a sign-in attempt by account and address, by account alone, and by address alone (notices K-32).
 * @returns seconds to wait, 0 for none
 */
async function countAttempt(limits: RateLimits, ipAddress: string, address: string): Promise<number> {
  const here = await limits.count('tries', `${ipAddress} ${address}`)
  const wait = here || Math.max(...(await Promise.all([limits.count('account', address), limits.count('place', ipAddress)])))
  if (wait) countSignIn('refused')
  return wait
}

const tooManyTries = (wait: number): string => `Too many attempts. Try again in ${wait} seconds.`

/** One message for every reason, so that it does not reveal whether an account exists. */
const passkeyRefused = 'This passkey was not accepted. Try again, or sign in with your password.'

/** Whether the issuer says it used multi-factor authentication (RFC 8176). */
const usedMultiFactor = ({ amr }: IdClaims): boolean => Array.isArray(amr) && amr.includes('mfa')

/**
 * Routes of the sign-in page: password or passkey, or the redirect to the outside issuer and back, then the second step if the person has
 * or needs one.
 */
export function createSignInRoutes(provider: Provider, services: Services, outside: OutsideIssuer | null): Router {
  const { config, store, limits } = services
  const routes = express.Router()
  const passkeys = getPasskeySite(config)
  async function signInPage(uid: string, state: PageState = {}): Promise<string> {
    return page(uid, { takesPasskeys: passkeys !== null, demoPeople: config.demo ? await listActiveDemoPeople(store) : [] }, state)
  }

  /** The state of a sign-in. Each part is null if it was not started or has expired. */
  async function loadSignInState(
    req: Request,
    res: Response,
  ): Promise<{ uid: string; half: PendingSignIn | null; question: OutsideSignInRequest | null }> {
    const { uid, result } = await provider.interactionDetails(req, res)
    // The provider returns what `remember` stored, unchanged.
    const { half, question } = (result ?? {}) as { half?: PendingSignIn; question?: OutsideSignInRequest }
    const unlessExpired = <Kept extends { until: number }>(stored: Kept | undefined): Kept | null =>
      stored && Date.now() < stored.until ? stored : null
    // An earlier version did not store `endings`; such a sign-in starts again.
    const isWhole = typeof half?.endings === 'number'
    return { uid, half: isWhole ? unlessExpired(half) : null, question: unlessExpired(question) }
  }

  const remember = (req: Request, res: Response, pending: { half: PendingSignIn } | { question: OutsideSignInRequest } | null) =>
    provider.interactionResult(req, res, { ...pending }, { mergeWithLastSubmission: false })

  async function completeSignIn(
    req: Request,
    res: Response,
    { uid, known: { userId, endings, idToken }, way }: { uid: string; known: IdentifiedPerson; way: SignInMethod },
  ): Promise<void> {
    if (!(await store.asPlatform((tx) => recordSignIn(tx, { userId, endings }, new Date())))) return refuseEndedSignIn(req, res, uid)
    countSignIn('ok')
    await provider.interactionFinished(
      req,
      res,
      { login: { accountId: String(userId), remember: true }, endings, way, ...(idToken && { idToken }) },
      { mergeWithLastSubmission: false },
    )
  }

  /** Refuses a sign-in because all sign-ins of the person were ended after they proved who they are, and shows the first page again. */
  async function refuseEndedSignIn(req: Request, res: Response, uid: string): Promise<void> {
    // The pending state may have been deleted with the other sign-ins.
    await remember(req, res, null).catch(() => undefined)
    const problem = 'You were signed out everywhere while signing in. Sign in again.'
    res.status(400).send(outside ? outsideProblemPage(uid, outside.settings.name, problem) : await signInPage(uid, { problem }))
  }

  /** Continues once the person is identified: with the second step if they have or need one, otherwise into the product. */
  async function continueSignIn(req: Request, res: Response, { uid, known }: { uid: string; known: IdentifiedPerson }): Promise<void> {
    const { isOn, isRequired } = await store.asPlatform((tx) => readSecondStep(tx, known.userId))
    if (!isOn && !isRequired) return completeSignIn(req, res, { uid, known, way: outside ? 'outside' : 'password' })
    if (!isOn) await store.asPlatform((tx) => createAuthenticatorKey(tx, known.userId))
    await remember(req, res, { half: { ...known, next: isOn ? 'code' : 'setUp', until: Date.now() + pendingMs } })
    res.redirect(303, `/interaction/${uid}`)
  }

  async function redirectToIssuer(
    req: Request,
    res: Response,
    { uid, outside: { settings, beginSignIn } }: { uid: string; outside: OutsideIssuer },
  ): Promise<void> {
    try {
      const { url, request } = await beginSignIn(uid, req.query.choose !== undefined)
      await remember(req, res, { question: request })
      res.redirect(303, url)
    } catch (error) {
      log.warn({ err: error }, 'the outside issuer could not be reached')
      const problem = `${settings.name} cannot be reached at the moment. Try again in a minute.`
      res.status(502).send(outsideProblemPage(uid, settings.name, problem))
    }
  }

  /** Handles the callback from the outside issuer. Its stored request is used up, whatever the answer says. */
  async function handleIssuerCallback(
    req: Request,
    res: Response,
    {
      state: { uid, question },
      outside: { settings, finishSignIn },
    }: { state: Awaited<ReturnType<typeof loadSignInState>>; outside: OutsideIssuer },
  ): Promise<void> {
    const refuse = (status: number, problem: string): void => void res.status(status).send(outsideProblemPage(uid, settings.name, problem))
    if (!question || req.query.state !== question.state) return refuse(400, 'This sign-in took too long or was started again. Try again.')
    await remember(req, res, null)
    const answered = await finishSignIn(new URL(req.originalUrl, config.origin).searchParams.toString(), question).catch((error) => {
      // Log only the error code: the rest may contain the authorisation code.
      log.info({ why: String(error?.error ?? error?.code ?? error?.name) }, 'a reply from the outside issuer was refused')
      return null
    })
    if (!answered) return refuse(400, `The sign-in at ${settings.name} was not finished. Try again.`)
    const { claims, idToken } = answered
    const person = await store.asPlatform((tx) => findPersonByClaims(tx, claims, settings))
    if (typeof person === 'string') return refuse(403, person)
    const changed = await store
      .asPlatform((tx) => applyGroupClaim(tx, person, { claims, settings, requestId: toLoggedCallId(res.locals.requestId) }))
      .catch((error) => {
        if (!(error instanceof DomainError) || error.code !== 'lastAdministrator') throw error
        log.warn(
          { userId: person.id },
          'the groups of the issuer would leave nobody who can manage users: the user groups of this person are unchanged',
        )
        return false
      })
    if (changed) await announceRightsChanged(services)
    const known = { userId: person.id, endings: person.endings, idToken }
    if (settings.secondStep === 'issuer' || usedMultiFactor(claims)) return completeSignIn(req, res, { uid, known, way: 'outside' })
    return continueSignIn(req, res, { uid, known })
  }

  async function handlePassword(req: Request, res: Response, uid: string): Promise<void> {
    const demoUser = config.demo ? demoUsers.find((user) => user.email === parseFormField(req.body, 'demo')) : undefined
    const { email, password } = demoUser ? { email: demoUser.email, password: demoPassword } : readForm(req.body)
    const [ipAddress, address] = [String(req.ip), email.trim().toLowerCase()]
    const wait = await countAttempt(limits, ipAddress, address)
    if (wait > 0)
      return void res
        .status(429)
        .set('Retry-After', String(wait))
        .send(await signInPage(uid, { email, problem: tooManyTries(wait) }))
    const known = await findUserByPassword(store, email, password)
    if (!known) {
      countSignIn('refused')
      return void res
        .status(400)
        .send(await signInPage(uid, { email, problem: 'The email or password is wrong. Check both and try again.' }))
    }
    await Promise.all([limits.forgive('account', address), limits.forgive('place', ipAddress)])
    return continueSignIn(req, res, { uid, known })
  }

  /** A passkey counts as both steps, because the device verified its owner. */
  async function handlePasskey(req: Request, res: Response, { uid, site }: { uid: string; site: PasskeySite }): Promise<void> {
    const used = parsePasskeySignIn(parseFormField(req.body, 'passkey'))
    const [ipAddress, which] = [String(req.ip), `passkey ${used?.id ?? ''}`]
    const wait = await countAttempt(limits, ipAddress, which)
    if (wait > 0)
      return void res
        .status(429)
        .set('Retry-After', String(wait))
        .send(await signInPage(uid, { passkeyProblem: tooManyTries(wait) }))
    const known = await findPersonByPasskey(store, site, { uid, used, requestId: toLoggedCallId(res.locals.requestId), now: new Date() })
    if (!known) {
      countSignIn('refused')
      return void res.status(400).send(await signInPage(uid, { passkeyProblem: passkeyRefused }))
    }
    await Promise.all([limits.forgive('account', which), limits.forgive('place', ipAddress)])
    return completeSignIn(req, res, { uid, known, way: 'passkey' })
  }

  async function startAgain(req: Request, res: Response, uid: string): Promise<void> {
    await remember(req, res, null)
    // Do not redirect to the issuer here: this page's CSP forbids forms that lead to other sites.
    if (outside) return void res.send(outsideProblemPage(uid, outside.settings.name, null))
    res.redirect(303, req.originalUrl)
  }

  async function sendNext(
    req: Request,
    res: Response,
    { uid, half: { userId, next }, problem }: { uid: string; half: PendingSignIn; problem: string | null },
  ): Promise<void> {
    const holdsPasskey = passkeys !== null && (await store.asPlatform((tx) => hasPasskey(tx, userId)))
    if (next === 'code') return void res.send(renderSecondStepCodePage(uid, holdsPasskey, problem))
    if (next === 'recovery') return void res.send(renderRecoveryCodesPage(uid, null))
    const enrolment = await store.asPlatform((tx) => findPendingAuthenticatorSetup(tx, userId))
    // The person finished the setup in another window: start again, so that they enter a code after the password.
    if (!enrolment) return startAgain(req, res, uid)
    res.send(renderAuthenticatorSetupPage(uid, enrolment, { holdsPasskey, problem }))
  }

  async function handleSecondStep(req: Request, res: Response, { uid, half }: { uid: string; half: PendingSignIn }): Promise<void> {
    const { userId, next } = half
    const { code, goOn } = readForm(req.body)
    const user = await findActiveUser(store, userId)
    if (!user) return void res.redirect('/')
    const way = outside ? 'outsideAndCode' : 'passwordAndCode'
    if (next === 'recovery') return goOn ? completeSignIn(req, res, { uid, known: half, way }) : void res.redirect(303, req.originalUrl)
    const [userKey, ipAddress] = [`user ${userId}`, String(req.ip)]
    const wait = Math.max(...(await Promise.all([limits.count('codes', userKey), limits.count('place', ipAddress)])))
    if (wait) {
      countSignIn('refused')
      res.status(429).set('Retry-After', String(wait))
      return sendNext(req, res, { uid, half, problem: tooManyTries(wait) })
    }
    const actor = { userId, requestId: toLoggedCallId(res.locals.requestId), now: new Date() }
    const forgive = () => Promise.all([limits.forgive('codes', userKey), limits.forgive('place', ipAddress)])
    if (next === 'code') {
      const used = await store.asPlatform((tx) => redeemSecondStepCode({ tx, actor }, userId, code))
      if (!used) {
        countSignIn('refused')
        res.status(400)
        return sendNext(req, res, { uid, half, problem: wrongCodeMessage })
      }
      await forgive()
      if (used === 'recovery') await mailSignInChange(config, user, 'recoveryCodeUsed')
      return completeSignIn(req, res, { uid, known: half, way })
    }
    const codes = await store.asPlatform(
      async (tx) => (await lockIfProofIsValid(tx, half)) && completeAuthenticatorSetup({ tx, actor }, userId, code),
    )
    if (codes === false) return refuseEndedSignIn(req, res, uid)
    if (!codes) {
      countSignIn('refused')
      res.status(400)
      return sendNext(req, res, { uid, half, problem: wrongCodeMessage })
    }
    await forgive()
    await mailSignInChange(config, user, 'secondStepOn')
    await remember(req, res, { half: { ...half, next: 'recovery' } })
    res.send(renderRecoveryCodesPage(uid, codes))
  }

  routes.use('/interaction', (_req, res, next) => {
    res.set('Cache-Control', 'no-store')
    next()
  })
  routes.get('/interaction/:uid', async (req, res) => {
    try {
      const { uid, half } = await loadSignInState(req, res)
      if (half) await sendNext(req, res, { uid, half, problem: null })
      else if (outside) await redirectToIssuer(req, res, { uid, outside })
      else res.send(await signInPage(uid))
    } catch {
      res.redirect('/')
    }
  })
  if (passkeys)
    routes.post('/interaction/:uid/passkey', async (req, res) => {
      const wait = await limits.count('beginnings', String(req.ip))
      if (wait) return void res.status(429).set('Retry-After', String(wait)).json(null)
      try {
        const { uid } = await loadSignInState(req, res)
        res.json(await store.asPlatform((tx) => beginPasskeySignIn(tx, passkeys, uid)))
      } catch {
        res.status(410).json(null)
      }
    })
  if (outside) {
    // Only one callback address is registered, but the interaction cookie is scoped to the interaction's own path.
    routes.get(outsideCallbackPath, (req, res) => {
      const uid = parseSignInIdFromState(req.query.state)
      const { searchParams } = new URL(req.originalUrl, config.origin)
      res.set('Cache-Control', 'no-store').set('Referrer-Policy', 'no-referrer')
      res.redirect(303, uid ? `/interaction/${uid}/answer?${searchParams}` : '/')
    })
    routes.get('/interaction/:uid/answer', async (req, res) => {
      const state = await loadSignInState(req, res).catch(() => null)
      if (!state) return res.redirect('/')
      try {
        await handleIssuerCallback(req, res, { state, outside })
      } catch (error) {
        // Redirecting to the start would loop: the issuer would send the person straight back.
        log.error({ err: error }, 'completing a sign-in with the outside issuer failed')
        const problem = 'Something went wrong here. Try again, or ask the person who manages users.'
        if (!res.headersSent) res.status(500).send(outsideProblemPage(state.uid, outside.settings.name, problem))
      }
    })
  }
  routes.post('/interaction/:uid', urlencoded({ extended: false, limit: '10kb' }), async (req, res) => {
    try {
      const { uid, half } = await loadSignInState(req, res)
      if (passkeys && parseFormField(req.body, 'passkey')) return await handlePasskey(req, res, { uid, site: passkeys })
      if (!half && outside) return await startAgain(req, res, uid)
      if (!half) return await handlePassword(req, res, uid)
      if (!readForm(req.body).again) return await handleSecondStep(req, res, { uid, half })
      await startAgain(req, res, uid)
    } catch (error) {
      log.info({ err: error }, 'a sign-in page was out of date')
      res.redirect('/')
    }
  })
  return routes
}
