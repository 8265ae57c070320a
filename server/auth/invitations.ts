import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { UserId } from '../../domain/values/ids.ts'
import { onlyRow } from '../../domain/values/must.ts'
import { conflict } from '../../domain/words/errors.ts'
import { invitations, memberships, users } from '../../drizzle/accessTables.ts'
import { organisations } from '../../drizzle/schema.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { sha256 } from '../core/stream/hash.ts'
import { historyOf, recordChange } from '../resources/referenceLog.ts'
import { passwordHash } from './accounts.ts'
import { refuseErased } from './erasedUsers.ts'
import { removeDistrusted } from './passkeys/passkeys.ts'
import { endAllSignIns } from './signIns.ts'

/** Hours a link is good for: to join, or to choose a new password. */
const hours = { invite: 7 * 24, reset: 24 } as const

/** The shortest password; length is worth more than rules about signs. */
export const shortestPassword = 12

export interface Invitation {
  secret: string
  kind: 'invite' | 'reset'
  expiresAt: string
}

/**
 * Makes a one-time link for a person; the one before it is good no longer. Only the SHA-256 of its secret is kept, and who made it.
 * @param mailed whether it goes to the person by mail, else it is shown to who asked for it
 */
export async function invite(call: Call<'actor'>, userId: UserId, mailed: boolean): Promise<Invitation> {
  const { tx, actor } = call
  await refuseErased(tx, userId)
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user?.active) throw conflict('inactive', 'This user is not active. Make the user active first.')
  const kind = user.passwordHash === null ? 'invite' : 'reset'
  const secret = randomBytes(32).toString('base64url')
  const expiresAt = new Date(actor.now.getTime() + hours[kind] * 3_600_000).toISOString()
  await tx.delete(invitations).where(eq(invitations.userId, userId))
  const row = onlyRow(
    await tx
      .insert(invitations)
      .values({ userId, secretHash: sha256(secret), kind, expiresAt })
      .returning({ id: invitations.id }),
  )
  const link = { id: userId, version: row.id, organisationId: null, created: actor.now.toISOString(), kind, mailed, expiresAt }
  await recordChange(call, traced, { action: 'created', before: null, after: link })
  return { secret, kind, expiresAt }
}

/** Ends the link of a person that could not be sent. */
export async function withdraw(tx: OrganisationTx, userId: UserId): Promise<void> {
  await tx.delete(invitations).where(eq(invitations.userId, userId))
}

/** What the log of reference changes calls these links: each under its person, its version is the number of the link. */
const traced = { name: 'passwordLink' }
const tracedLink = z.object({ kind: z.enum(['invite', 'reset']), mailed: z.boolean() })

/** A link that was made for a person, as the log has it. */
export interface PasswordLink {
  number: number
  kind: 'invite' | 'reset'
  mailed: boolean
  byId: UserId | null
  at: string
  usedAt: string | null
  /** The person was told of it, and has said so. */
  isKnown: boolean
}

/** Every link that was made for a person, newest first. */
export async function linksOf(tx: OrganisationTx, userId: UserId): Promise<PasswordLink[]> {
  const entries = await historyOf(tx, traced, userId)
  return entries.flatMap(({ action, version, after, actorId, occurredAt }) => {
    if (action !== 'created') return []
    const later = entries.filter((entry) => entry.version === version)
    const { kind, mailed } = tracedLink.parse(after)
    const used = later.find((entry) => entry.after?.usedAt)
    const isKnown = later.some((entry) => entry.after?.isKnown)
    return [{ number: version, kind, mailed, byId: actorId, at: occurredAt, usedAt: used?.occurredAt ?? null, isKnown }]
  })
}

/** Writes down what became of a link. */
async function trace(
  call: Call<'actor'>,
  userId: UserId,
  { number, what }: { number: number; what: { usedAt: string } | { isKnown: true } },
) {
  const { tx } = call
  const made = (await historyOf(tx, traced, userId)).find((entry) => entry.version === number && entry.action === 'created')?.after
  if (!made) return
  const before = { id: userId, version: number, organisationId: null, ...made }
  await recordChange(call, traced, { action: 'updated', before, after: { ...before, ...what } })
}

/** The links that others made for a person who has not yet said that they know. */
export async function untold(tx: OrganisationTx, userId: UserId): Promise<PasswordLink[]> {
  return (await linksOf(tx, userId)).filter((link) => link.byId !== userId && !link.isKnown)
}

/** The person knows of a link that was made for them. */
export async function markKnown(call: Call<'actor'>, userId: UserId, number: number): Promise<void> {
  const { tx } = call
  if ((await untold(tx, userId)).some((link) => link.number === number)) await trace(call, userId, { number, what: { isKnown: true } })
}

/** Whose link this is, while it is good. */
export async function invited(
  store: Store,
  secret: string,
): Promise<{ userId: UserId; email: string; kind: 'invite' | 'reset'; words: string[] } | null> {
  const [row] = await store.asPlatform((tx) =>
    tx
      .select({
        userId: users.id,
        email: users.email,
        kind: invitations.kind,
        // What others know of the person, and so try first as their password.
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
 * Sets the password of the person a link belongs to, uses the link up, and ends every session that began with the old one. Passkeys stay, but
 * for those that the person no longer trusts.
 * @returns how many passkeys were removed and are left; null for a link that is no longer good
 */
export async function acceptInvitation(
  store: Store,
  { secret, password, distrusted, requestId }: { secret: string; password: string; distrusted: readonly number[]; requestId: string },
): Promise<{ removed: number; left: number } | null> {
  const found = await invited(store, secret)
  if (!found) return null
  const hashed = await passwordHash(password)
  return store.asPlatform(async (tx) => {
    const now = new Date()
    // First the person, as whoever makes a link or switches somebody off does; either may have happened since the link was looked at.
    const [user] = await tx.select({ active: users.active }).from(users).where(eq(users.id, found.userId)).for('update')
    if (!user?.active) return null
    const [used] = await tx
      .update(invitations)
      .set({ usedAt: now.toISOString() })
      .where(and(eq(invitations.secretHash, sha256(secret)), isNull(invitations.usedAt)))
      .returning({ id: invitations.id })
    if (!used) return null
    const call = { tx, actor: { userId: found.userId, requestId, now } }
    await trace(call, found.userId, {
      number: used.id,
      what: { usedAt: now.toISOString() },
    })
    await tx.update(users).set({ passwordHash: hashed }).where(eq(users.id, found.userId))
    await endAllSignIns(tx, found.userId)
    return removeDistrusted(call, found.userId, distrusted)
  })
}
