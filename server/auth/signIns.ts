import { and, desc, eq, exists, isNotNull, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { describeDevice } from '../../domain/people/device.ts'
import type { SignInMethod } from '../../domain/people/signInMethod.ts'
import type { UserId } from '../../domain/values/ids.ts'
import { oidcPayloads, signIns, users } from '../../drizzle/accessTables.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { type HistoryEntry, historyOf, recordChange } from '../resources/referenceLog.ts'

/** The claim of an access token that says which sign-in it comes of. */
export const signInClaim = 'sign_in'

/** What the log of reference changes calls the sign-ins of a person. */
const traced = { name: 'signIns' }

/** One sign-in that has not ended: a browser in which somebody is signed in. */
export interface OpenSignIn {
  id: string
  /** Browser and system in words. */
  device: string
  address: string
  /** By what; null: in a version that did not keep it. */
  way: SignInMethod | null
  started: string
  /** When its token was renewed last, which an open page does every few minutes. */
  lastUsed: string
}

/** Somebody who proved who they are, by a password, a passkey or at an outside issuer, and how often their sign-ins had been ended by then. */
export interface Proved {
  userId: UserId
  endings: number
}

/** The condition that a person's sign-ins were not ended since they proved who they are. */
export const stillProved = ({ userId, endings }: Proved): SQL | undefined => and(eq(users.id, userId), eq(users.endings, endings))

/** Whether it is so, and stays so until the end of the transaction. */
export async function isStillProved(tx: OrganisationTx, proved: Proved): Promise<boolean> {
  const found = await tx.select({ id: users.id }).from(users).where(stillProved(proved)).for('share')
  return found.length > 0
}

/** What a sign-in is begun by: what was proved just now, or one that is open and whose grant is over. */
export type Beginning = { endings: number } | { signInId: string }

/**
 * Keeps that a sign-in was begun, or that it is in use. One that has ended stays so.
 * @param way by what it was begun just now; null: it goes on
 * @param by null: it was begun before
 * @returns whether it counts: what it is begun by may have been ended at this very moment
 */
export async function noteSignInUse(
  store: Store,
  {
    id,
    userId,
    agent,
    address,
    way,
    by,
  }: { id: string; userId: UserId; agent: string; address: string; way: SignInMethod | null; by: Beginning | null },
): Promise<boolean> {
  // An address of the fourth version as one of the sixth.
  const seen = {
    device: describeDevice(agent),
    address: address.replace(/^::ffff:/, ''),
    lastUsed: new Date().toISOString(),
    ...(way && { way }),
  }
  return store.asPlatform(async (tx) => {
    if (by && !(await mayBegin(tx, userId, by))) return false
    await tx
      .insert(signIns)
      .values({ id, userId, ...seen })
      .onConflictDoUpdate({ target: signIns.id, set: seen })
    return true
  })
}

/** Whether a sign-in may begin. Whoever ends all of the person's waits until it is kept, and ends it with the others. */
async function mayBegin(tx: OrganisationTx, userId: UserId, by: Beginning): Promise<boolean> {
  return 'endings' in by ? isStillProved(tx, { userId, endings: by.endings }) : isStillOpen(tx, userId, by.signInId)
}

/** Whether a sign-in is open, and not ended with all of its person's until the end of the transaction. */
export async function isStillOpen(tx: OrganisationTx, userId: UserId, signInId: string): Promise<boolean> {
  const isPerson = eq(users.id, userId)
  // Held first and looked at then: a statement that waits sees other tables as they were before it waited.
  await tx.select({ id: users.id }).from(users).where(isPerson).for('share')
  const found = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isPerson, ofOpenSignIn(tx, signInId)))
  return found.length > 0
}

/** The condition that a token of ours comes of a sign-in of its person that has not ended. */
export function ofOpenSignIn(tx: OrganisationTx, id: string): SQL {
  return exists(
    tx
      .select({ id: signIns.id })
      .from(signIns)
      .where(and(eq(signIns.id, id), eq(signIns.userId, users.id), isNull(signIns.endedAt))),
  )
}

