import { type Configuration, Provider } from 'oidc-provider'
import { signInMethodNames } from '../../domain/people/signInMethod.ts'
import { assertDefined } from '../../domain/values/assertDefined.ts'
import { toUserId } from '../../domain/values/ids.ts'
import { isKeyOf } from '../../domain/values/keysOf.ts'
import type { Services } from '../core/calls/context.ts'
import type { RateLimits } from '../core/calls/limits.ts'
import type { Config } from '../core/config.ts'
import { announceRightsChanged } from '../core/live/rightsChanged.ts'
import { log } from '../core/log.ts'
import { sha256 } from '../core/stream/hash.ts'
import { findActiveUser } from './accounts.ts'
import { createIssuerAdapterClass, secretSeparator } from './adapter.ts'
import { browserClientId } from './browserClient.ts'
import { escapeHtml } from './html.ts'
import type { SigningKeys } from './keys.ts'
import type { OutsideIssuer } from './outside/issuer.ts'
import { storeIdToken, takeStoredIdToken } from './outside/storedIdTokens.ts'
import { endSignInOfGrant, recordSignInUse, signInIdClaim } from './signIns.ts'

/** Can be short, because the browser renews access tokens silently. */
const accessTokenSeconds = 600

export function getApiAudience(config: Config): string {
  return `${config.origin}/api`
}

export function getIssuerUrl(config: Config): string {
  return `${config.origin}/oidc`
}

/** Creates the embedded OpenID Connect issuer: code flow with PKCE for people, client credentials for other systems. */
export function createProvider(services: Services, keys: SigningKeys, outside: OutsideIssuer | null): Provider {
  const { config, store, limits } = services
  const scope = 'openid profile email api'
  const configuration: Configuration = {
    adapter: createIssuerAdapterClass(store),
    jwks: keys.jwks,
    clients: [
      {
        client_id: browserClientId,
        client_name: 'Bursar',
        application_type: 'web',
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        redirect_uris: [`${config.origin}/auth/callback`, `${config.origin}/auth/silent-renew`],
        post_logout_redirect_uris: [`${config.origin}/loggedout`],
      },
    ],
    cookies: { keys: keys.cookieSecrets, long: { signed: true, sameSite: 'lax' }, short: { signed: true, sameSite: 'lax' } },
    scopes: ['openid', 'profile', 'email', 'api'],
    claims: { openid: ['sub'], profile: ['name'], email: ['email'] },
    pkce: { required: () => true },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      // These features are not used, and their endpoints would store rows for anonymous requests.
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource, postLogoutSuccessSource: (ctx) => ctx.redirect('/loggedout') },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => getApiAudience(config),
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'api',
          audience: getApiAudience(config),
          accessTokenFormat: 'jwt',
          accessTokenTTL: accessTokenSeconds,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    ttl: {
      AccessToken: accessTokenSeconds,
      ClientCredentials: accessTokenSeconds,
      AuthorizationCode: 60,
      IdToken: accessTokenSeconds,
      Interaction: 3600,
      Session: 12 * 3600,
      Grant: 12 * 3600,
    },
    findAccount: async (_ctx, sub) => {
      const user = await findActiveUser(store, toUserId(Number(sub)))
      return user && { accountId: sub, claims: () => ({ sub, name: `${user.forename} ${user.surname}`, email: user.email }) }
    },
    loadExistingGrant: async (ctx) => {
      const grantId = ctx.oidc.session?.grantIdFor(assertDefined(ctx.oidc.client).clientId)
      const existingGrant = grantId ? await ctx.oidc.provider.Grant.find(grantId) : undefined
      const { idToken, way, endings } = ctx.oidc.result ?? {}
      const by = existingGrant ? null : typeof endings === 'number' ? { endings } : grantId ? { signInId: grantId } : undefined
      // The session exists but has no valid sign-in. Without a grant, the provider shows the sign-in page again.
      if (by === undefined) return undefined
      const grant =
        existingGrant ??
        new ctx.oidc.provider.Grant({
          clientId: assertDefined(ctx.oidc.client).clientId,
          accountId: assertDefined(assertDefined(ctx.oidc.session).accountId),
        })
      grant.addOIDCScope(scope)
      grant.addResourceScope(getApiAudience(config), 'api')
      const id = await grant.save()
      const seen = {
        agent: ctx.get('user-agent'),
        address: ctx.ip,
        way: typeof way === 'string' && isKeyOf(signInMethodNames, way) ? way : null,
      }
      if (!(await recordSignInUse(store, { id, userId: toUserId(Number(grant.accountId)), by, ...seen }))) {
        await grant.destroy()
        return undefined
      }
      if (typeof idToken === 'string') await store.asPlatform((tx) => storeIdToken(tx, id, { accountId: String(grant.accountId), idToken }))
      return grant
    },
    extraTokenClaims: (_ctx, token) =>
      token.kind === 'AccessToken' && 'grantId' in token && token.grantId ? { [signInIdClaim]: token.grantId } : undefined,
    renderError: (ctx, out) => {
      log.info({ error: out.error }, 'sign-in refused')
      ctx.type = 'html'
      ctx.body = '<!doctype html><title>Bursar</title><p>This sign-in link is no longer valid. <a href="/">Start again</a>.</p>'
    },
    clientBasedCORS: (_ctx, origin) => origin === config.origin,
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
  }
  const provider = new Provider(getIssuerUrl(config), configuration)
  // The forwarded headers are safe to trust, because `usePublicAddress` in app.ts writes them.
  provider.proxy = true
  limitIssuerCalls(provider, limits)
  if (outside) signOutAtIssuer(provider, services, outside)
  // Client secrets are stored as digests, so compare digests. The provider's types do not declare this method.
  const client = provider.Client as { prototype: { compareClientSecret(actual: string): boolean; clientSecret?: string } }
  client.prototype.compareClientSecret = function compare(this: { clientSecret?: string }, actual: string) {
    return (this.clientSecret ?? '').split(secretSeparator).includes(sha256(actual))
  }
  provider.on('grant.revoked', (_ctx, grantId) => {
    store
      .asPlatform((tx) => endSignInOfGrant(tx, grantId))
      .then(() => announceRightsChanged(services))
      .catch((error) => log.error({ err: error }, 'a sign-in could not be ended'))
  })
  provider.on('grant.error', (_ctx, error) => log.info({ err: error }, 'token refused'))
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'sign-in failed'))
  return provider
}

