import { hash, verify } from '@node-rs/argon2'
import { and, eq, sql } from 'drizzle-orm'
import type { Permission } from '../../domain/people/permissions.ts'
import { toPermissions } from '../../domain/people/permissions.ts'
import { toUserId, type UserId } from '../../domain/values/ids.ts'
import { apiClients, memberships, userGroups, users } from '../../drizzle/accessTables.ts'
import type { Principal } from '../core/calls/principal.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { type ProvenPerson, signInIdClaim, whereProofIsValid, whereSignInOpen } from './signIns.ts'

/** Argon2id parameters: 19 MiB and two passes, as OWASP's password storage cheat sheet recommends. Tests lower them. */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A hash to verify against when the address is unknown, so that both cases take equally long. */
let cachedPlaceholderHash: Promise<string> | undefined
const placeholderHash = (): Promise<string> => {
  cachedPlaceholderHash ??= hashPassword('nobody has this password')
  return cachedPlaceholderHash
}

/** The user with this email address, active or not. Upper and lower case do not matter. */
export async function findUserByEmail(store: Store, email: string) {
  const [user] = await store.asPlatform((tx) =>
    tx
      .select()
      .from(users)
      .where(eq(sql`lower(${users.email})`, email.trim().toLowerCase())),
  )
  return user
}

export async function findUserByPassword(store: Store, email: string, password: string): Promise<ProvenPerson | null> {
  const user = await findUserByEmail(store, email)
  const matches = await verify(user?.passwordHash ?? (await placeholderHash()), password).catch(() => false)
  return user?.passwordHash && user.active && matches ? { userId: user.id, endings: user.endings } : null
}

export async function isPasswordCorrect(store: Store, userId: UserId, password: string): Promise<boolean> {
  const user = await findActiveUser(store, userId)
  return verify(user?.passwordHash ?? (await placeholderHash()), password).catch(() => false)
}

/** Records the time of a sign-in. @returns false if the person's sign-ins were all ended after they proved who they are */
export async function recordSignIn(tx: OrganisationTx, proved: ProvenPerson, now: Date): Promise<boolean> {
  const noted = await tx.update(users).set({ lastSignIn: now.toISOString() }).where(whereProofIsValid(proved)).returning({ id: users.id })
  return noted.length > 0
}

export async function findActiveUser(store: Store, id: UserId) {
  if (!Number.isInteger(id)) return undefined
  const [user] = await store.asPlatform((tx) =>
    tx
      .select()
      .from(users)
      .where(and(eq(users.id, id), eq(users.active, true))),
  )
  return user
}

export async function findActiveClient(store: Store, clientId: string) {
  const [client] = await store.asPlatform((tx) =>
    tx
      .select()
      .from(apiClients)
      .where(and(eq(apiClients.clientId, clientId), eq(apiClients.active, true))),
  )
  return client
}

export type TokenClaims = { sub?: string; client_id?: unknown; sign_in?: unknown }

/**
 * Returns the user or client that a verified token belongs to, with their current permissions, so that a changed group takes effect at the
 * next call (behaviour B-272). It runs before every call, so it sends its queries together in one transaction.
 * @returns null if the user or client is deleted or inactive
 */
export function findPrincipal(store: Store, claims: TokenClaims): Promise<Principal | null> {
  const subjectCondition = claims.sub && /^\d{1,9}$/.test(claims.sub) ? eq(users.id, toUserId(Number(claims.sub))) : undefined
  const isClient = typeof claims.client_id === 'string' && (!claims.sub || claims.sub === claims.client_id)
  if (!subjectCondition && !isClient) return Promise.resolve(null)
  // Tokens from an earlier version lack the claim for the sign-in; they expire within ten minutes.
  const signInId = typeof claims[signInIdClaim] === 'string' ? claims[signInIdClaim] : null
  return store.asPlatform(async (tx) => {
    const userCondition = subjectCondition && signInId ? and(subjectCondition, whereSignInOpen(tx, signInId)) : subjectCondition
    const [groups, [user], membershipRows, clients] = await Promise.all([
      tx.select({ id: userGroups.id, permissions: userGroups.permissions }).from(userGroups),
      userCondition ? tx.select().from(users).where(userCondition) : [],
      userCondition
        ? tx
            .select({ membership: memberships })
            .from(memberships)
            .innerJoin(users, and(eq(users.id, memberships.userId), userCondition))
        : [],
      isClient
        ? tx
            .select()
            .from(apiClients)
            .where(and(eq(apiClients.clientId, String(claims.client_id)), eq(apiClients.active, true)))
        : [],
    ])
    const permissionsOf = (ids: readonly number[]): Permission[] => [
      ...new Set(groups.filter((group) => ids.includes(group.id)).flatMap((group) => toPermissions(group.permissions))),
    ]
    if (user) {
      if (!user.active) return null
      return userPrincipal(user, {
        signInId,
        memberships: membershipRows.flatMap(({ membership }) => (membership.userId === user.id ? [membership] : [])),
        permissionsOf,
      })
    }
    const [client] = clients
    if (!client) return null
    await recordClientUse(tx, client)
    return clientPrincipal(client, permissionsOf)
  })
}

/** Records when a client last called, at most once a minute to save writes. */
async function recordClientUse(tx: OrganisationTx, { id, lastUsed }: typeof apiClients.$inferSelect): Promise<void> {
  if (lastUsed && Date.now() - new Date(lastUsed).getTime() < 60_000) return
  await tx.update(apiClients).set({ lastUsed: sql`now()` }).where(eq(apiClients.id, id))
}

type PermissionsOf = (groupIds: readonly number[]) => Permission[]

function userPrincipal(
  user: typeof users.$inferSelect,
  {
    signInId,
    memberships: userMemberships,
    permissionsOf,
  }: { signInId: string | null; memberships: readonly (typeof memberships.$inferSelect)[]; permissionsOf: PermissionsOf },
): Principal {
  return {
    kind: 'user',
    userId: user.id,
    clientId: null,
    signInId,
    name: `${user.forename} ${user.surname}`,
    email: user.email,
    avatarId: user.avatarId,
    isAdministrator: user.isAdministrator,
    memberships: userMemberships.map((row) => ({
      organisationId: row.organisationId,
      locationIds: row.locationIds,
      userGroupIds: row.userGroupIds,
      permissions: permissionsOf(row.userGroupIds),
    })),
  }
}

function clientPrincipal(client: typeof apiClients.$inferSelect, permissionsOf: PermissionsOf): Principal {
  const { organisationId, userGroupIds, locationIds } = client
  return {
    kind: 'client',
    userId: null,
    clientId: client.clientId,
    signInId: null,
    name: client.name,
    email: '',
    avatarId: null,
    isAdministrator: false,
    memberships: [{ organisationId, locationIds, userGroupIds, permissions: permissionsOf(userGroupIds) }],
  }
}

export function hashPassword(password: string): Promise<string> {
  return hash(password, passwordCost)
}
