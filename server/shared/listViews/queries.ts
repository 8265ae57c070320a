import { and, asc, eq, sql } from 'drizzle-orm'
import type { ListName, ListView, ListViewSettings } from '../../../domain/lists/listViews.ts'
import type { UserId } from '../../../domain/values/ids.ts'
import { listViews } from '../../../drizzle/consoleTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { decryptText, ensureOrganisationKey } from '../../core/database/vault.ts'

export type ViewRow = typeof listViews.$inferSelect

/**
 * A view as shown to its user.
 * @param key the organisation's key, with which the view was encrypted
 */
export function presentView(key: Buffer, { id, name, sealed }: ViewRow): ListView {
  const look: ListViewSettings = JSON.parse(decryptText(key, sealed))
  return { id, name, look }
}

/** A user's own views in the selected organisation. */
export const userViewsCondition = ({ organisationId }: Pick<Call<'organisationId'>, 'organisationId'>, userId: UserId) =>
  and(eq(listViews.organisationId, organisationId), eq(listViews.userId, userId))

/** A user's views of one list, in order of name; empty for API clients. */
export async function listUserViews(call: Call<'organisationId'>, userId: UserId | null, list: ListName): Promise<ListView[]> {
  const { tx, organisationId } = call
  if (userId === null) return []
  const rows = await tx
    .select()
    .from(listViews)
    .where(and(userViewsCondition(call, userId), eq(listViews.list, list)))
    .orderBy(asc(sql`lower(${listViews.name})`), asc(listViews.id))
  if (!rows.length) return []
  const key = await ensureOrganisationKey(tx, organisationId)
  return rows.map((row) => presentView(key, row))
}