/**
 * Makes sign-out also end the session at the outside issuer. If the issuer cannot do that, the page says that the person is still signed in
 * there.
 */
function signOutAtIssuer(provider: Provider, { store, config }: Services, { signOutUrl, settings }: OutsideIssuer): void {
  const ended = new WeakMap<object, string>()
  provider.on('grant.revoked', (ctx, grantId) => void ended.set(ctx, grantId))
  provider.use(async (ctx, next) => {
    await next()
    const grantId = ended.get(ctx)
    if (!grantId || !ctx.path.endsWith('/session/end/confirm') || ctx.response.get('location') !== `${config.origin}/loggedout`) return
    const idToken = await store.asPlatform((tx) => takeStoredIdToken(tx, grantId))
    const end = idToken && (await signOutUrl(idToken))
    if (!end) return ctx.redirect('/loggedout?elsewhere=1')
    // Redirect through a page, because the form's CSP forbids redirects to other sites.
    ctx.status = 200
    ctx.remove('Location')
    ctx.type = 'html'
    ctx.body = `<!doctype html><html lang="en"><title>Signing out</title><meta http-equiv="refresh" content="0;url=${escapeHtml(end)}"><body><p><a href="${escapeHtml(end)}">Sign out at ${escapeHtml(settings.name)} too</a></p></body></html>`
  })
}

/** Endpoints that store rows for anonymous requests. */
const storingPaths = new Set(['/auth', '/session/end', '/session/end/confirm'])

/**
 * Rate-limits the issuer. Endpoints that store rows are limited by IP address. At the token endpoint only refusals count, by address and by
 * client: secrets and codes are too long to guess, so a valid one must work whatever others tried.
 */
function limitIssuerCalls(provider: Provider, limits: RateLimits): void {
  provider.use(async (ctx, next) => {
    const path = normaliseRoute(ctx.path)
    const refuse = (wait: number): void => {
      ctx.status = 429
      ctx.set('Retry-After', String(wait))
      ctx.type = 'text/plain'
      ctx.body = `Too many requests. Try again in ${wait} seconds.`
    }
    if (storingPaths.has(path)) {
      const wait = await limits.count('beginnings', ctx.ip)
      return wait ? refuse(wait) : next()
    }
    await next()
    if (path !== '/token' || ctx.status < 400 || ctx.status >= 500) return
    const waits = [await limits.count('tokens', ctx.ip), await limits.count('place', ctx.ip)]
    // Refused tokens must not block people who sign in with a password from the same address.
    await limits.forgive('place', ctx.ip)
    const clientId = ctx.oidc?.params?.client_id
    if (typeof clientId === 'string') waits.push(await limits.count('account', `client ${clientId}`))
    const wait = Math.max(...waits)
    if (wait) refuse(wait)
  })
}

/** The issuer's route for a path, with or without `/oidc`, ignoring case, encoding and trailing slashes. */
function normaliseRoute(path: string): string {
  const whole = path.replace(/^\/oidc(?=\/)/, '').replace(/\/+$/, '')
  try {
    return decodeURIComponent(whole).toLowerCase()
  } catch {
    return whole
  }
}

/** Signs out without confirmation: a script submits the form, or the button does where scripts are off. */
function logoutSource(
  ctx: Parameters<NonNullable<NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']>['logoutSource']>>[0],
  form: string,
): void {
  ctx.type = 'html'
  ctx.body = `<!doctype html><html lang="en"><title>Signing out</title><body>${form}<button form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button><script src="/signout.js"></script></body></html>`
}
