import { and, eq, sql } from 'drizzle-orm'
import { actualType } from '../../../domain/lookups/lookupIds.ts'
import type { StoredMonitoringEvent } from '../../../domain/monitoring/events.ts'
import { createEmptyMonitoring, evolve, type MonitoringState } from '../../../domain/monitoring/evolve.ts'
import { formatIsoMonth } from '../../../domain/monitoring/monitoring.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import { monitoringLogs } from '../../../drizzle/monitoringTables.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { parseReadable, readRecords } from '../../core/stream/stream.ts'
import { loadMonitoring } from '../../streams/monitoring/items.ts'
import { type Finding, verifyEvents } from '../verify/verify.ts'
import { compareFolded, type LocationLogs, verifyLocationLogs } from './locationLogs.ts'

/** Folds a monitoring log from the start. @param upTo the last version to include */
export function replayMonitoring(events: readonly StoredMonitoringEvent[], upTo = Number.POSITIVE_INFINITY): MonitoringState {
  const state = createEmptyMonitoring()
  for (const event of events) if (event.version <= upTo) evolve(state, event)
  return state
}

/** The totals of a month in a monitoring log, in whole pennies. */
export interface ReplayedMonth {
  month: string
  actuals: Pennies
  commitments: Pennies
  lines: number
  /** `isIn`: actuals are complete. `isClosed`: the month end is closed. */
  isIn: boolean
  isClosed: boolean
}

/** A monitoring log folded to a version, a day or its end. */
export interface ReplayedMonitoring {
  version: number
  events: number
  months: ReplayedMonth[]
  /** The number of items of each kind. */
  kept: Record<string, number>
  compared: boolean
  findings: Finding[]
}

/**
 * Folds the monitoring log of a location. Folded to its end, it also compares the log with the tables.
 * @param locationId 0 for the organisation's own log
 * @param at a version, or a day such as 2026-09-30; null for the end
 */
export async function replayMonitoringOfLocation(
  call: Call<'organisationId' | 'locationId'>,
  at: number | string | null,
): Promise<ReplayedMonitoring> {
  const records = await readRecords(call, { name: 'monitoring', id: call.locationId })
  const { events, damaged } = parseReadable('monitoring', records)
  const findings: Finding[] = []
  const addFinding = (version: number | null, problem: string): void =>
    void findings.push({ budgetId: null, version, problem: version === null ? problem : `Version ${version}: ${problem}` })
  verifyEvents(records, addFinding)
  if (damaged) addFinding(damaged.version, damaged.problem)
  const upTo =
    typeof at === 'string' ? (events.filter((event) => dayInLondon(event.occurredAt) <= at).at(-1)?.version ?? 0) : (at ?? undefined)
  const state = replayMonitoring(events, upTo)
  const isCompared = at === null && !damaged
  if (isCompared) for (const problem of compareFolded(state, await loadMonitoring(call, 'all'))) addFinding(null, problem)
  const items = [...state.items.values()].map((stored) => stored.item)
  const itemCounts: Record<string, number> = {}
  for (const { kind } of items) itemCounts[kind] = (itemCounts[kind] ?? 0) + 1
  const months = items.flatMap((item): ReplayedMonth[] => {
    if (item.kind !== 'month') return []
    const lines = item.imports.flatMap((one) => one.lines)
    const sum = (type: number): number => lines.reduce((total, line) => total + (line.type === type ? line.value : 0), 0)
    const end = items.find((one) => one.kind === 'monthEnd' && one.year === item.year && one.month === item.month)
    return [
      {
        month: formatIsoMonth(item),
        actuals: sum(actualType.actual),
        commitments: sum(actualType.commitment),
        lines: lines.length,
        isIn: item.isClosed,
        isClosed: end?.kind === 'monthEnd' && end.closed !== null,
      },
    ]
  })
  months.sort((a, b) => a.month.localeCompare(b.month))
  return { version: state.version, events: records.length, months, kept: itemCounts, compared: isCompared, findings }
}

/**
 * Verifies the monitoring logs of an organisation: each is whole, ends where the chain says, and matches the tables.
 * @param heads the chain's links to each log, by location
 */
export async function verifyMonitoring(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  heads: ReadonlyMap<string, { version: number; hash: string }[]>,
): Promise<Finding[]> {
  return verifyLocationLogs(organisationId, heads, await listMonitoringLogs(tx, organisationId))
}

