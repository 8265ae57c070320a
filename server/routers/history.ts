import { historyLines } from '../../domain/budget/describe.ts'
import type { OrganisationTx } from '../store/database.ts'
import { readEvents } from '../store/eventLog.ts'
import { userNames } from '../store/referenceLog.ts'
import type { Services } from '../trpc/context.ts'
import { namesOf } from './historyNames.ts'

/** A history that is shown at once, newest first. */
const mostLines = 500

interface Asking {
  organisationId: number
  services: Services
  principal: { userId: number | null }
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
}

/** The history of a budget, or of one of its contracts or items, with the people who made it. */
export async function historyOf(
  { organisationId, services, principal, inTransaction }: Asking,
  budgetId: string,
  { contractId, itemId }: { contractId?: string | null; itemId?: string | null },
) {
  const lines = await inTransaction(async (tx) => {
    const events = await readEvents(tx, organisationId, budgetId)
    return historyLines(events, await namesOf(tx, organisationId, events))
  })
  const shown = lines.filter((line) => (!contractId || line.contractId === contractId) && (!itemId || line.itemId === itemId))
  const names = await userNames(
    services.store,
    shown.map((line) => line.actorId),
  )
  return shown.slice(0, mostLines).map((line) => ({
    ...line,
    actor: line.actorId === null ? 'System' : (names.get(line.actorId) ?? 'Unknown'),
    undoable: line.undoable && line.actorId !== null && line.actorId === principal.userId,
  }))
}
