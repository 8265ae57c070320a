import { hash, verify } from '@node-rs/argon2'
import { and, eq, sql } from 'drizzle-orm'
import type { Permission } from '../../domain/people/permissions.ts'
import { toPermissions } from '../../domain/people/permissions.ts'
import { toUserId, type UserId } from '../../domain/values/ids.ts'
import { apiClients, memberships, userGroups, users } from '../../drizzle/accessTables.ts'
import type { Principal } from '../core/calls/principal.ts'
import type { OrganisationTx, Store } from '../core/database/database.ts'
import { ofOpenSignIn, type Proved, signInClaim, stillProved } from './signIns.ts'

/**
 * What hashing a password costs, by Argon2id: 19 MiB and two passes, as OWASP's password storage cheat sheet recommends. Tests make it
 * cheaper.
 */
export const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** A verified hash for addresses that nobody has, so that both answers take as long. */
let nobodyHash: Promise<string> | undefined
const nobody = (): Promise<string> => {
  nobodyHash ??= passwordHash('nobody has this password')
  return nobodyHash
}

/** The active user whose address and password these are, or null. */
export async function knownUser(store: Store, email: string, password: string): Promise<Proved | null> {
  const [user] = await store.asPlatform((tx) =>
    tx
      .select()
      .from(users)
      .where(eq(sql`lower(${users.email})`, email.trim().toLowerCase())),
  )
  const matches = await verify(user?.passwordHash ?? (await nobody()), password).catch(() => false)
  return user?.passwordHash && user.active && matches ? { userId: user.id, endings: user.endings } : null
}

/** Whether this is the password of a person. */
export async function isPasswordOf(store: Store, userId: UserId, password: string): Promise<boolean> {
  const user = await activeUser(store, userId)
  return verify(user?.passwordHash ?? (await nobody()), password).catch(() => false)
}

/** Keeps when somebody signed in last. @returns whether they did: their sign-ins may have been ended since they proved who they are */
export async function noteSignIn(tx: OrganisationTx, proved: Proved, now: Date): Promise<boolean> {
  const noted = await tx.update(users).set({ lastSignIn: now.toISOString() }).where(stillProved(proved)).returning({ id: users.id })
  return noted.length > 0
}

export async function activeUser(store: Store, id: UserId) {
  if (!Number.isInteger(id)) return undefined
  const [user] = await store.asPlatform((tx) =>
    tx
      .select()
      .from(users)
      .where(and(eq(users.id, id), eq(users.active, true))),
  )
  return user
}

export async function activeClient(store: Store, clientId: string) {
  const [client] = await store.asPlatform((tx) =>
    tx
      .select()
      .from(apiClients)
      .where(and(eq(apiClients.clientId, clientId), eq(apiClients.active, true))),
  )
  return client
}

export type Claims = { sub?: string; client_id?: unknown; sign_in?: unknown }

/**
 * Who a verified token stands for, with the rights as they are now: a changed group takes effect at the next call (behaviour B-272). Every
 * call asks this first, so it is one transaction whose questions go out together.
 * @returns null when the user or client is gone or switched off
 */
export function principalOf(store: Store, claims: Claims): Promise<Principal | null> {
  const named = claims.sub && /^\d{1,9}$/.test(claims.sub) ? eq(users.id, toUserId(Number(claims.sub))) : undefined
  const isClient = typeof claims.client_id === 'string' && (!claims.sub || claims.sub === claims.client_id)
  if (!named && !isClient) return Promise.resolve(null)
  // A token that says nothing of its sign-in is one of the version before: it is good for ten minutes.
  const signInId = typeof claims[signInClaim] === 'string' ? claims[signInClaim] : null
  return store.asPlatform(async (tx) => {
    const wanted = named && signInId ? and(named, ofOpenSignIn(tx, signInId)) : named
    const [groups, [user], own, clients] = await Promise.all([
      tx.select({ id: userGroups.id, permissions: userGroups.permissions }).from(userGroups),
      wanted ? tx.select().from(users).where(wanted) : [],
      wanted
        ? tx
            .select({ membership: memberships })
            .from(memberships)
            .innerJoin(users, and(eq(users.id, memberships.userId), wanted))
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
        own: own.flatMap(({ membership }) => (membership.userId === user.id ? [membership] : [])),
        permissionsOf,
      })
    }
    const [client] = clients
    if (!client) return null
    await noteUse(tx, client)
    return clientPrincipal(client, permissionsOf)
  })
}

/** Keeps when a client called last, to the minute: a write for each call would be too much. */
async function noteUse(tx: OrganisationTx, { id, lastUsed }: typeof apiClients.$inferSelect): Promise<void> {
  if (lastUsed && Date.now() - new Date(lastUsed).getTime() < 60_000) return
  await tx.update(apiClients).set({ lastUsed: sql`now()` }).where(eq(apiClients.id, id))
}

type PermissionsOf = (groupIds: readonly number[]) => Permission[]

function userPrincipal(
  user: typeof users.$inferSelect,
  {
    signInId,
    own,
    permissionsOf,
  }: { signInId: string | null; own: readonly (typeof memberships.$inferSelect)[]; permissionsOf: PermissionsOf },
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
    memberships: own.map((row) => ({
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

export function passwordHash(password: string): Promise<string> {
  return hash(password, passwordCost)
}
