import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import type { Config } from '../core/config.ts'
import type { SigningKeys } from './keys.ts'
import { getApiAudience, getIssuerUrl } from './provider.ts'

/**
 * Seconds that server clocks may differ. Tokens are accepted that much longer than their expiry, but every call checks that their sign-in
 * or client is still active.
 */
export const clockToleranceSeconds = 300

/** Checks an access token's signature, algorithm, issuer, audience and expiry. @returns its claims, or null if it is invalid */
export type TokenVerifier = (token: string) => Promise<JWTPayload | null>

export function createTokenVerifier(config: Config, keys: SigningKeys): TokenVerifier {
  const find = createLocalJWKSet({ keys: keys.jwks.keys.map(({ d: _private, ...open }) => open) })
  const options = {
    issuer: getIssuerUrl(config),
    audience: getApiAudience(config),
    clockTolerance: clockToleranceSeconds,
    algorithms: ['ES256'],
    typ: 'at+jwt',
  }
  return async (token) => {
    try {
      return (await jwtVerify(token, find, options)).payload
    } catch {
      return null
    }
  }
}

export function parseBearerToken(header: string | undefined): string | null {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(header ?? '')?.[1] ?? null
}
