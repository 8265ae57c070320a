import * as oidc from 'openid-client'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { Config } from '../../core/config.ts'
import type { IssuerSettings } from '../../core/outsideSettings.ts'

/** The redirect URI registered with the outside issuer. */
export const outsideCallbackPath = '/sign-in/callback'

export interface OutsideSignInRequest {
  state: string
  nonce: string
  verifier: string
  /** Epoch milliseconds after which a callback is refused. */
  until: number
}

/** Milliseconds a person has to sign in at the issuer. */
const requestMs = 15 * 60_000

const timeoutSeconds = 10

export type IdClaims = { iss: string; sub: string } & Record<string, unknown>

export interface OutsideIssuer {
  settings: IssuerSettings
  /** Loads the issuer's metadata. @throws Error if it cannot be reached or its name differs from the setting */
  loadMetadata(): Promise<void>
  /**
   * Starts a sign-in at the issuer.
   * @param uid id of the local sign-in; the callback returns it
   * @param choose whether to show the account chooser, so that a person signed in with the wrong account can pick another
   * @throws Error if the issuer cannot be reached
   */
  beginSignIn(uid: string, choose: boolean): Promise<{ url: string; request: OutsideSignInRequest }>
  /**
   * Exchanges the callback's code for an ID token.
   * @param query the callback's query string
   * @throws Error if validation fails
   */
  finishSignIn(query: string, request: OutsideSignInRequest): Promise<{ claims: IdClaims; idToken: string }>
  /** Returns the issuer's sign-out URL; null if the issuer offers none, like Google, or cannot be reached. */
  signOutUrl(idToken: string): Promise<string | null>
}

/** Extracts the local sign-in from the `state` parameter; null if it is not one of ours. */
export function parseSignInIdFromState(state: unknown): string | null {
  return (typeof state === 'string' && /^([\w-]{10,64})\.[\w-]{20,}$/.exec(state)?.[1]) || null
}

/** Creates the client of the configured outside issuer. It loads the issuer's metadata on first use and retries until that succeeds. */
export function createOutsideIssuer({ origin }: Pick<Config, 'origin'>, settings: IssuerSettings): OutsideIssuer {
  const { issuer, clientId, clientSecret } = settings
  let metadata: Promise<oidc.Configuration> | undefined
  const discover = (): Promise<oidc.Configuration> => {
    metadata ??= oidc.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === null ? oidc.None() : oidc.ClientSecretPost(clientSecret),
      {
        timeout: timeoutSeconds,
        // Verify the signature although the token comes straight from the issuer. Plain HTTP is allowed only for an issuer on this machine
        // (outsideSettings.ts).
        execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [])],
      },
    )
    metadata.catch(() => (metadata = undefined))
    return metadata
  }
  return {
    settings,
    loadMetadata: async () => void (await discover()),
    async beginSignIn(uid, choose) {
      const configuration = await discover()
      const [state, nonce, verifier] = [`${uid}.${oidc.randomState()}`, oidc.randomNonce(), oidc.randomPKCECodeVerifier()]
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: origin + outsideCallbackPath,
        scope: 'openid profile email',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(choose && { prompt: 'select_account' }),
      })
      return { url: url.href, request: { state, nonce, verifier, until: Date.now() + requestMs } }
    },
    async finishSignIn(query, { state, nonce, verifier }) {
      const tokens = await oidc.authorizationCodeGrant(await discover(), new URL(`${origin}${outsideCallbackPath}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      return { claims: assertDefined(tokens.claims()), idToken: assertDefined(tokens.id_token) }
    },
    async signOutUrl(idToken) {
      const configuration = await discover().catch(() => null)
      if (!configuration?.serverMetadata().end_session_endpoint) return null
      const end = { id_token_hint: idToken, post_logout_redirect_uri: `${origin}/loggedout` }
      return oidc.buildEndSessionUrl(configuration, end).href
    },
  }
}
