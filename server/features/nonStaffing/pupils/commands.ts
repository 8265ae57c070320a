import { savePupils } from '../../../../domain/budget/items/decideItems.ts'
import type { PupilNumbersInput } from '../../../../domain/budget/items/pupilNumbers.ts'
import { notFound } from '../../../../domain/errors.ts'
import { commit } from '../../../core/budget/commit.ts'
import { type Change, itemNames, loadItems, refuseStale } from '../../../core/budget/items.ts'
import { loadBudget } from '../../../core/budget/queries.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { newId } from '../entries/commands.ts'

/** Saves the pupil numbers as a whole. @throws DomainError 409 when somebody has saved them since they were read */
export async function runSavePupils(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  input: PupilNumbersInput,
): Promise<void> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const [before] = await loadItems(tx, organisationId, budgetId, 'pupils')
  if (input.id && input.id !== before?.id) throw notFound(itemNames.pupils)
  refuseStale(before, input.version)
  await commit(tx, row, savePupils(row.head, before, before?.id ?? newId(), input), actor)
}
