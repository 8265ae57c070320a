import { asc, eq } from 'drizzle-orm'
import type { Permission } from '../../../domain/people/permissions.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import { apiClients } from '../../../drizzle/accessTables.ts'
import type { Call } from '../../core/calls/call.ts'

const iso = (moment: string): string => new Date(moment).toISOString()

export function shown(row: typeof apiClients.$inferSelect, now: Date): ApiClient {
  const { secret: _secret, previousSecret: _previous, createdById: _by, previousUntil, ...rest } = row
  return {
    ...rest,
    created: iso(row.created),
    secretMade: iso(row.secretMade),
    lastUsed: row.lastUsed && iso(row.lastUsed),
    previousUntil: row.active && previousUntil && new Date(previousUntil) > now ? iso(previousUntil) : null,
  }
}

/** An API client as screens and the API see one; its secret is seen by nobody but at the moment it is made. */
export interface ApiClient {
  id: number
  version: number
  created: string
  organisationId: OrganisationId
  clientId: string
  name: string
  userGroupIds: number[]
  locationIds: LocationId[]
  /** False once it is revoked, for good. */
  active: boolean
  lastUsed: string | null
  secretMade: string
  /** Until when the secret before the newest is good, while it is. */
  previousUntil: string | null
}

/** What a client may be given at most: what its maker holds. */
export interface Granter {
  organisationId: OrganisationId
  holder: { isAdministrator: boolean; permissions: readonly Permission[]; locationIds: readonly LocationId[] | null }
}

/** The clients of an organisation; somebody limited to some locations sees those of these and of all. */
export async function listApiClients({ tx, organisationId, holder, now }: Call<'now'> & Granter): Promise<ApiClient[]> {
  const rows = await tx.select().from(apiClients).where(eq(apiClients.organisationId, organisationId)).orderBy(asc(apiClients.name))
  const { locationIds } = holder
  return rows
    .filter((row) => !locationIds || !row.locationIds.length || row.locationIds.some((id) => locationIds.includes(id)))
    .map((row) => shown(row, now))
}

/** @throws DomainError 404 for a client of another organisation or location */
export async function getApiClient(call: Call<'now'> & Granter, id: number): Promise<ApiClient> {
  const found = (await listApiClients(call)).find((client) => client.id === id)
  if (!found) throw notFound('API client')
  return found
}
