import { randomBytes } from 'node:crypto'
import type { BudgetHead } from '../../../../domain/budget/budget.ts'
import { deleteQuickCalculations, type QuickCalculationFacts, saveQuickCalculation } from '../../../../domain/budget/decideQuick.ts'
import type { QuickCalculatorInput } from '../../../../domain/budget/quickCalculation.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { mongoIdFromBytes } from '../../../../domain/values/mongoId.ts'
import { notFound, staleRecord } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { loadBudget, refuseWhileBusy } from '../../../streams/budget/queries.ts'
import { loadQuickCalculations } from '../../../streams/budget/quick.ts'
import { loadRecordsByIds, loadScalePoints } from '../../../streams/budget/scalePoints.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'

/** Reads the facts about the organisation with which a quick calculation is validated. */
export async function readQuickCalculationFacts(
  tx: OrganisationTx,
  head: BudgetHead,
  input: QuickCalculatorInput,
): Promise<QuickCalculationFacts> {
  const [type] = await loadRecordsByIds(tx, resources.contractType, [input.contractTypeId])
  const allowances = await loadRecordsByIds(tx, resources.allowance, input.allowanceIds)
  return {
    contractType: type,
    points: await loadScalePoints(tx, input.scalePointId === null ? [] : [input.scalePointId]),
    allowances: new Set(allowances.filter((one) => !one.locations.length || one.locations.includes(head.locationId)).map((one) => one.id)),
  }
}

/** Saves a quick calculation. @returns its id */
export async function runSaveQuickCalculation(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  input: QuickCalculatorInput,
): Promise<string> {
  const { tx, organisationId, budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const all = await loadQuickCalculations(call)
  const before = input.id ? all.find((one) => one.id === input.id) : undefined
  if (input.id && !before) throw notFound('Quick calculation')
  if (before && input.version != null && input.version !== before.version) throw staleRecord({ version: before.version, id: before.id })
  const id = input.id ?? mongoIdFromBytes(randomBytes(12))
  const others = all.filter((one) => one.id !== id).map((one) => one.name)
  await commitEvents(call, row, {
    events: saveQuickCalculation(row.head, { id, input, facts: await readQuickCalculationFacts(tx, row.head, input), otherNames: others }),
  })
  return id
}

/**
 * Deletes quick calculations, all or none.
 * @throws DomainError 404 if one does not exist
 */
export async function runDeleteQuickCalculations(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  ids: readonly string[],
): Promise<number> {
  const { tx, organisationId, budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  await refuseWhileBusy(tx, organisationId, budgetId)
  const wanted = [...new Set(ids)]
  if ((await loadQuickCalculations(call, wanted)).length < wanted.length) throw notFound('Quick calculation')
  if (wanted.length) await commitEvents(call, row, { events: deleteQuickCalculations(row.head, wanted) })
  return wanted.length
}
