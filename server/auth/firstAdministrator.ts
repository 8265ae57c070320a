import { randomBytes } from 'node:crypto'
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { displayDateTime } from '../../domain/values/format.ts'
import { onlyRow } from '../../domain/values/must.ts'
import { firstLinks, users } from '../../drizzle/accessTables.ts'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { sha256 } from '../core/stream/hash.ts'
import { saveUser } from '../features/users/commands.ts'
import { type LoggedRecord, recordChange } from '../resources/referenceLog.ts'
import type { UserInput } from '../shared/users/queries.ts'
import { passwordHash } from './accounts.ts'

/** Where the link for the first administrator leads. */
export const firstAdministratorPath = '/first-administrator'

const goodForMs = 24 * 3_600_000
const by = (now: Date) => ({ userId: null, requestId: 'first-administrator', now })
const logged = ({ id, created, expiresAt }: typeof firstLinks.$inferSelect): LoggedRecord => ({
  id,
  version: 1,
  organisationId: null,
  created,
  expiresAt,
})

async function hasAdministrator(tx: OrganisationTx): Promise<boolean> {
  const [found] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isAdministrator, true), eq(users.active, true)))
    .limit(1)
  return found !== undefined
}

/**
 * Makes the one-time link by which the first administrator comes to be, where nobody is one yet. Its secret is said once and never again: one
 * that is still good is not made anew unless it is asked for, which ends the one before.
 * @returns words for the console, or null where there is an administrator
 */
export function makeFirstLink(
  store: Store,
  { origin, now, again = false }: { origin: string; now: Date; again?: boolean },
): Promise<string | null> {
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.users})`)
    if (await hasAdministrator(tx)) return null
    const good = and(isNull(firstLinks.usedAt), gt(firstLinks.expiresAt, now.toISOString()))
    const [still] = await tx.select().from(firstLinks).where(good).orderBy(desc(firstLinks.id)).limit(1)
    if (still && !again)
      return `There is no administrator yet. The link that was shown before is good until ${displayDateTime(still.expiresAt)}; npm run admin -- link makes a new one.`
    await tx.update(firstLinks).set({ usedAt: now.toISOString() }).where(isNull(firstLinks.usedAt))
    const secret = randomBytes(32).toString('base64url')
    const expiresAt = new Date(now.getTime() + goodForMs).toISOString()
    const row = onlyRow(
      await tx
        .insert(firstLinks)
        .values({ secretHash: sha256(secret), expiresAt })
        .returning(),
    )
    await recordChange({ tx, actor: by(now) }, { name: 'firstAdministratorLink' }, { action: 'created', before: null, after: logged(row) })
    return `There is no administrator yet. Open this link to become the first; it can be used once, until ${displayDateTime(expiresAt)}:\n  ${origin}${firstAdministratorPath}/${secret}`
  })
}

/** Whether a link is still good: unused, in time, and nobody is an administrator yet. */
export function isFirstLink(store: Store, secret: string): Promise<boolean> {
  return store.asPlatform(async (tx) => {
    const [row] = await tx
      .select({ id: firstLinks.id })
      .from(firstLinks)
      .where(and(eq(firstLinks.secretHash, sha256(secret)), isNull(firstLinks.usedAt), gt(firstLinks.expiresAt, sql`now()`)))
    return row !== undefined && !(await hasAdministrator(tx))
  })
}

/**
 * Makes the first administrator and uses the link up.
 * @param password null with an outside issuer, where the person is known by the address there
 * @returns false when the link is good no longer
 * @throws DomainError 400 at its field
 */
export async function becomeFirst(
  store: Store,
  {
    secret,
    person,
    password,
    now,
  }: { secret: string; person: { forename: string; surname: string; email: string }; password: string | null; now: Date },
): Promise<boolean> {
  const hashed = password === null ? null : await passwordHash(password)
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.users})`)
    if (await hasAdministrator(tx)) return false
    const [used] = await tx
      .update(firstLinks)
      .set({ usedAt: now.toISOString() })
      .where(and(eq(firstLinks.secretHash, sha256(secret)), isNull(firstLinks.usedAt), gt(firstLinks.expiresAt, now.toISOString())))
      .returning()
    if (!used) return false
    await recordChange({ tx, actor: by(now) }, { name: 'firstAdministratorLink' }, { action: 'deleted', before: logged(used), after: null })
    const input: UserInput = { ...person, isAdministrator: true, active: true, organisationIds: [], locationIds: [], userGroupIds: [] }
    const { id } = await saveUser(tx, input, by(now))
    await tx.update(users).set({ passwordHash: hashed }).where(eq(users.id, id))
    return true
  })
}
