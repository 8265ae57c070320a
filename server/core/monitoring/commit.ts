import { and, eq, inArray, sql } from 'drizzle-orm'
import type { MonitoringEvent, StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { emptyMonitoring, evolve, type MonitoringState, touchedKeys } from '../../../domain/monitoring/evolve.ts'
import type { CalendarMonth, MonitoringItem } from '../../../domain/monitoring/monitoring.ts'
import { refuseClosedMonthEnds, requiredOpenMonthEnds } from '../../../domain/monitoring/monthEnd.ts'
import { resources } from '../../../domain/resources/all.ts'
import { must, onlyRow } from '../../../domain/values/must.ts'
import { actualLines, monitoringItems, monitoringLogs } from '../../../drizzle/monitoringTables.ts'
import type { Call } from '../calls/call.ts'
import { rowsOf } from '../database/tables.ts'
import { appendMonitoring } from '../events/eventLog.ts'
import { genesisHash } from '../events/hash.ts'
import { loadMonitoring, type MonitoringLog } from './items.ts'
import { holdNamed, namingsIn } from './named.ts'

/**
 * Decides on a change of a monitoring log, appends what it comes to, and folds it into what screens read, all in the caller's transaction.
 * The log is locked meanwhile: of two people the second decides on what the first has left.
 * @param keys of what the decision looks at
 */
export async function changeMonitoring(
  call: Call<'actor'> & MonitoringLog,
  keys: readonly string[],
  decide: (state: MonitoringState) => readonly MonitoringEvent[] | Promise<readonly MonitoringEvent[]>,
): Promise<StoredMonitoringEvent[]> {
  const { tx, organisationId, locationId, actor } = call
  const at = actor.now.toISOString()
  await tx
    .insert(monitoringLogs)
    .values({ organisationId, locationId, version: 0, lastHash: genesisHash, savedAt: at })
    .onConflictDoNothing()
  const isLog = and(eq(monitoringLogs.organisationId, organisationId), eq(monitoringLogs.locationId, locationId))
  const log = onlyRow(await tx.select().from(monitoringLogs).where(isLog).for('update'))
  const known = await loadMonitoring(call, keys)
  const events = await decide(known)
  if (!events.length) return []
  await refuseClosedMonths(call, events)
  await holdNamed(call, events.flatMap(namingsIn))
  const { version, lastHash } = log
  const stored = await appendMonitoring(call, { organisationId, locationId, version, lastHash }, events)
  const touched = [...new Set(stored.flatMap(touchedKeys))]
  const unknown = touched.filter((key) => !keys.includes(key))
  const state = emptyMonitoring()
  for (const [key, item] of known.items) state.items.set(key, item)
  for (const [key, item] of (await loadMonitoring(call, unknown)).items) state.items.set(key, item)
  const before = new Map(state.items)
  for (const event of stored) evolve(state, event)
  await project(call, touched, { before, now: state.items })
  const last = must(stored.at(-1))
  await tx.update(monitoringLogs).set({ version: last.version, lastHash: last.hash, savedAt: last.occurredAt }).where(isLog)
  return stored
}

/** Whoever decided, and whatever they looked at: a closed month takes nothing. @throws DomainError 409 */
async function refuseClosedMonths(call: Call & MonitoringLog, events: readonly MonitoringEvent[]): Promise<void> {
  const { tx } = call
  const keys = events.flatMap(requiredOpenMonthEnds)
  if (!keys.length) return
  const [place] = await rowsOf(tx, resources.location, { column: 'id', ids: [call.locationId] })
  refuseClosedMonthEnds(await loadMonitoring(call, keys), events, place?.name ?? 'this location')
}

/** An item as its table keeps it: the lines of imports stand in a table of their own. */
function withoutLines(item: MonitoringItem): MonitoringItem {
  return item.kind === 'month' ? { ...item, imports: item.imports.map((one) => ({ ...one, lines: [] })) } : item
}

/** Writes what has changed into the tables that screens read. */
async function project(
  call: Call & MonitoringLog,
  touched: readonly string[],
  { before, now }: { before: MonitoringState['items']; now: MonitoringState['items'] },
): Promise<void> {
  const { tx, organisationId, locationId } = call
  const gone = touched.filter((key) => !now.has(key))
  if (gone.length)
    await tx
      .delete(monitoringItems)
      .where(
        and(
          eq(monitoringItems.organisationId, organisationId),
          eq(monitoringItems.locationId, locationId),
          inArray(monitoringItems.key, gone),
        ),
      )
  const rows = touched.flatMap((key) => {
    const stored = now.get(key)
    const { version, savedAt, item } = stored ?? {}
    return item ? [{ organisationId, locationId, key, version: must(version), savedAt: must(savedAt), item: withoutLines(item) }] : []
  })
  for (let start = 0; start < rows.length; start += 500)
    await tx
      .insert(monitoringItems)
      .values(rows.slice(start, start + 500))
      .onConflictDoUpdate({
        target: [monitoringItems.organisationId, monitoringItems.locationId, monitoringItems.key],
        set: { version: sql`excluded.version`, savedAt: sql`excluded.saved_at`, item: sql`excluded.item` },
      })
  for (const key of touched) await projectLines(call, before.get(key)?.item, now.get(key)?.item)
}

/** Takes out the lines of imports that stand no more, and writes those that are new. */
async function projectLines(
  call: Call & MonitoringLog,
  before: MonitoringItem | undefined,
  now: MonitoringItem | undefined,
): Promise<void> {
  const { tx, organisationId, locationId } = call
  const month = now?.kind === 'month' ? now : before?.kind === 'month' ? before : undefined
  if (!month) return
  const was = before?.kind === 'month' ? before.imports : []
  const is = now?.kind === 'month' ? now.imports : []
  const { year, month: number } = month
  const gone = was.filter((one) => !is.some((other) => other.version === one.version)).map((one) => one.version)
  if (gone.length)
    await tx
      .delete(actualLines)
      .where(
        and(
          eq(actualLines.organisationId, organisationId),
          eq(actualLines.locationId, locationId),
          eq(actualLines.year, year),
          eq(actualLines.month, number),
          inArray(actualLines.version, gone),
        ),
      )
  const added = is.filter(({ version, lines }) => lines.length && !was.some((one) => one.version === version))
  for (const { version, at, lines } of added) {
    const rows = lines.map((line, index) => ({ ...line, line: index + 1 }))
    // One parameter for all rows: thousands of placeholders would cost more than the insert.
    await tx.execute(sql`
      insert into actual_lines (organisation_id, location_id, year, month, version, line, type, budget_code_id, cost_centre_id, fund_code_id,
        analysis_tag_id, description, value, created)
      select ${organisationId}, ${locationId}, ${year}, ${number}, ${version}, line, type, "budgetCodeId", "costCentreId", "fundCodeId",
        "analysisTagId", description, value, ${at}::timestamptz
      from json_to_recordset(${JSON.stringify(rows)}::json) as row(line integer, type smallint, "budgetCodeId" integer, "costCentreId" integer,
        "fundCodeId" integer, "analysisTagId" integer, description text, value bigint)`)
  }
  if (gone.length || added.length) await addUpMonth(call, month)
}

/** Adds the lines of a month up by type and code: a month of each row of its calendar year. The log is locked, so nobody else does. */
async function addUpMonth({ tx, organisationId, locationId }: Call & MonitoringLog, { year, month }: CalendarMonth): Promise<void> {
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
