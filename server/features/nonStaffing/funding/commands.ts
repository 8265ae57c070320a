import { changedPrediction, processPrediction, savePrediction } from '../../../../domain/budget/items/decideItems.ts'
import { type FundingPredictionInput, startingRows } from '../../../../domain/budget/items/fundingPrediction.ts'
import { invalid } from '../../../../domain/errors.ts'
import { commit } from '../../../core/budget/commit.ts'
import { type Change, itemOf, loadItems, refuseStale } from '../../../core/budget/items.ts'
import { loadBudget } from '../../../core/budget/queries.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { codingFacts } from '../coding/queries.ts'
import { newId } from '../entries/commands.ts'
import { countedPupils, fundingTable, predicted } from './queries.ts'

/** A prediction from a version, with the rows that its table and the pupils of the budget suggest. @returns its id */
export async function runCreatePrediction(
  tx: OrganisationTx,
  change: Change,
  { id: versionId, budgetCodeId }: { id: number; budgetCodeId: number },
): Promise<string> {
  const { organisationId, budgetId, actor } = change
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const table = await fundingTable(tx, row.head, versionId)
  if (!table?.rates.size)
    throw invalid([{ field: 'id', message: 'Choose a version that has rates of the local authority of this location.' }])
  const phases = new Set((await countedPupils(tx, organisationId, row.head)).map((one) => one.phase))
  const rows = startingRows(new Set(table.rates.keys()), phases)
  const prediction = { id: newId(), name: table.name, versionId, budgetCodeId, rows }
  const all = await loadItems(tx, organisationId, budgetId, 'prediction')
  await commit(tx, row, savePrediction(row.head, all, prediction, await codingFacts(tx, organisationId, row.head)), actor)
  return prediction.id
}

export async function runUpdatePrediction(tx: OrganisationTx, change: Change, input: FundingPredictionInput): Promise<void> {
  const { organisationId, budgetId, actor } = change
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const before = await itemOf(tx, change, 'prediction', input.id)
  refuseStale(before, input.version)
  const prediction = changedPrediction(before.item, input)
  if (prediction.versionId !== before.item.versionId && !(await fundingTable(tx, row.head, prediction.versionId))?.rates.size)
    throw invalid([{ field: 'versionId', message: 'Choose a version that has rates of the local authority of this location.' }])
  const all = await loadItems(tx, organisationId, budgetId, 'prediction')
  await commit(tx, row, savePrediction(row.head, all, prediction, await codingFacts(tx, organisationId, row.head)), actor)
}

/** Puts the result of a prediction into the budget, as its rates and pupils stand now. */
export async function runProcessPrediction(tx: OrganisationTx, change: Change, id: string): Promise<void> {
  const { organisationId, budgetId, actor } = change
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const prediction = await itemOf(tx, change, 'prediction', id)
  const worked = await predicted(tx, row.head, prediction.item, await countedPupils(tx, organisationId, row.head))
  const predictions = await loadItems(tx, organisationId, budgetId, 'prediction')
  const entries = await loadItems(tx, organisationId, budgetId, 'entry')
  await commit(tx, row, processPrediction(row.head, prediction, worked, { predictions, entries }, newId()), actor)
}
