import { randomBytes } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { conflict } from '../../domain/errors.ts'
import { invitations, oidcPayloads, users } from '../../drizzle/accessTables.ts'
import type { OrganisationTx, Store } from '../store/database.ts'
import { sha256 } from '../store/hash.ts'
import { passwordHash } from './accounts.ts'

/** Hours a link is good for: to join, or to choose a new password. */
const hours = { invite: 7 * 24, reset: 24 } as const

/** The shortest password; length is worth more than rules about signs. */
export const shortestPassword = 12

export interface Invitation {
  secret: string
  kind: 'invite' | 'reset'
  expiresAt: string
}

/** Makes a one-time link for a person; the one before it is good no longer. Only the SHA-256 of its secret is kept. */
export async function invite(tx: OrganisationTx, userId: number, now: Date): Promise<Invitation> {
  const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!user?.active) throw conflict('inactive', 'This user is not active. Make the user active first.')
  const kind = user.passwordHash === null ? 'invite' : 'reset'
  const secret = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + hours[kind] * 3_600_000).toISOString()
  await tx.delete(invitations).where(eq(invitations.userId, userId))
  await tx.insert(invitations).values({ userId, secretHash: sha256(secret), kind, expiresAt })
  return { secret, kind, expiresAt }
}

/** Whose link this is, while it is good. */
export async function invited(store: Store, secret: string): Promise<{ userId: number; email: string; kind: 'invite' | 'reset' } | null> {
  const [row] = await store.asPlatform((tx) =>
    tx
      .select({ userId: users.id, email: users.email, kind: invitations.kind })
      .from(invitations)
      .innerJoin(users, and(eq(users.id, invitations.userId), eq(users.active, true)))
      .where(and(eq(invitations.secretHash, sha256(secret)), isNull(invitations.usedAt), gt(invitations.expiresAt, sql`now()`))),
  )
  return row ?? null
}

/** Sets the password of the person a link belongs to, uses the link up, and ends every session that began with the old one. */
export async function acceptInvitation(store: Store, secret: string, password: string): Promise<boolean> {
  const found = await invited(store, secret)
  if (!found) return false
  const hashed = await passwordHash(password)
  return store.asPlatform(async (tx) => {
    const used = await tx
      .update(invitations)
      .set({ usedAt: new Date().toISOString() })
      .where(and(eq(invitations.secretHash, sha256(secret)), isNull(invitations.usedAt)))
      .returning({ id: invitations.id })
    if (!used.length) return false
    await tx.update(users).set({ passwordHash: hashed }).where(eq(users.id, found.userId))
    await tx.delete(oidcPayloads).where(sql`${oidcPayloads.payload} ->> 'accountId' = ${String(found.userId)}`)
    return true
  })
}
