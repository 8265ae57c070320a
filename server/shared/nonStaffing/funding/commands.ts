import { applyPredictionInput, processPrediction, savePrediction } from '../../../../domain/budget/items/decideItems.ts'
import { createPredictionRows, type FundingPredictionInput } from '../../../../domain/budget/items/fundingPrediction.ts'
import { invalid } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { loadItem, loadItems, refuseStaleItem } from '../../../streams/budget/items.ts'
import { loadBudget } from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'
import { readCodingFacts } from '../../coding/queries.ts'
import { calculatePrediction, readFundingTable, readPupilCounts } from '../../funding/queries.ts'
import { createEntryId } from '../entries/commands.ts'

/**
 * Creates a prediction from a funding table version, with the rows suggested by the table and the budget's pupils.
 * @returns its id
 */
export async function runCreatePrediction(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  { id: versionId, budgetCodeId }: { id: number; budgetCodeId: number },
): Promise<string> {
  const { tx, organisationId, budgetId, actor } = call
  const row = await loadBudget({ tx, organisationId }, budgetId, true)
  const table = await readFundingTable(tx, row.head, versionId)
  if (!table?.rates.size) throw invalid([{ field: 'id', message: 'Choose a version that has rates for this location’s local authority.' }])
  const phases = new Set((await readPupilCounts(tx, organisationId, row.head)).map((one) => one.phase))
  const rows = createPredictionRows(new Set(table.rates.keys()), phases)
  const prediction = { id: createEntryId(), name: table.name, versionId, budgetCodeId, rows }
  const all = await loadItems({ tx, organisationId, budgetId }, 'prediction')
  await commitEvents({ tx, actor }, row, {
    events: savePrediction(row.head, { all, prediction, facts: await readCodingFacts(tx, organisationId, row.head) }),
  })
  return prediction.id
}

export async function runUpdatePrediction(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  input: FundingPredictionInput,
): Promise<void> {
  const { tx, organisationId, budgetId, actor } = call
  const row = await loadBudget({ tx, organisationId }, budgetId, true)
  const before = await loadItem(call, 'prediction', input.id)
  refuseStaleItem(before, input.version)
  const prediction = applyPredictionInput(before.item, input)
  if (prediction.versionId !== before.item.versionId && !(await readFundingTable(tx, row.head, prediction.versionId))?.rates.size)
    throw invalid([{ field: 'versionId', message: 'Choose a version that has rates for this location’s local authority.' }])
  const all = await loadItems({ tx, organisationId, budgetId }, 'prediction')
  await commitEvents({ tx, actor }, row, {
    events: savePrediction(row.head, { all, prediction, facts: await readCodingFacts(tx, organisationId, row.head) }),
  })
}

/** Writes the result of a prediction to the budget, with current rates and pupil numbers. */
export async function runPostPrediction(call: Call<'organisationId' | 'budgetId' | 'actor'>, id: string): Promise<void> {
  const { tx, organisationId, budgetId, actor } = call
  const row = await loadBudget({ tx, organisationId }, budgetId, true)
  const prediction = await loadItem(call, 'prediction', id)
  const worked = await calculatePrediction(tx, row.head, {
    prediction: prediction.item,
    pupils: await readPupilCounts(tx, organisationId, row.head),
  })
  const predictions = await loadItems({ tx, organisationId, budgetId }, 'prediction')
  const entries = await loadItems({ tx, organisationId, budgetId }, 'entry')
  await commitEvents({ tx, actor }, row, {
    events: processPrediction(row.head, { stored: prediction, worked, predictions, entries, newId: createEntryId() }),
  })
}
