import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose'
import type { Config } from '../core/config.ts'
import type { SigningKeys } from './keys.ts'
import { audienceOf, issuerOf } from './provider.ts'

/**
 * How far the clocks of two servers may differ: what one issues opens the other as long as it lasts. A token may be used so much longer than
 * it says, and opens nothing once its sign-in or its client has ended, which is asked for every call.
 */
export const clockToleranceSeconds = 300

/** Checks an access token: signature, algorithm, issuer, audience and expiry. @returns null for anything that does not hold */
export type VerifyToken = (token: string) => Promise<JWTPayload | null>

export function tokenVerifier(config: Config, keys: SigningKeys): VerifyToken {
  const find = createLocalJWKSet({ keys: keys.jwks.keys.map(({ d: _private, ...open }) => open) })
  const options = {
    issuer: issuerOf(config),
    audience: audienceOf(config),
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

/** The token of an Authorization header. */
export function bearerOf(header: string | undefined): string | null {
  return /^Bearer ([\w.~+/=-]+)$/i.exec(header ?? '')?.[1] ?? null
}
