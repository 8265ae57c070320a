import { createLocalJWKSet, createRemoteJWKSet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { z } from 'zod'
import type { Config } from '../core/config.ts'
import type { SigningKeys } from './keys.ts'
import { audienceOf, issuerOf } from './provider.ts'

/** What an issuer says of itself, as far as it is asked for. */
const description = z.object({ jwks_uri: z.string() })

/** The keys of an outside issuer, from where its own description says they are; asked for again until it answers. */
function outsideKeys(issuer: string): JWTVerifyGetKey {
  let keys: Promise<JWTVerifyGetKey> | undefined
  const discover = async (): Promise<JWTVerifyGetKey> => {
    const reply = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, { signal: AbortSignal.timeout(10_000) })
    const { jwks_uri: uri } = description.parse(await reply.json())
    return createRemoteJWKSet(new URL(uri))
  }
  return async (header, token) => {
    keys ??= discover()
    const find = await keys.catch((error) => {
      keys = undefined
      throw error
    })
    return find(header, token)
  }
}

/** Checks an access token: signature, algorithm, issuer, audience and expiry. @returns null for anything that does not hold */
export type VerifyToken = (token: string) => Promise<JWTPayload | null>

export function tokenVerifier(config: Config, keys: SigningKeys): VerifyToken {
  const local = createLocalJWKSet({ keys: keys.jwks.keys.map(({ d: _private, ...open }) => open) })
  const find: JWTVerifyGetKey = config.oidc ? outsideKeys(config.oidc.issuer) : local
  const options = {
    issuer: issuerOf(config),
    audience: audienceOf(config),
    clockTolerance: 5,
    ...(config.oidc ? { algorithms: ['RS256', 'ES256', 'PS256'] } : { algorithms: ['ES256'], typ: 'at+jwt' }),
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
