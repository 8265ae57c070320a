import { randomBytes } from 'node:crypto'
import { and, asc, eq, inArray, lt } from 'drizzle-orm'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { UserId } from '../../../domain/values/ids.ts'
import { conflict, DomainError, notFound } from '../../../domain/words/errors.ts'
import { passkeys, users } from '../../../drizzle/accessTables.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx, Store } from '../../core/database/database.ts'
import { log } from '../../core/log.ts'
import { type HistoryEntry, logRecordChange, readRecordHistory } from '../../resources/referenceLog.ts'
import type { ProvenPerson } from '../signIns.ts'
import { challengePurposes, createChallenge, passkeyChallengeMs, takeChallenge } from './challenges.ts'
import type { PasskeySite } from './site.ts'
import { type PasskeyCreation, type PasskeySignIn, passkeyAlgorithms, verifyPasskeyCreation, verifyPasskeySignIn } from './verification.ts'

/** Limit for each person, enough for one per device or password manager. */
const maxPasskeys = 20

/** Name under which the log of reference changes records a person's passkeys. */
const logSubject = { name: 'passkeys' }

export interface Passkey {
  id: number
  name: string
  created: string
  lastUsed: string | null
}

export async function listPasskeys(tx: OrganisationTx, userId: UserId): Promise<Passkey[]> {
  const rows = await tx.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))
  return rows.map(({ id, name, created, lastUsed }) => ({
    id,
    name,
    created: new Date(created).toISOString(),
    lastUsed: lastUsed && new Date(lastUsed).toISOString(),
  }))
}

export async function hasPasskey(tx: OrganisationTx, userId: UserId): Promise<boolean> {
  return (await listPasskeys(tx, userId)).length > 0
}

export interface PasskeyOwner {
  userId: UserId
  signInId: string | null
}

/**
 * Starts creating a passkey.
 * @returns the browser's creation options as JSON (PublicKeyCredentialCreationOptionsJSON)
 * @throws DomainError 409 if the person has the maximum number
 */
export async function beginPasskeyCreation(tx: OrganisationTx, { rpId }: PasskeySite, { userId, signInId }: PasskeyOwner) {
  const user = requireSingleRow(await tx.select().from(users).where(eq(users.id, userId)))
  const existing = await tx.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id))
  if (existing.length >= maxPasskeys) throw tooManyPasskeys()
  // All passkeys of a person share the handle, so that a device recognises that it already holds one.
  const userHandle = existing[0]?.userHandle ?? randomBytes(32).toString('base64url')
  return {
    rp: { id: rpId, name: 'Bursar' },
    user: { id: userHandle, name: user.email, displayName: `${user.forename} ${user.surname}` },
    challenge: await createChallenge(tx, challengePurposes.adding(userId, signInId), { userId, userHandle }),
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: passkeyChallengeMs,
    excludeCredentials: existing.map(({ credentialId, transports }) => ({ type: 'public-key' as const, id: credentialId, transports })),
    authenticatorSelection: { residentKey: 'required' as const, requireResidentKey: true, userVerification: 'required' as const },
    attestation: 'none' as const,
  }
}

const tooManyPasskeys = () => conflict('passkeys', `You can have at most ${maxPasskeys} passkeys. Remove one that you no longer use.`)

const passkeyNotAdded = () => new DomainError('invalid', 'passkey', 'This passkey could not be added. Start again.')

/**
 * Verifies and stores a new passkey. Success deletes the challenge; a refusal rolls back, so that the same sign-in can retry until it
 * expires.
 * @throws DomainError 400 if the response is invalid or late, 409 if the passkey already exists
 */
