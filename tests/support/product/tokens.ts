import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { importJWK, SignJWT } from 'jose'
import { browserSessions, users } from '../../../drizzle/accessTables.ts'
import { browserClientId } from '../../../server/auth/browserClient.ts'
import { loadSigningKeys } from '../../../server/auth/keys.ts'
import { getApiAudience, getIssuerUrl } from '../../../server/auth/provider.ts'
import { signInIdClaim } from '../../../server/auth/signIns.ts'
import type { Config } from '../../../server/core/config.ts'
import { openStore, type Store } from '../../../server/core/database/database.ts'
import { atEnd } from './endings.ts'

const stores = new Map<string, Store>()

/** The store of a database, one for each test file. */
function findStore(config: Config): Store {
  const { databaseUrl } = config
  const known = stores.get(databaseUrl)
  if (known) return known
  const store = openStore(config, 1)
  stores.set(databaseUrl, store)
  atEnd(() => {
    stores.delete(databaseUrl)
    return store.close()
  })
  return store
}

/**
 * An access token as a browser gets it by signing in, but without the pages and the password. The sign-in is stored, so that it can be
 * listed and ended, and the token is signed with the installation’s key.
 * @throws Error if there is no user with this email address
 */
export async function issueToken(config: Config, email: string): Promise<string> {
  const store = findStore(config)
  const { jwks } = await loadSigningKeys(store)
  const [jwk] = jwks.keys
  const id = randomBytes(16).toString('hex')
  const userId = await store.asPlatform(async (tx) => {
    const [user] = await tx.select({ id: users.id }).from(users).where(eq(users.email, email))
    if (!user) throw new Error(`Nobody has the address ${email}`)
    await tx
      .insert(browserSessions)
      .values({ id, userId: user.id, device: 'a test', address: '127.0.0.1', lastUsed: new Date().toISOString() })
    return user.id
  })
  return new SignJWT({ client_id: browserClientId, scope: 'openid profile email api', [signInIdClaim]: id })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: jwk!.kid! })
    .setSubject(String(userId))
    .setIssuer(getIssuerUrl(config))
    .setAudience(getApiAudience(config))
    .setIssuedAt()
    .setExpirationTime('10m')
    .setJti(id)
    .sign(await importJWK(jwk!, 'ES256'))
}
