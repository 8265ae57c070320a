import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { BudgetEvent } from '../../../domain/budget/events.ts'
import { type ToldType, toldOfBudget, toldOfMonitoring, toldOfPayroll } from '../../../domain/integrations/events.ts'
import type { MonitoringEvent } from '../../../domain/monitoring/events.ts'
import type { PayrollEvent } from '../../../domain/payroll/events.ts'
import { either, may, type Permission } from '../../../domain/permissions.ts'
import { logChain } from '../../../drizzle/schema.ts'
import type { Holder } from '../../core/calls/context.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** Something that happened, as other systems are told it. */
export interface Told {
  /** The same for everybody who is told of it, and never given twice. */
  id: string
  type: ToldType
  occurredAt: string
  /** Null: it is of the whole organisation. */
  locationId: number | null
  budgetId: string | null
  groupId: string | null
  year: number | null
  /** Of the calendar, 1 to 12. */
  month: number | null
}

export interface Feed {
  events: Told[]
  /** What to ask after next; the same while nothing new happened. */
  next: number
}

type Kind = 'budget' | 'monitoring' | 'payroll'

/** Whose readers are told of what happens to each. */
const readersOf: Record<Kind, readonly Permission[]> = {
  budget: either('BudgetingOverview', 'ConsoleBudgetManagement'),
  monitoring: either(
    'BudgetingMonitoringBudgetActuals',
    'ConsoleMonitoringBudgetActuals',
    'BudgetingMonitoringBudgetForecast',
    'ConsoleMonitoringBudgetForecast',
    'ConsoleMonitoring',
  ),
  payroll: either('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation'),
}
const kinds = Object.keys(readersOf) as Kind[]

/** Who may ask for the feed at all: whoever reads one of its kinds. */
export const readers: Permission[] = kinds.flatMap((kind) => readersOf[kind])

/** A commit to a log: the events from after one version up to another. */
interface Commit {
  sequence: number
  kind: Kind
  subject: string
  version: number
  /** Where the log ended before it. */
  before: number
  at: string
}

/**
 * What happened in an organisation after a place in its chain of commits, oldest first. The places are given under a lock that is held until
 * the commit, so none is ever seen after a later one: who asks after the last one they have misses nothing and is told nothing twice.
 * @param most how many commits are gone through at once; one may tell of several things, or of none that the caller may know
 */
export async function feed(
  tx: OrganisationTx,
  { organisationId, holder }: { organisationId: number; holder: Holder },
  { after, most }: { after: number; most: number },
): Promise<Feed> {
  const seen = kinds.filter((kind) => may(holder, readersOf[kind]))
  const commits = await commitsAfter(tx, organisationId, seen, after, most)
  const [budgets, monitoring, payroll] = [
    await eventsOf<BudgetEvent>(tx, organisationId, 'budget', commits),
    await eventsOf<MonitoringEvent>(tx, organisationId, 'monitoring', commits),
    await eventsOf<PayrollEvent>(tx, organisationId, 'payroll', commits),
  ]
  const places = await placesOf(tx, organisationId, commits)
  const events = commits.flatMap((commit): Told[] => {
    const of = { occurredAt: new Date(commit.at).toISOString(), budgetId: null, groupId: null, year: null, month: null }
    const idOf = (place: number): string => `${organisationId}-${commit.sequence}-${place}`
    if (commit.kind === 'budget')
      return toldOfBudget((budgets.get(commit.sequence) ?? []).map(({ type }) => type)).map((type, place) => ({
        ...of,
        id: idOf(place),
        type,
        locationId: places.get(commit.subject) ?? null,
        budgetId: commit.subject,
      }))
    const months =
      commit.kind === 'monitoring'
        ? (monitoring.get(commit.sequence) ?? []).map(toldOfMonitoring)
        : (payroll.get(commit.sequence) ?? []).map(toldOfPayroll)
    return months.flatMap((told, place) => (told ? [{ ...of, id: idOf(place), locationId: Number(commit.subject) || null, ...told }] : []))
  })
  const { locationIds } = holder
  return {
    events: locationIds ? events.filter(({ locationId }) => locationId !== null && locationIds.includes(locationId)) : events,
    next: commits.at(-1)?.sequence ?? after,
  }
}

async function commitsAfter(
  tx: OrganisationTx,
  organisationId: number,
  seen: readonly Kind[],
  after: number,
  most: number,
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
  return rows as Commit[]
}

const logs: Record<Kind, { table: SQL; subject: SQL }> = {
  budget: { table: sql`budget_events`, subject: sql`log.budget_id = wanted.subject` },
  monitoring: { table: sql`monitoring_events`, subject: sql`log.location_id = wanted.subject::int` },
  payroll: { table: sql`payroll_events`, subject: sql`log.location_id = wanted.subject::int` },
}

/** The types of events that tell of a month. */
const dated = ['MonthEndClosed', 'MonthEndReopened', 'PayrollMonthCompleted', 'PayrollMonthReopened']

/** The events of commits, by the place of the commit. */
async function eventsOf<Event extends { type: string }>(
  tx: OrganisationTx,
  organisationId: number,
  kind: Kind,
  commits: readonly Commit[],
): Promise<Map<number, Event[]>> {
  const wanted = commits.filter((commit) => commit.kind === kind)
  const found = new Map<number, Event[]>()
  if (!wanted.length) return found
  const { table, subject } = logs[kind]
  // Of their data only the month is read: the rest may be large.
  const rows = (await tx.execute(sql`
    select wanted.sequence::float8 as sequence, log.type,
      jsonb_build_object('year', log.data -> 'year', 'month', log.data -> 'month', 'groupId', log.data -> 'groupId') as data
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted (sequence bigint, subject text, before integer, version integer)
    join ${table} log on log.organisation_id = ${organisationId} and ${subject} and log.version > wanted.before and log.version <= wanted.version
    ${kind === 'budget' ? sql`` : sql`where log.type = any(${sql.param(`{${dated.join(',')}}`)}::text[])`}
    order by wanted.sequence, log.version`)) as unknown as ({ sequence: number } & Event)[]
  for (const { sequence, ...event } of rows) {
    const others = found.get(sequence)
    if (others) others.push(event as unknown as Event)
    else found.set(sequence, [event as unknown as Event])
  }
  return found
}

/** The locations of budgets, also of those that are deleted: their logs say it. */
async function placesOf(tx: OrganisationTx, organisationId: number, commits: readonly Commit[]): Promise<Map<string, number>> {
  const ids = [...new Set(commits.filter(({ kind }) => kind === 'budget').map(({ subject }) => subject))]
  if (!ids.length) return new Map()
  const rows = (await tx.execute(sql`
    select budget_id as id, (data ->> 'locationId')::int as "locationId" from budget_events
    where organisation_id = ${organisationId} and version = 1 and budget_id = any(${sql.param(`{${ids.join(',')}}`)}::text[])`)) as unknown as {
    id: string
    locationId: number
  }[]
  return new Map(rows.map(({ id, locationId }) => [id, locationId]))
}
