import type { StaffContract } from '../../../domain/budget/budget.ts'
import { refuseLocked, saveElements } from '../../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { itemDeleted, itemSaved } from '../../../domain/budget/items/item.ts'
import type { Scenario, ScenarioInput } from '../../../domain/budget/items/scenario.ts'
import { rollUp } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { placements } from '../../../domain/calculation/staffing/whatIf.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import { clockInLondon, displayCount } from '../../../domain/values/format.ts'
import type { ContractId, OrganisationId } from '../../../domain/values/ids.ts'
import { conflict, DomainError, notFound, staleRecord } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import { recalculateAll } from '../../shared/costing/costs/commands.ts'
import { predicted } from '../../shared/funding/queries.ts'
import { newId } from '../../shared/nonStaffing/entries/commands.ts'
import { runProcessPrediction } from '../../shared/nonStaffing/funding/commands.ts'
import { assumptionsWith } from '../../shared/whatIf/commands.ts'
import { loadItems } from '../../streams/budget/items.ts'
import { loadBudget, refuseWhileBusy } from '../../streams/budget/queries.ts'
import { commit } from '../../streams/budget/stream.ts'
import { evaluate, type ScenarioGround, scenarioGround } from './queries.ts'

/** Saves a scenario, new or changed. @returns its id */
export async function runSaveScenario(call: Call<'organisationId' | 'budgetId' | 'actor'>, input: ScenarioInput): Promise<string> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  refuseLocked(row.head)
  const all = await loadItems(call, 'scenario')
  const before = all.find((one) => one.id === input.id)
  if (input.id && !before) throw notFound('Scenario')
  if (before && input.version != null && input.version !== before.version) throw staleRecord({ version: before.version, id: before.id })
  if (all.some((one) => one.id !== input.id && one.item.name.toLowerCase() === input.name.toLowerCase()))
    throw new DomainError('conflict', 'duplicate', 'Name is already used.', {
      fields: [{ field: 'name', message: 'Name is already used.' }],
    })
  const scenario: Scenario = { id: input.id ?? newId(), name: input.name, changes: input.changes }
  if (before && canonicalJson(before.item) === canonicalJson(scenario)) return scenario.id
  await commit(call, row, { events: [itemSaved('scenario', { id: scenario.id, item: scenario })] })
  return scenario.id
}

/** Deletes a scenario. @returns the versions by which it can be undone */
export async function runDeleteScenario(call: Call<'organisationId' | 'budgetId' | 'actor'>, id: string): Promise<number[]> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  refuseLocked(row.head)
  const [stored] = await loadItems(call, 'scenario', [id])
  if (!stored) throw notFound('Scenario')
  return (await commit(call, row, { events: [itemDeleted('scenario', id)] })).map((event) => event.version)
}

/**
 * Turns a scenario into the budget: what it changes is saved as if by hand, awards become staff assumptions of their own, and everything is
 * costed anew. The scenario is done with and goes.
 * @throws DomainError 409 while a change of it is in conflict with the budget
 */
export async function runApplyScenario(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  scope: RowScope & { organisationId: OrganisationId },
  id: string,
): Promise<void> {
  const { tx, organisationId, budgetId, actor } = call
  const row = await loadBudget(call, budgetId, true)
  refuseLocked(row.head)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const [stored] = await loadItems(call, 'scenario', [id])
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
  const pupils = await loadItems(call, 'pupils')
  if (applied.pupils !== ground.pupils && pupils[0])
    events.push(itemSaved('pupils', { id: pupils[0].id, item: { ...pupils[0].item, rows: [...applied.pupils] } }))
  let { staffAssumptionsId } = row.head
  for (const [index, award] of applied.awards.entries()) {
    const name = `${stored.item.name}, ${row.name} ${clockInLondon(actor.now).slice(0, 16).replace('T', ' ')}${index ? ` (${index + 1})` : ''}`
    staffAssumptionsId = await assumptionsWith({ tx, scope, actor }, staffAssumptionsId, {
      name: name.slice(0, 100),
      award: { ...award, placed: placements(ground.frozen, ground.shared, award) },
    })
  }
  const { numberOfYears, inflationId, contractTypeIds, elements } = row.head
  events.push(...saveElements(row.head, { numberOfYears, inflationId, contractTypeIds, elements, staffAssumptionsId }, numberOfYears))
  await commit(call, row, { events: [...events, itemDeleted('scenario', id)] })
  if (applied.pupils !== ground.pupils) await processPredictions(call)
  await recalculateAll(call)
}

function contractEvents({ contracts }: ScenarioGround, after: ReadonlyMap<ContractId, StaffContract>): BudgetEvent[] {
  return [...contracts].flatMap(([id, contract]): BudgetEvent[] => {
    const now = after.get(id)
    if (!now) return [{ type: 'StaffContractDeleted', data: { id } }]
    return now === contract ? [] : [{ type: 'StaffContractSaved', data: { id, contract: now } }]
  })
}

function entryEvents({ entries }: ScenarioGround, after: ScenarioGround['entries']): BudgetEvent[] {
  return [...after].flatMap(([id, entry]) => (entries.get(id) === entry ? [] : [itemSaved('entry', { id, item: entry })]))
}

/** Puts predictions whose result stands in the budget into it anew, as far as they can be worked out. */
async function processPredictions(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  const { tx, organisationId, budgetId } = call
  const { head } = await loadBudget({ tx, organisationId }, budgetId)
  const linked = (await loadItems({ tx, organisationId, budgetId }, 'entry')).flatMap(({ item }) => item.source?.id ?? [])
  const [pupils] = await loadItems({ tx, organisationId, budgetId }, 'pupils')
  const counted = pupils ? rollUp(pupils.item.rows, head.numberOfYears) : []
  for (const { id, item } of await loadItems({ tx, organisationId, budgetId }, 'prediction')) {
    if (!linked.includes(id) || (await predicted(tx, head, { prediction: item, pupils: counted })).total.includes(null)) continue
    await runProcessPrediction(call, id)
  }
}
