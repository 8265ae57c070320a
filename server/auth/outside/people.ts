import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { type OrganisationId, toOrganisationId, type UserId } from '../../../domain/values/ids.ts'
import { conflict, notFound } from '../../../domain/words/errors.ts'
import { userGroups, users } from '../../../drizzle/accessTables.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { getResourceTable } from '../../core/database/tables.ts'
import { log } from '../../core/log.ts'
import type { GroupRule, IssuerSettings } from '../../core/outsideSettings.ts'
import { lockUserChanges, saveUser } from '../../features/users/commands.ts'
import { listGroupRules } from '../../features/users/groupRules/queries.ts'
import { type HistoryEntry, logRecordChange, readRecordHistory } from '../../resources/referenceLog.ts'
import { readUser } from '../../shared/users/queries.ts'
import { lockUserUnlessErased } from '../erasedUsers.ts'
import { endAllSignIns } from '../signIns.ts'
import type { IdClaims } from './issuer.ts'

type Person = typeof users.$inferSelect

/** Name under which the log of reference changes records a person's link to an outside issuer. */
const logSubject = { name: 'userSignIn' }

/** Google verifies only its own mail addresses and those of organisations whose mail it hosts (Google, "Verify the ID token": `hd`). */
function isAddressVerified({ iss, email_verified: verified, hd }: IdClaims, email: string, trustEmail: boolean): boolean {
  if (email.includes('\0')) return false
  if (iss === 'https://accounts.google.com' && !hd && !/@(gmail|googlemail)\.com$/i.test(email)) return false
  return verified === true || (trustEmail && verified === undefined)
}

/** OpenID Connect Core, section 2: at most 255 ASCII characters. Other values are never looked up. */
const isSubject = (sub: string): boolean => /^[ -~]{1,255}$/.test(sub)

/**
 * Lower-cases ASCII letters only. Some non-ASCII letters, such as the Kelvin sign, have an ASCII lower case and would match another
 * person's address.
 */
const normaliseEmail = (email: string): string => email.trim().replace(/[A-Z]+/g, (letters) => letters.toLowerCase())

/**
 * Finds the person an ID token identifies: by the linked subject or, the first time, by an address that the issuer has verified. An address
 * never takes over a person linked to another subject of the issuer.
 * @returns the person, or a sentence that says why there is none
 */
export async function findPersonByClaims(
  tx: OrganisationTx,
  claims: IdClaims,
  { name, trustEmail }: IssuerSettings,
): Promise<Person | string> {
  const { sub, email } = claims
  if (!isSubject(sub)) return `${name} did not identify you in a way that Bursar can store. Ask the person who manages users.`
  const isGood = typeof email === 'string' && isAddressVerified(claims, email, trustEmail)
  const bound = (await findLinkedPerson(tx, claims)) ?? (isGood ? await linkByAddress(tx, claims, email) : undefined)
  // Two windows may sign in for the first time at once: one links the person, and the other finds the link.
  const person = bound ?? (isGood ? await findLinkedPerson(tx, claims) : undefined)
  if (person) return person.active ? person : 'Your account is inactive. Ask the person who manages users.'
  if (typeof email !== 'string') return `${name} did not provide your email address. Ask the person who manages users.`
  if (!isAddressVerified(claims, email, trustEmail))
    return `${name} did not confirm that the address ${email} is yours. Ask the person who manages users.`
  return `No user here has the address ${email}. Sign in with another account, or ask the person who manages users to add you.`
}

async function findLinkedPerson(tx: OrganisationTx, { iss, sub }: IdClaims): Promise<Person | undefined> {
  const [user] = await tx
    .select()
    .from(users)
    .where(and(eq(users.outsideIssuer, iss), eq(users.outsideSubject, sub)))
  return user
}

/**
 * Links the person with this address to the subject, so that later sign-ins do not depend on the address, which may change here or at the
 * issuer.
 */
async function linkByAddress(tx: OrganisationTx, { iss, sub }: IdClaims, email: string): Promise<Person | undefined> {
  const [user] = await tx
    .update(users)
    .set({ outsideIssuer: iss, outsideSubject: sub })
    .where(
      and(
        eq(sql`lower(${users.email})`, normaliseEmail(email)),
        eq(users.active, true),
        or(isNull(users.outsideSubject), ne(users.outsideIssuer, iss)),
      ),
    )
    .returning()
  if (!user) return undefined
  const record = { id: user.id, version: user.version, created: user.created, organisationId: null }
  const after = { ...record, outsideIssuer: iss, outsideSubject: sub, sentence: `was linked to their sign-in at ${new URL(iss).hostname}` }
  await logRecordChange({ tx, actor: { userId: user.id, requestId: 'sign-in', now: new Date() } }, logSubject, {
    action: 'created',
    before: null,
    after,
  })
  return user
}

/** Reads the group claim. @returns null if the issuer left it out because there are too many groups (Microsoft does above 200) */
function readGroupClaim(claims: IdClaims, claim: string): string[] | null {
  const claimValue = claims[claim]
  if (claimValue === undefined && ('_claim_names' in claims || 'hasgroups' in claims)) return null
  return (Array.isArray(claimValue) ? claimValue : [claimValue]).filter((value) => typeof value === 'string')
}

const joinNames = (names: readonly string[]): string => new Intl.ListFormat('en-GB').format(names)

/**
 * Adds and removes a person's user groups according to the claim. Groups that no rule names are left alone, as are locations; a person
 * added to an organisation this way works at all locations until someone limits them.
 * @returns whether anything changed
 * @throws DomainError 409 if nobody could manage users any more
 */
