import { hash, verify } from '@node-rs/argon2'
import { and, eq, sql } from 'drizzle-orm'
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

/** The user of an outside issuer's token, by verified address. */
async function userByEmail(store: Store, email: string) {
  const [user] = await store.asPlatform((tx) =>
    tx
      .select()
      .from(users)
      .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), eq(users.active, true))),
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

/**
 * Who a verified token stands for, with the rights as they are now: a changed group takes effect at the next call (behaviour B-272).
 * @returns null when the user or client is gone or switched off
 */
export async function principalOf(
  store: Store,
  claims: { sub?: string; client_id?: unknown; email?: unknown; email_verified?: unknown },
  outside: boolean,
): Promise<Principal | null> {
  const groups = await store.asPlatform((tx) => tx.select().from(userGroups))
  const permissionsOf = (ids: readonly number[]): Permission[] => [
    ...new Set(
      groups.filter((group) => ids.includes(group.id)).flatMap((group) => group.permissions.map((item) => item.name as Permission)),
    ),
  ]
  const user = outside
    ? typeof claims.email === 'string' && claims.email_verified !== false && (await userByEmail(store, claims.email))
    : claims.sub && (await activeUser(store, Number(claims.sub)))
  if (user) {
    const rows = await store.asPlatform((tx) => tx.select().from(memberships).where(eq(memberships.userId, user.id)))
    return {
      kind: 'user',
      userId: user.id,
      clientId: null,
      name: `${user.forename} ${user.surname}`,
      email: user.email,
      avatarId: user.avatarId,
      isAdministrator: user.isAdministrator,
      memberships: rows.map((row) => ({
        organisationId: row.organisationId,
        locationIds: row.locationIds,
        userGroupIds: row.userGroupIds,
        permissions: permissionsOf(row.userGroupIds),
      })),
    }
  }
  const client =
    typeof claims.client_id === 'string' && (!claims.sub || claims.sub === claims.client_id)
      ? await activeClient(store, claims.client_id)
      : undefined
  if (!client) return null
  const membership = {
    organisationId: client.organisationId,
    locationIds: [],
    userGroupIds: [client.userGroupId],
    permissions: permissionsOf([client.userGroupId]),
  }
  return {
    kind: 'client',
    userId: null,
    clientId: client.clientId,
    name: client.name,
    email: '',
    avatarId: null,
    isAdministrator: false,
    memberships: [membership],
  }
}

export function passwordHash(password: string): Promise<string> {
  return hash(password)
}
