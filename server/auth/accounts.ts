import { hash, verify } from '@node-rs/argon2'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Permission } from '../../domain/permissions.ts'
import { apiClients, memberships, userGroups, users } from '../../drizzle/accessTables.ts'
import type { Store } from '../store/database.ts'

/** What a user may do in one organisation. */
export interface Membership {
  organisationId: number
  /** Empty: every location (behaviour B-003). */
  locationIds: number[]
  permissions: Permission[]
  userGroupIds: number[]
}

/** Who calls: a person, or an external system bound to one organisation. */
export interface Principal {
  kind: 'user' | 'client'
  userId: number | null
  clientId: string | null
  name: string
  email: string
  avatarId: number | null
  isAdministrator: boolean
  memberships: Membership[]
}

/** A verified hash for addresses nobody has, so that both answers take as long. */
const nobody = hash('nobody has this password')

/** The user whose address and password these are, or null. */
export async function signIn(store: Store, email: string, password: string): Promise<number | null> {
  const [user] = await store.asPlatform((tx) =>
    tx
      .select()
      .from(users)
      .where(eq(sql`lower(${users.email})`, email.trim().toLowerCase())),
  )
  const matches = await verify(user?.passwordHash ?? (await nobody), password).catch(() => false)
  if (!user?.passwordHash || !user.active || !matches) return null
  await store.asPlatform((tx) => tx.update(users).set({ lastSignIn: new Date().toISOString() }).where(eq(users.id, user.id)))
  return user.id
}

export async function activeUser(store: Store, id: number) {
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

type Claims = { sub?: string; client_id?: unknown; email?: unknown; email_verified?: unknown }

/** The condition for the person a token names: by id, or, for an outside issuer, by verified address. */
function personOf(claims: Claims, outside: boolean): SQL | undefined {
  if (!outside) return claims.sub && /^\d{1,9}$/.test(claims.sub) ? eq(users.id, Number(claims.sub)) : undefined
  return typeof claims.email === 'string' && claims.email_verified !== false
    ? eq(sql`lower(${users.email})`, claims.email.toLowerCase())
    : undefined
}

/**
 * Who a verified token stands for, with the rights as they are now: a changed group takes effect at the next call (behaviour B-272). Every
 * call asks this first, so it is one transaction whose questions go out together.
 * @returns null when the user or client is gone or switched off
 */
export function principalOf(store: Store, claims: Claims, outside: boolean): Promise<Principal | null> {
  const wanted = personOf(claims, outside)
  const isClient = typeof claims.client_id === 'string' && (!claims.sub || claims.sub === claims.client_id)
  if (!wanted && !isClient) return Promise.resolve(null)
  return store.asPlatform(async (tx) => {
    const [groups, people, own, clients] = await Promise.all([
      tx.select({ id: userGroups.id, permissions: userGroups.permissions }).from(userGroups),
      wanted
        ? tx
            .select()
            .from(users)
            .where(and(wanted, eq(users.active, true)))
        : [],
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
      ...new Set(
        groups.filter((group) => ids.includes(group.id)).flatMap((group) => group.permissions.map((item) => item.name as Permission)),
      ),
    ]
    const [user] = people
    if (user)
      return userPrincipal(
        user,
        own.map((row) => row.membership),
        permissionsOf,
      )
    const [client] = clients
    return client ? clientPrincipal(client, permissionsOf) : null
  })
}

type PermissionsOf = (groupIds: readonly number[]) => Permission[]

function userPrincipal(
  user: typeof users.$inferSelect,
  own: readonly (typeof memberships.$inferSelect)[],
  permissionsOf: PermissionsOf,
): Principal {
  return {
    kind: 'user',
    userId: user.id,
    clientId: null,
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
  const { organisationId, userGroupId } = client
  return {
    kind: 'client',
    userId: null,
    clientId: client.clientId,
    name: client.name,
    email: '',
    avatarId: null,
    isAdministrator: false,
    memberships: [{ organisationId, locationIds: [], userGroupIds: [userGroupId], permissions: permissionsOf([userGroupId]) }],
  }
}

export function passwordHash(password: string): Promise<string> {
  return hash(password)
}
