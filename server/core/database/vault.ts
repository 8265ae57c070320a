import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { vaultKeys } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import { isKeyUnencrypted, type KeySeal } from './keySeal.ts'

const keyBytes = 32

/** The name shown for an erased person. */
export const erasedName = 'Erased'

/** Encrypts a text with a person's key: AES-256-GCM, as base64 of nonce, tag and ciphertext. */
export function encryptText(key: Buffer, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

/** @throws Error if the text was not encrypted with this key */
export function decryptText(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

/** Encrypts a file like `seal`: nonce, tag and ciphertext. */
export function sealBytes(key: Buffer, body: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(body), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws Error if the file was not encrypted with this key */
export function unsealBytes(key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

/** The subject for an organisation's data that concerns no single person: vacancies, and the digest of employee numbers. */
function organisationSubject(organisationId: OrganisationId): string {
  return `00000000-0000-4000-8000-${organisationId.toString(16).padStart(12, '0')}`
}

/**
 * Decrypts the stored key of a subject.
 * @throws SettingError if it was encrypted with another secret
 */
export function unsealKey({ keySeal }: Pick<OrganisationTx, 'keySeal'>, subject: string, stored: Buffer): Buffer {
  // A server of an earlier version, running alongside, stores keys unencrypted; the next start encrypts them.
  return isKeyUnencrypted(stored, keyBytes) ? stored : keySeal.open(subject, stored)
}

/**
 * Encrypts the keys that are stored unencrypted.
 * @returns how many
 */
export async function sealVaultKeys(tx: OrganisationTx): Promise<number> {
  const bare = await tx.select().from(vaultKeys).where(sql`octet_length(${vaultKeys.key}) = ${keyBytes}`).for('update')
  await writeKeys(
    tx,
    bare.map(({ subject, key }) => ({ subject, key: tx.keySeal.seal(subject, key) })),
  )
  return bare.length
}

/**
 * Re-encrypts the stored keys of all people with another secret.
 * @returns how many
 * @throws SettingError if one was encrypted with a third secret
 */
export async function resealVaultKeys(tx: OrganisationTx, next: Pick<KeySeal, 'seal'>): Promise<number> {
  const rows = await tx.select().from(vaultKeys).orderBy(vaultKeys.subject)
  await writeKeys(
    tx,
    rows.map((row) => ({ subject: row.subject, key: next.seal(row.subject, unsealKey(tx, row.subject, row.key)) })),
  )
  return rows.length
}

async function writeKeys(tx: OrganisationTx, keys: readonly { subject: string; key: Buffer }[]): Promise<void> {
  for (let start = 0; start < keys.length; start += 1000) {
    const sealed = keys.slice(start, start + 1000).map(({ subject, key }) => sql`(${subject}::uuid, ${key}::bytea)`)
    await tx.execute(sql`update vault_keys set key = sealed.key from (values ${sql.join(sealed, sql`, `)}) sealed (subject, key)
      where vault_keys.subject = sealed.subject`)
  }
}

/** Creates keys for people who are added together, in one statement. */
export async function createPersonKeys(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  count: number,
): Promise<{ subject: string; key: Buffer }[]> {
  const newKeys = Array.from({ length: count }, () => ({ subject: randomUUID(), key: randomBytes(keyBytes) }))
  if (count)
    await tx.insert(vaultKeys).values(newKeys.map(({ subject, key }) => ({ subject, organisationId, key: tx.keySeal.seal(subject, key) })))
  return newKeys
}

/** The keys of some people; erased people have none. */
export async function readPersonKeys(tx: OrganisationTx, subjects: readonly string[]): Promise<Map<string, Buffer>> {
  if (!subjects.length) return new Map()
  const rows = await tx
    .select()
    .from(vaultKeys)
    .where(sql`${vaultKeys.subject} = any(${sql.param(`{${subjects.join(',')}}`)}::uuid[])`)
  return new Map(rows.map((row) => [row.subject, unsealKey(tx, row.subject, row.key)]))
}

/**
 * The organisations' own keys, which never change, for each database. Null: this process created the key, and its transaction may have been
 * rolled back, so the key is read each time.
 */
const organisationKeys = new WeakMap<KeySeal, Map<number, Buffer | null>>()

/** The organisation's own key, created the first time something is encrypted with it. */
export async function ensureOrganisationKey(tx: OrganisationTx, organisationId: OrganisationId): Promise<Buffer> {
  const known = organisationKeys.get(tx.keySeal) ?? new Map<number, Buffer | null>()
  organisationKeys.set(tx.keySeal, known)
  const cachedKey = known.get(organisationId)
  if (cachedKey) return cachedKey
  const subject = organisationSubject(organisationId)
  const storedKey = (await readPersonKeys(tx, [subject])).get(subject)
  if (storedKey) {
    if (cachedKey !== null) known.set(organisationId, storedKey)
    return storedKey
  }
  // A read-only call cannot store a new key. Nothing of the organisation is encrypted yet, so a random key does no harm.
  if (await isReadOnly(tx)) return randomBytes(keyBytes)
  known.set(organisationId, null)
  await tx
    .insert(vaultKeys)
    .values({ subject, organisationId, key: tx.keySeal.seal(subject, randomBytes(keyBytes)) })
    .onConflictDoNothing()
  return assertDefined((await readPersonKeys(tx, [subject])).get(subject))
}

async function isReadOnly(tx: OrganisationTx): Promise<boolean> {
  const [row] = await tx.execute<{ mode: string }>(sql`select current_setting('transaction_read_only') as mode`)
  return row?.mode === 'on'
}

/** A digest to find an employee number and keep it unique without storing it. */
export function digestWithKey(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text.trim().toLowerCase()).digest('hex')
}

/** Erases a person by deleting their key: every figure can still be replayed, but nobody can tell whose it was. */
export async function eraseSubjectKey(tx: OrganisationTx, organisationId: OrganisationId, subject: string): Promise<void> {
  await tx.delete(vaultKeys).where(and(eq(vaultKeys.organisationId, organisationId), eq(vaultKeys.subject, subject)))
}
