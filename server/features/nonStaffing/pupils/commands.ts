import { savePupils } from '../../../../domain/budget/items/decideItems.ts'
import type { PupilNumbersInput } from '../../../../domain/budget/items/pupilNumbers.ts'
import { canonicalJson } from '../../../../domain/canonicalJson.ts'
import { notFound } from '../../../../domain/errors.ts'
import { commit } from '../../../core/budget/commit.ts'
import { type Change, itemNames, loadItems, refuseStale } from '../../../core/budget/items.ts'
import { loadBudget } from '../../../core/budget/queries.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { newId } from '../entries/commands.ts'

/**
 * Saves the pupil numbers as a whole.
 * @returns whether pupils changed: a timetable moves no money
 * @throws DomainError 409 when somebody has saved them since they were read
 */
export async function runSavePupils(
  tx: OrganisationTx,
  { organisationId, budgetId, actor }: Change,
  input: PupilNumbersInput,
): Promise<boolean> {
  const row = await loadBudget(tx, organisationId, budgetId, true)
  const [before] = await loadItems(tx, organisationId, budgetId, 'pupils')
  if (input.id && input.id !== before?.id) throw notFound(itemNames.pupils)
  refuseStale(before, input.version)
  const events = savePupils(row.head, before, before?.id ?? newId(), input)
  await commit(tx, row, events, actor)
  const [event] = events
  return event?.type === 'PupilNumbersSaved' && canonicalJson(event.data.item.rows) !== canonicalJson(before?.item.rows ?? [])
}
