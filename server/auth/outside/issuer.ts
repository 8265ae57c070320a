import * as oidc from 'openid-client'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { Config } from '../../core/config.ts'
import type { OutsideSettings } from '../../core/outsideSettings.ts'

/** Where an outside issuer sends people back to, as it is registered there. */
export const outsideCallbackPath = '/sign-in/callback'

/** What is kept here of a question to the issuer while a person is there, and spent by its answer. */
export interface OutsideQuestion {
  state: string
  nonce: string
  verifier: string
  /** Milliseconds of the clock; an answer after it is not taken. */
  until: number
}

/** Milliseconds that somebody has to sign in at the issuer. */
const questionMs = 15 * 60_000

/** Seconds that the issuer has for each answer to us. */
const timeoutSeconds = 10

/** What an ID token says, as far as it is looked at. */
export type IdClaims = { iss: string; sub: string } & Record<string, unknown>

/** The sign-in that an installation brings itself. What people do there ends in an ID token, which is checked whole; access tokens of it are not looked at. */
export interface OutsideIssuer {
  settings: OutsideSettings
  /** Asks the issuer what it is. @throws Error where it cannot be reached, or is another than the setting says */
  reach(): Promise<void>
  /**
   * Begins a sign-in there.
   * @param uid the sign-in here that it belongs to, which the answer names
   * @param choose whether people choose an account anew, so that who is signed in there with another one is not sent back as that one
   * @throws Error where the issuer cannot be reached
   */
  ask(uid: string, choose: boolean): Promise<{ url: string; question: OutsideQuestion }>
  /** Takes the answer: the code for an ID token. @param query what the issuer sent back @throws Error for an answer that does not hold */
  answer(query: string, question: OutsideQuestion): Promise<{ claims: IdClaims; idToken: string }>
  /** Where a sign-in there is ended; null where the issuer knows no such place, as Google does not, or cannot be reached. */
  endOf(idToken: string): Promise<string | null>
}

/** Which sign-in here an answer of the issuer belongs to; null for what is no answer to us. */
export function signInOfState(state: unknown): string | null {
  return (typeof state === 'string' && /^([\w-]{10,64})\.[\w-]{20,}$/.exec(state)?.[1]) || null
}

/** Speaks with the outside issuer of the installation; its own description says where, and is asked for again until it answers. */
export function outsideIssuer({ origin }: Pick<Config, 'origin'>, settings: OutsideSettings): OutsideIssuer {
  const { issuer, clientId, clientSecret } = settings
  let described: Promise<oidc.Configuration> | undefined
  const discover = (): Promise<oidc.Configuration> => {
    described ??= oidc.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === null ? oidc.None() : oidc.ClientSecretPost(clientSecret),
      {
        timeout: timeoutSeconds,
        // The signature is checked although the token comes from the issuer itself; http is for an issuer on this machine only (outsideSettings.ts).
        execute: [oidc.enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [])],
      },
    )
    described.catch(() => (described = undefined))
    return described
  }
  return {
    settings,
    reach: async () => void (await discover()),
    async ask(uid, choose) {
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
      return { url: url.href, question: { state, nonce, verifier, until: Date.now() + questionMs } }
    },
    async answer(query, { state, nonce, verifier }) {
      const tokens = await oidc.authorizationCodeGrant(await discover(), new URL(`${origin}${outsideCallbackPath}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      return { claims: assertDefined(tokens.claims()), idToken: assertDefined(tokens.id_token) }
    },
    async endOf(idToken) {
      const configuration = await discover().catch(() => null)
      if (!configuration?.serverMetadata().end_session_endpoint) return null
      const end = { id_token_hint: idToken, post_logout_redirect_uri: `${origin}/loggedout` }
      return oidc.buildEndSessionUrl(configuration, end).href
    },
  }
}