/** Whether what the issuer remembers under a grant belongs to a sign-in that has ended. */
export function hasEnded(tx: OrganisationTx, grantId: SQL): SQL {
  return exists(
    tx
      .select({ id: signIns.id })
      .from(signIns)
      .where(and(eq(signIns.id, grantId), isNotNull(signIns.endedAt))),
  )
}

/** A person's open sign-ins, the one used last first. What was not used for the length of a session is over. */
export async function openSignIns(tx: OrganisationTx, userId: UserId): Promise<OpenSignIn[]> {
  const rows = await tx
    .select()
    .from(signIns)
    .where(and(eq(signIns.userId, userId), isNull(signIns.endedAt), sql`${signIns.lastUsed} > now() - interval '12 hours'`))
    .orderBy(desc(signIns.lastUsed), desc(signIns.started))
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

/** Ends one sign-in: its tokens open nothing any more and are not renewed. @returns whether it was open and this person's */
export async function endSignIn(tx: OrganisationTx, id: string, userId: UserId): Promise<boolean> {
  const ended = await tx
    .update(signIns)
    .set({ endedAt: sql`now()` })
    .where(and(eq(signIns.id, id), eq(signIns.userId, userId), isNull(signIns.endedAt)))
    .returning({ id: signIns.id })
  return ended.length > 0
}

/** Ends the sign-in of a grant that the issuer gave up: somebody signed out. */
export async function endSignInOfGrant(tx: OrganisationTx, grantId: string): Promise<void> {
  await tx
    .update(signIns)
    .set({ endedAt: sql`now()` })
    .where(and(eq(signIns.id, grantId), isNull(signIns.endedAt)))
}

/**
 * What the issuer remembers of a person: sessions, codes and challenges, and sign-ins that are half done, in which somebody proved already who they
 * are and has only to go on.
 */
const rememberedOf = (userId: UserId): SQL => {
  const { payload } = oidcPayloads
  const person = String(userId)
  return sql`${person} in (${payload} ->> 'accountId', ${payload} #>> '{result,login,accountId}', ${payload} #>> '{result,half,userId}')`
}

/** Ends every sign-in of a person, those that are just being begun included. @returns how many were open */
export async function endAllSignIns(tx: OrganisationTx, userId: UserId): Promise<number> {
  // The person first: one that is kept at this moment is ended below, and what was proved so far begins none any more.
  await tx
    .update(users)
    .set({ endings: sql`${users.endings} + 1` })
    .where(eq(users.id, userId))
  const ended = await tx
    .update(signIns)
    .set({ endedAt: sql`now()` })
    .where(and(eq(signIns.userId, userId), isNull(signIns.endedAt)))
    .returning({ id: signIns.id })
  await tx.delete(oidcPayloads).where(rememberedOf(userId))
  return ended.length
}

/** Ends every sign-in of a person, and writes down who did it. @returns how many were open */
export async function signOutEverywhere(tx: OrganisationTx, userId: UserId, actor: Actor): Promise<number> {
  const ended = await endAllSignIns(tx, userId)
  const before = { id: userId, version: 1, organisationId: null, created: actor.now.toISOString(), ended }
  await recordChange({ tx, actor }, traced, { action: 'deleted', before, after: null })
  return ended
}

/** Who signed a person out everywhere, newest first, in words. */
export async function signOutHistory(tx: OrganisationTx, userId: UserId): Promise<HistoryEntry[]> {
  return (await historyOf(tx, traced, userId)).map((entry) => ({
    ...entry,
    action: 'updated',
    before: null,
    after: null,
    sentence: entry.actorId === userId ? 'signed out everywhere' : 'signed this user out everywhere',
  }))
}

/** Removes sign-ins of which no token and no session is left, ended or forgotten. */
export async function forgetSignIns(tx: OrganisationTx): Promise<void> {
  const before = sql`now() - interval '2 days'`
  await tx.delete(signIns).where(or(lt(signIns.endedAt, before), lt(signIns.lastUsed, before)))
}
