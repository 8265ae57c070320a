import { deleteItems } from '../../domain/budget/items/decideEntry.ts'
import {
  changedPrediction,
  deleteWithEntries,
  processCalculation,
  processPrediction,
  saveCalculation,
  saveOpeningBalance,
  savePrediction,
  savePupils,
} from '../../domain/budget/items/decideItems.ts'
import { type FundingPredictionInput, startingRows } from '../../domain/budget/items/fundingPrediction.ts'
import type { IeCalculationInput } from '../../domain/budget/items/ieCalculation.ts'
import { type ItemKind, isItemSaved, itemKindOf, type StoredItem } from '../../domain/budget/items/item.ts'
import type { OpeningBalanceInput } from '../../domain/budget/items/openingBalance.ts'
import type { PupilNumbersInput } from '../../domain/budget/items/pupilNumbers.ts'
import { invalid, notFound, stale } from '../../domain/errors.ts'
import { commit, loadBudget } from '../store/budgetStore.ts'
import { codingFacts } from '../store/codingFacts.ts'
import type { OrganisationTx } from '../store/database.ts'
import { type Actor, eventsOfRequest } from '../store/eventLog.ts'
import { loadItems } from '../store/itemStore.ts'
import { countedPupils, fundingTable, predicted } from '../store/linkedItems.ts'
import { newId } from './entries.ts'

/** Who changes an item of which budget. */
export interface Change {
  organisationId: number
  budgetId: string
  actor: Actor
}

const names: Record<ItemKind, string> = {
  entry: 'Budget entry',
  calculation: 'Income and expenditure calculation',
  prediction: 'Funding prediction',
  pupils: 'Pupil numbers',
  balance: 'Opening balance',
  comment: 'Comment',
  scenario: 'Scenario',
}

/** The item that a request already saved: a retried request is a no-op. */
async function savedBefore(tx: OrganisationTx, { organisationId, budgetId, actor }: Change, kind: ItemKind): Promise<string | undefined> {
  const events = await eventsOfRequest(tx, organisationId, budgetId, actor.requestId)
  const done = events.find((event) => isItemSaved(event) && itemKindOf(event.type) === kind)
  return done && isItemSaved(done) ? done.data.id : undefined
}

/** @throws DomainError 409 when somebody has saved it since it was read */
function refuseStale(before: StoredItem | undefined, version: number | null | undefined): void {
  if (before && version != null && version !== before.version) throw stale({ version: before.version, id: before.id })
}

/** @throws DomainError 404 */
export async function itemOf<K extends ItemKind>(
  tx: OrganisationTx,
  { organisationId, budgetId }: Omit<Change, 'actor'>,
  kind: K,
  id: string,
): Promise<StoredItem<K>> {
  const [item] = await loadItems(tx, organisationId, budgetId, kind, [id])
  if (!item) throw notFound(names[kind])
  return item
}

/** Saves a calculation; the same request again changes nothing. @returns its id */
export async function runSaveCalculation(tx: OrganisationTx, change: Change, input: IeCalculationInput): Promise<string> {
  const { organisationId, budgetId, actor } = change
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const done = await savedBefore(tx, change, 'calculation')
  if (done) return done
  const all = await loadItems(tx, organisationId, budgetId, 'calculation')
  refuseStale(
    all.find((one) => one.id === input.id),
    input.version,
  )
  const id = input.id ?? newId()
  await commit(tx, row, saveCalculation(row.head, all, id, input, await codingFacts(tx, organisationId, row.head)), actor)
  return id
}

/** Writes a calculation to the budget as its entry. @param years how many of the budget's years; all of them without */
export async function runProcessCalculation(
  tx: OrganisationTx,
  change: Change,
  id: string,
  years: number | null | undefined,
): Promise<void> {
  const row = await loadBudget(tx, change.organisationId, change.budgetId, true)
  const calculation = await itemOf(tx, change, 'calculation', id)
  const entries = await loadItems(tx, change.organisationId, change.budgetId, 'entry')
  await commit(tx, row, processCalculation(row.head, calculation, entries, newId(), years ?? row.head.numberOfYears), change.actor)
}

/** Deletes calculations or predictions with the entries they made, all or none. @throws DomainError 404 when one is not there */
export async function runDeleteSources(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  kind: 'calculation' | 'prediction',
  ids: readonly string[],
): Promise<number> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const items = await loadItems(tx, organisationId, budgetId, kind, ids)
  if (items.length < new Set(ids).size) throw notFound(names[kind])
  await commit(tx, row, deleteWithEntries(row.head, items, await loadItems(tx, organisationId, budgetId, 'entry')), actor)
  return items.length
}

/** A prediction from a version, with the rows that its table and the pupils of the budget suggest. @returns its id */
export async function runCreatePrediction(
  tx: OrganisationTx,
  change: Change,
  { id: versionId, budgetCodeId }: { id: number; budgetCodeId: number },
): Promise<string> {
  const { organisationId, budgetId, actor } = change
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const done = await savedBefore(tx, change, 'prediction')
  if (done) return done
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
  await commit(tx, row, processPrediction(row.head, prediction, worked, predictions, entries, newId()), actor)
}

/** Saves the pupil numbers as a whole. @throws DomainError 409 when somebody has saved them since they were read */
export async function runSavePupils(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  input: PupilNumbersInput,
): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const [before] = await loadItems(tx, organisationId, budgetId, 'pupils')
  if (input.id && input.id !== before?.id) throw notFound(names.pupils)
  if ((await eventsOfRequest(tx, organisationId, budgetId, actor.requestId)).length) return
  refuseStale(before, input.version)
  await commit(tx, row, savePupils(row.head, before, before?.id ?? newId(), input), actor)
}

export async function runSaveBalance(tx: OrganisationTx, change: Change, input: OpeningBalanceInput): Promise<string> {
  const { organisationId, budgetId, actor } = change
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const done = await savedBefore(tx, change, 'balance')
  if (done) return done
  const all = await loadItems(tx, organisationId, budgetId, 'balance')
  refuseStale(
    all.find((one) => one.id === input.id),
    input.version,
  )
  const id = input.id ?? newId()
  await commit(tx, row, saveOpeningBalance(row.head, all, id, input), actor)
  return id
}

export async function runDeleteBalances(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  ids: readonly string[],
): Promise<number> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const items = await loadItems(tx, organisationId, budgetId, 'balance', ids)
  if (items.length < new Set(ids).size) throw notFound(names.balance)
  await commit(tx, row, deleteItems(row.head, items), actor)
  return items.length
}
