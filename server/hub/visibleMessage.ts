import { isStaffRecord, type LiveMessage } from '../../domain/changes/live.ts'
import { canSeeStaff } from '../../domain/people/permissions.ts'
import { buildCallerRights, canSeeAllStaffCosts } from '../core/calls/context.ts'
import type { HubAdmission } from './connection.ts'

/**
 * Returns the part of a message that a user may see. A user limited to some schools, or without the permission to see figures, learns that
 * something was recalculated, but neither the totals nor the names of other schools' budgets.
 * @returns null if the message is about a school or a staff record that the user may not see
 */
export function toVisibleMessage({ principal, organisationId }: HubAdmission, message: LiveMessage): LiveMessage | null {
  const { target, argument } = message
  if (target === 'PresenceChanged') {
    const holder = buildCallerRights(principal, organisationId)
    const { locationId, record } = argument
    const isSeen = holder.locationIds === null || locationId === undefined || holder.locationIds.includes(locationId)
    return isSeen && (!record || !isStaffRecord(record) || canSeeStaff(holder)) ? message : null
  }
  if (target !== 'BudgetsRecalculated' && target !== 'BudgetGroupsRequireContractRecalculation') return message
  if (canSeeAllStaffCosts(buildCallerRights(principal, organisationId))) return message
  if (target === 'BudgetsRecalculated') return { target, argument: { ...argument, totals: [] } }
  // `names` lists the groups first, and anyone in the organisation may see the groups.
  return { target, argument: { ...argument, names: argument.names.slice(0, argument.budgetGroupIds.length) } }
}