export async function addPasskey(
  call: Call<'actor'>,
  site: PasskeySite,
  { holder: { userId, signInId }, name, creation }: { holder: PasskeyOwner; name: string; creation: PasskeyCreation },
): Promise<void> {
  const { tx } = call
  // Lock the user so that two concurrent additions cannot exceed the limit. Ending all sign-ins locks the user first as well, so the order
  // prevents deadlocks.
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const challenge = await takeChallenge(tx, challengePurposes.adding(userId, signInId))
  if (!challenge?.userHandle) throw passkeyNotAdded()
  const key = await verifyPasskeyCreation({ site, challenge: challenge.challenge }, creation).catch((error) => {
    log.info({ userId, why: error.message }, 'a new passkey was refused')
    return null
  })
  if (!key) throw passkeyNotAdded()
  if ((await listPasskeys(tx, userId)).length >= maxPasskeys) throw tooManyPasskeys()
  const { userHandle } = challenge
  const [added] = await tx
    .insert(passkeys)
    .values({ userId, name, userHandle, transports: creation.response.transports, ...key })
    .onConflictDoNothing({ target: passkeys.credentialId })
    .returning({ id: passkeys.id })
  if (!added) throw conflict('passkeyKnown', 'This passkey has already been added.')
  await recordPasskeyChange(call, userId, `added the passkey “${name}”`)
}

const whereOwned = (userId: UserId, id: number) => and(eq(passkeys.id, id), eq(passkeys.userId, userId))

/** @throws DomainError 404 if the passkey is gone or belongs to someone else */
export async function renamePasskey(call: Call<'actor'>, userId: UserId, { id, name }: { id: number; name: string }): Promise<void> {
  const { tx } = call
  const [before] = await tx.select({ name: passkeys.name }).from(passkeys).where(whereOwned(userId, id)).for('update')
  if (!before) throw notFound('Passkey')
  if (before.name === name) return
  await tx.update(passkeys).set({ name }).where(whereOwned(userId, id))
  await recordPasskeyChange(call, userId, `renamed the passkey “${before.name}” to “${name}”`)
}

/** The passkeys that a person still has, for the browser to hide all others (PublicKeyCredential.signalAllAcceptedCredentials). */
export interface RemainingPasskeys {
  rpId: string
  userId: string
  allAcceptedCredentialIds: string[]
}

/** @throws DomainError 404 if the passkey is gone or belongs to someone else */
export async function removePasskey(
  call: Call<'actor'>,
  { rpId }: PasskeySite,
  { userId, id }: { userId: UserId; id: number },
): Promise<RemainingPasskeys> {
  const { tx } = call
  const [removed] = await tx.delete(passkeys).where(whereOwned(userId, id)).returning()
  if (!removed) throw notFound('Passkey')
  await recordPasskeyChange(call, userId, `removed the passkey “${removed.name}”`)
  const left = await tx.select({ id: passkeys.credentialId }).from(passkeys).where(eq(passkeys.userId, userId))
  return { rpId, userId: removed.userHandle, allAcceptedCredentialIds: left.map((one) => one.id) }
}

/**
 * Removes passkeys that a person marked while choosing a new password. Ids that are gone or belong to someone else are ignored.
 * @returns how many were removed and how many remain
 */
export async function removeDistrustedPasskeys(
  call: Call<'actor'>,
  userId: UserId,
  ids: readonly number[],
): Promise<{ removed: number; left: number }> {
  const { tx } = call
  const removed = await tx
    .delete(passkeys)
    .where(and(eq(passkeys.userId, userId), inArray(passkeys.id, [...ids])))
    .returning({ name: passkeys.name })
  if (removed.length) await recordPasskeyChange(call, userId, `removed ${describePasskeys(removed)} while choosing a new password`)
  return { removed: removed.length, left: (await listPasskeys(tx, userId)).length }
}

const describePasskeys = (some: readonly { name: string }[]): string =>
  `${some.length === 1 ? 'the passkey' : 'the passkeys'} ${new Intl.ListFormat('en-GB').format(some.map(({ name }) => `“${name}”`))}`

