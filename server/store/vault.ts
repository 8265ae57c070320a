import { createCipheriv, createDecipheriv, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { vaultKeys } from '../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'

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

/** The subject under which an organisation keeps what belongs to no one person: vacancies, and the digest of employee numbers. */
export function organisationSubject(organisationId: number): string {
  return `00000000-0000-4000-8000-${organisationId.toString(16).padStart(12, '0')}`
}

export async function newKey(
  tx: OrganisationTx,
  organisationId: number,
  subject: string = randomUUID(),
): Promise<{ subject: string; key: Buffer }> {
  const key = randomBytes(32)
  await tx.insert(vaultKeys).values({ subject, organisationId, key })
  return { subject, key }
}

/** The keys of some people; an erased one is missing. */
export async function keysOf(tx: OrganisationTx, subjects: readonly string[]): Promise<Map<string, Buffer>> {
  if (!subjects.length) return new Map()
  const rows = await tx
    .select()
    .from(vaultKeys)
    .where(inArray(vaultKeys.subject, [...subjects]))
  return new Map(rows.map((row) => [row.subject, row.key]))
}

/** The organisation's own key, made when it is first needed. */
export async function organisationKey(tx: OrganisationTx, organisationId: number): Promise<Buffer> {
  const subject = organisationSubject(organisationId)
  const found = (await keysOf(tx, [subject])).get(subject)
  if (found) return found
  await tx
    .insert(vaultKeys)
    .values({ subject, organisationId, key: randomBytes(32) })
    .onConflictDoNothing()
  return (await keysOf(tx, [subject])).get(subject)!
}

/** A digest by which an employee number is found and kept unique without being stored. */
export function digest(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text.trim().toLowerCase()).digest('hex')
}

/** Erases a person: every figure still replays, nobody can say whose it was. */
export async function erase(tx: OrganisationTx, organisationId: number, subject: string): Promise<void> {
  await tx.delete(vaultKeys).where(and(eq(vaultKeys.organisationId, organisationId), eq(vaultKeys.subject, subject)))
}
