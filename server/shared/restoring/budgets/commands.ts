import { and, eq } from 'drizzle-orm'
import { restoreBudget } from '../../../../domain/budget/decide.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { BudgetGroupId, BudgetId, LocationId } from '../../../../domain/values/ids.ts'
import { conflict, notFound } from '../../../../domain/words/errors.ts'
import { budgetGroups, budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import { lockByName } from '../../../core/database/uniqueRules.ts'
import type { RecalculationRequired } from '../../../core/live/announce.ts'
import { markBudgetForRecalculation } from '../../../streams/budget/marks.ts'
import { commitRestoredBudget, readBudgetEvents } from '../../../streams/budget/stream.ts'
import { addBudgetsToGroup } from '../../budgetGroups/commands.ts'
import { restoreCosts } from '../../costing/costs/commands.ts'
import { type DeletedBudget, listDeletedBudgets, refuseIfReferencesDeleted } from './queries.ts'

/** The result of restoring deleted budgets or groups. */
export interface RestorationResult {
  /** How many budgets were restored. */
  restored: number
  /** A sentence on each thing that could not be restored, and what to do about it. */
  said: string[]
}

/**
 * Restores deleted budgets with their contents, ids and histories, all or none. Each is replayed from its log, and its costs are
 * recalculated from the stored inputs. It returns to its group and is marked as requiring recalculation, because the data that its figures
 * depend on may have changed.
 * @param locationIds the locations that the caller is limited to; null for all
 * @throws DomainError 404 for a budget of another location; 409 for one that is no longer in the bin, or can no longer be restored
 */
export async function runRestoreBudgets(
  call: Call<'organisationId' | 'actor'>,
  { ids, locationIds }: { ids: readonly BudgetId[]; locationIds: readonly LocationId[] | null },
): Promise<RestorationResult & { required: RecalculationRequired[] }> {
  const { tx, organisationId, actor } = call
  const wanted = [...new Set(ids)].sort()
  const sentences: string[] = []
  const required: RecalculationRequired[] = []
  for (const id of wanted) {
    // If two callers restore the same budget, the second waits and finds it already restored.
    await lockByName(tx, `restoring of budget ${organisationId} ${id}`)
    const log = await readBudgetEvents({ tx, organisationId, budgetId: id })
    const [first, last] = [log[0], log.at(-1)]
    if (first?.type !== 'BudgetCreated' || (locationIds && !locationIds.includes(first.data.locationId))) throw notFound('Budget')
    const events = restoreBudget(last, actor.now)
    const [budget] = (await listDeletedBudgets({ tx, organisationId, now: actor.now }, { locationIds, ids: [id] })).rows
    await refuseTaken(call, assertDefined(budget))
    const { row, state } = await commitRestoredBudget(call, log, events)
    await refuseIfReferencesDeleted(
      { tx, organisationId, budgetId: id },
      { since: assertDefined(budget).deletedAt, refusal: `${row.name} cannot be restored` },
    )
    await restoreCosts({ tx, organisationId, budgetId: id }, { row, log, contracts: state.contracts })
    const groupId = last?.type === 'BudgetDeleted' ? last.data.groupId : null
    if (groupId && (await standsGroup(call, groupId))) await addBudgetsToGroup(call, groupId, [id])
    else if (groupId) sentences.push(`The group that ${row.name} was in has been deleted, so this budget is not in a group now.`)
    required.push(...(await markBudgetForRecalculation({ tx, organisationId, budgetId: id, now: actor.now }, 'Restored from the bin')))
  }
  return { restored: wanted.length, said: sentences, required }
}

/** @throws DomainError 409 if another budget of the location now has its name */
async function refuseTaken({ tx, organisationId }: Call<'organisationId'>, { name, locationId }: DeletedBudget): Promise<void> {
  const taken = await tx
    .select({ name: budgets.name })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.locationId, locationId)))
  if (taken.some((other) => other.name.toLowerCase() === name.toLowerCase()))
    throw conflict('taken', `Another budget of this location is now called ${name}. Rename that one first.`)
}

async function standsGroup({ tx, organisationId }: Call<'organisationId'>, groupId: BudgetGroupId): Promise<boolean> {
  const [group] = await tx
    .select({ id: budgetGroups.id })
    .from(budgetGroups)
    .where(and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, groupId)))
  return group !== undefined
}
