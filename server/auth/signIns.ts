import { and, desc, eq, exists, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { describeDevice } from '../../domain/people/device.ts'
import type { SignInMethod } from '../../domain/people/signInMethod.ts'
import type { UserId } from '../../domain/values/ids.ts'
import { browserSessions, oidcPayloads, users } from '../../drizzle/accessTables.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { type HistoryEntry, logRecordChange, readRecordHistory } from '../resources/referenceLog.ts'

/** The access token claim with the id of its sign-in. */
export const signInIdClaim = 'sign_in'

/** Name under which the log of reference changes records a person's sign-ins. */
const logSubject = { name: 'signIns' }

export interface OpenSignIn {
  id: string
  /** Browser and operating system, for people to read. */
  device: string
  address: string
  /** Null if an earlier version did not record it. */
  way: SignInMethod | null
  started: string
  /** When its token was last renewed; an open page renews every few minutes. */
  lastUsed: string
}

/**
 * A person who proved who they are. `endings` counts how often all their sign-ins had been ended by then; if it has risen since, the proof
 * is void.
 */
export interface ProvenPerson {
  userId: UserId
  endings: number
}

/** SQL condition: the person's sign-ins were not all ended since they proved who they are. */
export const whereProofIsValid = ({ userId, endings }: ProvenPerson): SQL | undefined =>
  and(eq(users.id, userId), eq(users.endings, endings))

/** Checks `whereProofIsValid` and keeps it true until the transaction ends. */
export async function lockIfProofIsValid(tx: OrganisationTx, proved: ProvenPerson): Promise<boolean> {
  const found = await tx.select({ id: users.id }).from(users).where(whereProofIsValid(proved)).for('share')
  return found.length > 0
}

/** What justifies a new sign-in: a fresh proof, or an open sign-in whose grant has expired. */
export type SignInBasis = { endings: number } | { signInId: string }

/**
 * Records a new sign-in, or updates when and from which address an existing sign-in was last used. A sign-in that has ended stays ended.
 * @param way how the person signed in; null if the sign-in continues
 * @param by what justifies a new sign-in; null if the sign-in is already recorded
 * @returns false if that justification no longer holds
 */
export async function recordSignInUse(
  store: Store,
  {
    id,
    userId,
    agent,
    address,
    way,
    by,
  }: { id: string; userId: UserId; agent: string; address: string; way: SignInMethod | null; by: SignInBasis | null },
): Promise<boolean> {
  // Store IPv4 addresses without the IPv6 prefix.
  const seen = {
    device: describeDevice(agent),
    address: address.replace(/^::ffff:/, ''),
    lastUsed: new Date().toISOString(),
    ...(way && { way }),
  }
  return store.asPlatform(async (tx) => {
    if (by && !(await mayBegin(tx, userId, by))) return false
    await tx
      .insert(browserSessions)
      .values({ id, userId, ...seen })
      .onConflictDoUpdate({ target: browserSessions.id, set: seen })
    return true
  })
}

/**
 * Whether a sign-in may begin. The share lock makes `endAllSignIns` wait until the new sign-in is stored, and then end it with the others.
 */
async function mayBegin(tx: OrganisationTx, userId: UserId, by: SignInBasis): Promise<boolean> {
  return 'endings' in by ? lockIfProofIsValid(tx, { userId, endings: by.endings }) : lockIfSignInOpen(tx, userId, by.signInId)
}

/** Whether a sign-in is open. The lock keeps it open until the transaction ends. */
export async function lockIfSignInOpen(tx: OrganisationTx, userId: UserId, signInId: string): Promise<boolean> {
  const isPerson = eq(users.id, userId)
  // Lock first, then read in a second statement: a statement that waited for a lock still reads other tables as of its start.
  await tx.select({ id: users.id }).from(users).where(isPerson).for('share')
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isPerson, whereSignInOpen(tx, signInId)))
  return found.length > 0
}

/** SQL condition: the person's sign-in with this id has not ended. */
export function whereSignInOpen(tx: OrganisationTx, id: string): SQL {
  return exists(
    tx
      .select({ id: browserSessions.id })
      .from(browserSessions)
      .where(and(eq(browserSessions.id, id), eq(browserSessions.userId, users.id), isNull(browserSessions.endedAt))),
  )
}

