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

const subjectOf = (kid: string): string => `signing ${kid}`

/** The key as the database keeps it: sealed, as everything that somebody with a copy of the database could sign in with. */
function sealed({ keySeal }: Pick<OrganisationTx, 'keySeal'>, { kid, jwk, cookieSecret }: { kid: string; jwk: JWK; cookieSecret: string }) {
  const seal = (text: string): string => keySeal.seal(subjectOf(kid), Buffer.from(text)).toString('base64')
  return { jwk: seal(JSON.stringify(jwk)), cookieSecret: seal(cookieSecret) }
}

/** @throws SettingError when it was sealed with another secret */
function opened({ keySeal }: Pick<Store, 'keySeal'>, kid: string, text: string): string {
  return keySeal.open(subjectOf(kid), Buffer.from(text, 'base64')).toString()
}

/** @throws SettingError where signing keys were sealed with another secret than is given */
export async function refuseOtherSigningSeal(store: Store): Promise<void> {
  const rows = await store.asPlatform((tx) => tx.select().from(signingKeys))
  for (const { kid, jwk } of rows) if (typeof jwk === 'string') opened(store, kid, jwk)
}

/** Seals signing keys that stand in the database as they are. @returns how many */
export async function sealSigningKeys(tx: OrganisationTx): Promise<number> {
  const rows = await tx.select().from(signingKeys).for('update')
  const bare = rows.flatMap(({ jwk, ...row }) => (typeof jwk === 'string' ? [] : [{ ...row, jwk }]))
  for (const { kid, jwk, cookieSecret } of bare)
    await tx.update(signingKeys).set(sealed(tx, { kid, jwk, cookieSecret })).where(eq(signingKeys.kid, kid))
  return bare.length
}

/** Seals the signing keys anew with another secret. @returns how many @throws SettingError where one was sealed with yet another */
export async function resealSigningKeys(tx: OrganisationTx, next: KeySeal): Promise<number> {
  const rows = await tx.select().from(signingKeys).for('update')
  for (const { kid, jwk, cookieSecret } of rows) {
    const bare: JWK = JSON.parse(opened(tx, kid, String(jwk)))
    await tx
      .update(signingKeys)
      .set(sealed({ keySeal: next }, { kid, jwk: bare, cookieSecret: opened(tx, kid, cookieSecret) }))
      .where(eq(signingKeys.kid, kid))
  }
  return rows.length
}

/**
 * The keys that sign tokens, made once and shared by every server through the database.
 * @throws SettingError when they were sealed with another secret
 */
export async function signingKeysOf(store: Store): Promise<SigningKeys> {
  const rows = await store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.keys})`)
    const found = await tx.select().from(signingKeys).orderBy(signingKeys.created)
    if (found.length) return found
    const { privateKey } = await generateKeyPair('ES256', { extractable: true })
    const kid = randomBytes(8).toString('hex')
    const jwk = { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' }
    return tx
      .insert(signingKeys)
      .values({ kid, ...sealed(tx, { kid, jwk, cookieSecret: randomBytes(32).toString('hex') }) })
      .returning()
  })
  return {
    jwks: { keys: rows.map(({ kid, jwk }): JWK => JSON.parse(opened(store, kid, String(jwk)))) },
    cookieSecrets: rows.map(({ kid, cookieSecret }) => opened(store, kid, cookieSecret)),
  }
}