/** Removes all passkeys of a user, for someone who manages users. @throws DomainError 409 if there are none */
export async function removeAllPasskeys(tx: OrganisationTx, userId: UserId, actor: Actor): Promise<void> {
  const removed = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ name: passkeys.name })
  if (!removed.length) throw conflict('noPasskeys', 'This user has no passkey.')
  const names = new Intl.ListFormat('en-GB').format(removed.map(({ name }) => `“${name}”`))
  await recordPasskeyChange({ tx, actor }, userId, `removed the passkeys of this user: ${names}`)
}

/** Starts a sign-in with any passkey. @returns the browser's request options as JSON (PublicKeyCredentialRequestOptionsJSON) */
export async function beginPasskeySignIn(tx: OrganisationTx, { rpId }: PasskeySite, uid: string) {
  const challenge = await createChallenge(tx, challengePurposes.signIn(uid), null)
  return { rpId, challenge, timeout: passkeyChallengeMs, userVerification: 'required' }
}

/**
 * Verifies a sign-in with a passkey and returns the person.
 * @param uid the sign-in that requested it; its challenge is used up in any case
 * @returns null if the response is invalid, the passkey is unknown, or its owner is inactive
 */
export async function findPersonByPasskey(
  store: Store,
  site: PasskeySite,
  { uid, used, requestId, now }: { uid: string; used: PasskeySignIn | null; requestId: string; now: Date },
): Promise<ProvenPerson | null> {
  const challenge = await store.asPlatform((tx) => takeChallenge(tx, challengePurposes.signIn(uid)))
  if (!challenge || !used) return null
  const [match] = await store.asPlatform((tx) =>
    tx
      .select({ passkey: passkeys, endings: users.endings })
      .from(passkeys)
      .innerJoin(users, and(eq(users.id, passkeys.userId), eq(users.active, true)))
      .where(and(eq(passkeys.credentialId, used.id), eq(passkeys.userHandle, used.response.userHandle))),
  )
  if (!match) return null
  const { id, userId, name } = match.passkey
  const count = await verifyPasskeySignIn({ site, challenge: challenge.challenge }, used, match.passkey).catch((error) => {
    log.info({ userId, why: error.message }, 'a sign-in with a passkey was refused')
    return null
  })
  if (count === null) return null
  return store.asPlatform(async (tx) => {
    // The count must increase, so of two concurrent uses with the same count only one succeeds. Authenticators that do not count always
    // send 0.
    const [updated] = await tx
      .update(passkeys)
      .set({ signCount: count, lastUsed: now.toISOString() })
      .where(and(eq(passkeys.id, id), count === 0 ? eq(passkeys.signCount, 0) : lt(passkeys.signCount, count)))
      .returning({ id: passkeys.id })
    if (updated) return { userId, endings: match.endings }
    // The passkey was deleted during verification, for instance by choosing a new password.
    if (!(await tx.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.id, id))).length) return null
    log.warn({ userId, passkey: id }, 'a passkey was refused: its signature count did not increase, so it may have been cloned')
    await recordPasskeyChange(
      { tx, actor: { userId, requestId, now } },
      userId,
      `was refused sign-in with the passkey “${name}”, which may have been copied`,
    )
    return null
  })
}

/** @param what what was done, as the rest of a sentence that begins with who did it */
async function recordPasskeyChange({ tx, actor }: Call<'actor'>, userId: UserId, what: string): Promise<void> {
  const before = { id: userId, version: 1, organisationId: null, created: actor.now.toISOString() }
  await logRecordChange({ tx, actor }, logSubject, { action: 'updated', before, after: { ...before, what } })
}

export async function listPasskeyHistory(tx: OrganisationTx, userId: UserId): Promise<HistoryEntry[]> {
  return (await readRecordHistory(tx, logSubject, userId)).map((entry) => ({
    ...entry,
    action: 'updated',
    before: null,
    after: null,
    sentence: String(entry.after?.what ?? 'changed a passkey'),
  }))
}
