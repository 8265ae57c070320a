import { randomBytes } from 'node:crypto'
import { and, eq, inArray, or } from 'drizzle-orm'
import { z } from 'zod'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { conflict, DomainError, invalid } from '../../../domain/words/errors.ts'
import { apiClients, userGroups } from '../../../drizzle/accessTables.ts'
import type { Actor } from '../../core/calls/actor.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { getResourceTable } from '../../core/database/tables.ts'
import { sha256 } from '../../core/stream/hash.ts'
import { logRecordChange } from '../../resources/referenceLog.ts'
import { readPermissionsOfGroups } from '../../shared/users/queries.ts'
import { type ApiClient, type Granter, presentApiClient, readApiClient } from './queries.ts'

/** How long the previous secret stays valid after rotation, so that a system can switch without downtime. */
const overlapMs = 24 * 3_600_000

const ids = z.array(z.int().positive()).max(5000)

export const apiClientInput = z.object({
  name: z.string().trim().min(1, 'Name is required.').max(100, 'Name can have at most 100 characters.'),
  userGroupIds: ids.min(1, 'Choose at least one user group.'),
  /** Empty means all locations. */
  locationIds: z.array(z.int().positive().brand<'LocationId'>()).max(5000).default([]),
})
export type ApiClientInput = z.infer<typeof apiClientInput>

/** @throws DomainError 400 at the field for groups and locations that do not exist, or that the caller does not have */
async function checkRights({ tx, organisationId, holder }: Call & Granter, input: Omit<ApiClientInput, 'name'>): Promise<void> {
  const groups = await tx.select({ id: userGroups.id }).from(userGroups).where(inArray(userGroups.id, input.userGroupIds))
  if (groups.length < new Set(input.userGroupIds).size) throw invalid([{ field: 'userGroupIds', message: 'User group was not found.' }])
  if (input.locationIds.length) {
    const { table, columns } = getResourceTable(resources.location)
    const locations = await tx
      .select({ id: columns.id })
      .from(table)
      .where(and(eq(columns.organisationId, organisationId), inArray(columns.id, input.locationIds)))
    if (locations.length < new Set(input.locationIds).size) throw invalid([{ field: 'locationIds', message: 'Location was not found.' }])
  }
  if (holder.isAdministrator) return
  const rights = await readPermissionsOfGroups(tx, input.userGroupIds)
  if ([...rights].some((name) => !holder.permissions.includes(name)))
    throw invalid([{ field: 'userGroupIds', message: 'Choose user groups with no more permissions than you have.' }])
  if (holder.locationIds && (!input.locationIds.length || input.locationIds.some((id) => !assertDefined(holder.locationIds).includes(id))))
    throw invalid([{ field: 'locationIds', message: 'Choose only your own locations.' }])
}

/** @throws DomainError 403 for a client with more permissions than the caller: its secret would give them to the caller */
async function refuseWiderRights(call: Call & Granter, client: ApiClient): Promise<void> {
  await checkRights(call, client).catch((error: unknown) => {
    throw error instanceof DomainError && error.kind === 'invalid'
      ? new DomainError('forbidden', 'beyond', 'This API client has more permissions than you. Ask someone who has all of them.')
      : error
  })
}

async function refuseSameName({ tx, organisationId }: Call & Granter, name: string, except: number | null): Promise<void> {
  const active = await tx
    .select({ id: apiClients.id, name: apiClients.name })
    .from(apiClients)
    .where(and(eq(apiClients.organisationId, organisationId), eq(apiClients.active, true)))
  if (active.some((one) => one.id !== except && one.name.toLowerCase() === name.toLowerCase()))
    throw new DomainError('conflict', 'duplicate', 'Name is already used.', {
      fields: [{ field: 'name', message: 'Name is already used.' }],
    })
}

const newSecret = (): string => randomBytes(32).toString('base64url')
const declared = { name: 'apiClient' }

/**
 * Creates a client.
 * @returns the client with its secret, which is shown only now
 */
