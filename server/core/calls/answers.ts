import { createHmac, hkdfSync } from 'node:crypto'
import { and, eq, lt, sql } from 'drizzle-orm'
import superjson from 'superjson'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { conflict, DomainError } from '../../../domain/words/errors.ts'
import { idempotentCalls } from '../../../drizzle/accessTables.ts'
import type { OrganisationTx } from '../database/database.ts'
import { decryptText, encryptText } from '../database/vault.ts'
import { sha256 } from '../stream/hash.ts'
import type { Call } from './call.ts'

/** How many days an answer can be repeated. */
const repeatableDays = 7
/** Maximum length in characters of JSON; a longer answer is not stored. Mutations return only records and counts. */
const maximumAnswerLength = 1_000_000

/** A call that may be repeated: who sent it, under which key, and what it requests. */
export interface IdempotentCall {
  /** `platformOrganisationId` (0) for a call on the platform. */
  organisationId: OrganisationId
  caller: string
  key: string
  call: string
  selection: object
  input: unknown
}

/**
 * The stored answer to a repeated call, so that repeating it changes nothing twice. Locks the key until the transaction
 * ends.
 * @returns null for a new call
 * @throws DomainError 409 while the first call is running; 422 if the key was used for another call; 409 if the answer
 * was too long to store
 */
export async function findStoredAnswer(tx: OrganisationTx, call: IdempotentCall): Promise<{ value: unknown } | null> {
  const lockName = `${call.organisationId} ${call.caller} ${call.key}`
  const lock = requireSingleRow(
    await tx.execute<{ isFree: boolean }>(sql`select pg_try_advisory_xact_lock(hashtextextended(${lockName}, 0)) as "isFree"`),
  )
  if (!lock.isFree) throw conflict('stillRunning', 'This call is still running. Send it again in a moment to get its response.')
  const [before] = await tx.select().from(idempotentCalls).where(keyCondition(call))
  if (!before) return null
  if (before.callDigest !== digestRequest(call))
    throw new DomainError('otherBody', 'otherBody', 'This Idempotency-Key was used for another call. Send a new key with a new call.')
  if (before.sealedAnswer === null)
    throw conflict(
      'answered',
      'This call has already been carried out. Its response was too long to store: read the records that it changed.',
    )
  return { value: superjson.parse(decryptText(sealingKey(call), before.sealedAnswer)) }
}

/** Stores the answer of a call in the call's own transaction, so that both are committed or neither. */
export async function storeAnswer({ tx, now }: Call<'now'>, call: IdempotentCall, answer: unknown): Promise<void> {
  const text = superjson.stringify(answer)
  await tx.insert(idempotentCalls).values({
    organisationId: call.organisationId,
    caller: call.caller,
    keyDigest: sha256(call.key),
    callDigest: digestRequest(call),
    // Personal data is never stored unencrypted: only the caller's key opens this answer.
    sealedAnswer: text.length > maximumAnswerLength ? null : encryptText(sealingKey(call), text),
    created: now.toISOString(),
  })
}

/** Deletes answers that are too old to be repeated. */
export async function deleteOldAnswers(tx: OrganisationTx, now: Date): Promise<void> {
  await tx.delete(idempotentCalls).where(lt(idempotentCalls.created, new Date(now.getTime() - repeatableDays * 86_400_000).toISOString()))
}

function keyCondition({ organisationId, caller, key }: IdempotentCall) {
  return and(
    eq(idempotentCalls.organisationId, organisationId),
    eq(idempotentCalls.caller, caller),
    eq(idempotentCalls.keyDigest, sha256(key)),
  )
}

function sealingKey({ key }: IdempotentCall): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'answer', 32))
}

/** A digest of the request, to detect another request under the same key. */
function digestRequest({ key, call, selection, input }: IdempotentCall): string {
  return createHmac('sha256', key)
    .update(canonicalJson([call, selection, toCanonicalValue(input)]))
    .digest('hex')
}

/** Dates and files as text, because canonical JSON cannot distinguish them. */
function toCanonicalValue(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return sha256(value)
  if (Array.isArray(value)) return value.map(toCanonicalValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toCanonicalValue(one)]))
}
