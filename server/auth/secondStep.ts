import { randomInt } from 'node:crypto'
import { and, count, eq, isNotNull, isNull, lt, or, sql } from 'drizzle-orm'
import { renderSVG } from 'uqr'
import type { UserId } from '../../domain/values/ids.ts'
import { must, onlyRow } from '../../domain/values/must.ts'
import { conflict, invalid } from '../../domain/words/errors.ts'
import { memberships, recoveryCodes, secondStepGroups, secondSteps, userGroups, users } from '../../drizzle/accessTables.ts'
import type { Actor } from '../core/calls/actor.ts'
import type { Call } from '../core/calls/call.ts'
import type { OrganisationTx } from '../core/database/database.ts'
import type { KeySeal } from '../core/database/keySeal.ts'
import { sha256 } from '../core/stream/hash.ts'
import { type HistoryEntry, historyOf, recordChange } from '../resources/referenceLog.ts'
import { base32, newKey, stepOf } from './totp.ts'

/** How many recovery codes somebody gets, each good once. */
const codesAtATime = 10

/** Without letters and digits that are read as one another; 16 of them are 80 bits, too many to be guessed from their digests. */
const codeLetters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** What the log of reference changes calls the second step of a person. */
const traced = { name: 'secondStep' }

const subjectOf = (userId: UserId): string => `second step ${userId}`

function sealed({ keySeal }: { keySeal: KeySeal }, userId: UserId, key: Uint8Array): string {
  return keySeal.seal(subjectOf(userId), key).toString('base64')
}

function opened({ keySeal }: { keySeal: KeySeal }, { userId, key }: { userId: UserId; key: string }): Buffer {
  return keySeal.open(subjectOf(userId), Buffer.from(key, 'base64'))
}

/** Seals the keys of authenticator apps anew with another secret. @returns how many @throws SettingError where one was sealed with yet another */
export async function resealSecondSteps(tx: OrganisationTx, next: KeySeal): Promise<number> {
  const rows = await tx.select().from(secondSteps).for('update')
  for (const row of rows)
    await tx
      .update(secondSteps)
      .set({ key: sealed({ keySeal: next }, row.userId, opened(tx, row)) })
      .where(eq(secondSteps.userId, row.userId))
  return rows.length
}

/** How somebody's second step stands. */
export interface SecondStepState {
  isOn: boolean
  /** Since when it is on. */
  since: string | null
  /** Recovery codes that are still unused. */
  codesLeft: number
  /** A user group of theirs asks for it, or an organisation where they are in one. */
  isRequired: boolean
}

/** How a person's second step stands. */
export async function secondStepOf(tx: OrganisationTx, userId: UserId): Promise<SecondStepState> {
  const [step] = await tx
    .select({ since: secondSteps.confirmedAt })
    .from(secondSteps)
    .where(and(eq(secondSteps.userId, userId), isNotNull(secondSteps.confirmedAt)))
  const left = onlyRow(
    await tx
      .select({ codes: count() })
      .from(recoveryCodes)
      .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt))),
  )
  const isRequired = await isAskedOf(tx, userId)
  const since = step?.since ? new Date(step.since).toISOString() : null
  return { isOn: since !== null, since, codesLeft: left.codes, isRequired }
}

/** Whether a user group of a person asks for a second step: everywhere, or in an organisation where they are in it. */
async function isAskedOf(tx: OrganisationTx, userId: UserId): Promise<boolean> {
  const groups = await tx
    .select({ id: userGroups.id, isEverywhere: userGroups.secondStepRequired, organisationId: memberships.organisationId })
    .from(memberships)
    .innerJoin(userGroups, sql`${userGroups.id} = any(${memberships.userGroupIds})`)
    .where(eq(memberships.userId, userId))
  if (groups.some(({ isEverywhere }) => isEverywhere)) return true
  if (!groups.length) return false
  const pairs = groups.map(({ id, organisationId }) => sql`(${organisationId}::integer, ${id}::integer)`)
  const asked = await tx
    .select({ id: secondStepGroups.userGroupId })
    .from(secondStepGroups)
    .where(sql`(${secondStepGroups.organisationId}, ${secondStepGroups.userGroupId}) in (${sql.join(pairs, sql`, `)})`)
    .limit(1)
  return asked.length > 0
}