export async function createApiClient(call: Call<'actor'> & Granter, input: ApiClientInput): Promise<ApiClient & { secret: string }> {
  const { tx, actor } = call
  await checkRights(call, input)
  await refuseSameName(call, input.name, null)
  const secret = newSecret()
  const row = requireSingleRow(
    await tx
      .insert(apiClients)
      .values({
        ...input,
        clientId: `client-${randomBytes(9).toString('hex')}`,
        secret: sha256(secret),
        organisationId: call.organisationId,
        createdById: actor.userId,
      })
      .returning(),
  )
  const client = presentApiClient(row, actor.now)
  await logRecordChange(call, declared, { action: 'created', before: null, after: { ...client } })
  return { ...client, secret }
}

type Row = typeof apiClients.$inferInsert

/** Changes a client that the caller may change and that is not revoked, and logs who did it. */
async function change(
  call: Call<'actor'> & Granter,
  id: number,
  work: (row: typeof apiClients.$inferSelect, client: ApiClient) => Promise<Partial<Row>> | Partial<Row>,
): Promise<ApiClient> {
  const { tx, actor } = call
  const before = await readApiClient({ ...call, now: actor.now }, id)
  await refuseWiderRights(call, before)
  if (!before.active) throw conflict('revoked', 'This API client is revoked. Add a new one.')
  const row = requireSingleRow(await tx.select().from(apiClients).where(eq(apiClients.id, id)).for('update'))
  if (row.version !== before.version) throw conflict('stale', 'Someone else has changed this. Load it again.')
  const saved = requireSingleRow(
    await tx
      .update(apiClients)
      .set({ ...(await work(row, before)), version: before.version + 1 })
      .where(eq(apiClients.id, id))
      .returning(),
  )
  const after = presentApiClient(saved, actor.now)
  await logRecordChange(call, declared, { action: 'updated', before: { ...before }, after: { ...after } })
  return after
}

/**
 * Changes a client's name, permissions and locations, effective from its next call.
 * @throws DomainError 400 at its field, 403, 409
 */
export function updateApiClient(
  call: Call<'actor'> & Granter,
  { id, version, ...input }: ApiClientInput & { id: number; version?: number | null },
): Promise<ApiClient> {
  return change(call, id, async (row) => {
    if (version != null && version !== row.version) throw conflict('stale', 'Someone else has changed this. Load it again.')
    await checkRights(call, input)
    await refuseSameName(call, input.name, id)
    return input
  })
}

/**
 * Creates a new secret. The previous one stays valid for a day; older ones stop working.
 * @returns the client with its secret, shown only now
 */
export async function rotateApiClientSecret(call: Call<'actor'> & Granter, id: number): Promise<ApiClient & { secret: string }> {
  const { actor } = call
  const secret = newSecret()
  const client = await change(call, id, (row) => ({
    secret: sha256(secret),
    secretMade: actor.now.toISOString(),
    previousSecret: row.secret,
    previousUntil: new Date(actor.now.getTime() + overlapMs).toISOString(),
  }))
  return { ...client, secret }
}

/** Revokes a client permanently. Its secrets stop working at once, its tokens at their next use. */
export function revokeApiClient(call: Call<'actor'> & Granter, id: number): Promise<ApiClient> {
  return change(call, id, () => ({ active: false, previousSecret: null, previousUntil: null }))
}

/**
 * Revokes clients in all organisations by their secrets.
 * @param secrets their SHA-256
 * @returns how many
 */
export async function revokeApiClientsBySecret(tx: OrganisationTx, secrets: readonly string[], actor: Actor): Promise<number> {
  const good = or(inArray(apiClients.secret, [...secrets]), inArray(apiClients.previousSecret, [...secrets]))
  const rows = await tx
    .select()
    .from(apiClients)
    .where(and(eq(apiClients.active, true), good))
    .for('update')
  for (const row of rows) {
    const saved = requireSingleRow(
      await tx
        .update(apiClients)
        .set({ active: false, previousSecret: null, previousUntil: null, version: row.version + 1 })
        .where(eq(apiClients.id, row.id))
        .returning(),
    )
    await logRecordChange({ tx, actor }, declared, {
      action: 'updated',
      before: { ...presentApiClient(row, actor.now) },
      after: { ...presentApiClient(saved, actor.now) },
    })
  }
  return rows.length
}
