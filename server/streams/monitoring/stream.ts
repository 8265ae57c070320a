import { and, eq, inArray, sql } from 'drizzle-orm'
import { isUndoable, undoMonitoringChange } from '../../../domain/monitoring/decide.ts'
import type { MonitoringEvent, StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { evolve, listTouchedKeys, type MonitoringState } from '../../../domain/monitoring/evolve.ts'
import type { CalendarMonth, MonitoringItem } from '../../../domain/monitoring/monitoring.ts'
import { listRequiredOpenMonthEnds, refuseClosedMonthEnds } from '../../../domain/monitoring/monthEnd.ts'
import { resources } from '../../../domain/resources/all.ts'
import { actualLines, actualSums } from '../../../drizzle/monitoringTables.ts'
import type { Call } from '../../core/calls/call.ts'
import { insertRows } from '../../core/database/insertRows.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { changeStreamItems, type ItemStream, type LocationStream } from '../../core/stream/itemStream.ts'
import { loadMonitoringItems } from './items.ts'
import { listEventReferences, lockReferencedCodes } from './references.ts'

/** The stream of actuals, commitments, forecasts, notes and packs of a location. */
export const monitoringStream: ItemStream<'monitoring', MonitoringItem> = {
  name: 'monitoring',
  evolve,
  touchedKeys: listTouchedKeys,
  isUndoable,
  undo: undoMonitoringChange,
  load: loadMonitoringItems,
  check: async (call, events) => {
    await refuseChangesOfClosedMonths(call, events)
    await lockReferencedCodes(call, events.flatMap(listEventReferences))
  },
  lineTables: [actualLines, actualSums],
  withoutLines: (item) => (item.kind === 'month' ? { ...item, imports: item.imports.map((one) => ({ ...one, lines: [] })) } : item),
  projectLines,
}

/**
 * Decides on a change to the monitoring of a location and stores it, as described at `changeStreamItems`.
 * @param keys the items that `decide` reads
 */
export function changeMonitoring(
  call: Call<'actor'> & LocationStream,
  keys: readonly string[],
  decide: (state: MonitoringState) => readonly MonitoringEvent[] | Promise<readonly MonitoringEvent[]>,
): Promise<StoredMonitoringEvent[]> {
  return changeStreamItems(monitoringStream, call, { keys, decide })
}

/**
 * Refuses any change to a closed month, regardless of what `decide` checked.
 * @throws DomainError 409
 */
async function refuseChangesOfClosedMonths(call: Call & LocationStream, events: readonly MonitoringEvent[]): Promise<void> {
  const { tx } = call
  const keys = events.flatMap(listRequiredOpenMonthEnds)
  if (!keys.length) return
  const [location] = await readResourceRecords(tx, resources.location, { column: 'id', ids: [call.locationId] })
  refuseClosedMonthEnds(await loadMonitoringItems(call, keys), events, location?.name ?? 'this location')
}

/** Deletes the lines of removed imports and inserts the lines of new imports. */
async function projectLines(
  call: Call & LocationStream,
  before: MonitoringItem | undefined,
  now: MonitoringItem | undefined,
): Promise<void> {
  const { tx, organisationId, locationId } = call
  const month = now?.kind === 'month' ? now : before?.kind === 'month' ? before : undefined
  if (!month) return
  const was = before?.kind === 'month' ? before.imports : []
  const is = now?.kind === 'month' ? now.imports : []
  const { year, month: number } = month
  const removed = was.filter((one) => !is.some((other) => other.version === one.version)).map((one) => one.version)
  if (removed.length)
    await tx
      .delete(actualLines)
      .where(
        and(
          eq(actualLines.organisationId, organisationId),
          eq(actualLines.locationId, locationId),
          eq(actualLines.year, year),
          eq(actualLines.month, number),
          inArray(actualLines.version, removed),
        ),
      )
  const added = is.filter(({ version, lines }) => lines.length && !was.some((one) => one.version === version))
  for (const { version, at, lines } of added) {
    const rows = lines.map((line, index) => ({
      organisationId,
      locationId,
      year,
      month: number,
      version,
      line: index + 1,
      ...line,
      created: at,
    }))
    await insertRows(tx, actualLines, { rows })
  }
  if (removed.length || added.length) await addUpMonth(call, month)
}

/**
 * Updates the stored sums of one month by type and code, each in the row of its calendar year. The lock on the log
 * prevents concurrent updates.
 */
async function addUpMonth({ tx, organisationId, locationId }: Call & LocationStream, { year, month }: CalendarMonth): Promise<void> {
  const isYear = sql`organisation_id = ${organisationId} and location_id = ${locationId} and year = ${year}`
  const bit = 1 << (month - 1)
  const at = sql.raw(`amounts[${month}]`)
  const amounts = sql.raw(Array.from({ length: 12 }, (_unused, index) => (index + 1 === month ? 'sum(value)::bigint' : '0')).join(', '))
  await tx.execute(sql`update actual_sums set ${at} = 0, months = months & ~${bit}::smallint where ${isYear} and months & ${bit} <> 0`)
  await tx.execute(sql`
    insert into actual_sums (organisation_id, location_id, year, type, budget_code_id, amounts, months)
    select ${organisationId}, ${locationId}, ${year}, type, budget_code_id, array[${amounts}], ${bit}
    from actual_lines where ${isYear} and month = ${month} group by type, budget_code_id
    on conflict (organisation_id, location_id, year, type, budget_code_id)
    do update set ${at} = excluded.${at}, months = actual_sums.months | excluded.months`)
  await tx.execute(sql`delete from actual_sums where ${isYear} and months = 0`)
}
