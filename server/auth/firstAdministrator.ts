import { randomBytes } from 'node:crypto'
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { requireSingleRow } from '../../domain/values/assertDefined.ts'
import { displayDateTime } from '../../domain/values/format.ts'
import { firstAdministratorLinks, users } from '../../drizzle/accessTables.ts'
import { advisoryLocks } from '../core/database/advisoryLocks.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { sha256 } from '../core/stream/hash.ts'
import { saveUser } from '../features/users/commands.ts'
import { type LoggedRecord, logRecordChange } from '../resources/referenceLog.ts'
import type { UserInput } from '../shared/users/queries.ts'
import { hashPassword } from './accounts.ts'

export const firstAdministratorPath = '/first-administrator'

const validMs = 24 * 3_600_000
const linkActor = (now: Date) => ({ userId: null, requestId: 'first-administrator', now })
const toLoggedRecord = ({ id, created, expiresAt }: typeof firstAdministratorLinks.$inferSelect): LoggedRecord => ({
  id,
  version: 1,
  organisationId: null,
  created,
  expiresAt,
})

async function hasAdministrator(tx: OrganisationTx): Promise<boolean> {
  const [administrator] = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.isAdministrator, true), eq(users.active, true)))
    .limit(1)
  return administrator !== undefined
}

/**
 * Creates the one-time link that makes the first administrator, if there is none yet. The secret is shown only once: while a link is valid,
 * another is created only with `again`, which revokes the first.
 * @returns text for the console, or null if there is an administrator
 */
export function createFirstAdministratorLink(
  store: Store,
  { origin, now, again = false }: { origin: string; now: Date; again?: boolean },
): Promise<string | null> {
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.users})`)
    if (await hasAdministrator(tx)) return null
    const good = and(isNull(firstAdministratorLinks.usedAt), gt(firstAdministratorLinks.expiresAt, now.toISOString()))
    const [still] = await tx.select().from(firstAdministratorLinks).where(good).orderBy(desc(firstAdministratorLinks.id)).limit(1)
    if (still && !again)
      return `There is no administrator yet. The link shown earlier is valid until ${displayDateTime(still.expiresAt)}; npm run admin -- link creates a new one.`
    await tx.update(firstAdministratorLinks).set({ usedAt: now.toISOString() }).where(isNull(firstAdministratorLinks.usedAt))
    const secret = randomBytes(32).toString('base64url')
    const expiresAt = new Date(now.getTime() + validMs).toISOString()
    const row = requireSingleRow(
      await tx
        .insert(firstAdministratorLinks)
        .values({ secretHash: sha256(secret), expiresAt })
        .returning(),
    )
    await logRecordChange(
      { tx, actor: linkActor(now) },
      { name: 'firstAdministratorLink' },
      { action: 'created', before: null, after: toLoggedRecord(row) },
    )
    return `There is no administrator yet. Open this link to become the first; it can be used once, until ${displayDateTime(expiresAt)}:\n  ${origin}${firstAdministratorPath}/${secret}`
  })
}

/** Whether a link is valid: unused, not expired, and there is no administrator yet. */
export function isFirstAdministratorLinkValid(store: Store, secret: string): Promise<boolean> {
  return store.asPlatform(async (tx) => {
    const [row] = await tx
      .select({ id: firstAdministratorLinks.id })
      .from(firstAdministratorLinks)
      .where(
        and(
          eq(firstAdministratorLinks.secretHash, sha256(secret)),
          isNull(firstAdministratorLinks.usedAt),
          gt(firstAdministratorLinks.expiresAt, sql`now()`),
        ),
      )
    return row !== undefined && !(await hasAdministrator(tx))
  })
}

/**
 * Creates the first administrator and marks the link as used.
 * @param password null with an outside issuer, which identifies the person by email address
 * @returns false if the link is no longer valid
 * @throws DomainError 400 for an invalid field
 */
export async function createFirstAdministrator(
  store: Store,
  {
    secret,
    person,
    password,
    now,
  }: { secret: string; person: { forename: string; surname: string; email: string }; password: string | null; now: Date },
): Promise<boolean> {
  const hashed = password === null ? null : await hashPassword(password)
  return store.asPlatform(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${advisoryLocks.users})`)
    if (await hasAdministrator(tx)) return false
    const [used] = await tx
      .update(firstAdministratorLinks)
      .set({ usedAt: now.toISOString() })
      .where(
        and(
          eq(firstAdministratorLinks.secretHash, sha256(secret)),
          isNull(firstAdministratorLinks.usedAt),
          gt(firstAdministratorLinks.expiresAt, now.toISOString()),
        ),
      )
      .returning()
    if (!used) return false
    await logRecordChange(
      { tx, actor: linkActor(now) },
      { name: 'firstAdministratorLink' },
      { action: 'deleted', before: toLoggedRecord(used), after: null },
    )
    const input: UserInput = { ...person, isAdministrator: true, active: true, organisationIds: [], locationIds: [], userGroupIds: [] }
    const { id } = await saveUser(tx, input, linkActor(now))
    await tx.update(users).set({ passwordHash: hashed }).where(eq(users.id, id))
    return true
  })
}
