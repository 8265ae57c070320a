import { and, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core'
import { hasAnyPermission, type Permission, type PermissionHolder } from '../../domain/people/permissions.ts'
import type { LocationId } from '../../domain/values/ids.ts'
import type { Term, TermKey } from '../../domain/words/terms.ts'
import { memberships } from '../../drizzle/accessTables.ts'
import { budgets } from '../../drizzle/schema.ts'
import type { RowScope } from '../core/calls/scope.ts'

export const buildIdArray = (ids: readonly number[]): SQL => sql`${sql.param(`{${ids.join(',')}}`)}::int[]`

/** The caller who asks what uses a record. Uses that they may not see are neither named nor counted. */
export interface UsesViewer {
  rows: RowScope
  holder: PermissionHolder
}

/** One table whose rows may use a record. */
export interface UseSource {
  table: PgTable
  where: SQL
  /** The term for its rows, or words if no term exists. */
  key: TermKey | Term
  /** Condition for the rows that the caller may see; undefined for all, null for none. */
  visibilityFor: (viewer: UsesViewer) => SQL | undefined | null
}

/** SQL condition for rows at the caller's locations; undefined if the caller is not limited to some. */
export const buildCallerLocationsCondition = (column: SQL | AnyPgColumn, locationIds: readonly LocationId[] | null): SQL | undefined =>
  locationIds ? sql`${column} = any(${buildIdArray(locationIds)})` : undefined

/** SQL condition for rows of the caller's organisation. */
export const buildCallerOrganisationCondition = (column: AnyPgColumn, { rows }: UsesViewer): SQL | undefined =>
  rows.organisationId === null ? undefined : sql`${column} = ${rows.organisationId}`

/** SQL condition for memberships of people at the caller's locations. A membership of all locations counts at each. */
export const buildVisibleMembershipsCondition = (viewer: UsesViewer): SQL | undefined =>
  and(
    buildCallerOrganisationCondition(memberships.organisationId, viewer),
    viewer.rows.locationIds
      ? sql`(${memberships.locationIds} = '{}' or ${memberships.locationIds} && ${buildIdArray(viewer.rows.locationIds)})`
      : undefined,
  )

/** Builds a condition that selects no rows unless the caller has one of the permissions. */
export const requirePermissionToSee =
  (anyOf: readonly Permission[], seen: (viewer: UsesViewer) => SQL | undefined) =>
  (viewer: UsesViewer): SQL | undefined | null =>
    hasAnyPermission(viewer.holder, anyOf) ? seen(viewer) : null

/** SQL condition for budgets that the caller may see. */
export const buildVisibleBudgetsCondition = (viewer: UsesViewer): SQL | undefined =>
  and(
    buildCallerOrganisationCondition(budgets.organisationId, viewer),
    buildCallerLocationsCondition(budgets.locationId, viewer.rows.locationIds),
  )
