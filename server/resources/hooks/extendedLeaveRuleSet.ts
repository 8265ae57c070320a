import { and, type SQL, sql } from 'drizzle-orm'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { appliedExtendedLeave } from '../../../drizzle/consoleTables.ts'
import { staffMembers } from '../../../drizzle/schema.ts'
import { buildCallerOrganisationCondition, buildIdArray, requirePermissionToSee, type UsesViewer } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const extendedLeaveRuleSetHooks: ResourceHooks = {
  uses: (ids) => [
    {
      table: appliedExtendedLeave,
      where: sql`${appliedExtendedLeave.extendedLeaveRulesetId} = any(${buildIdArray(ids)})`,
      key: 'AppliedExtendedLeave',
      visibilityFor: requirePermissionToSee(listViewPermissions('BudgetingStaffing', 'ConsoleStaffMembers'), leaveOfSeenStaff),
    },
  ],
}

function leaveOfSeenStaff(viewer: UsesViewer): SQL | undefined {
  const { locationIds } = viewer.rows
  return and(
    buildCallerOrganisationCondition(appliedExtendedLeave.organisationId, viewer),
    locationIds
      ? sql`exists (select from ${staffMembers} where ${staffMembers.organisationId} = ${appliedExtendedLeave.organisationId} and ${staffMembers.id} = ${appliedExtendedLeave.staffId} and (${staffMembers.locationIds} = '{}' or ${staffMembers.locationIds} && ${buildIdArray(locationIds)}))`
      : undefined,
  )
}
