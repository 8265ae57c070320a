import { randomInt } from 'node:crypto'
import { and, count, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import { assertDefined, requireSingleRow } from '../../domain/values/assertDefined.ts'
import type { UserId } from '../../domain/values/ids.ts'
import { conflict, invalid } from '../../domain/words/errors.ts'
import { authenticatorApps, memberships, recoveryCodes, secondStepGroups, userGroups, users } from '../../drizzle/accessTables.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import type { KeySeal } from '../core/database/keySeal.ts'
import { sha256 } from '../core/stream/hash.ts'
import { type HistoryEntry, logRecordChange, readRecordHistory } from '../resources/referenceLog.ts'
import { findTotpStep, generateTotpKey, toBase32 } from './totp.ts'

const recoveryCodeCount = 10

/** No letters or digits that look alike. 16 characters are 80 bits, too many to recover from a digest. */
const codeAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Name under which the log of reference changes records a person's second step. */
const logSubject = { name: 'secondStep' }

const sealSubject = (userId: UserId): string => `second step ${userId}`

function sealKey({ keySeal }: { keySeal: KeySeal }, userId: UserId, key: Uint8Array): string {
  return keySeal.seal(sealSubject(userId), key).toString('base64')
}

function openKey({ keySeal }: { keySeal: KeySeal }, { userId, key }: { userId: UserId; key: string }): Buffer {
  return keySeal.open(sealSubject(userId), Buffer.from(key, 'base64'))
}

/**
 * Seals authenticator keys again with a new secret.
 * @returns how many
 * @throws SettingError if one was sealed with neither secret
 */
export async function resealSecondSteps(tx: OrganisationTx, next: KeySeal): Promise<number> {
  const rows = await tx.select().from(authenticatorApps).for('update')
  for (const row of rows)
    await tx
      .update(authenticatorApps)
      .set({ key: sealKey({ keySeal: next }, row.userId, openKey(tx, row)) })
      .where(eq(authenticatorApps.userId, row.userId))
  return rows.length
}

export interface SecondStepState {
  isOn: boolean
  since: string | null
  codesLeft: number
  /** Whether one of the person's user groups requires it, everywhere or in one of their organisations. */
  isRequired: boolean
}

export async function readSecondStep(tx: OrganisationTx, userId: UserId): Promise<SecondStepState> {
  const [step] = await tx
    .select({ since: authenticatorApps.confirmedAt })
    .from(authenticatorApps)
    .where(and(eq(authenticatorApps.userId, userId), isNotNull(authenticatorApps.confirmedAt)))
  const left = requireSingleRow(
    await tx
      .select({ codes: count() })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))),
  )
  const isRequired = await isSecondStepRequired(tx, userId)
  const since = step?.since ? new Date(step.since).toISOString() : null
  return { isOn: since !== null, since, codesLeft: left.codes, isRequired }
}

async function isSecondStepRequired(tx: OrganisationTx, userId: UserId): Promise<boolean> {
  const groups = await tx
    .select({ id: userGroups.id, isEverywhere: userGroups.secondStepRequired, organisationId: memberships.organisationId })
    .from(memberships)
    .innerJoin(userGroups, sql`${userGroups.id} = any(${memberships.userGroupIds})`)
    .where(eq(memberships.userId, userId))
  if (groups.some(({ isEverywhere }) => isEverywhere)) return true
  if (!groups.length) return false
  const pairs = groups.map(({ id, organisationId }) => sql`(${organisationId}::integer, ${id}::integer)`)
  const requiring = await tx
    .select({ id: secondStepGroups.userGroupId })
    .from(secondStepGroups)
    .where(sql`(${secondStepGroups.organisationId}, ${secondStepGroups.userGroupId}) in (${sql.join(pairs, sql`, `)})`)
    .limit(1)
  return requiring.length > 0
}

export interface AuthenticatorSetup {
  key: string
  /** The same key as a QR code, in SVG. */
  picture: string
}

function createAppSetup(email: string, key: Uint8Array): AuthenticatorSetup {
  const text = toBase32(key)
  const address = `otpauth://totp/${encodeURIComponent(`Bursar:${email}`)}?secret=${text}&issuer=Bursar`
  return { key: assertDefined(text.match(/.{1,4}/g)).join(' '), picture: renderSVG(address, { border: 4, pixelSize: 6 }) }
}

/**
 * Creates a key for a person's authenticator app. It takes effect once the person enters a code from it.
 * @throws DomainError 409 if an app is already set up
 */
export async function createAuthenticatorKey(tx: OrganisationTx, userId: UserId): Promise<AuthenticatorSetup> {
  const user = requireSingleRow(await tx.select({ email: users.email }).from(users).where(eq(users.id, userId)))
  const key = generateTotpKey()
  const row = { key: sealKey(tx, userId, key), lastStep: null }
  const [begun] = await tx
    .insert(authenticatorApps)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: authenticatorApps.userId, set: row, setWhere: isNull(authenticatorApps.confirmedAt) })
    .returning({ userId: authenticatorApps.userId })
  if (!begun) throw conflict('secondStepOn', 'An authenticator app is already set up. Remove it first.')
  return createAppSetup(user.email, key)
}

/** The setup details of an app whose setup is unfinished; null if none was started. */
export async function findPendingAuthenticatorSetup(tx: OrganisationTx, userId: UserId): Promise<AuthenticatorSetup | null> {
  const [row] = await tx
    .select({ userId: authenticatorApps.userId, key: authenticatorApps.key, email: users.email })
    .from(authenticatorApps)
    .innerJoin(users, eq(users.id, authenticatorApps.userId))
    .where(and(eq(authenticatorApps.userId, userId), isNull(authenticatorApps.confirmedAt)))
  return row ? createAppSetup(row.email, openKey(tx, row)) : null
}

