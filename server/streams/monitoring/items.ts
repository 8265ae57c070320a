import { and, asc, eq, inArray, or } from 'drizzle-orm'
import { createEmptyItems } from '../../../domain/changes/itemLog.ts'
import type { MonitoringState } from '../../../domain/monitoring/evolve.ts'
import { type ActualLine, formatIsoMonth } from '../../../domain/monitoring/monitoring.ts'
import { actualLines, monitoringItems } from '../../../drizzle/monitoringTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { LocationStream } from '../../core/stream/itemStream.ts'

/** Loads the items of a location's monitoring log from the tables, all or by key; months with their lines. */
export async function loadMonitoringItems(
  { tx, organisationId, locationId }: Call & LocationStream,
  keys: readonly string[] | 'all',
): Promise<MonitoringState> {
  const state: MonitoringState = createEmptyItems()
  if (!keys.length) return state
  const rows = await tx
    .select()
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        eq(monitoringItems.locationId, locationId),
        keys === 'all' ? undefined : inArray(monitoringItems.key, [...keys]),
      ),
    )
  const months = rows.flatMap(({ item }) => (item.kind === 'month' ? [{ year: item.year, month: item.month }] : []))
  const lines = new Map<string, ActualLine[]>()
  if (months.length) {
    const { organisationId: organisationColumn, locationId: locationColumn, year, month } = actualLines
    const isWanted = or(...months.map((one) => and(eq(year, one.year), eq(month, one.month))))
    const rows = await tx
      .select()
      .from(actualLines)
      .where(and(eq(organisationColumn, organisationId), eq(locationColumn, locationId), keys === 'all' ? undefined : isWanted))
      .orderBy(asc(actualLines.version), asc(actualLines.line))
    for (const row of rows) {
      const { type, budgetCodeId, costCentreId, fundCodeId, analysisTagId, description, value } = row
      const key = `${formatIsoMonth(row)} ${row.version}`
      const monthLines = lines.get(key) ?? []
      monthLines.push({ type, budgetCodeId, costCentreId, fundCodeId, analysisTagId, description, value })
      lines.set(key, monthLines)
    }
  }
  for (const { key, version, savedAt, item } of rows) {
    const whole =
      item.kind === 'month'
        ? { ...item, imports: item.imports.map((one) => ({ ...one, lines: lines.get(`${formatIsoMonth(item)} ${one.version}`) ?? [] })) }
        : item
    state.items.set(key, { version, savedAt: new Date(savedAt).toISOString(), item: whole })
  }
  return state
}
