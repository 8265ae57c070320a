import { and, type SQL, sql } from 'drizzle-orm'
import { viewPermissions } from '../../../domain/people/permissions.ts'
import { appliedExtendedLeave } from '../../../drizzle/consoleTables.ts'
import { staffMembers } from '../../../drizzle/schema.ts'
import { callerOrganisationCondition, idArray, type UsesViewer, visibleWithPermission } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const extendedLeaveRuleSetHooks: ResourceHooks = {
  uses: (ids) => [
    {
      table: appliedExtendedLeave,
      where: sql`${appliedExtendedLeave.extendedLeaveRulesetId} = any(${idArray(ids)})`,
      key: 'AppliedExtendedLeave',
      seen: visibleWithPermission(viewPermissions('BudgetingStaffing', 'ConsoleStaffMembers'), leaveOfSeenStaff),
    },
  ],
}

function leaveOfSeenStaff(viewer: UsesViewer): SQL | undefined {
  const { locationIds } = viewer.rows
  return and(
    callerOrganisationCondition(appliedExtendedLeave.organisationId, viewer),
    locationIds
      ? sql`exists (select from ${staffMembers} where ${staffMembers.organisationId} = ${appliedExtendedLeave.organisationId} and ${staffMembers.id} = ${appliedExtendedLeave.staffId} and (${staffMembers.locationIds} = '{}' or ${staffMembers.locationIds} && ${idArray(locationIds)}))`
      : undefined,
  )
}
