import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { vaultKeys } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import { isBare, type KeySeal } from './keySeal.ts'

const keyBytes = 32

/** What is said of an erased person. */
export const erased = 'Erased'

/** Seals a text with a person's key: AES-256-GCM, as base64 of nonce, tag and ciphertext. */
export function seal(key: Buffer, text: string): string {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64')
}

/** @throws Error when the text was not sealed with this key */
export function unseal(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

/** Seals a file, as `seal` does a text: nonce, tag and ciphertext. */
export function sealBytes(key: Buffer, body: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const sealed = Buffer.concat([cipher.update(body), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
}

/** @throws Error when the file was not sealed with this key */
export function unsealBytes(key: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

/** The subject under which an organisation keeps what belongs to no one person: vacancies, and the digest of employee numbers. */
function organisationSubject(organisationId: OrganisationId): string {
  return `00000000-0000-4000-8000-${organisationId.toString(16).padStart(12, '0')}`
}

/**
 * The key of a subject out of what the database keeps of it.
 * @throws SettingError when it was sealed with another secret
 */
export function openedKey({ keySeal }: Pick<OrganisationTx, 'keySeal'>, subject: string, stored: Buffer): Buffer {
  // Written by a server of an earlier version beside this one; the next start seals it.
  return isBare(stored, keyBytes) ? stored : keySeal.open(subject, stored)
}

/** Seals the keys that stand in the database as they are. @returns how many */
export async function sealVaultKeys(tx: OrganisationTx): Promise<number> {
  const bare = await tx.select().from(vaultKeys).where(sql`octet_length(${vaultKeys.key}) = ${keyBytes}`).for('update')
  await writeKeys(
    tx,
    bare.map(({ subject, key }) => ({ subject, key: tx.keySeal.seal(subject, key) })),
  )
  return bare.length
}

/** Seals the keys of all people anew with another secret. @returns how many @throws SettingError where one was sealed with yet another */
export async function resealVaultKeys(tx: OrganisationTx, next: KeySeal): Promise<number> {
  const rows = await tx.select().from(vaultKeys).orderBy(vaultKeys.subject)
  await writeKeys(
    tx,
    rows.map((row) => ({ subject: row.subject, key: next.seal(row.subject, openedKey(tx, row.subject, row.key)) })),
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

/** Keys for people who are added together, made in one statement. */
export async function newKeys(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  count: number,
): Promise<{ subject: string; key: Buffer }[]> {
  const made = Array.from({ length: count }, () => ({ subject: randomUUID(), key: randomBytes(keyBytes) }))
  if (count)
    await tx.insert(vaultKeys).values(made.map(({ subject, key }) => ({ subject, organisationId, key: tx.keySeal.seal(subject, key) })))
  return made
}

/** The keys of some people; an erased one is missing. */
export async function keysOf(tx: OrganisationTx, subjects: readonly string[]): Promise<Map<string, Buffer>> {
  if (!subjects.length) return new Map()
  const rows = await tx
    .select()
    .from(vaultKeys)
    .where(sql`${vaultKeys.subject} = any(${sql.param(`{${subjects.join(',')}}`)}::uuid[])`)
  return new Map(rows.map((row) => [row.subject, openedKey(tx, row.subject, row.key)]))
}

/**
 * The organisations' own keys, which are never others, by the database that they are of; null: it was made here and may have been taken back
 * with its transaction, so it is asked for each time.
 */
const organisationKeys = new WeakMap<KeySeal, Map<number, Buffer | null>>()

/** The organisation's own key, made when something is first sealed with it. */
export async function organisationKey(tx: OrganisationTx, organisationId: OrganisationId): Promise<Buffer> {
  const known = organisationKeys.get(tx.keySeal) ?? new Map<number, Buffer | null>()
  organisationKeys.set(tx.keySeal, known)
  const kept = known.get(organisationId)
  if (kept) return kept
  const subject = organisationSubject(organisationId)
  const found = (await keysOf(tx, [subject])).get(subject)
  if (found) {
    if (kept !== null) known.set(organisationId, found)
    return found
  }
  // A call that reads makes none: nothing of the organisation was sealed yet, so that any key opens all there is.
  if (await isReadOnly(tx)) return randomBytes(keyBytes)
  known.set(organisationId, null)
  await tx
    .insert(vaultKeys)
    .values({ subject, organisationId, key: tx.keySeal.seal(subject, randomBytes(keyBytes)) })
    .onConflictDoNothing()
  return assertDefined((await keysOf(tx, [subject])).get(subject))
}

async function isReadOnly(tx: OrganisationTx): Promise<boolean> {
  const [row] = await tx.execute<{ mode: string }>(sql`select current_setting('transaction_read_only') as mode`)
  return row?.mode === 'on'
}

/** A digest by which an employee number is found and kept unique without being stored. */
export function digest(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text.trim().toLowerCase()).digest('hex')
}

/** Erases a person: every figure still replays, nobody can say whose it was. */
export async function erase(tx: OrganisationTx, organisationId: OrganisationId, subject: string): Promise<void> {
  await tx.delete(vaultKeys).where(and(eq(vaultKeys.organisationId, organisationId), eq(vaultKeys.subject, subject)))
}