/** The monitoring logs of an organisation: every location that a log or a table of them names. */
export async function listMonitoringLogs(tx: OrganisationTx, organisationId: OrganisationId): Promise<LocationLogs<'monitoring'>> {
  const locations = await tx.execute<{ id: LocationId }>(sql`
    select location_id as id from monitoring_events where organisation_id = ${organisationId}
    union select location_id from monitoring_logs where organisation_id = ${organisationId}
    union select location_id from monitoring_items where organisation_id = ${organisationId}
    union select location_id from actual_lines where organisation_id = ${organisationId}
    union select location_id from actual_sums where organisation_id = ${organisationId}
    order by 1`)
  return {
    stream: 'monitoring',
    name: 'Monitoring',
    locationIds: locations.map((row) => row.id),
    recordsOf: (locationId) => readRecords({ tx, organisationId }, { name: 'monitoring', id: locationId }),
    headOf: async (locationId) => {
      const { version, lastHash, savedAt } = monitoringLogs
      const isLog = and(eq(monitoringLogs.organisationId, organisationId), eq(monitoringLogs.locationId, locationId))
      return (await tx.select({ version, lastHash, savedAt }).from(monitoringLogs).where(isLog))[0]
    },
    replay: replayMonitoring,
    tablesOf: (locationId) => loadMonitoring({ tx, organisationId, locationId }, 'all'),
    straysOf: async (locationId) => [
      ...(await findUnexplainedLines(tx, organisationId, locationId)),
      ...(await findWrongSums(tx, organisationId, locationId)),
    ],
  }
}

async function findUnexplainedLines(tx: OrganisationTx, organisationId: OrganisationId, locationId: LocationId): Promise<string[]> {
  const lines = await tx.execute<{ year: number; month: number; version: number }>(sql`
    select distinct line.year, line.month, line.version from actual_lines line
    where organisation_id = ${organisationId} and location_id = ${locationId} and not exists (
      select from monitoring_items item cross join lateral jsonb_array_elements(item.item -> 'imports') one
      where item.organisation_id = line.organisation_id and item.location_id = line.location_id and item.item ->> 'kind' = 'month'
        and (item.item ->> 'year')::integer = line.year and (item.item ->> 'month')::integer = line.month
        and (one ->> 'version')::integer = line.version and (one ->> 'at')::timestamptz = line.created)`)
  return lines.map(
    ({ year, month, version }) =>
      `The table has lines of version ${version} in ${formatIsoMonth({ year, month })} that no import explains.`,
  )
}

/** Recalculates the stored sums from their lines and reports those that differ. */
async function findWrongSums(tx: OrganisationTx, organisationId: OrganisationId, locationId: LocationId): Promise<string[]> {
  const wrong = await tx.execute<{ year: number; month: number; code: number }>(sql`
    with kept as (
      select year, month.at as month, type, budget_code_id, amounts[month.at] as value, months & (1 << month.at - 1) <> 0 as has_lines
      from actual_sums cross join generate_series(1, 12) month(at)
      where organisation_id = ${organisationId} and location_id = ${locationId}
    ), lines as (
      select year, month, type, budget_code_id, sum(value)::bigint as value from actual_lines
      where organisation_id = ${organisationId} and location_id = ${locationId} group by 1, 2, 3, 4
    )
    select distinct year, month, budget_code_id as code from kept full join lines using (year, month, type, budget_code_id)
    where coalesce(kept.value, 0) <> coalesce(lines.value, 0) or coalesce(kept.has_lines, false) <> (lines.value is not null)
    order by 1, 2, 3`)
  const shaped = await tx.execute<{ year: number; code: number }>(sql`
    select distinct year, budget_code_id as code from actual_sums where organisation_id = ${organisationId} and location_id = ${locationId}
      and (array_lower(amounts, 1) <> 1 or cardinality(amounts) <> 12 or months <= 0 or months >= 4096 or array_position(amounts, null) is not null)`)
  return [
    ...wrong.map(({ code, ...month }) => `The stored sum of code ${code} in ${formatIsoMonth(month)} does not match its lines.`),
    ...shaped.map(({ year, code }) => `The stored sum of code ${code} in ${year} does not have twelve months.`),
  ]
}
