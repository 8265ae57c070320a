import { processCalculation, saveCalculation } from '../../../../domain/budget/items/decideItems.ts'
import type { IncomeExpenditureCalculationInput } from '../../../../domain/budget/items/ieCalculation.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readCodingFacts } from '../../../shared/coding/queries.ts'
import { createEntryId } from '../../../shared/nonStaffing/entries/commands.ts'
import { loadItem, loadItems, refuseStaleItem } from '../../../streams/budget/items.ts'
import { loadBudget } from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'

/** Saves a calculation. @returns its id */
export async function runSaveCalculation(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  input: IncomeExpenditureCalculationInput,
): Promise<string> {
  const { tx, organisationId, budgetId, actor } = call
  const row = await loadBudget({ tx, organisationId }, budgetId, true)
  const all = await loadItems({ tx, organisationId, budgetId }, 'calculation')
  refuseStaleItem(
    all.find((one) => one.id === input.id),
    input.version,
  )
  const id = input.id ?? createEntryId()
  await commitEvents({ tx, actor }, row, {
    events: saveCalculation(row.head, { all, id, input, facts: await readCodingFacts(tx, organisationId, row.head) }),
  })
  return id
}

/**
 * Posts a calculation to the budget as an entry that is linked to it.
 * @param years how many of the budget's years to post; all if omitted
 */
export async function runPostCalculation(
  call: Call<'organisationId' | 'budgetId' | 'actor'>,
  id: string,
  years: number | null | undefined,
): Promise<void> {
  const row = await loadBudget(call, call.budgetId, true)
  const calculation = await loadItem(call, 'calculation', id)
  const entries = await loadItems(call, 'entry')
  await commitEvents(call, row, {
    events: processCalculation(row.head, { stored: calculation, entries, newId: createEntryId(), years: years ?? row.head.numberOfYears }),
  })
}
