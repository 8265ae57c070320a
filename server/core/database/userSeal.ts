import { createHmac, randomBytes } from 'node:crypto'
import { and, inArray, isNull } from 'drizzle-orm'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import { platformOrganisationId, toUserId, type UserId } from '../../../domain/values/ids.ts'
import { users } from '../../../drizzle/accessTables.ts'
import { vaultKeys } from '../../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import { decryptText, encryptText, eraseSubjectKey, readPersonKeys } from './vault.ts'

/** A user's record as the change log stores it. */
export type LoggedUser = Readonly<Record<string, unknown>>

/** The fields that identify a user. */
const identity = ['email', 'forename', 'surname', 'position', 'phoneNumber'] as const

/** The personal fields in changes logged under a user's id. They are encrypted with that user's key. */
const personalFields: Readonly<Record<string, readonly string[]>> = {
  user: identity,
  userSignIn: ['outsideSubject'],
  passkeys: ['what'],
}

/** The kinds of changes that contain personal data of users. */
export const sealedChangeKinds: readonly string[] = Object.keys(personalFields)

/** The names of all personal fields. A change that contains one was written before users were encrypted. */
export const personalFieldNames: readonly string[] = Object.values(personalFields).flat()

export const isSealedChangeKind = (kind: string): boolean => sealedChangeKinds.includes(kind)

/** The subject of a user's key in the vault. */
function userSubject(id: UserId): string {
  return `00000000-0000-4000-9000-${id.toString(16).padStart(12, '0')}`
}

/** The keys of some users. Erased and deleted users have none. */
export async function readUserKeys(tx: OrganisationTx, ids: readonly UserId[]): Promise<Map<UserId, Buffer>> {
  const subjects = new Map(ids.map((id) => [userSubject(id), id]))
  const keys = await readPersonKeys(tx, [...subjects.keys()])
  return new Map([...keys].map(([subject, key]) => [assertDefined(subjects.get(subject)), key]))
}

/**
 * Creates a key for each user who has none and is not erased.
 * @param only the users to consider; all if omitted
 */
export async function createUserKeys(tx: OrganisationTx, only?: readonly UserId[]): Promise<void> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(isNull(users.erasedAt), only && inArray(users.id, [...only])))
    .orderBy(users.id)
  const known = await readUserKeys(
    tx,
    rows.map(({ id }) => id),
  )
  const missing = rows.flatMap(({ id }) => (known.has(id) ? [] : [id]))
  for (let start = 0; start < missing.length; start += 2000) {
    // If a user is being erased at the same time, this waits for the erasure, checks again and creates no key.
    const remaining = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(isNull(users.erasedAt), inArray(users.id, missing.slice(start, start + 2000))))
      .orderBy(users.id)
      .for('share')
    const subjects = remaining.map(({ id }) => userSubject(id))
    if (subjects.length)
      await tx
        .insert(vaultKeys)
        .values(
          subjects.map((subject) => ({ subject, organisationId: platformOrganisationId, key: tx.keySeal.seal(subject, randomBytes(32)) })),
        )
        .onConflictDoNothing()
  }
}

/** Deletes a user's key, so that nobody can read the user's identity in the log any more. */
export async function eraseUserKey(tx: OrganisationTx, id: UserId): Promise<void> {
  await eraseSubjectKey(tx, platformOrganisationId, userSubject(id))
}

/**
 * A digest that proves, without the user's key, that a user's row is the one that was logged. The salt in the row changes when the user is
 * erased, so nobody can guess the person behind the earlier digests.
 */
export function hashIdentity(salt: string, user: LoggedUser): string {
  return createHmac('sha256', salt)
    .update(canonicalJson(identity.map((field) => user[field] ?? null)))
    .digest('hex')
}

function omitFields(record: LoggedUser, fields: readonly string[]): LoggedUser {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !fields.includes(name)))
}

/**
 * A record as the log stores it, with its personal fields as one encrypted text.
 * @param key null if the user is deleted or erased; the fields can then never be read again
 */
function sealRecord(kind: string, record: LoggedUser, key: Buffer | null): LoggedUser {
  const fields = assertDefined(personalFields[kind]).filter((name) => name in record)
  if (!fields.length) return record
  const personal = Object.fromEntries(fields.map((name) => [name, record[name]]))
  return { ...omitFields(record, fields), sealed: key && encryptText(key, JSON.stringify(personal)) }
}

/**
 * A record with its personal fields decrypted; null if the key is gone. Records written before users were encrypted are returned as they
 * are.
 */
export function unsealRecord(record: LoggedUser, key: Buffer | undefined): LoggedUser | null {
  if (!('sealed' in record)) return record
  if (!key || typeof record.sealed !== 'string') return null
  return { ...omitFields(record, ['sealed', 'digest']), ...JSON.parse(decryptText(key, record.sealed)) }
}

interface SealedChange {
  before: LoggedUser | null
  after: LoggedUser | null
}

/** Returns a function that encrypts changes of these users for the log. Users without a key get one. */
export async function createChangeSealer(
  tx: OrganisationTx,
  kind: string,
  ids: readonly UserId[],
): Promise<(id: UserId, change: SealedChange) => SealedChange> {
  await createUserKeys(tx, ids)
  const keys = await readUserKeys(tx, ids)
  const salts = kind === 'user' ? await readSalts(tx, ids) : new Map<UserId, string>()
  return (id, { before, after }) => {
    const key = keys.get(id) ?? null
    const salt = salts.get(id)
    return {
      before: before && sealRecord(kind, before, key),
      after: after && { ...sealRecord(kind, after, key), ...(salt && { digest: hashIdentity(salt, after) }) },
    }
  }
}

async function readSalts(tx: OrganisationTx, ids: readonly UserId[]): Promise<Map<UserId, string>> {
  const rows = await tx
    .select({ id: users.id, salt: users.salt })
    .from(users)
    .where(inArray(users.id, [...ids]))
  return new Map(rows.map(({ id, salt }) => [id, salt]))
}

/** Returns a function that decrypts the logged changes of one user. */
export async function createChangeOpener(tx: OrganisationTx, id: UserId): Promise<(change: SealedChange) => SealedChange> {
  const key = (await readUserKeys(tx, [id])).get(id)
  return ({ before, after }) => ({ before: before && unsealRecord(before, key), after: after && unsealRecord(after, key) })
}

/** The user whose id a change is logged under. */
export const toChangedUserId = (recordId: string | number): UserId => toUserId(Number(recordId))

/** The name in the platform log for changes of users that were written in clear text and encrypted later. */
export const laterSealingLogName = 'sealedChanges'

/** A change of a user that is stored in clear text, and its encrypted form. */
export interface UnsealedChange extends SealedChange {
  id: string
  resource: string
  recordId: string
}

/**
 * Encrypts changes that an earlier version stored in clear text. For a deleted or erased user, who has no key, the
 * personal values are removed.
 * @returns the changes as the log is to store them
 */
export async function sealUnsealedChanges(tx: OrganisationTx, changes: readonly UnsealedChange[]): Promise<UnsealedChange[]> {
  const sealers = new Map<string, Awaited<ReturnType<typeof createChangeSealer>>>()
  for (const kind of sealedChangeKinds) {
    const ids = changes.flatMap(({ resource, recordId }) => (resource === kind ? [toChangedUserId(recordId)] : []))
    if (ids.length) sealers.set(kind, await createChangeSealer(tx, kind, [...new Set(ids)]))
  }
  return changes.map((change) => ({ ...change, ...assertDefined(sealers.get(change.resource))(toChangedUserId(change.recordId), change) }))
}
