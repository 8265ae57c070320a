import { sql } from 'drizzle-orm'
import type { UserId } from '../../../domain/values/ids.ts'
import { users } from '../../../drizzle/accessTables.ts'
import type { OrganisationTx, Store } from './database.ts'

/** User names by id, for histories. Users are stored outside the tenants. */
export function readUserNames(store: Store, ids: readonly (UserId | null)[]): Promise<Map<number, string>> {
  return ids.some((id) => id !== null) ? store.asPlatform((tx) => readUserNamesWithin(tx, ids)) : Promise.resolve(new Map())
}

/** As `readUserNames`, within a transaction with platform scope. */
export async function readUserNamesWithin(tx: OrganisationTx, ids: readonly (UserId | null)[]): Promise<Map<number, string>> {
  const known = [...new Set(ids.filter((id): id is UserId => id !== null))]
  if (!known.length) return new Map()
  const rows = await tx
    .select({ id: users.id, forename: users.forename, surname: users.surname })
    .from(users)
    .where(sql`${users.id} = any(${sql.param(`{${known.join(',')}}`)}::int[])`)
  return new Map(rows.map((row) => [row.id, `${row.forename} ${row.surname}`]))
}

/** The name of the person who made a change, as histories show it. @param id null if the system made it */
export function nameActor(names: ReadonlyMap<number, string>, id: number | null): string {
  return id === null ? 'System' : (names.get(id) ?? 'Unknown')
}