/** Uses up a code from the app. @returns whether it was correct, current and unused */
async function redeemAppCode({ tx, now }: Call<'now'>, userId: UserId, { code, isOn }: { code: string; isOn: boolean }): Promise<boolean> {
  const confirmed = isOn ? isNotNull(authenticatorApps.confirmedAt) : isNull(authenticatorApps.confirmedAt)
  const [row] = await tx
    .select()
    .from(authenticatorApps)
    .where(and(eq(authenticatorApps.userId, userId), confirmed))
  const step = row ? findTotpStep(openKey(tx, row), { code, now, after: row.lastStep }) : null
  if (step === null) return false
  // The condition lets only one of two servers accept the same code.
  const used = await tx
    .update(authenticatorApps)
    .set({ lastStep: step })
    .where(
      and(eq(authenticatorApps.userId, userId), confirmed, or(isNull(authenticatorApps.lastStep), lt(authenticatorApps.lastStep, step))),
    )
    .returning({ userId: authenticatorApps.userId })
  return used.length > 0
}

const normaliseCode = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()

/**
 * Uses up a code that a person typed as their second step: from the app, or a recovery code.
 * @returns which kind it was; null if it is wrong or used
 */
export async function redeemSecondStepCode(call: Call<'actor'>, userId: UserId, typed: string): Promise<'app' | 'recovery' | null> {
  const { tx, actor } = call
  const code = normaliseCode(typed)
  if (await redeemAppCode({ tx, now: actor.now }, userId, { code, isOn: true })) return 'app'
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: actor.now.toISOString() })
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, sha256(code)), isNull(recoveryCodes.usedAt)))
    .returning({ userId: recoveryCodes.userId })
  if (!used.length) return null
  await recordSecondStepChange(call, userId, 'used a recovery code')
  return 'recovery'
}

/** Replaces a person's recovery codes and stores only digests. @returns the codes, which cannot be read again */
async function makeRecoveryCodes(tx: OrganisationTx, userId: UserId): Promise<string[]> {
  const letter = (): string => assertDefined(codeAlphabet[randomInt(codeAlphabet.length)])
  const four = (): string => Array.from({ length: 4 }, letter).join('')
  const codes = Array.from({ length: recoveryCodeCount }, () => [four(), four(), four(), four()].join('-'))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: sha256(normaliseCode(code)) })))
  return codes
}

const logRecord = (userId: UserId, now: Date) => ({ id: userId, version: 1, organisationId: null, created: now.toISOString() })

/** @param what what was done, as the rest of a sentence that begins with who did it */
async function recordSecondStepChange(call: Call<'actor'>, userId: UserId, what: string): Promise<void> {
  const { actor } = call
  const before = logRecord(userId, actor.now)
  await logRecordChange(call, logSubject, { action: 'updated', before, after: { ...before, what } })
}

/**
 * Completes the setup of an app with a correct code.
 * @returns the recovery codes, which cannot be read again; null for a wrong code
 */
export async function completeAuthenticatorSetup(call: Call<'actor'>, userId: UserId, typed: string): Promise<string[] | null> {
  const { tx, actor } = call
  if (!(await redeemAppCode({ tx, now: actor.now }, userId, { code: normaliseCode(typed), isOn: false }))) return null
  await tx.update(authenticatorApps).set({ confirmedAt: actor.now.toISOString() }).where(eq(authenticatorApps.userId, userId))
  await logRecordChange(call, logSubject, { action: 'created', before: null, after: logRecord(userId, actor.now) })
  return makeRecoveryCodes(tx, userId)
}

/** Replaces the recovery codes. @returns the codes, which cannot be read again */
export async function renewRecoveryCodes(tx: OrganisationTx, userId: UserId, actor: Actor): Promise<string[]> {
  await recordSecondStepChange({ tx, actor }, userId, 'made new recovery codes')
  return makeRecoveryCodes(tx, userId)
}

/** Turns off a person's second step. @throws DomainError 409 if it is off */
export async function removeSecondStep(tx: OrganisationTx, userId: UserId, actor: Actor): Promise<void> {
  const removed = await tx
    .delete(authenticatorApps)
    .where(and(eq(authenticatorApps.userId, userId), isNotNull(authenticatorApps.confirmedAt)))
    .returning({ userId: authenticatorApps.userId })
  if (!removed.length) throw conflict('secondStepOff', 'No authenticator app is set up.')
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await logRecordChange({ tx, actor }, logSubject, { action: 'deleted', before: logRecord(userId, actor.now), after: null })
}

export async function listSecondStepHistory(tx: OrganisationTx, userId: UserId): Promise<HistoryEntry[]> {
  const entries = await readRecordHistory(tx, logSubject, userId)
  return entries.map(({ action, after, actorId, occurredAt, version }) => {
    const removed = actorId === userId ? 'turned off two-step verification' : 'turned off two-step verification for this user'
    const sentence = action === 'created' ? 'set up two-step verification' : String(after?.what ?? removed)
    return { actorId, occurredAt, version, action: 'updated', before: null, after: null, sentence }
  })
}

export const wrongCodeMessage = 'This code is wrong or was already used. Wait for the next one and try again.'

/** Uses up a code typed on a screen of the product. @throws DomainError 400 for the field `code` */
export async function requireSecondStepCode(call: Call<'actor'>, userId: UserId, code: string): Promise<void> {
  if (!(await redeemSecondStepCode(call, userId, code))) throw invalid([{ field: 'code', message: wrongCodeMessage }])
}
