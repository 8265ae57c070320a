import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { UserId } from '../../../domain/values/ids.ts'
import { conflict } from '../../../domain/words/errors.ts'
import { invitations, memberships, users } from '../../../drizzle/accessTables.ts'
import { organisations } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import { sha256 } from '../../core/stream/hash.ts'
import { logRecordChange, readRecordHistory } from '../../resources/referenceLog.ts'
import { hashPassword } from '../accounts.ts'
import { lockUserUnlessErased } from '../erasedUsers.ts'
import { removeDistrustedPasskeys } from '../passkeys/passkeys.ts'
import { endAllSignIns } from '../signIns.ts'

/** Hours that each kind of link is valid. */
const validHours = { invite: 7 * 24, reset: 24 } as const

/** In characters. There are no rules about kinds of characters, because length matters more. */
export const minPasswordLength = 12

export interface NewPasswordLink {
  secret: string
  kind: 'invite' | 'reset'
  expiresAt: string
}

/**
 * Creates a one-time link for a person to choose a password, and revokes the previous one. Stores who created it and the SHA-256 of its
 * secret, never the secret.
 * @param mailed whether it is mailed to the person rather than shown to the person who requested it
 */
export async function createPasswordLink(call: Call<'actor'>, userId: UserId, mailed: boolean): Promise<NewPasswordLink> {
  const { tx, actor } = call
  await lockUserUnlessErased(tx, userId)
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user?.active) throw conflict('inactive', 'This user is not active. Make the user active first.')
  const kind = user.passwordHash === null ? 'invite' : 'reset'
  const secret = randomBytes(32).toString('base64url')
  const expiresAt = new Date(actor.now.getTime() + validHours[kind] * 3_600_000).toISOString()
  await tx.delete(invitations).where(eq(invitations.userId, userId))
  const row = requireSingleRow(
    await tx
      .insert(invitations)
      .values({ userId, secretHash: sha256(secret), kind, expiresAt })
      .returning({ id: invitations.id }),
  )
  const link = { id: userId, version: row.id, organisationId: null, created: actor.now.toISOString(), kind, mailed, expiresAt }
  await logRecordChange(call, logSubject, { action: 'created', before: null, after: link })
  return { secret, kind, expiresAt }
}

export async function deletePasswordLink(tx: OrganisationTx, userId: UserId): Promise<void> {
  await tx.delete(invitations).where(eq(invitations.userId, userId))
}

/**
 * Name under which the log of reference changes records these links. The record id is the person's, and the version is the link's number.
 */
const logSubject = { name: 'passwordLink' }
const loggedLink = z.object({ kind: z.enum(['invite', 'reset']), mailed: z.boolean() })

export interface PasswordLink {
  number: number
  kind: 'invite' | 'reset'
  mailed: boolean
  byId: UserId | null
  at: string
  usedAt: string | null
  /** Whether the person confirmed that they know of the link. */
  isKnown: boolean
}

export async function listPasswordLinks(tx: OrganisationTx, userId: UserId): Promise<PasswordLink[]> {
  const entries = await readRecordHistory(tx, logSubject, userId)
  return entries.flatMap(({ action, version, after, actorId, occurredAt }) => {
    if (action !== 'created') return []
    const later = entries.filter((entry) => entry.version === version)
    const { kind, mailed } = loggedLink.parse(after)
    const used = later.find((entry) => entry.after?.usedAt)
    const isKnown = later.some((entry) => entry.after?.isKnown)
    return [{ number: version, kind, mailed, byId: actorId, at: occurredAt, usedAt: used?.occurredAt ?? null, isKnown }]
  })
}

/** Records in the log that a link was used or acknowledged. */
async function recordLinkChange(
  call: Call<'actor'>,
  userId: UserId,
  { number, what }: { number: number; what: { usedAt: string } | { isKnown: true } },
) {
  const { tx } = call
  const created = (await readRecordHistory(tx, logSubject, userId)).find(
    (entry) => entry.version === number && entry.action === 'created',
  )?.after
  if (!created) return
  const before = { id: userId, version: number, organisationId: null, ...created }
  await logRecordChange(call, logSubject, { action: 'updated', before, after: { ...before, ...what } })
}

/** Lists links that others created for a person and that the person has not acknowledged. */
export async function listUnacknowledgedPasswordLinks(tx: OrganisationTx, userId: UserId): Promise<PasswordLink[]> {
  return (await listPasswordLinks(tx, userId)).filter((link) => link.byId !== userId && !link.isKnown)
}

export async function acknowledgePasswordLink(call: Call<'actor'>, userId: UserId, number: number): Promise<void> {
  const { tx } = call
  if ((await listUnacknowledgedPasswordLinks(tx, userId)).some((link) => link.number === number))
    await recordLinkChange(call, userId, { number, what: { isKnown: true } })
}

export async function findUserByPasswordLink(
  store: Store,
  secret: string,
): Promise<{ userId: UserId; email: string; kind: 'invite' | 'reset'; words: string[] } | null> {
  const [row] = await store.asPlatform((tx) =>
    tx
      .select({
        userId: users.id,
        email: users.email,
        kind: invitations.kind,
        // Names that an attacker who knows the person would try first in a password.
        words: sql<string[]>`array[${users.forename}, ${users.surname}] || array(
          select name from ${organisations} join ${memberships} on ${memberships.organisationId} = ${organisations}.id
          where ${memberships.userId} = ${users.id})::text[]`,
      })
      .from(invitations)
      .innerJoin(users, and(eq(users.id, invitations.userId), eq(users.active, true)))
      .where(and(eq(invitations.secretHash, sha256(secret)), isNull(invitations.usedAt), gt(invitations.expiresAt, sql`now()`))),
  )
  return row ?? null
}

/**
 * Sets the password of the link's owner, marks the link as used, and ends all their sign-ins. Passkeys remain valid, except those listed in
 * `distrusted`.
 * @returns how many passkeys were removed and how many remain; null if the link is no longer valid
 */
export async function setPasswordByLink(
  store: Store,
  { secret, password, distrusted, requestId }: { secret: string; password: string; distrusted: readonly number[]; requestId: string },
): Promise<{ removed: number; left: number } | null> {
  const invited = await findUserByPasswordLink(store, secret)
  if (!invited) return null
  const hashed = await hashPassword(password)
  return store.asPlatform(async (tx) => {
    const now = new Date()
    // Lock the user first, as creating a link and deactivating a user do; either may have happened since the link was read.
    const [user] = await tx.select({ active: users.active }).from(users).where(eq(users.id, invited.userId)).for('update')
    if (!user?.active) return null
    const [used] = await tx
      .update(invitations)
      .set({ usedAt: now.toISOString() })
      .where(and(eq(invitations.secretHash, sha256(secret)), isNull(invitations.usedAt)))
      .returning({ id: invitations.id })
    if (!used) return null
    const call = { tx, actor: { userId: invited.userId, requestId, now } }
    await recordLinkChange(call, invited.userId, {
      number: used.id,
      what: { usedAt: now.toISOString() },
    })
    await tx.update(users).set({ passwordHash: hashed }).where(eq(users.id, invited.userId))
    await endAllSignIns(tx, invited.userId)
    return removeDistrustedPasskeys(call, invited.userId, distrusted)
  })
}
