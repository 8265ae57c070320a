import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, interactionPolicy, Provider } from 'oidc-provider'

/** A user’s account at an outside issuer, with the claims of its ID tokens. */
export type Account = { sub: string } & Record<string, unknown>

export interface TestIssuer {
  issuer: string
  clientId: string
  clientSecret: string
  /** Chooses who signs in there next. The page that would ask for their password is skipped. */
  chooseAccount(account: Account): void
  /** The parameters of the last authorisation request. */
  lastRequest(): URLSearchParams
  /** The parameters of the last logout request. */
  lastLogout(): URLSearchParams | null
  close(): void
}

/**
 * Starts a second OpenID Connect provider. Its access tokens are opaque, as Google’s are to everybody else, and its ID tokens contain
 * exactly the account’s claims.
 * @param endsSessions whether it has an `end_session_endpoint`, as Microsoft has and Google has not
 */
export async function startOutsideIssuer(
  callback: string,
  { endsSessions, loggedOut }: { endsSessions: boolean; loggedOut: string },
): Promise<TestIssuer> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, done))
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`
  const [clientId, clientSecret] = ['bursar-at-work', 'a secret that only the two of them know']
  const accounts = new Map<string, Account>()
  let current: Account = { sub: 'nobody' }
  let lastQuery = new URLSearchParams()
  let ended: URLSearchParams | null = null
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  const claims = ['email', 'email_verified', 'name', 'groups', 'oid', 'tid', 'preferred_username', 'amr', '_claim_names', 'hd']
  const configuration: Configuration = {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
        redirect_uris: [callback],
        post_logout_redirect_uris: [loggedOut],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    // Google and Microsoft put the claims into the ID token itself.
    conformIdTokenClaims: false,
    claims: { openid: ['sub', ...claims] },
    scopes: ['openid', 'profile', 'email'],
    // Cookies do not depend on the port, and the product’s own issuer is on the same host.
    cookies: { keys: ['of tests'], names: { session: '_there', interaction: '_there_interaction', resume: '_there_resume' } },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: endsSessions } },
    interactions: { policy, url: (_ctx, { uid }) => `/here/${uid}` },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => accounts.get(sub)! }),
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({ clientId, accountId: ctx.oidc.session!.accountId! })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  }
  const provider = new Provider(issuer, configuration)
  provider.use(async (ctx, next) => {
    if (ctx.path === '/auth') lastQuery = new URLSearchParams(ctx.querystring)
    // Nobody stays signed in there: every sign-in asks who the user is.
    if (ctx.path.startsWith('/auth')) ctx.req.headers.cookie = ctx.req.headers.cookie?.replace(/(^|; )_there=[^;]*/, '')
    if (ctx.path === '/session/end') ended = new URLSearchParams(ctx.querystring)
    await next()
  })
  const answer = provider.callback()
  server.on('request', (req, res) => {
    if (!req.url?.startsWith('/here/')) return void answer(req, res)
    accounts.set(current.sub, current)
    const { sub, amr } = current
    const login = { accountId: sub, ...(Array.isArray(amr) && { amr }) }
    provider.interactionFinished(req, res, { login, select_account: {} }).catch(() => res.writeHead(500).end())
  })
  return {
    issuer,
    clientId,
    clientSecret,
    chooseAccount: (account) => {
      current = account
    },
    lastRequest: () => lastQuery,
    lastLogout: () => ended,
    close: () => void server.close(),
  }
}
