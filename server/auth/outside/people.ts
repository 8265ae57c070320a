import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type OrganisationId, toOrganisationId, type UserId } from '../../../domain/values/ids.ts'
import { conflict, notFound } from '../../../domain/words/errors.ts'
import { userGroups, users } from '../../../drizzle/accessTables.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { tableFor } from '../../core/database/tables.ts'
import { log } from '../../core/log.ts'
import type { GroupRule, OutsideSettings } from '../../core/outsideSettings.ts'
import { oneUserAtATime, saveUser } from '../../features/users/commands.ts'
import { keptRules } from '../../features/users/groupRules/queries.ts'
import { getUser } from '../../features/users/queries.ts'
import { type HistoryEntry, historyOf, recordChange } from '../../resources/referenceLog.ts'
import { refuseErased } from '../erasedUsers.ts'
import { endAllSignIns } from '../signIns.ts'
import type { IdClaims } from './issuer.ts'

type Person = typeof users.$inferSelect

/** What the log of reference changes calls what an outside issuer has to do with a person. */
const traced = { name: 'userSignIn' }

/** Google vouches for addresses of its own mail and of the organisations that it runs mail for, and for no others (Google, "Verify the ID token": `hd`). */
function isVouchedFor({ iss, email_verified: verified, hd }: IdClaims, email: string, trustEmail: boolean): boolean {
  if (email.includes('\0')) return false
  if (iss === 'https://accounts.google.com' && !hd && !/@(gmail|googlemail)\.com$/i.test(email)) return false
  return verified === true || (trustEmail && verified === undefined)
}

/** A subject as the standard has it (OpenID Connect Core, section 2: at most 255 ASCII characters); nothing else is looked for in the database. */
const isSubject = (sub: string): boolean => /^[ -~]{1,255}$/.test(sub)

/** An address as it is compared: of letters that have a small one outside of ASCII, some have one within (the Kelvin sign), and are another's. */
const asCompared = (email: string): string => email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * Whom an ID token names: who its subject was bound to and, the first time, whoever has the address that the issuer vouches for. Somebody bound
 * to another subject of the issuer is not taken over by an address.
 * @returns the person, or one sentence that says why there is none
 */
export async function personOf(tx: OrganisationTx, claims: IdClaims, { name, trustEmail }: OutsideSettings): Promise<Person | string> {
  const { sub, email } = claims
  if (!isSubject(sub)) return `${name} does not say who you are in a way that can be kept. Ask the person who looks after users.`
  const isGood = typeof email === 'string' && isVouchedFor(claims, email, trustEmail)
  const bound = (await boundTo(tx, claims)) ?? (isGood ? await bindByAddress(tx, claims, email) : undefined)
  // Two windows may come in for the first time at once: one binds, and the other finds it done.
  const person = bound ?? (isGood ? await boundTo(tx, claims) : undefined)
  if (person) return person.active ? person : 'Your account is switched off. Ask the person who looks after users.'
  if (typeof email !== 'string') return `${name} does not say what your email address is. Ask the person who looks after users.`
  if (!isVouchedFor(claims, email, trustEmail))
    return `${name} does not say that the address ${email} is yours. Ask the person who looks after users.`
  return `Nobody signs in here with the address ${email}. Sign in with another account, or ask the person who looks after users to add you.`
}

async function boundTo(tx: OrganisationTx, { iss, sub }: IdClaims): Promise<Person | undefined> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.outsideIssuer, iss), eq(users.outsideSubject, sub)))
  return user
}

/** Binds whoever has an address to the subject that has it, so that an address that changes, there or here, moves nobody. */
async function bindByAddress(tx: OrganisationTx, { iss, sub }: IdClaims, email: string): Promise<Person | undefined> {
  const [user] = await tx
    .update(users)
    .set({ outsideIssuer: iss, outsideSubject: sub })
    .where(
      and(
        eq(sql`lower(${users.email})`, asCompared(email)),
        eq(users.active, true),
        or(isNull(users.outsideSubject), ne(users.outsideIssuer, iss)),
      ),
    )
    .returning()
  if (!user) return undefined
  const record = { id: user.id, version: user.version, created: user.created, organisationId: null }
  const after = { ...record, outsideIssuer: iss, outsideSubject: sub, sentence: `was linked to their sign-in at ${new URL(iss).hostname}` }
  await recordChange({ tx, actor: { userId: user.id, requestId: 'sign-in', now: new Date() } }, traced, {
    action: 'created',
    before: null,
    after,
  })
  return user
}

/** The values of the claim that groups are given by; null where the issuer left them out because there are too many (Microsoft does above 200). */
function valuesOf(claims: IdClaims, claim: string): string[] | null {
  const given = claims[claim]
  if (given === undefined && ('_claim_names' in claims || 'hasgroups' in claims)) return null
  return (Array.isArray(given) ? given : [given]).filter((value) => typeof value === 'string')
}

const named = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names)

/**
 * Gives a person the user groups that the values of a claim stand for, and takes away those that they stand for no longer. Groups that no rule
 * names are left alone, and so are locations: whoever comes into an organisation by it works at all of them until somebody says otherwise.
 * @returns whether anything changed
 * @throws DomainError 409 where nobody would be left who may look after users
 */