export async function applyGroupClaim(
  tx: OrganisationTx,
  person: Person,
  { claims, settings: { groups, name }, requestId }: { claims: IdClaims; settings: IssuerSettings; requestId: string },
): Promise<boolean> {
  const { known: fixed, unknown } = await resolveGroupRules(tx, groups.rules)
  const rules = [...fixed, ...(await listGroupRules(tx))]
  for (const { organisation, userGroup } of unknown)
    log.warn({ organisation, userGroup }, 'OIDC_GROUPS names an organisation or user group that does not exist')
  if (!rules.length) return false
  const values = readGroupClaim(claims, groups.claim)
  if (!values) {
    log.warn({ userId: person.id }, 'the issuer left out the groups of a sign-in because there are too many: the user groups are unchanged')
    return false
  }
  // Lock before reading: two windows signing in at once would otherwise make the same change twice.
  await lockUserChanges(tx)
  const user = await readUser(tx, person.id)
  const sentences: string[] = []
  const memberships = [...user.memberships]
  for (const organisationId of new Set(rules.map((rule) => rule.organisationId))) {
    const organisationRules = rules.filter((rule) => rule.organisationId === organisationId)
    const claimedGroupIds = new Set(organisationRules.filter((rule) => values.includes(rule.value)).map((rule) => rule.userGroupId))
    const before = memberships.find((one) => one.organisationId === organisationId)
    const currentGroupIds = before?.userGroupIds ?? []
    const governed = new Map(organisationRules.map((rule) => [rule.userGroupId, rule.userGroup]))
    const added = [...claimedGroupIds].filter((id) => !currentGroupIds.includes(id))
    const removed = currentGroupIds.filter((id) => governed.has(id) && !claimedGroupIds.has(id))
    if (!added.length && !removed.length) continue
    const after = {
      organisationId,
      locationIds: before?.locationIds ?? [],
      userGroupIds: [...currentGroupIds.filter((id) => !removed.includes(id)), ...added],
    }
    memberships.splice(before ? memberships.indexOf(before) : memberships.length, before ? 1 : 0, after)
    const parts = [
      ...(added.length ? [`was given ${joinNames(added.map((id) => assertDefined(governed.get(id))))}`] : []),
      ...(removed.length ? [`lost ${joinNames(removed.map((id) => assertDefined(governed.get(id))))}`] : []),
    ]
    sentences.push(`${parts.join(' and ')} in ${assertDefined(organisationRules[0]).organisation} because of their groups at ${name}`)
  }
  if (!sentences.length) return false
  const actor = { userId: null, requestId, now: new Date() }
  const saved = await saveUser(tx, { ...user, memberships }, actor)
  const record = { id: saved.id, version: saved.version, created: saved.created, organisationId: null }
  for (const sentence of sentences)
    await logRecordChange({ tx, actor: { ...actor, userId: person.id } }, logSubject, {
      action: 'updated',
      before: record,
      after: { ...record, sentence },
    })
  return true
}

/** Resolves the names in group rules to ids. `unknown` lists the rules that name an organisation or user group that does not exist. */
export async function resolveGroupRules(tx: OrganisationTx, rules: readonly GroupRule[]) {
  const { table, columns } = getResourceTable(resources.organisation)
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
 * Removes a person's link to the outside issuer and ends their sign-ins. The next sign-in links by address again, for an account that was
 * recreated or an issuer registered afresh, which changes every subject.
 * @throws DomainError 409 if the person is not linked or was erased
 */
export async function unlinkFromIssuer(tx: OrganisationTx, userId: UserId, actor: Actor): Promise<void> {
  await lockUserUnlessErased(tx, userId)
  const [before] = await tx.select().from(users).where(eq(users.id, userId)).for('update')
  if (!before?.outsideIssuer) throw conflict('notLinked', 'This user is not linked to an external sign-in.')
  await tx.update(users).set({ outsideIssuer: null, outsideSubject: null }).where(eq(users.id, userId))
  await endAllSignIns(tx, userId)
  const record = { id: userId, version: before.version, created: before.created, organisationId: null }
  const sentence = `unlinked this user from their sign-in at ${new URL(before.outsideIssuer).hostname}`
  await logRecordChange({ tx, actor }, logSubject, { action: 'updated', before: record, after: { ...record, sentence } })
}

/**
 * Unlinks everyone, or the person with an address. Only the command line offers this.
 * @returns how many were linked
 * @throws DomainError 404 if nobody has the address
 */
export async function unlinkAllFromIssuer(tx: OrganisationTx, email: string | null, now: Date): Promise<number> {
  const addressCondition = email === null ? undefined : eq(sql`lower(${users.email})`, email.trim().toLowerCase())
  const people = await tx.select({ id: users.id, subject: users.outsideSubject }).from(users).where(addressCondition).orderBy(users.id)
  if (email !== null && !people.length) throw notFound('A user with this address')
  const bound = people.filter(({ subject }) => subject !== null)
  for (const { id } of bound) await unlinkFromIssuer(tx, id, { userId: null, requestId: 'admin', now })
  return bound.length
}

export async function listIssuerLinkHistory(tx: OrganisationTx, userId: UserId): Promise<HistoryEntry[]> {
  return (await readRecordHistory(tx, logSubject, userId)).map((entry) => ({
    ...entry,
    action: 'updated',
    before: null,
    after: null,
    sentence: String(entry.after?.sentence ?? 'was linked to their external sign-in'),
  }))
}
