import { binRetentionDays } from '../../../../domain/changes/bin.ts'
import { displayCount } from '../../../../domain/values/format.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import { conflict } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { lockByName } from '../../../core/database/uniqueRules.ts'
import { recreateGroup } from '../../budgetGroups/commands.ts'
import type { RestorationResult } from '../budgets/commands.ts'
import { listDeletedGroups, listRemainingBudgets } from './queries.ts'

/**
 * Restores deleted budget groups under their old ids, all or none, with the budgets that they had, except budgets that no longer exist or
 * have another group. The groups require recalculation, like any group that gains budgets.
 * @param locationIds the locations that the caller is limited to; null for all
 * @throws DomainError 409 for a group that is no longer in the bin, or whose name another group now has
 */
export async function runRestoreGroups(
  call: Call<'organisationId' | 'actor'>,
  { ids, locationIds }: { ids: readonly string[]; locationIds: readonly LocationId[] | null },
): Promise<RestorationResult> {
  const { tx, organisationId, actor } = call
  const wanted = [...new Set(ids)].sort()
  const sentences: string[] = []
  // If two callers restore the same group, the second waits and finds it already restored.
  await lockByName(tx, `restoring of budget groups of ${organisationId}`)
  const found = await listDeletedGroups({ tx, organisationId, now: actor.now }, { locationIds, ids: wanted })
  if (found.length < wanted.length)
    throw conflict('notInBin', `Some of this is no longer in the bin: it was restored, or its ${binRetentionDays} days have passed.`)
  for (const group of found) {
    const budgetIds = await listRemainingBudgets({ tx, organisationId }, group.budgetIds)
    await recreateGroup(call, { ...group, budgetIds })
    const lost = group.budgetIds.length - budgetIds.length
    if (lost)
      sentences.push(
        `${displayCount(lost, 'budget')} could not be put back in ${group.name}: ${lost === 1 ? 'it was' : 'they were'} deleted, or ${lost === 1 ? 'is' : 'are'} now in another group.`,
      )
  }
  return { restored: found.length, said: sentences }
}
