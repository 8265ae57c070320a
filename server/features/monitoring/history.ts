import { describeMonitoringEvent } from '../../../domain/monitoring/describe.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import type { Call } from '../../core/calls/call.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { type LogHistoryLine, readItemHistory } from '../../core/stream/history.ts'
import { type MonitoringEditor, refuseHiddenLocation } from '../../shared/monitoring/commands.ts'
import { monitoringStream } from '../../streams/monitoring/stream.ts'

/**
 * The changes in a monitoring log, newest first, as sentences. Notes and adjustments apply to the whole organisation,
 * so only callers who see all locations get their history.
 */
export async function readMonitoringHistory(
  call: Call<'store'> & MonitoringEditor,
  { locationId, before }: { locationId: LocationId; before: number | null },
): Promise<LogHistoryLine[]> {
  const { tx, holder } = call
  if (locationId) await refuseHiddenLocation({ ...call, locationId })
  else if (holder.locationIds) return []
  const codes = new Map((await readResourceRecords(tx, resources.budgetCode)).map((code) => [code.id, `${code.code} ${code.description}`]))
  return readItemHistory(
    monitoringStream,
    { ...call, locationId },
    { before, tell: (event) => describeMonitoringEvent(event, (id) => codes.get(id) ?? `code ${id}`) },
  )
}
