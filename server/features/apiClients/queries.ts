import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { ListRequest, Paged } from '../../../domain/lists/lists.ts'
import type { Permission } from '../../../domain/people/permissions.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import { apiClients } from '../../../drizzle/accessTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { buildIntegerArray } from '../../resources/listConditions.ts'
import { createTextSearch, type ListSource, orderByIds, readListPage } from '../../resources/listPages.ts'

const iso = (moment: string): string => new Date(moment).toISOString()

export function presentApiClient(row: typeof apiClients.$inferSelect, now: Date): ApiClient {
  const { secret: _secret, previousSecret: _previous, createdById: _by, previousUntil, ...rest } = row
  return {
    ...rest,
    created: iso(row.created),
    secretMade: iso(row.secretMade),
    lastUsed: row.lastUsed && iso(row.lastUsed),
    previousUntil: row.active && previousUntil && new Date(previousUntil) > now ? iso(previousUntil) : null,
  }
}

/** An API client as screens and the API show it. The secret is shown only when it is created. */
export interface ApiClient {
  id: number
  version: number
  created: string
  organisationId: OrganisationId
  clientId: string
  name: string
  userGroupIds: number[]
  locationIds: LocationId[]
  /** False after it is revoked, which is permanent. */
  active: boolean
  lastUsed: string | null
  secretMade: string
  /** When the previous secret expires, while it is valid. */
  previousUntil: string | null
}

/** The limits on what a client may be given: its creator's own permissions and locations. */
export interface Granter {
  organisationId: OrganisationId
  holder: { isAdministrator: boolean; permissions: readonly Permission[]; locationIds: readonly LocationId[] | null }
}

/**
 * The clients that the caller may see. A caller limited to some locations sees clients that work at any of those, and clients that work at
 * all locations.
 */
function visibleClientsCondition({ organisationId, holder: { locationIds } }: Granter): SQL {
  const isNear = locationIds ? sql`(c.location_ids = '{}' or c.location_ids && ${buildIntegerArray(locationIds)})` : sql`true`
  return sql`c.organisation_id = ${organisationId} and ${isNear}`
}

function clientList(granter: Granter, now: Date): ListSource {
  return {
    from: sql`api_clients c`,
    where: visibleClientsCondition(granter),
    id: sql`c.id`,
    columns: {
      id: { value: sql`c.id`, kind: 'number' },
      version: { value: sql`c.version`, kind: 'number' },
      created: { value: sql`c.created`, kind: 'moment' },
      organisationId: { value: sql`c.organisation_id`, kind: 'number' },
      clientId: { value: sql`c.client_id`, kind: 'text' },
      name: { value: sql`c.name`, kind: 'text' },
      userGroupIds: { value: sql`c.user_group_ids`, kind: 'ids' },
      locationIds: { value: sql`c.location_ids`, kind: 'ids' },
      active: { value: sql`c.active`, kind: 'flag' },
      lastUsed: { value: sql`c.last_used`, kind: 'moment' },
      secretMade: { value: sql`c.secret_made`, kind: 'moment' },
      previousUntil: {
        value: sql`(case when c.active and c.previous_until > ${now.toISOString()}::timestamptz then c.previous_until end)`,
        kind: 'moment',
      },
    },
    search: createTextSearch([sql`c.name`, sql`c.client_id`]),
    defaultSort: 'name',
    ties: sql`c.name, c.id`,
  }
}

/** One page of an organisation's clients. */
export async function readApiClientPage(call: Call<'now'> & Granter, request: ListRequest): Promise<Paged<ApiClient>> {
  const { tx, now } = call
  const { ids, total } = await readListPage<number>(tx, clientList(call, now), request)
  const rows = await tx.select().from(apiClients).where(inArray(apiClients.id, ids))
  return { rows: orderByIds(ids, rows, ({ id }) => id).map((row) => presentApiClient(row, now)), total }
}

/** @throws DomainError 404 for a client of another organisation or location */
export async function readApiClient(call: Call<'now'> & Granter, id: number): Promise<ApiClient> {
  const { tx, now } = call
  const c = alias(apiClients, 'c')
  const [row] = await tx
    .select()
    .from(c)
    .where(and(eq(c.id, id), visibleClientsCondition(call)))
  if (!row) throw notFound('API client')
  return presentApiClient(row, now)
}
