import { type Configuration, Provider } from 'oidc-provider'
import { signInWays } from '../../domain/people/signInWay.ts'
import { userIdOf } from '../../domain/values/ids.ts'
import { isKeyOf } from '../../domain/values/keysOf.ts'
import { must } from '../../domain/values/must.ts'
import type { Services } from '../core/calls/context.ts'
import type { Limits } from '../core/calls/limits.ts'
import type { Config } from '../core/config.ts'
import { tellRightsChanged } from '../core/live/rightsChanged.ts'
import { log } from '../core/log.ts'
import { sha256 } from '../core/stream/hash.ts'
import { activeUser } from './accounts.ts'
import { adapterFor, betweenSecrets } from './adapter.ts'
import { browserClientId } from './browserClient.ts'
import type { SigningKeys } from './keys.ts'
import { holdIdToken, takeIdToken } from './outside/heldIdTokens.ts'
import type { OutsideIssuer } from './outside/issuer.ts'
import { escaped } from './page.ts'
import { endSignInOfGrant, noteSignInUse, signInClaim } from './signIns.ts'

/** Access tokens are short-lived; the browser renews them silently. */
const accessTokenSeconds = 600

export function audienceOf(config: Config): string {
  return `${config.origin}/api`
}

export function issuerOf(config: Config): string {
  return `${config.origin}/oidc`
}

/** The embedded OpenID Connect issuer: code flow with PKCE for people, client credentials for external systems. */
export function createProvider(services: Services, keys: SigningKeys, outside: OutsideIssuer | null): Provider {
  const { config, store, limits } = services
  const scope = 'openid profile email api'
  const configuration: Configuration = {
    adapter: adapterFor(store),
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
      // Nobody uses them, and each would keep rows for whoever asks.
      pushedAuthorizationRequests: { enabled: false },
      dPoP: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource, postLogoutSuccessSource: (ctx) => ctx.redirect('/loggedout') },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audienceOf(config),
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'api',
          audience: audienceOf(config),
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
      const user = await activeUser(store, userIdOf(Number(sub)))
      return user && { accountId: sub, claims: () => ({ sub, name: `${user.forename} ${user.surname}`, email: user.email }) }
    },
    loadExistingGrant: async (ctx) => {
      const existing = ctx.oidc.session?.grantIdFor(must(ctx.oidc.client).clientId)
      const found = existing ? await ctx.oidc.provider.Grant.find(existing) : undefined
      const { idToken, way, endings } = ctx.oidc.result ?? {}
      const by = found ? null : typeof endings === 'number' ? { endings } : existing ? { signInId: existing } : undefined
      // Known to the session, and by no sign-in that counts: without a grant the page of the sign-in comes again.
      if (by === undefined) return undefined
      const grant =
        found ??
        new ctx.oidc.provider.Grant({ clientId: must(ctx.oidc.client).clientId, accountId: must(must(ctx.oidc.session).accountId) })
      grant.addOIDCScope(scope)
      grant.addResourceScope(audienceOf(config), 'api')
      const id = await grant.save()
      const seen = { agent: ctx.get('user-agent'), address: ctx.ip, way: typeof way === 'string' && isKeyOf(signInWays, way) ? way : null }
      if (!(await noteSignInUse(store, { id, userId: userIdOf(Number(grant.accountId)), by, ...seen }))) {
        await grant.destroy()
        return undefined
      }
      if (typeof idToken === 'string') await store.asPlatform((tx) => holdIdToken(tx, id, { accountId: String(grant.accountId), idToken }))
      return grant
    },
    extraTokenClaims: (_ctx, token) =>
      token.kind === 'AccessToken' && 'grantId' in token && token.grantId ? { [signInClaim]: token.grantId } : undefined,
    renderError: (ctx, out) => {
      log.info({ error: out.error }, 'sign-in refused')
      ctx.type = 'html'
      ctx.body = '<!doctype html><title>Bursar</title><p>This sign-in link is no longer valid. <a href="/">Start again</a>.</p>'
    },
    clientBasedCORS: (_ctx, origin) => origin === config.origin,
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
  }
  const provider = new Provider(issuerOf(config), configuration)
  // What the headers of a proxy say is written by us, from the one public address.
  provider.proxy = true
  limitCalls(provider, limits)
  if (outside) endOutside(provider, services, outside)
  // Secrets of API clients are kept as digests; where the provider compares them, its types do not say.
  const client = provider.Client as { prototype: { compareClientSecret(actual: string): boolean; clientSecret?: string } }
  client.prototype.compareClientSecret = function compare(this: { clientSecret?: string }, actual: string) {
    return (this.clientSecret ?? '').split(betweenSecrets).includes(sha256(actual))
  }
  provider.on('grant.revoked', (_ctx, grantId) => {
    store
      .asPlatform((tx) => endSignInOfGrant(tx, grantId))
      .then(() => tellRightsChanged(services))
      .catch((error) => log.error({ err: error }, 'a sign-in could not be ended'))
  })
  provider.on('grant.error', (_ctx, error) => log.info({ err: error }, 'token refused'))
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'sign-in failed'))
  return provider
}

