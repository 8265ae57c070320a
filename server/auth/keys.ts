import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { signingKeys } from '../../drizzle/accessTables.ts'
import type { Store } from '../store/database.ts'

export interface SigningKeys {
  jwks: { keys: JWK[] }
  cookieSecrets: string[]
}

/** The keys that sign tokens, made once and shared by every server through the database. */
export async function signingKeysOf(store: Store): Promise<SigningKeys> {
  const rows = await store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(7342001)`)
    const found = await tx.select().from(signingKeys).orderBy(signingKeys.created)
    if (found.length) return found
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const kid = randomBytes(8).toString('hex')
    const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' }
    return tx
      .insert(signingKeys)
      .values({ kid, jwk, cookieSecret: randomBytes(32).toString('hex') })
      .returning()
  })
  return { jwks: { keys: rows.map((row) => row.jwk as JWK) }, cookieSecrets: rows.map((row) => row.cookieSecret) }
}
