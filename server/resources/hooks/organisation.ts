import { sql } from 'drizzle-orm'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { memberships } from '../../../drizzle/accessTables.ts'
import { buildIdArray, buildVisibleMembershipsCondition, requirePermissionToSee } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const organisationHooks: ResourceHooks = {
  uses: (ids) => [
    {
      table: memberships,
      where: sql`${memberships.organisationId} = any(${buildIdArray(ids)})`,
      key: 'User',
      visibilityFor: requirePermissionToSee(listViewPermissions('ConsoleUsers'), buildVisibleMembershipsCondition),
    },
  ],
}