/** What an authenticator app is set up with: to be scanned, or to be typed. */
export interface Enrolment {
  /** The key in groups of four. */
  key: string
  /** A picture of the same, as SVG. */
  picture: string
}

function enrolmentOf(email: string, key: Uint8Array): Enrolment {
  const text = base32(key)
  const address = `otpauth://totp/${encodeURIComponent(`Bursar:${email}`)}?secret=${text}&issuer=Bursar`
  return { key: must(text.match(/.{1,4}/g)).join(' '), picture: renderSVG(address, { border: 4, pixelSize: 6 }) }
}

/**
 * Makes a key for the app of somebody who has none yet; it counts once a code of it was typed.
 * @throws DomainError 409 where one is set up already
 */
export async function beginSecondStep(tx: OrganisationTx, userId: UserId): Promise<Enrolment> {
  const user = onlyRow(await tx.select({ email: users.email }).from(users).where(eq(users.id, userId)))
  const key = newKey()
  const row = { key: sealed(tx, userId, key), lastStep: null }
  const [begun] = await tx
    .insert(secondSteps)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: secondSteps.userId, set: row, setWhere: isNull(secondSteps.confirmedAt) })
    .returning({ userId: secondSteps.userId })
  if (!begun) throw conflict('secondStepOn', 'An authenticator app is set up already. Take it off first.')
  return enrolmentOf(user.email, key)
}

/** What an app is set up with that was begun with and not finished; null where nothing was begun. */
export async function begunSecondStep(tx: OrganisationTx, userId: UserId): Promise<Enrolment | null> {
  const [row] = await tx
    .select({ userId: secondSteps.userId, key: secondSteps.key, email: users.email })
    .from(secondSteps)
    .innerJoin(users, eq(users.id, secondSteps.userId))
    .where(and(eq(secondSteps.userId, userId), isNull(secondSteps.confirmedAt)))
  return row ? enrolmentOf(row.email, opened(tx, row)) : null
}

/** Uses a code of the app up. @returns whether it was good: right, in time and never used before */
async function spendAppCode({ tx, now }: Call<'now'>, userId: UserId, { code, isOn }: { code: string; isOn: boolean }): Promise<boolean> {
  const confirmed = isOn ? isNotNull(secondSteps.confirmedAt) : isNull(secondSteps.confirmedAt)
  const [row] = await tx
    .select()
    .from(secondSteps)
    .where(and(eq(secondSteps.userId, userId), confirmed))
  const step = row ? stepOf(opened(tx, row), { code, now, after: row.lastStep }) : null
  if (step === null) return false
  // Of two servers that are given the same code at once one takes it.
  const used = await tx
    .update(secondSteps)
    .set({ lastStep: step })
    .where(and(eq(secondSteps.userId, userId), confirmed, or(isNull(secondSteps.lastStep), lt(secondSteps.lastStep, step))))
    .returning({ userId: secondSteps.userId })
  return used.length > 0
}

/** A typed code without the spaces and hyphens that people read it in. */
const plain = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase()

/**
 * Uses a code up, of the app or a recovery code, that somebody typed as their second step.
 * @returns which it was; null for one that is wrong or was used
 */
export async function spendCode(call: Call<'actor'>, userId: UserId, typed: string): Promise<'app' | 'recovery' | null> {
  const { tx, actor } = call
  const code = plain(typed)
  if (await spendAppCode({ tx, now: actor.now }, userId, { code, isOn: true })) return 'app'
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: actor.now.toISOString() })
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.codeHash, sha256(code)), isNull(recoveryCodes.usedAt)))
    .returning({ userId: recoveryCodes.userId })
  if (!used.length) return null
  await traceUpdate(call, userId, 'used a recovery code')
  return 'recovery'
}

