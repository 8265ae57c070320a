import { savePupils } from '../../../../domain/budget/items/decideItems.ts'
import type { PupilNumbersInput } from '../../../../domain/budget/items/pupilNumbers.ts'
import { canonicalJson } from '../../../../domain/values/canonicalJson.ts'
import { notFound } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { createEntryId } from '../../../shared/nonStaffing/entries/commands.ts'
import { itemKindTitles, loadItems, refuseStaleItem } from '../../../streams/budget/items.ts'
import { loadBudget } from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'

/**
 * Saves all pupil numbers of a budget.
 * @returns whether pupils changed; a change of the timetable alone affects no money
 * @throws DomainError 409 if someone else has saved them since the caller read them
 */
export async function runSavePupils(call: Call<'organisationId' | 'budgetId' | 'actor'>, input: PupilNumbersInput): Promise<boolean> {
  const { budgetId } = call
  const row = await loadBudget(call, budgetId, true)
  const [before] = await loadItems(call, 'pupils')
  if (input.id && input.id !== before?.id) throw notFound(itemKindTitles.pupils)
  refuseStaleItem(before, input.version)
  const events = savePupils(row.head, { before, id: before?.id ?? createEntryId(), input })
  await commitEvents(call, row, { events })
  const [event] = events
  return event?.type === 'PupilNumbersSaved' && canonicalJson(event.data.item.rows) !== canonicalJson(before?.item.rows ?? [])
}
