import { randomBytes } from 'node:crypto'
import type { BudgetHead, BudgetSource } from '../../../../domain/budget/budget.ts'
import { findFreeBudgetName, suggestCopyName, suggestRolledForwardName } from '../../../../domain/budget/copies/rollForward.ts'
import { createBudget } from '../../../../domain/budget/decide.ts'
import type { BudgetEvent } from '../../../../domain/budget/events.ts'
import { createItemSavedEvent } from '../../../../domain/budget/items/item.ts'
import { versionType as purpose } from '../../../../domain/lookups/lookupIds.ts'
import { getLookupName } from '../../../../domain/lookups/lookups.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../../domain/values/calendar.ts'
import { displayCount } from '../../../../domain/values/format.ts'
import { type BudgetId, toBudgetId } from '../../../../domain/values/ids.ts'
import { mongoIdFromBytes } from '../../../../domain/values/mongoId.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readOverview } from '../../../shared/overview/queries.ts'
import { createBudgetJob, type FillRequest, refuseWhileUnfilled } from '../../../streams/budget/jobs.ts'
import { listBudgetNamesAtLocation, loadBudget } from '../../../streams/budget/queries.ts'
import { commitEvents } from '../../../streams/budget/stream.ts'

/** The names and purpose that the caller requests for the new budgets. Omitted names are derived from those of the sources. */
export interface CopyRequest {
  name?: string | null
  versionType?: number | null
}

/**
 * Creates a copy of each source budget, all or none, and queues the copies to be filled.
 * @returns their ids, in the order of the sources
 * @throws DomainError 409 if a requested name is taken, or a source is still being filled
 */
export async function runCopyBudgets(
  call: Call<'organisationId' | 'actor'>,
  { how, sourceIds }: { how: BudgetSource['how']; sourceIds: readonly BudgetId[] },
  { name, versionType }: CopyRequest,
): Promise<BudgetId[]> {
  const { tx, organisationId } = call
  const fillings: FillRequest[] = []
  const newBudgetIds: BudgetId[] = []
  for (const sourceId of [...new Set(sourceIds)]) {
    // Locked while its figures are read, so that the closing balances belong to the version that is recorded as the source.
    const source = await loadBudget(call, sourceId, true)
    await refuseWhileUnfilled(tx, organisationId, sourceId)
    const id = toBudgetId(mongoIdFromBytes(randomBytes(12)))
    const { head } = source
    const taken = await listBudgetNamesAtLocation({ tx, organisationId, locationId: head.locationId })
    const isAlone = name && new Set(sourceIds).size === 1
    const wanted = name || (how === 'duplicate' ? suggestCopyName(head) : suggestRolledForwardName(head))
    const planned = planCopy(head, {
      version: source.version,
      how,
      name: isAlone ? wanted : findFreeBudgetName(wanted, taken),
      versionType,
    })
    const openings = how === 'rollForward' ? await buildCarriedBalances(tx, source) : []
    await commitEvents(
      call,
      { organisationId, id, version: 0 },
      { events: [...createBudget(planned, head.numberOfYears, taken), ...openings] },
    )
    fillings.push({ budgetId: id, sourceId, sourceVersion: source.version })
    newBudgetIds.push(id)
  }
  await createBudgetJob(call, how, fillings)
  return newBudgetIds
}

function planCopy(
  head: BudgetHead,
  { version, how, name, versionType }: { version: number; how: BudgetSource['how']; name: string; versionType: number | null | undefined },
) {
  const {
    id: budgetId,
    locked: _locked,
    lockedAt: _at,
    lockedById: _by,
    moments: _moments,
    approval: _approval,
    leaveEarnings: _earnings,
    ...copy
  } = head
  const firstYear = how === 'rollForward' ? head.firstYear + 1 : head.firstYear
  // A copy of an approved budget becomes a working budget.
  const type = versionType ?? (head.versionType === purpose.approved ? purpose.working : head.versionType)
  return { ...copy, name, firstYear, versionType: type, source: { budgetId, version, how } }
}

/** The closing balances of a budget's first year, which are the opening balances of the next budget (rules.md §15). */
async function buildCarriedBalances(tx: OrganisationTx, source: BudgetRow): Promise<BudgetEvent[]> {
  const { years, hasOpening } = await readOverview(tx, source)
  const first = assertDefined(years[0])
  const missing = first.missing ? `, excluding ${displayCount(first.missing, 'monthly figure')} that could not be calculated` : ''
  return first.balances
    .filter((balance) => balance.closing !== 0 || (hasOpening && balance.opening !== 0))
    .map(({ type, closing }) => {
      const id = mongoIdFromBytes(randomBytes(12))
      const what = getLookupName('openingBalanceTypes', type) ?? ''
      const description =
        `${what} balance at the end of ${formatBudgetYear(source.head.firstYear, 0)} in ${source.head.name}${missing}`.slice(0, 200)
      return createItemSavedEvent('balance', { id, item: { id, description, type, value: closing } })
    })
}
