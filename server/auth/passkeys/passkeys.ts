import { randomBytes } from 'node:crypto'
import { and, asc, eq, inArray, lt } from 'drizzle-orm'
import { onlyRow } from '../../../domain/values/assertDefined.ts'
import type { UserId } from '../../../domain/values/ids.ts'
import { conflict, DomainError, notFound } from '../../../domain/words/errors.ts'
import { passkeys, users } from '../../../drizzle/accessTables.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import { log } from '../../core/log.ts'
import { type HistoryEntry, historyOf, recordChange } from '../../resources/referenceLog.ts'
import type { Proved } from '../signIns.ts'
import { algorithms, countOfUsed, keyOfMade, type MadePasskey, type UsedPasskey } from './answers.ts'
import { challengeFor, challengeMs, newChallenge, takeChallenge } from './challenges.ts'
import type { PasskeySite } from './site.ts'

/** Passkeys that one person may have: a device or password manager each. */
const mostPasskeys = 20

/** What the log of reference changes calls the passkeys of a person. */
const traced = { name: 'passkeys' }

/** A passkey as its person sees it. */
export interface Passkey {
  id: number
  name: string
  created: string
  lastUsed: string | null
}

/** A person's passkeys, oldest first. */
export async function passkeysOf(tx: OrganisationTx, userId: UserId): Promise<Passkey[]> {
  const rows = await tx.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))
  return rows.map(({ id, name, created, lastUsed }) => ({
    id,
    name,
    created: new Date(created).toISOString(),
    lastUsed: lastUsed && new Date(lastUsed).toISOString(),
  }))
}

/** Whether a person has a passkey. */
export async function hasPasskey(tx: OrganisationTx, userId: UserId): Promise<boolean> {
  return (await passkeysOf(tx, userId)).length > 0
}

/** Whose passkeys are meant, and in which sign-in of theirs. */
export interface Holder {
  userId: UserId
  signInId: string | null
}

/**
 * Begins to make a passkey.
 * @returns what the browser asks the device for, as JSON (PublicKeyCredentialCreationOptionsJSON)
 * @throws DomainError 409 for somebody who has as many as one may have
 */
export async function beginPasskey(tx: OrganisationTx, { rpId }: PasskeySite, { userId, signInId }: Holder) {
  const user = onlyRow(await tx.select().from(users).where(eq(users.id, userId)))
  const own = await tx.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))
  if (own.length >= mostPasskeys) throw tooMany()
  // The same for all of a person: a device that has made one knows that it has.
  const userHandle = own[0]?.userHandle ?? randomBytes(32).toString('base64url')
  return {
    rp: { id: rpId, name: 'Bursar' },
    user: { id: userHandle, name: user.email, displayName: `${user.forename} ${user.surname}` },
    challenge: await newChallenge(tx, challengeFor.adding(userId, signInId), { userId, userHandle }),
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: challengeMs,
    excludeCredentials: own.map(({ credentialId, transports }) => ({ type: 'public-key' as const, id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true, userVerification: 'required' as const },
    attestation: 'none' as const,
  }
}

const tooMany = () => conflict('passkeys', `Nobody can have more than ${mostPasskeys} passkeys. Remove one that you no longer use.`)

const notTaken = () => new DomainError('invalid', 'passkey', 'This passkey could not be added. Begin again.')

/**
 * Keeps a passkey that was made. Its challenge is spent with it; a refusal, which changes nothing, leaves it to the same sign-in until it is
 * too old.
 * @throws DomainError 400 for an answer that does not hold or comes too late, 409 for a passkey that is known
 */
export async function addPasskey(
  call: Call<'actor'>,
  site: PasskeySite,
  { holder: { userId, signInId }, name, made }: { holder: Holder; name: string; made: MadePasskey },
): Promise<void> {
  const { tx } = call
  // In turn: of two that are added at once, each would count without the other; and whoever ends the sign-ins of a person, and the challenges
  // with them, comes to the person first too.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const asked = await takeChallenge(tx, challengeFor.adding(userId, signInId))
  if (!asked?.userHandle) throw notTaken()
  const key = await keyOfMade({ site, challenge: asked.challenge }, made).catch((error) => {
    log.info({ userId, why: error.message }, 'a passkey that was made was not taken')
    return null
  })
  if (!key) throw notTaken()
  if ((await passkeysOf(tx, userId)).length >= mostPasskeys) throw tooMany()
  const { userHandle } = asked
  const [added] = await tx
    .insert(passkeys)
    .values({ userId, name, userHandle, transports: made.response.transports, ...key })
    .onConflictDoNothing({ target: passkeys.credentialId })
    .returning({ id: passkeys.id })
  if (!added) throw conflict('passkeyKnown', 'This passkey is known already.')
  await trace(call, userId, `added the passkey “${name}”`)
}

const ofPerson = (userId: UserId, id: number) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))

/** Gives a passkey another name. @throws DomainError 404 for one that is gone, or somebody else's */
export async function renamePasskey(call: Call<'actor'>, userId: UserId, { id, name }: { id: number; name: string }): Promise<void> {
  const { tx } = call
  const [before] = await tx.select({ name: passkeys.name }).from(passkeys).where(ofPerson(userId, id)).for('update')
  if (!before) throw notFound('Passkey')
  if (before.name === name) return
  await tx.update(passkeys).set({ name }).where(ofPerson(userId, id))
  await trace(call, userId, `renamed the passkey “${before.name}” to “${name}”`)
}

