import { and, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { hasAnyPermission, type Permission, type PermissionHolder } from '../../domain/people/permissions.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import type { Term, TermKey } from '../../domain/words/terms.ts'
import { memberships } from '../../drizzle/accessTables.ts'
import { budgets } from '../../drizzle/schema.ts'
import type { RowScope } from '../core/calls/scope.ts'

/** Ids as one parameter. */
export const idList = (ids: readonly number[]): SQL => sql`${sql.param(`{${ids.join(',')}}`)}::int[]`

/** Who asks what a record is used by, and where: a use that the caller may not look at is neither named nor counted. */
export interface Sight {
  rows: RowScope
  holder: PermissionHolder
}

/** One table whose rows may use a record. */
export interface UseSource {
  table: PgTable
  where: SQL
  /** What its rows are called; in plain words where no term is. */
  key: TermKey | Term
  /** What more holds of the rows the caller may see; null: they may see none of them. */
  seen: (sight: Sight) => SQL | undefined | null
}

/** What is at some locations, where the caller is limited to them. */
export const atOwn = (column: SQL | AnyPgColumn, locationIds: readonly LocationId[] | null): SQL | undefined =>
  locationIds ? sql`${column} = any(${idList(locationIds)})` : undefined

/** What is of the caller's organisation. */
export const ofOwn = (column: AnyPgColumn, { rows }: Sight): SQL | undefined =>
  rows.organisationId === null ? undefined : sql`${column} = ${rows.organisationId}`

/** Memberships of people who work where the caller does: those of all locations are at each. */
export const seenMemberships = (sight: Sight): SQL | undefined =>
  and(
    ofOwn(memberships.organisationId, sight),
    sight.rows.locationIds
      ? sql`(${memberships.locationIds} = '{}' or ${memberships.locationIds} && ${idList(sight.rows.locationIds)})`
      : undefined,
  )

/** What callers with any of some permissions may see. */
export const onlyWith =
  (anyOf: readonly Permission[], seen: (sight: Sight) => SQL | undefined) =>
  (sight: Sight): SQL | undefined | null =>
    hasAnyPermission(sight.holder, anyOf) ? seen(sight) : null

/** The budgets that the caller may see. */
export const seenBudgets = (sight: Sight): SQL | undefined =>
  and(ofOwn(budgets.organisationId, sight), atOwn(budgets.locationId, sight.rows.locationIds))