/** Who signs out here is signed out at the outside issuer too, where it has a place for it; else they are told that they still are signed in there. */
function endOutside(provider: Provider, { store, config }: Services, { endOf, settings }: OutsideIssuer): void {
  const ended = new WeakMap<object, string>()
  provider.on('grant.revoked', (ctx, grantId) => void ended.set(ctx, grantId))
  provider.use(async (ctx, next) => {
    await next()
    const grantId = ended.get(ctx)
    if (!grantId || !ctx.path.endsWith('/session/end/confirm') || ctx.response.get('location') !== `${config.origin}/loggedout`) return
    const idToken = await store.asPlatform((tx) => takeIdToken(tx, grantId))
    const end = idToken && (await endOf(idToken))
    if (!end) return ctx.redirect('/loggedout?elsewhere=1')
    // A page of its own leads there: browsers let no form, as that of signing out is, lead to another site that its page does not name.
    ctx.status = 200
    ctx.remove('Location')
    ctx.type = 'html'
    ctx.body = `<!doctype html><html lang="en"><title>Signing out</title><meta http-equiv="refresh" content="0;url=${escaped(end)}"><body><p><a href="${escaped(end)}">Sign out at ${escaped(settings.name)} too</a></p></body></html>`
  })
}

/** Addresses that keep a row for whoever asks: beginnings of a sign-in, and a session that is to be ended. */
const keepingRows = new Set(['/auth', '/session/end', '/session/end/confirm'])

/**
 * Limits what anybody may ask. What keeps rows is limited by the place it is asked from. Of tokens only what is refused is counted, by the
 * place and by the client: secrets and codes are too long to be guessed, so that a right one is taken whatever others tried beside it.
 */
function limitCalls(provider: Provider, limits: Limits): void {
  provider.use(async (ctx, next) => {
    const path = routeOf(ctx.path)
    const refuse = (wait: number): void => {
      ctx.status = 429
      ctx.set('Retry-After', String(wait))
      ctx.type = 'text/plain'
      ctx.body = `Too many requests. Try again in ${wait} seconds.`
    }
    if (keepingRows.has(path)) {
      const wait = await limits.count('beginnings', ctx.ip)
      return wait ? refuse(wait) : next()
    }
    await next()
    if (path !== '/token' || ctx.status < 400 || ctx.status >= 500) return
    const waits = [await limits.count('tokens', ctx.ip), await limits.count('place', ctx.ip)]
    // Who signs in by a password behind the same address is not counted with it.
    await limits.forgive('place', ctx.ip)
    const clientId = ctx.oidc?.params?.client_id
    if (typeof clientId === 'string') waits.push(await limits.count('account', `client ${clientId}`))
    const wait = Math.max(...waits)
    if (wait) refuse(wait)
  })
}

/** The address of the issuer that a path leads to, below `/oidc` or without it, however it is written. */
function routeOf(path: string): string {
  const whole = path.replace(/^\/oidc(?=\/)/, '').replace(/\/+$/, '')
  try {
    return decodeURIComponent(whole).toLowerCase()
  } catch {
    return whole
  }
}

/** Signing out asks nothing: the form is sent by itself, or by its button where scripts are off. */
function logoutSource(
  ctx: Parameters<NonNullable<NonNullable<NonNullable<Configuration['features']>['rpInitiatedLogout']>['logoutSource']>>[0],
  form: string,
): void {
  ctx.type = 'html'
  ctx.body = `<!doctype html><html lang="en"><title>Signing out</title><body>${form}<button form="op.logoutForm" name="logout" value="yes" autofocus>Sign out</button><script src="/signout.js"></script></body></html>`
}