/** Which passkeys of a person are still good, for the device that keeps them: it stops offering the others. */
export interface GoodPasskeys {
  rpId: string
  userId: string
  allAcceptedCredentialIds: string[]
}

/** Removes a passkey: nobody signs in with it any more. @throws DomainError 404 for one that is gone, or somebody else's */
export async function removePasskey(
  call: Call<'actor'>,
  { rpId }: PasskeySite,
  { userId, id }: { userId: UserId; id: number },
): Promise<GoodPasskeys> {
  const { tx } = call
  const [removed] = await tx.delete(passkeys).where(ofPerson(userId, id)).returning()
  if (!removed) throw notFound('Passkey')
  await trace(call, userId, `removed the passkey “${removed.name}”`)
  const left = await tx.select({ id: passkeys.credentialId }).from(passkeys).where(eq(passkeys.userId, userId))
  return { rpId, userId: removed.userHandle, allAcceptedCredentialIds: left.map((one) => one.id) }
}

/**
 * Removes passkeys that their person no longer trusts, while choosing a new password. What is gone already, or somebody else's, is passed over.
 * @returns how many were removed, and how many are left
 */
export async function removeDistrusted(
  call: Call<'actor'>,
  userId: UserId,
  ids: readonly number[],
): Promise<{ removed: number; left: number }> {
  const { tx } = call
  const removed = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), inArray(passkeys.id, [...ids])))
    .returning({ name: passkeys.name })
  if (removed.length) await trace(call, userId, `removed ${named(removed)} while choosing a new password`)
  return { removed: removed.length, left: (await passkeysOf(tx, userId)).length }
}

const named = (some: readonly { name: string }[]): string =>
  `${some.length === 1 ? 'the passkey' : 'the passkeys'} ${new Intl.ListFormat('en-GB').format(some.map(({ name }) => `“${name}”`))}`

/** Removes every passkey of a person, for somebody who looks after users. @throws DomainError 409 where there is none */
export async function removePasskeys(tx: OrganisationTx, userId: UserId, actor: Actor): Promise<void> {
  const removed = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ name: passkeys.name })
  if (!removed.length) throw conflict('noPasskeys', 'This user has no passkey.')
  const names = new Intl.ListFormat('en-GB').format(removed.map(({ name }) => `“${name}”`))
  await trace({ tx, actor }, userId, `removed the passkeys of this user: ${names}`)
}

/** Begins a sign-in with a passkey, of whoever holds one. @returns what the browser asks for, as JSON (PublicKeyCredentialRequestOptionsJSON) */
export async function askForPasskey(tx: OrganisationTx, { rpId }: PasskeySite, uid: string) {
  const challenge = await newChallenge(tx, challengeFor.signIn(uid), null)
  return { rpId, challenge, timeout: challengeMs, userVerification: 'required' }
}

/**
 * Who signs in with a passkey.
 * @param uid the sign-in in which it was asked for; its challenge is spent, whatever comes of it
 * @returns null for an answer that does not hold, a passkey that nobody has, and somebody who was switched off
 */
export async function personByPasskey(
  store: Store,
  site: PasskeySite,
  { uid, used, requestId, now }: { uid: string; used: UsedPasskey | null; requestId: string; now: Date },
): Promise<Proved | null> {
  const asked = await store.asPlatform((tx) => takeChallenge(tx, challengeFor.signIn(uid)))
  if (!asked || !used) return null
  const [found] = await store.asPlatform((tx) =>
    tx
      .select({ passkey: passkeys, endings: users.endings })
      .from(passkeys)
      .innerJoin(users, and(eq(users.id, passkeys.userId), eq(users.active, true)))
      .where(and(eq(passkeys.credentialId, used.id), eq(passkeys.userHandle, used.response.userHandle))),
  )
  if (!found) return null
  const { id, userId, name } = found.passkey
  const count = await countOfUsed({ site, challenge: asked.challenge }, used, found.passkey).catch((error) => {
    log.info({ userId, why: error.message }, 'a passkey was not taken')
    return null
  })
  if (count === null) return null
  return store.asPlatform(async (tx) => {
    // Of two uses at once with the same count one is taken.
    const [taken] = await tx
      .update(passkeys)
      .set({ signCount: count, lastUsed: now.toISOString() })
      .where(and(eq(passkeys.id, id), count === 0 ? eq(passkeys.signCount, 0) : lt(passkeys.signCount, count)))
      .returning({ id: passkeys.id })
    if (taken) return { userId, endings: found.endings }
    // Removed while it was looked at, as it may be by choosing a new password.
    if (!(await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.id, id))).length) return null
    log.warn({ userId, passkey: id }, 'a passkey was refused: it was used less often than before, so there may be a copy of it')
    await trace({ tx, actor: { userId, requestId, now } }, userId, `was refused with the passkey “${name}”, of which there may be a copy`)
    return null
  })
}

/** Writes down what became of a person's passkeys. @param what what the history of the person says */
async function trace({ tx, actor }: Call<'actor'>, userId: UserId, what: string): Promise<void> {
  const before = { id: userId, version: 1, organisationId: null, created: actor.now.toISOString() }
  await recordChange({ tx, actor }, traced, { action: 'updated', before, after: { ...before, what } })
}

/** What became of a person's passkeys, newest first, in words. */
export async function passkeyHistory(tx: OrganisationTx, userId: UserId): Promise<HistoryEntry[]> {
  return (await historyOf(tx, traced, userId)).map((entry) => ({
    ...entry,
    action: 'updated',
    before: null,
    after: null,
    sentence: String(entry.after?.what ?? 'changed a passkey'),
  }))
}