/** SQL condition: the grant belongs to a sign-in that has ended. */
export function whereSignInEnded(tx: OrganisationTx, grantId: SQL): SQL {
  return exists(
    tx
      .select({ id: browserSessions.id })
      .from(browserSessions)
      .where(and(eq(browserSessions.id, grantId), isNotNull(browserSessions.endedAt))),
  )
}

/** Lists a person's open sign-ins, most recently used first, without those that were unused for 12 hours, the length of a session. */
export async function listOpenSignIns(tx: OrganisationTx, userId: UserId): Promise<OpenSignIn[]> {
  const rows = await tx
    .select()
    .from(browserSessions)
    .where(
      and(
        eq(browserSessions.userId, userId),
        isNull(browserSessions.endedAt),
        sql`${browserSessions.lastUsed} > now() - interval '12 hours'`,
      ),
    )
    .orderBy(desc(browserSessions.lastUsed), desc(browserSessions.started))
    .limit(100)
  const moment = (text: string): string => new Date(text).toISOString()
  return rows.map(({ id, device, address, way, started, lastUsed }) => ({
    id,
    device,
    address,
    way,
    started: moment(started),
    lastUsed: moment(lastUsed),
  }))
}

/** Ends one sign-in, so that its tokens stop working and cannot be renewed. @returns whether it was open and belonged to this person */
export async function endSignIn(tx: OrganisationTx, id: string, userId: UserId): Promise<boolean> {
  const ended = await tx
    .update(browserSessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(browserSessions.id, id), eq(browserSessions.userId, userId), isNull(browserSessions.endedAt)))
    .returning({ id: browserSessions.id })
  return ended.length > 0
}

export async function endSignInOfGrant(tx: OrganisationTx, grantId: string): Promise<void> {
  await tx
    .update(browserSessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(browserSessions.id, grantId), isNull(browserSessions.endedAt)))
}

/**
 * SQL condition for everything the issuer stores about a person: sessions, codes, challenges, and pending sign-ins whose first step
 * succeeded.
 */
const whereStateOf = (userId: UserId): SQL => {
  const { payload } = oidcPayloads
  const person = String(userId)
  return sql`${person} in (${payload} ->> 'accountId', ${payload} #>> '{result,login,accountId}', ${payload} #>> '{result,half,userId}')`
}

/** Ends all sign-ins of a person, pending ones included. @returns how many were open */
export async function endAllSignIns(tx: OrganisationTx, userId: UserId): Promise<number> {
  // Update the user first: a sign-in being stored now is ended below, and earlier proofs become void.
  await tx
    .update(users)
    .set({ endings: sql`${users.endings} + 1` })
    .where(eq(users.id, userId))
  const ended = await tx
    .update(browserSessions)
    .set({ endedAt: sql`now()` })
    .where(and(eq(browserSessions.userId, userId), isNull(browserSessions.endedAt)))
    .returning({ id: browserSessions.id })
  await tx.delete(oidcPayloads).where(whereStateOf(userId))
  return ended.length
}

/** Ends all sign-ins of a person and records who did it. @returns how many were open */
export async function signOutEverywhere(tx: OrganisationTx, userId: UserId, actor: Actor): Promise<number> {
  const ended = await endAllSignIns(tx, userId)
  const before = { id: userId, version: 1, organisationId: null, created: actor.now.toISOString(), ended }
  await logRecordChange({ tx, actor }, logSubject, { action: 'deleted', before, after: null })
  return ended
}

export async function listSignOutHistory(tx: OrganisationTx, userId: UserId): Promise<HistoryEntry[]> {
  return (await readRecordHistory(tx, logSubject, userId)).map((entry) => ({
    ...entry,
    action: 'updated',
    before: null,
    after: null,
    sentence: entry.actorId === userId ? 'signed out everywhere' : 'signed this user out everywhere',
  }))
}

/** Deletes sign-ins, ended or unused, that no valid token or session can refer to. */
export async function deleteOldSignIns(tx: OrganisationTx): Promise<void> {
  const before = sql`now() - interval '2 days'`
  await tx.delete(browserSessions).where(or(lt(browserSessions.endedAt, before), lt(browserSessions.lastUsed, before)))
}
