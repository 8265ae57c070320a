import { and, asc, desc, eq, gt, inArray, lt, sql } from 'drizzle-orm'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import {
  type IntegrationEventType,
  translateBudgetEvents,
  translateMonitoringEvent,
  translatePayrollEvent,
} from '../../../domain/integrations/events.ts'
import type { MonitoringEvent } from '../../../domain/monitoring/events.ts'
import type { PayrollEvent } from '../../../domain/payroll/events.ts'
import { hasAnyPermission, listViewPermissions, type Permission } from '../../../domain/people/permissions.ts'
import {
  type BudgetGroupId,
  type BudgetId,
  type LocationId,
  type OrganisationId,
  toBudgetId,
  toLocationId,
} from '../../../domain/values/ids.ts'
import { keysOf } from '../../../domain/values/keysOf.ts'
import { logChain } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { CallerRights } from '../../core/calls/context.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** An event as other systems receive it. */
export interface FeedEvent {
  /** The same for every recipient; never reused. */
  id: string
  type: IntegrationEventType
  occurredAt: string
  /** Null if the event concerns the whole organisation. */
  locationId: LocationId | null
  budgetId: BudgetId | null
  groupId: BudgetGroupId | null
  year: number | null
  /** The calendar month, 1 to 12; null if the event does not concern a month. */
  month: number | null
}

export interface EventFeedPage {
  events: FeedEvent[]
  /** The cursor for the next request; unchanged if there are no new events. */
  next: number
}

type FeedKind = 'budget' | 'monitoring' | 'payroll'

/** The permissions to receive events of each kind. */
const kindPermissions: Record<FeedKind, readonly Permission[]> = {
  budget: listViewPermissions('BudgetingOverview', 'ConsoleBudgetManagement'),
  monitoring: listViewPermissions(
    'BudgetingMonitoringBudgetActuals',
    'ConsoleMonitoringBudgetActuals',
    'BudgetingMonitoringBudgetForecast',
    'ConsoleMonitoringBudgetForecast',
    'ConsoleMonitoring',
  ),
  payroll: listViewPermissions('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation'),
}
const kinds = keysOf(kindPermissions)

const kindOf = (type: IntegrationEventType): FeedKind =>
  type.startsWith('month.') ? 'monitoring' : type.startsWith('payroll.') ? 'payroll' : 'budget'

/** Whether a caller may receive events of a type, of all or some locations. */
export function mayReceiveEvents(holder: CallerRights, type: IntegrationEventType): boolean {
  return hasAnyPermission(holder, kindPermissions[kindOf(type)])
}

/** The permissions to use the feed at all: those for any of its kinds. */
export const feedPermissions: Permission[] = kinds.flatMap((kind) => kindPermissions[kind])

/** A commit to a log: the events after one version, up to and including another. */
interface Commit {
  sequence: number
  kind: FeedKind
  subject: string
  version: number
  /** The version of the log before the commit. */
  before: number
  at: string
}

/**
 * The events in an organisation after a position in its chain of commits, oldest first. Positions are assigned under a lock that is held
 * until the commit, so positions become visible in order: a client that continues from its last position misses nothing and gets nothing
 * twice.
 * @param most how many commits to read at once; each may contain several events, or none that the caller may see
 */
export async function readEventFeed(
  tx: OrganisationTx,
  { organisationId, holder }: { organisationId: OrganisationId; holder: CallerRights },
  { after, most }: { after: number; most: number },
): Promise<EventFeedPage> {
  const seen = kinds.filter((kind) => hasAnyPermission(holder, kindPermissions[kind]))
  const commits = await readCommitsAfter({ tx, organisationId }, seen, { after, most })
  const [budgets, monitoring, payroll] = [
    await readEventTypes(tx, organisationId, commits),
    await readMonthEvents<MonitoringEvent>({ tx, organisationId }, 'monitoring', commits),
    await readMonthEvents<PayrollEvent>({ tx, organisationId }, 'payroll', commits),
  ]
  const locationsByBudget = await readBudgetLocations(tx, organisationId, commits)
  const events = commits.flatMap((commit): FeedEvent[] => {
    const of = { occurredAt: new Date(commit.at).toISOString(), budgetId: null, groupId: null, year: null, month: null }
    const idOf = (index: number): string => `${organisationId}-${commit.sequence}-${index}`
    if (commit.kind === 'budget')
      return translateBudgetEvents(budgets.get(commit.sequence) ?? []).map((type, index) => ({
        ...of,
        id: idOf(index),
        type,
        locationId: locationsByBudget.get(commit.subject) ?? null,
        budgetId: toBudgetId(commit.subject),
      }))
    const months =
      commit.kind === 'monitoring'
        ? (monitoring.get(commit.sequence) ?? []).map(translateMonitoringEvent)
        : (payroll.get(commit.sequence) ?? []).map(translatePayrollEvent)
    return months.flatMap((monthEvent, index) =>
      monthEvent ? [{ ...of, id: idOf(index), locationId: toLocationId(Number(commit.subject)) || null, ...monthEvent }] : [],
    )
  })
  const { locationIds } = holder
  return {
    events: locationIds ? events.filter(({ locationId }) => locationId !== null && locationIds.includes(locationId)) : events,
    next: commits.at(-1)?.sequence ?? after,
  }
}

