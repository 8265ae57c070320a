import { processCalculation, saveCalculation } from '../../../../domain/budget/items/decideItems.ts'
import type { IeCalculationInput } from '../../../../domain/budget/items/ieCalculation.ts'
import { commit } from '../../../core/budget/commit.ts'
import { type Change, itemOf, loadItems, refuseStale } from '../../../core/budget/items.ts'
import { loadBudget } from '../../../core/budget/queries.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { codingFacts } from '../coding/queries.ts'
import { newId } from '../entries/commands.ts'

/** Saves a calculation. @returns its id */
export async function runSaveCalculation(tx: OrganisationTx, change: Change, input: IeCalculationInput): Promise<string> {
  const { organisationId, budgetId, actor } = change
  const row = await loadBudget(tx, organisationId, budgetId, true)
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
