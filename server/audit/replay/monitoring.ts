import { foldItems } from '../../../domain/changes/itemLog.ts'
import { actualType } from '../../../domain/lookups/lookupIds.ts'
import { evolve } from '../../../domain/monitoring/evolve.ts'
import { formatIsoMonth } from '../../../domain/monitoring/monitoring.ts'
import { dayInLondon } from '../../../domain/values/format.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import type { Call } from '../../core/calls/call.ts'
import { parseReadableEvents, readStoredEventRows } from '../../core/stream/stream.ts'
import { loadMonitoringItems } from '../../streams/monitoring/items.ts'
import { type AuditFinding, verifyEvents } from '../verify/verify.ts'
import { compareFoldedItems } from './locationLogs.ts'

/** A month of a replayed monitoring log, with totals in whole pennies. */
export interface ReplayedMonitoringMonth {
  month: string
  actuals: Pennies
  commitments: Pennies
  lines: number
  /** `isIn`: actuals are complete. `isClosed`: the month end is closed. */
  isIn: boolean
  isClosed: boolean
}

/** The result of folding a monitoring log to a version, a day or its end. */
export interface ReplayedMonitoring {
  version: number
  events: number
  months: ReplayedMonitoringMonth[]
  /** The number of items of each kind. */
  kept: Record<string, number>
  compared: boolean
  findings: AuditFinding[]
}

/**
 * Folds the monitoring log of a location. If it is folded to its end, the log is also compared with the tables.
 * @param call its `locationId` is 0 for the organisation's own log
 * @param at a version, or a day such as 2026-09-30; null for the end
 */
export async function replayMonitoringOfLocation(
  call: Call<'organisationId' | 'locationId'>,
  at: number | string | null,
): Promise<ReplayedMonitoring> {
  const records = await readStoredEventRows(call, { name: 'monitoring', id: call.locationId })
  const { events, damaged } = parseReadableEvents('monitoring', records)
  const findings: AuditFinding[] = []
  const addFinding = (version: number | null, problem: string): void =>
    void findings.push({ budgetId: null, version, problem: version === null ? problem : `Version ${version}: ${problem}` })
  verifyEvents(records, addFinding)
  if (damaged) addFinding(damaged.version, damaged.problem)
  const upTo =
    typeof at === 'string' ? (events.filter((event) => dayInLondon(event.occurredAt) <= at).at(-1)?.version ?? 0) : (at ?? undefined)
  const state = foldItems(evolve, events, upTo)
  const isCompared = at === null && !damaged
  if (isCompared) for (const problem of compareFoldedItems(state, await loadMonitoringItems(call, 'all'))) addFinding(null, problem)
  const items = [...state.items.values()].map((stored) => stored.item)
  const itemCounts: Record<string, number> = {}
  for (const { kind } of items) itemCounts[kind] = (itemCounts[kind] ?? 0) + 1
  const months = items.flatMap((item): ReplayedMonitoringMonth[] => {
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