/** The last position in an organisation's chain of commits before a moment; without a moment, the last position of all. */
export async function findFeedPositionBefore(tx: OrganisationTx, organisationId: OrganisationId, before?: Date): Promise<number> {
  const [last] = await tx
    .select({ sequence: logChain.sequence })
    .from(logChain)
    .where(and(eq(logChain.organisationId, organisationId), before && lt(logChain.at, before.toISOString())))
    .orderBy(desc(logChain.sequence))
    .limit(1)
  return last?.sequence ?? 0
}

async function readCommitsAfter(
  { tx, organisationId }: Call<'organisationId'>,
  seen: readonly FeedKind[],
  { after, most }: { after: number; most: number },
): Promise<Commit[]> {
  if (!seen.length) return []
  const rows = await tx
    .select({
      sequence: logChain.sequence,
      kind: logChain.kind,
      subject: logChain.subject,
      version: logChain.version,
      at: logChain.at,
      before: sql<number>`coalesce((select max(earlier.version) from log_chain earlier where earlier.organisation_id = ${organisationId}
        and earlier.kind = log_chain.kind and earlier.subject = log_chain.subject and earlier.sequence < log_chain.sequence), 0)`,
    })
    .from(logChain)
    .where(and(eq(logChain.organisationId, organisationId), inArray(logChain.kind, [...seen]), gt(logChain.sequence, after)))
    .orderBy(asc(logChain.sequence))
    .limit(most)
  // The query returns only commits of the kinds in `seen`.
  return rows as Commit[]
}

/**
 * The types of events in each commit to a budget, in order. A bulk edit may have thousands of events of one type, of which only one row is
 * read.
 */
async function readEventTypes(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  commits: readonly Commit[],
): Promise<Map<number, BudgetEvent['type'][]>> {
  const wanted = commits.filter(({ kind }) => kind === 'budget')
  if (!wanted.length) return new Map()
  const rows = await tx.execute<{ sequence: number; types: BudgetEvent['type'][] }>(sql`
    select wanted.sequence::float8 as sequence, array_agg(kinds.type order by kinds.first) as types
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted (sequence bigint, subject char(24), before integer, version integer)
    cross join lateral (
      select log.type, min(log.version) as first from budget_events log
      where log.organisation_id = ${organisationId} and log.budget_id = wanted.subject
        and log.version > wanted.before and log.version <= wanted.version
      group by log.type) as kinds
    group by wanted.sequence`)
  return new Map(rows.map(({ sequence, types }) => [sequence, types]))
}

/** The types of events that concern a month. */
const monthEventTypes = ['MonthEndClosed', 'MonthEndReopened', 'PayrollMonthCompleted', 'PayrollMonthReopened']

/** The events of commits that concern a month, by position. Reads only the month from their data, which may be large. */
async function readMonthEvents<Event extends MonitoringEvent | PayrollEvent>(
  { tx, organisationId }: Call<'organisationId'>,
  kind: 'monitoring' | 'payroll',
  commits: readonly Commit[],
): Promise<Map<number, Event[]>> {
  const wanted = commits.filter((commit) => commit.kind === kind)
  const found = new Map<number, Event[]>()
  if (!wanted.length) return found
  const rows = await tx.execute<{ sequence: number; event: Event }>(sql`
    select wanted.sequence::float8 as sequence, jsonb_build_object('type', log.type, 'data',
      jsonb_build_object('year', log.data -> 'year', 'month', log.data -> 'month', 'groupId', log.data -> 'groupId')) as event
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted (sequence bigint, subject text, before integer, version integer)
    join ${sql.identifier(`${kind}_events`)} log on log.organisation_id = ${organisationId} and log.location_id = wanted.subject::int
      and log.version > wanted.before and log.version <= wanted.version
    where log.type = any(${sql.param(`{${monthEventTypes.join(',')}}`)}::text[])
    order by wanted.sequence, log.version`)
  for (const { sequence, event } of rows) {
    const others = found.get(sequence)
    if (others) others.push(event)
    else found.set(sequence, [event])
  }
  return found
}

/** The locations of budgets, from their logs, so that deleted budgets are included. */
async function readBudgetLocations(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  commits: readonly Commit[],
): Promise<Map<string, LocationId>> {
  const ids = [...new Set(commits.filter(({ kind }) => kind === 'budget').map(({ subject }) => subject))]
  if (!ids.length) return new Map()
  const rows = await tx.execute<{ id: string; locationId: LocationId }>(sql`
    select budget_id as id, (data ->> 'locationId')::int as "locationId" from budget_events
    where organisation_id = ${organisationId} and version = 1 and budget_id = any(${sql.param(`{${ids.join(',')}}`)}::char(24)[])`)
  return new Map(rows.map(({ id, locationId }) => [id, locationId]))
}