export async function applyGroups(
  tx: OrganisationTx,
  person: Person,
  { claims, settings: { groups, name }, requestId }: { claims: IdClaims; settings: OutsideSettings; requestId: string },
): Promise<boolean> {
  const { known: fixed, unknown } = await readRules(tx, groups.rules)
  const rules = [...fixed, ...(await keptRules(tx))]
  for (const { organisation, userGroup } of unknown)
    log.warn({ organisation, userGroup }, 'OIDC_GROUPS names an organisation or a user group that there is not')
  if (!rules.length) return false
  const values = valuesOf(claims, groups.claim)
  if (!values) {
    log.warn({ userId: person.id }, 'the issuer left groups out of a sign-in because there are too many: the user groups stay as they are')
    return false
  }
  // Read in turn too: two windows that come in at once would both change what only the first finds.
  await oneUserAtATime(tx)
  const user = await getUser(tx, person.id)
  const sentences: string[] = []
  const memberships = [...user.memberships]
  for (const organisationId of new Set(rules.map((rule) => rule.organisationId))) {
    const own = rules.filter((rule) => rule.organisationId === organisationId)
    const wanted = new Set(own.filter((rule) => values.includes(rule.value)).map((rule) => rule.userGroupId))
    const before = memberships.find((one) => one.organisationId === organisationId)
    const held = before?.userGroupIds ?? []
    const governed = new Map(own.map((rule) => [rule.userGroupId, rule.userGroup]))
    const added = [...wanted].filter((id) => !held.includes(id))
    const removed = held.filter((id) => governed.has(id) && !wanted.has(id))
    if (!added.length && !removed.length) continue
    const after = {
      organisationId,
      locationIds: before?.locationIds ?? [],
      userGroupIds: [...held.filter((id) => !removed.includes(id)), ...added],
    }
    memberships.splice(before ? memberships.indexOf(before) : memberships.length, before ? 1 : 0, after)
    const parts = [
      ...(added.length ? [`was given ${named(added.map((id) => assertDefined(governed.get(id))))}`] : []),
      ...(removed.length ? [`lost ${named(removed.map((id) => assertDefined(governed.get(id))))}`] : []),
    ]
    sentences.push(`${parts.join(' and ')} in ${assertDefined(own[0]).organisation} by their groups at ${name}`)
  }
  if (!sentences.length) return false
  const actor = { userId: null, requestId, now: new Date() }
  const saved = await saveUser(tx, { ...user, memberships }, actor)
  const record = { id: saved.id, version: saved.version, created: saved.created, organisationId: null }
  for (const sentence of sentences)
    await recordChange({ tx, actor: { ...actor, userId: person.id } }, traced, {
      action: 'updated',
      before: record,
      after: { ...record, sentence },
    })
  return true
}

/** The rules with the ids of what they name, and those that name an organisation or a user group that there is not. */
export async function readRules(tx: OrganisationTx, rules: readonly GroupRule[]) {
  const { table, columns } = tableFor(resources.organisation)
  const names = rules.map((rule) => rule.organisation)
  const organisations = await tx.select({ id: columns.id, name: columns.name }).from(table).where(inArray(columns.name, names))
  const groups = await tx.select({ id: userGroups.id, name: userGroups.name }).from(userGroups)
  const known: (GroupRule & { organisationId: OrganisationId; userGroupId: number })[] = []
  const unknown: GroupRule[] = []
  for (const rule of rules) {
    const organisation = organisations.find((one) => one.name === rule.organisation)
    const group = groups.find((one) => one.name.toLowerCase() === rule.userGroup.toLowerCase())
    if (organisation && group) known.push({ ...rule, organisationId: toOrganisationId(Number(organisation.id)), userGroupId: group.id })
    else unknown.push(rule)
  }
  return { known, unknown }
}

/**
 * Forgets who somebody is at the outside issuer, and ends their sign-ins: at their next one whoever has their address there is bound anew. For
 * somebody who was made anew there, and for a new registration there, by which everybody has another subject.
 * @throws DomainError 409 where nobody is bound, and for a user who was erased
 */
export async function unlinkOutside(tx: OrganisationTx, userId: UserId, actor: Actor): Promise<void> {
  await refuseErased(tx, userId)
  const [before] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!before?.outsideIssuer) throw conflict('notLinked', 'This user is not linked to a sign-in elsewhere.')
  await tx.update(users).set({ outsideIssuer: null, outsideSubject: null }).where(eq(users.id, userId))
  await endAllSignIns(tx, userId)
  const record = { id: userId, version: before.version, created: before.created, organisationId: null }
  const sentence = `unlinked this user from their sign-in at ${new URL(before.outsideIssuer).hostname}`
  await recordChange({ tx, actor }, traced, { action: 'updated', before: record, after: { ...record, sentence } })
}

/**
 * The same for everybody, or for whoever has an address here: what only somebody at the machine does.
 * @returns how many were bound
 * @throws DomainError 404 for an address that nobody has
 */
export async function unlinkEverybody(tx: OrganisationTx, email: string | null, now: Date): Promise<number> {
  const named = email === null ? undefined : eq(sql`lower(${users.email})`, email.trim().toLowerCase())
  const people = await tx.select({ id: users.id, subject: users.outsideSubject }).from(users).where(named).orderBy(users.id)
  if (email !== null && !people.length) throw notFound('A user with this address')
  const bound = people.filter(({ subject }) => subject !== null)
  for (const { id } of bound) await unlinkOutside(tx, id, { userId: null, requestId: 'admin', now })
  return bound.length
}

/** What an outside issuer had to do with a person, newest first, in words. */
export async function outsideHistory(tx: OrganisationTx, userId: UserId): Promise<HistoryEntry[]> {
  return (await historyOf(tx, traced, userId)).map((entry) => ({
    ...entry,
    action: 'updated',
    before: null,
    after: null,
    sentence: String(entry.after?.sentence ?? 'was linked to their sign-in elsewhere'),
  }))
}
