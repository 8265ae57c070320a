import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { signingKeys } from '../../drizzle/accessTables.ts'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import type { KeySeal } from '../core/database/keySeal.ts'

export interface SigningKeys {
  jwks: { keys: JWK[] }
  cookieSecrets: string[]
}

const sealSubject = (kid: string): string => `signing ${kid}`

/** Encrypts a signing key and its cookie secret for storage, so that a copy of the database is not enough to sign in. */
function sealKey(
  { keySeal }: Pick<OrganisationTx, 'keySeal'>,
  { kid, jwk, cookieSecret }: { kid: string; jwk: JWK; cookieSecret: string },
) {
  const seal = (text: string): string => keySeal.seal(sealSubject(kid), Buffer.from(text)).toString('base64')
  return { jwk: seal(JSON.stringify(jwk)), cookieSecret: seal(cookieSecret) }
}

/** @throws SettingError if it was sealed with another secret */
function openSealed({ keySeal }: Pick<Store, 'keySeal'>, kid: string, text: string): string {
  return keySeal.open(sealSubject(kid), Buffer.from(text, 'base64')).toString()
}

/** @throws SettingError if stored signing keys were sealed with a different secret */
export async function assertSigningKeysDecrypt(store: Store): Promise<void> {
  const rows = await store.asPlatform((tx) => tx.select().from(signingKeys))
  for (const { kid, jwk } of rows) if (typeof jwk === 'string') openSealed(store, kid, jwk)
}

/** Seals signing keys that are stored unencrypted. @returns how many */
export async function sealSigningKeys(tx: OrganisationTx): Promise<number> {
  const rows = await tx.select().from(signingKeys).for('update')
  const bare = rows.flatMap(({ jwk, ...row }) => (typeof jwk === 'string' ? [] : [{ ...row, jwk }]))
  for (const { kid, jwk, cookieSecret } of bare)
    await tx.update(signingKeys).set(sealKey(tx, { kid, jwk, cookieSecret })).where(eq(signingKeys.kid, kid))
  return bare.length
}

/**
 * Seals the signing keys again with a new secret.
 * @returns how many
 * @throws SettingError if one was sealed with neither secret
 */
export async function resealSigningKeys(tx: OrganisationTx, next: KeySeal): Promise<number> {
  const rows = await tx.select().from(signingKeys).for('update')
  for (const { kid, jwk, cookieSecret } of rows) {
    const bare: JWK = JSON.parse(openSealed(tx, kid, String(jwk)))
    await tx
      .update(signingKeys)
      .set(sealKey({ keySeal: next }, { kid, jwk: bare, cookieSecret: openSealed(tx, kid, cookieSecret) }))
      .where(eq(signingKeys.kid, kid))
  }
  return rows.length
}

/**
 * Returns the keys that sign tokens. They are generated once and shared by all servers through the database.
 * @throws SettingError if they were sealed with another secret
 */
export async function loadSigningKeys(store: Store): Promise<SigningKeys> {
  const rows = await store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.keys})`)
    const stored = await tx.select().from(signingKeys).orderBy(signingKeys.created)
    if (stored.length) return stored
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const kid = randomBytes(8).toString('hex')
    const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' }
    return tx
      .insert(signingKeys)
      .values({ kid, ...sealKey(tx, { kid, jwk, cookieSecret: randomBytes(32).toString('hex') }) })
      .returning()
  })
  return {
    jwks: { keys: rows.map(({ kid, jwk }): JWK => JSON.parse(openSealed(store, kid, String(jwk)))) },
    cookieSecrets: rows.map(({ kid, cookieSecret }) => openSealed(store, kid, cookieSecret)),
  }
}