/** Makes ten recovery codes in place of those before, kept as digests. @returns the codes, this once */
async function makeRecoveryCodes(tx: OrganisationTx, userId: UserId): Promise<string[]> {
  const letter = (): string => must(codeLetters[randomInt(codeLetters.length)])
  const four = (): string => Array.from({ length: 4 }, letter).join('')
  const codes = Array.from({ length: codesAtATime }, () => [four(), four(), four(), four()].join('-'))
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, codeHash: sha256(plain(code)) })))
  return codes
}

const record = (userId: UserId, now: Date) => ({ id: userId, version: 1, organisationId: null, created: now.toISOString() })

/** Writes down what somebody did with their second step. @param what what the history of the person says */
async function traceUpdate(call: Call<'actor'>, userId: UserId, what: string): Promise<void> {
  const { actor } = call
  const before = record(userId, actor.now)
  await recordChange(call, traced, { action: 'updated', before, after: { ...before, what } })
}

/**
 * Ends the setting up of an app, once a code of it is right.
 * @returns the recovery codes, this once; null for a wrong code
 */
export async function confirmSecondStep(call: Call<'actor'>, userId: UserId, typed: string): Promise<string[] | null> {
  const { tx, actor } = call
  if (!(await spendAppCode({ tx, now: actor.now }, userId, { code: plain(typed), isOn: false }))) return null
  await tx.update(secondSteps).set({ confirmedAt: actor.now.toISOString() }).where(eq(secondSteps.userId, userId))
  await recordChange(call, traced, { action: 'created', before: null, after: record(userId, actor.now) })
  return makeRecoveryCodes(tx, userId)
}

/** Makes new recovery codes; those before are good no longer. @returns the codes, this once */
export async function renewRecoveryCodes(tx: OrganisationTx, userId: UserId, actor: Actor): Promise<string[]> {
  await traceUpdate({ tx, actor }, userId, 'made new recovery codes')
  return makeRecoveryCodes(tx, userId)
}

/** Takes a person's second step off. @throws DomainError 409 where there is none */
export async function removeSecondStep(tx: OrganisationTx, userId: UserId, actor: Actor): Promise<void> {
  const removed = await tx
    .delete(secondSteps)
    .where(and(eq(secondSteps.userId, userId), isNotNull(secondSteps.confirmedAt)))
    .returning({ userId: secondSteps.userId })
  if (!removed.length) throw conflict('secondStepOff', 'No authenticator app is set up.')
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  await recordChange({ tx, actor }, traced, { action: 'deleted', before: record(userId, actor.now), after: null })
}

/** What became of a person's second step, newest first, in words. */
export async function secondStepHistory(tx: OrganisationTx, userId: UserId): Promise<HistoryEntry[]> {
  const entries = await historyOf(tx, traced, userId)
  return entries.map(({ action, after, actorId, occurredAt, version }) => {
    const removed = actorId === userId ? 'took the second step at sign-in off' : 'took off the second step of this user at sign-in'
    const sentence = action === 'created' ? 'set up a second step at sign-in' : String(after?.what ?? removed)
    return { actorId, occurredAt, version, action: 'updated', before: null, after: null, sentence }
  })
}

/** What is wrong with a code, at its field. */
export const wrongCode = 'This code is not right, or it was used already. Wait for the next one and try again.'

/** Uses up a code that somebody typed in the product. @throws DomainError 400 at its field */
export async function takeCode(call: Call<'actor'>, userId: UserId, code: string): Promise<void> {
  if (!(await spendCode(call, userId, code))) throw invalid([{ field: 'code', message: wrongCode }])
}
