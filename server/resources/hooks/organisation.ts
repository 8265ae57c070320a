import { sql } from 'drizzle-orm'
import { viewPermissions } from '../../../domain/people/permissions.ts'
import { memberships } from '../../../drizzle/accessTables.ts'
import { idArray, visibleMembershipsCondition, visibleWithPermission } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const organisationHooks: ResourceHooks = {
  uses: (ids) => [
    {
      table: memberships,
      where: sql`${memberships.organisationId} = any(${idArray(ids)})`,
      key: 'User',
      seen: visibleWithPermission(viewPermissions('ConsoleUsers'), visibleMembershipsCondition),
    },
  ],
}
