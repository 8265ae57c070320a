import { binRetentionDays } from '../../../../domain/changes/bin.ts'
import { displayCount } from '../../../../domain/values/format.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import { conflict } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { oneOfAName } from '../../../core/database/uniqueRules.ts'
import { makeGroupAgain } from '../../budgetGroups/commands.ts'
import type { Restored } from '../budgets/commands.ts'
import { budgetsLeft, deletedGroups } from './queries.ts'

/**
 * Restores deleted budget groups under their ids, with those of their budgets that there are still and that are in no other group, all or none.
 * Their figures are to be recalculated, as those of any group that gets budgets.
 * @param locationIds those that the caller works at; null: all
 * @throws DomainError 409 for what is no longer in the bin, or whose name another group has by now
 */
export async function runRestoreGroups(
  call: Call<'organisationId' | 'actor'>,
  { ids, locationIds }: { ids: readonly string[]; locationIds: readonly LocationId[] | null },
): Promise<Restored> {
  const { tx, organisationId, actor } = call
  const wanted = [...new Set(ids)].sort()
  const said: string[] = []
  // Of two who restore the same the second finds that it is done.
  await oneOfAName(tx, `restoring of budget groups of ${organisationId}`)
  const found = await deletedGroups({ tx, organisationId, now: actor.now }, { locationIds, ids: wanted })
  if (found.length < wanted.length)
    throw conflict('notInBin', `Some of this is no longer in the bin: it was restored, or its ${binRetentionDays} days are over.`)
  for (const group of found) {
    const budgetIds = await budgetsLeft({ tx, organisationId }, group.budgetIds)
    await makeGroupAgain(call, { ...group, budgetIds })
    const lost = group.budgetIds.length - budgetIds.length
    if (lost)
      said.push(
        `${group.name} is without ${displayCount(lost, 'budget')} that it had: ${lost === 1 ? 'it was' : 'they were'} deleted, or ${lost === 1 ? 'is' : 'are'} in another group by now.`,
      )
  }
  return { restored: found.length, said }
}
