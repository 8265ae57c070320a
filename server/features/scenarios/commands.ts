import { refuseLocked, saveElements } from '../../../domain/budget/decide.ts'
import type { ScenarioInput } from '../../../domain/budget/items/scenario.ts'
import { adoptScenario, deleteScenario, saveScenario } from '../../../domain/budget/scenarios/decideScenario.ts'
import { rollUpPupilCounts } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { placeTrialAward } from '../../../domain/calculation/staffing/whatIf.ts'
import { formatLondonTime } from '../../../domain/values/format.ts'
import type { OrganisationId } from '../../../domain/values/ids.ts'
import { notFound } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import type { RowScope } from '../../core/calls/scope.ts'
import { recalculateAllContracts } from '../../shared/costing/costs/commands.ts'
import { calculatePrediction } from '../../shared/funding/queries.ts'
import { createEntryId } from '../../shared/nonStaffing/entries/commands.ts'
import { runPostPrediction } from '../../shared/nonStaffing/funding/commands.ts'
import { copyAssumptionsWithAward } from '../../shared/whatIf/commands.ts'
import { loadItems } from '../../streams/budget/items.ts'
import { loadBudget, refuseWhileBusy } from '../../streams/budget/queries.ts'
import { commitEvents } from '../../streams/budget/stream.ts'
import { evaluateScenario, prepareScenarioBase } from './queries.ts'

/**
 * Saves a new or changed scenario.
 * @returns its id
 */
export async function runSaveScenario(call: Call<'organisationId' | 'budgetId' | 'actor'>, input: ScenarioInput): Promise<string> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  const id = input.id ?? createEntryId()
  await commitEvents(call, row, { events: saveScenario(row.head, { all: await loadItems(call, 'scenario'), id, input }) })
  return id
}

/**
 * Deletes a scenario.
 * @returns the versions to undo
 */
export async function runDeleteScenario(call: Call<'organisationId' | 'budgetId' | 'actor'>, id: string): Promise<number[]> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  const [stored] = await loadItems(call, 'scenario', [id])
  return (await commitEvents(call, row, { events: deleteScenario(row.head, stored) })).map((event) => event.version)
}

/**
 * Applies a scenario to the budget: its changes are saved as if the user had made them, awards become staff assumptions, and all costs are
 * recalculated. The scenario is then deleted.
 * @throws DomainError 409 while one of its changes conflicts with the budget
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
  const prepared = await prepareScenarioBase(tx, row, createEntryId)
  const { applied } = await evaluateScenario(tx, prepared, stored.item.changes)
  const [pupils] = await loadItems(call, 'pupils')
  const events = adoptScenario(prepared, applied, pupils)
  let { staffAssumptionsId } = row.head
  for (const [index, award] of applied.awards.entries()) {
    const name = `${stored.item.name}, ${row.name} ${formatLondonTime(actor.now).slice(0, 16).replace('T', ' ')}${index ? ` (${index + 1})` : ''}`
    staffAssumptionsId = await copyAssumptionsWithAward({ tx, scope, actor }, staffAssumptionsId, {
      name: name.slice(0, 100),
      award: { ...award, placed: placeTrialAward(prepared.frozen, prepared.shared, award) },
    })
  }
  const { numberOfYears, inflationId, contractTypeIds, elements } = row.head
  events.push(...saveElements(row.head, { numberOfYears, inflationId, contractTypeIds, elements, staffAssumptionsId }, numberOfYears))
  await commitEvents(call, row, { events: [...events, ...deleteScenario(row.head, stored)] })
  if (applied.pupils !== prepared.pupils) await processPredictions(call)
  await recalculateAllContracts(call)
}

/** Recalculates the entries that predictions created in the budget. Predictions that cannot be calculated keep their entry. */
async function processPredictions(call: Call<'organisationId' | 'budgetId' | 'actor'>): Promise<void> {
  const { tx, organisationId, budgetId } = call
  const { head } = await loadBudget({ tx, organisationId }, budgetId)
  const linked = (await loadItems({ tx, organisationId, budgetId }, 'entry')).flatMap(({ item }) => item.source?.id ?? [])
  const [pupils] = await loadItems({ tx, organisationId, budgetId }, 'pupils')
  const counted = pupils ? rollUpPupilCounts(pupils.item.rows, head.numberOfYears) : []
  for (const { id, item } of await loadItems({ tx, organisationId, budgetId }, 'prediction')) {
    if (!linked.includes(id) || (await calculatePrediction(tx, head, { prediction: item, pupils: counted })).total.includes(null)) continue
    await runPostPrediction(call, id)
  }
}
