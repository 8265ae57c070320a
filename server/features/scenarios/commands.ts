import type { StaffContract } from '../../../domain/budget/budget.ts'
import { refuseLocked, saveElements } from '../../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { deleted, saved } from '../../../domain/budget/items/item.ts'
import type { Scenario, ScenarioInput } from '../../../domain/budget/items/scenario.ts'
import { rollUp } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { placements } from '../../../domain/calculation/staffing/whatIf.ts'
import { canonicalJson } from '../../../domain/canonicalJson.ts'
import { conflict, DomainError, notFound, stale } from '../../../domain/errors.ts'
import { displayCount } from '../../../domain/format.ts'
import { commit } from '../../core/budget/commit.ts'
import { loadItems } from '../../core/budget/items.ts'
import { loadBudget, refuseWhileBusy } from '../../core/budget/queries.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { Actor } from '../../core/events/eventLog.ts'
import { recalculateAll } from '../calculation/costs/commands.ts'
import { newId } from '../nonStaffing/entries/commands.ts'
import { runProcessPrediction } from '../nonStaffing/funding/commands.ts'
import { predicted } from '../nonStaffing/funding/queries.ts'
import { assumptionsWith } from '../staffing/whatIf/commands.ts'
import { evaluate, type ScenarioGround, scenarioGround } from './queries.ts'

interface Change {
  organisationId: number
  budgetId: string
  actor: Actor
}

/** Saves a scenario, new or changed. @returns its id */
export async function runSaveScenario(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  input: ScenarioInput,
): Promise<string> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  refuseLocked(row.head)
  const all = await loadItems(tx, organisationId, budgetId, 'scenario')
  const before = all.find((one) => one.id === input.id)
  if (input.id && !before) throw notFound('Scenario')
  if (before && input.version != null && input.version !== before.version) throw stale({ version: before.version, id: before.id })
  if (all.some((one) => one.id !== input.id && one.item.name.toLowerCase() === input.name.toLowerCase()))
    throw new DomainError('conflict', 'duplicate', 'Name is already used.', [{ field: 'name', message: 'Name is already used.' }])
  const scenario: Scenario = { id: input.id ?? newId(), name: input.name, changes: input.changes }
  if (before && canonicalJson(before.item) === canonicalJson(scenario)) return scenario.id
  await commit(tx, row, [saved('scenario', scenario.id, scenario)], actor)
  return scenario.id
}

export async function runDeleteScenario(tx: OrganisationTx, { organisationId, budgetId, actor }: Change, id: string): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  refuseLocked(row.head)
  const [stored] = await loadItems(tx, organisationId, budgetId, 'scenario', [id])
  if (!stored) throw notFound('Scenario')
  await commit(tx, row, [deleted('scenario', id)], actor)
}

/**
 * Turns a scenario into the budget: what it changes is saved as if by hand, awards become staff assumptions of their own, and everything is
 * costed anew. The scenario is done with and goes.
 * @throws DomainError 409 while a change of it is in conflict with the budget
 */
export async function runApplyScenario(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  scope: RowScope & { organisationId: number },
  id: string,
): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  refuseLocked(row.head)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const [stored] = await loadItems(tx, organisationId, budgetId, 'scenario', [id])
  if (!stored) throw notFound('Scenario')
  const ground = await scenarioGround(tx, row, newId)
  const { applied } = await evaluate(tx, ground, stored.item.changes)
  const inConflict = applied.conflicts.filter((one) => one !== null).length
  if (inConflict)
    throw conflict(
      'conflicts',
      `${displayCount(inConflict, 'change')} cannot be made any more. Mend ${inConflict === 1 ? 'it' : 'them'} or take ${inConflict === 1 ? 'it' : 'them'} out first.`,
    )
  const events: BudgetEvent[] = [...contractEvents(ground, applied.contracts), ...entryEvents(ground, applied.entries)]
  const pupils = await loadItems(tx, organisationId, budgetId, 'pupils')
  if (applied.pupils !== ground.pupils && pupils[0])
    events.push(saved('pupils', pupils[0].id, { ...pupils[0].item, rows: [...applied.pupils] }))
  let { staffAssumptionsId } = row.head
  for (const [index, award] of applied.awards.entries()) {
    const name = `${stored.item.name}, ${row.name} ${actor.now.toISOString().slice(0, 16).replace('T', ' ')}${index ? ` (${index + 1})` : ''}`
    staffAssumptionsId = await assumptionsWith(tx, { scope, actor }, staffAssumptionsId, {
      name: name.slice(0, 100),
      award: { ...award, placed: placements(ground.frozen, ground.shared, award) },
    })
  }
  const { numberOfYears, inflationId, contractTypeIds, elements } = row.head
  events.push(...saveElements(row.head, { numberOfYears, inflationId, contractTypeIds, elements, staffAssumptionsId }, numberOfYears))
  await commit(tx, row, [...events, deleted('scenario', id)], actor)
  if (applied.pupils !== ground.pupils) await processPredictions(tx, { organisationId, budgetId, actor })
  await recalculateAll(tx, organisationId, budgetId, actor)
}

function contractEvents({ contracts }: ScenarioGround, after: ReadonlyMap<string, StaffContract>): BudgetEvent[] {
  return [...contracts].flatMap(([id, contract]): BudgetEvent[] => {
    const now = after.get(id)
    if (!now) return [{ type: 'StaffContractDeleted', data: { id } }]
    return now === contract ? [] : [{ type: 'StaffContractSaved', data: { id, contract: now } }]
  })
}

function entryEvents({ entries }: ScenarioGround, after: ScenarioGround['entries']): BudgetEvent[] {
  return [...after].flatMap(([id, entry]) => (entries.get(id) === entry ? [] : [saved('entry', id, entry)]))
}

/** Puts predictions whose result stands in the budget into it anew, as far as they can be worked out. */
async function processPredictions(tx: OrganisationTx, change: Change): Promise<void> {
  const { organisationId, budgetId } = change
  const { head } = await loadBudget(tx, organisationId, budgetId)
  const linked = (await loadItems(tx, organisationId, budgetId, 'entry')).flatMap(({ item }) => item.source?.id ?? [])
  const [pupils] = await loadItems(tx, organisationId, budgetId, 'pupils')
  const counted = pupils ? rollUp(pupils.item.rows, head.numberOfYears) : []
  for (const { id, item } of await loadItems(tx, organisationId, budgetId, 'prediction')) {
    if (!linked.includes(id) || (await predicted(tx, head, item, counted)).total.includes(null)) continue
    await runProcessPrediction(tx, change, id)
  }
}
