import { isStaffRecord, type LiveMessage } from '../../domain/changes/live.ts'
import { canSeeStaff } from '../../domain/people/permissions.ts'
import { holderIn, seesAllTotals } from '../core/calls/context.ts'
import type { Admission } from './connection.ts'

/**
 * A message as one listener may hear it. Who is limited to some schools, or may see no figures, hears that something was recalculated, not
 * what it comes to, and no budget of another school by its name.
 * @returns null for who is in a budget of a school, or in a record of staff, that they do not see
 */
export function heardBy({ principal, organisationId }: Admission, message: LiveMessage): LiveMessage | null {
  const { target, argument } = message
  if (target === 'PresenceChanged') {
    const holder = holderIn(principal, organisationId)
    const { locationId, record } = argument
    const isSeen = holder.locationIds === null || locationId === undefined || holder.locationIds.includes(locationId)
    return isSeen && (!record || !isStaffRecord(record) || canSeeStaff(holder)) ? message : null
  }
  if (target !== 'BudgetsRecalculated' && target !== 'BudgetGroupsRequireContractRecalculation') return message
  if (seesAllTotals(holderIn(principal, organisationId))) return message
  if (target === 'BudgetsRecalculated') return { target, argument: { ...argument, totals: [] } }
  // The names of groups come first; everybody of the organisation may know those.
  return { target, argument: { ...argument, names: argument.names.slice(0, argument.budgetGroupIds.length) } }
}
