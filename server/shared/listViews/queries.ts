import { and, asc, eq, sql } from 'drizzle-orm'
import type { ListLook, ListName, ListView } from '../../../domain/lists/listViews.ts'
import type { UserId } from '../../../domain/values/ids.ts'
import { listViews } from '../../../drizzle/consoleTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { organisationKey, unseal } from '../../core/database/vault.ts'

export type ViewRow = typeof listViews.$inferSelect

/** A view as it is shown. @param key the organisation's own, with which it was sealed */
export function shownView(key: Buffer, { id, name, sealed }: ViewRow): ListView {
  const look: ListLook = JSON.parse(unseal(key, sealed))
  return { id, name, look }
}

/** Which views are somebody's own: of the organisation that is selected, and nobody else's. */
export const ownViews = ({ organisationId }: Pick<Call<'organisationId'>, 'organisationId'>, userId: UserId) =>
  and(eq(listViews.organisationId, organisationId), eq(listViews.userId, userId))

/** The views that somebody keeps of a list, by their names; a system keeps none. */
export async function viewsOf(call: Call<'organisationId'>, userId: UserId | null, list: ListName): Promise<ListView[]> {
  const { tx, organisationId } = call
  if (userId === null) return []
  const rows = await tx
    .select()
    .from(listViews)
    .where(and(ownViews(call, userId), eq(listViews.list, list)))
    .orderBy(asc(sql`lower(${listViews.name})`), asc(listViews.id))
  if (!rows.length) return []
  const key = await organisationKey(tx, organisationId)
  return rows.map((row) => shownView(key, row))
}
