import { and, type SQL, sql } from 'drizzle-orm'
import { viewPermissions } from '../../../domain/people/permissions.ts'
import { appliedExtendedLeave } from '../../../drizzle/consoleTables.ts'
import { staffMembers } from '../../../drizzle/schema.ts'
import { idArray, ofCallerOrganisation, type UsesViewer, visibleWith } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

export const extendedLeaveRuleSet: ResourceHooks = {
  uses: (ids) => [
    {
      table: appliedExtendedLeave,
      where: sql`${appliedExtendedLeave.extendedLeaveRulesetId} = any(${idArray(ids)})`,
      key: 'AppliedExtendedLeave',
      seen: visibleWith(viewPermissions('BudgetingStaffing', 'ConsoleStaffMembers'), leaveOfSeenStaff),
    },
  ],
}

function leaveOfSeenStaff(sight: UsesViewer): SQL | undefined {
  const { locationIds } = sight.rows
  return and(
    ofCallerOrganisation(appliedExtendedLeave.organisationId, sight),
    locationIds
      ? sql`exists (select from ${staffMembers} where ${staffMembers.organisationId} = ${appliedExtendedLeave.organisationId} and ${staffMembers.id} = ${appliedExtendedLeave.staffId} and (${staffMembers.locationIds} = '{}' or ${staffMembers.locationIds} && ${idArray(locationIds)}))`
      : undefined,
  )
}
