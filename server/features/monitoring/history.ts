import { isUndoable } from '../../../domain/monitoring/decide.ts'
import { describeMonitoringEvent } from '../../../domain/monitoring/describe.ts'
import type { StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { listTouchedKeys } from '../../../domain/monitoring/evolve.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import type { Call } from '../../core/calls/call.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { readUserNames } from '../../core/database/userNames.ts'
import { type LogLine, readNewestEvents, toLogLines } from '../../core/stream/history.ts'
import { checkLocation, type MonitoringEditor } from '../../shared/monitoring/commands.ts'

/**
 * The changes in a monitoring log, newest first, as sentences. Notes and adjustments apply to the whole organisation,
 * so only callers who see all locations get their history.
 */
export async function readMonitoringHistory(
  call: Call<'store'> & MonitoringEditor,
  { locationId, before }: { locationId: LocationId; before: number | null },
): Promise<LogLine[]> {
  const { tx, store, organisationId, actor, holder } = call
  if (locationId) await checkLocation({ ...call, locationId })
  else if (holder.locationIds) return []
  const newest = await readNewestEvents(tx, 'monitoring', { organisationId, locationId, before, touchedKeys: listTouchedKeys })
  const codes = new Map((await readResourceRecords(tx, resources.budgetCode)).map((code) => [code.id, `${code.code} ${code.description}`]))
  const names = await readUserNames(
    store,
    newest.events.map((event) => event.actorId),
  )
  const tellOne = (event: StoredMonitoringEvent): string => describeMonitoringEvent(event, (id) => codes.get(id) ?? `code ${id}`)
  return toLogLines(newest, { userId: actor.userId, names, tell: tellOne, isUndoable, touchedKeys: listTouchedKeys })
}
