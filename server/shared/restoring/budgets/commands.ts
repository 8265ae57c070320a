import { and, eq } from 'drizzle-orm'
import { restoreBudget } from '../../../../domain/budget/decide.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { BudgetGroupId, BudgetId, LocationId } from '../../../../domain/values/ids.ts'
import { conflict, notFound } from '../../../../domain/words/errors.ts'
import { budgetGroups, budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import { oneOfAName } from '../../../core/database/uniqueRules.ts'
import type { RecalculationRequired } from '../../../core/live/announce.ts'
import { markBudgetRequired } from '../../../streams/budget/marks.ts'
import { commitRestored, readEvents } from '../../../streams/budget/stream.ts'
import { addToGroup } from '../../budgetGroups/commands.ts'
import { restoreCosts } from '../../costing/costs/commands.ts'
import { type DeletedBudget, deletedBudgets, refuseGone } from './queries.ts'

/** What restoring came to. */
export interface Restored {
  /** How many budgets are back. */
  restored: number
  /** What of them could not be put back, and what is to be done, each in a sentence. */
  said: string[]
}

/**
 * Restores deleted budgets with all that was in them, under their ids and with their histories, all or none: each is folded from its log, and its
 * costs are worked out again from the inputs that were kept. It goes back into its group, and is marked as to be recalculated, for what its
 * figures depend on may have changed meanwhile.
 * @param locationIds those that the caller works at; null: all
 * @throws DomainError 404 for one of another location, 409 for what is no longer in the bin or does not fit any more
 */
export async function runRestoreBudgets(
  call: Call<'organisationId' | 'actor'>,
  { ids, locationIds }: { ids: readonly BudgetId[]; locationIds: readonly LocationId[] | null },
): Promise<Restored & { required: RecalculationRequired[] }> {
  const { tx, organisationId, actor } = call
  const wanted = [...new Set(ids)].sort()
  const said: string[] = []
  const required: RecalculationRequired[] = []
  for (const id of wanted) {
    // Of two who restore the same the second finds that it is done.
    await oneOfAName(tx, `restoring of budget ${organisationId} ${id}`)
    const log = await readEvents({ tx, organisationId, budgetId: id })
    const [first, last] = [log[0], log.at(-1)]
    if (first?.type !== 'BudgetCreated' || (locationIds && !locationIds.includes(first.data.locationId))) throw notFound('Budget')
    const events = restoreBudget(last, actor.now)
    const [budget] = (await deletedBudgets({ tx, organisationId, now: actor.now }, { locationIds, ids: [id] })).rows
    await refuseTaken(call, assertDefined(budget))
    const { row, state } = await commitRestored(call, log, events)
    await refuseGone(
      { tx, organisationId, budgetId: id },
      { since: assertDefined(budget).deletedAt, refusal: `${row.name} cannot be restored` },
    )
    await restoreCosts({ tx, organisationId, budgetId: id }, { row, log, contracts: state.contracts })
    const groupId = last?.type === 'BudgetDeleted' ? last.data.groupId : null
    if (groupId && (await standsGroup(call, groupId))) await addToGroup(call, groupId, [id])
    else if (groupId) said.push(`The group that ${row.name} was in is gone: it is in none now.`)
    required.push(...(await markBudgetRequired({ tx, organisationId, budgetId: id, now: actor.now }, 'Restored from the bin')))
  }
  return { restored: wanted.length, said, required }
}

/** @throws DomainError 409 when another budget of the location has its name by now */
async function refuseTaken({ tx, organisationId }: Call<'organisationId'>, { name, locationId }: DeletedBudget): Promise<void> {
  const taken = await tx
    .select({ name: budgets.name })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.locationId, locationId)))
  if (taken.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw conflict('taken', `Another budget of this location is called ${name} by now. Give that one another name first.`)
}

async function standsGroup({ tx, organisationId }: Call<'organisationId'>, groupId: BudgetGroupId): Promise<boolean> {
  const [group] = await tx
    .select({ id: budgetGroups.id })
    .from(budgetGroups)
    .where(and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, groupId)))
  return group !== undefined
}
