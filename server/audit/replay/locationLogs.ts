import { and, eq, sql } from 'drizzle-orm'
import { foldItems } from '../../../domain/changes/itemLog.ts'
import { formatMonth, type MonitoringItem } from '../../../domain/monitoring/monitoring.ts'
import type { PayrollItem } from '../../../domain/payroll/payroll.ts'
import type { LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import {
  type ItemStream,
  type ItemStreamName,
  itemStreamTables,
  type LocationStream,
  listItemProjections,
} from '../../core/stream/itemStream.ts'
import { parseReadableEvents, readStoredEventRows, type StreamKinds } from '../../core/stream/stream.ts'
import { monitoringStream } from '../../streams/monitoring/stream.ts'
import { payrollStream } from '../../streams/payroll/stream.ts'
import { hasSameContent, isSameMoment } from '../compare/same.ts'
import { type ChainLink, mapHeadsByLog } from '../verify/chain.ts'
import { type AuditFinding, containsHead, endsAtHead, verifyAnchors, verifyEvents } from '../verify/verify.ts'

/** The items of a location by key, from folding its log or from its tables. */
interface FoldedLog {
  items: ReadonlyMap<string, unknown>
}

/** A kind of location log, with a check for what comparing items would miss: lines that no import explains, and wrong sums. */
export interface LocationLogKind<Name extends ItemStreamName, Item> {
  stream: ItemStream<Name, Item>
  findTableProblems: (call: Call & LocationStream) => Promise<string[]>
}

export const locationLogKinds: {
  monitoring: LocationLogKind<'monitoring', MonitoringItem>
  payroll: LocationLogKind<'payroll', PayrollItem>
} = {
  monitoring: {
    stream: monitoringStream,
    findTableProblems: async (call) => [...(await findUnexplainedLines(call)), ...(await findWrongSums(call))],
  },
  payroll: { stream: payrollStream, findTableProblems: findLinesWithoutImport },
}

/** Lists every location that appears in a log of this kind, in one of its tables, or in the organisation's chain. */
export async function listLoggedLocations<Name extends ItemStreamName, Item>(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  stream: ItemStream<Name, Item>,
): Promise<LocationId[]> {
  const named = [itemStreamTables[stream.name].events, ...listItemProjections(stream)].map(
    (table) => sql`select location_id as id from ${table} where organisation_id = ${organisationId}`,
  )
  const chained = sql`select subject::integer from log_chain where organisation_id = ${organisationId} and kind = ${stream.name}`
  const rows = await tx.execute<{ id: LocationId }>(sql`${sql.join([...named, chained], sql` union `)} order by id`)
  return rows.map(({ id }) => id)
}

/** For example "payroll of location 3". */
export function labelLocationLog(kind: ItemStreamName, { organisationId, locationId }: LocationStream): string {
  return `${kind} of ${locationId ? `location ${locationId}` : `organisation ${organisationId}`}`
}

/**
 * Verifies an organisation's logs of one kind: each must be intact, end where the chain says, and match the tables that screens read.
 * @param links the chain's links to logs of this kind
 */
export async function verifyLocationLogs<Name extends ItemStreamName, Item>(
  call: Call<'organisationId'>,
  logs: LocationLogKind<Name, Item>,
  links: readonly ChainLink[],
): Promise<AuditFinding[]> {
  const { tx, organisationId } = call
  const kind = logs.stream.name
  const heads = mapHeadsByLog(links, kind)
  const findings: AuditFinding[] = []
  for (const locationId of await listLoggedLocations(tx, organisationId, logs.stream)) {
    const words = labelLocationLog(kind, { organisationId, locationId })
    const label = words.charAt(0).toUpperCase() + words.slice(1)
    const { damage, differences } = await checkLocationLog({ ...call, locationId }, logs, heads.get(String(locationId)) ?? [])
    for (const { version, problem } of [...damage, ...differences])
      findings.push({ budgetId: null, version, problem: `${label}${version === null ? '' : `, version ${version}`}: ${problem}` })
  }
  return findings
}

/**
 * Verifies one location log, and compares it with its tables.
 * @param links the chain's links to the log
 * @returns `events`: the readable events; `damage`: what is wrong with the log, including table rows that can only come from a lost event;
 * `differences`: other differences between the tables and the log, if the whole log is readable
 */
export async function checkLocationLog<Name extends ItemStreamName, Item>(
  call: Call & LocationStream,
  { stream, findTableProblems }: LocationLogKind<Name, Item>,
  links: readonly { version: number; hash: string }[],
): Promise<{ events: StreamKinds[Name]['event'][]; damage: AuditFinding[]; differences: AuditFinding[] }> {
  const { tx, organisationId, locationId } = call
  const [damage, differences]: [AuditFinding[], AuditFinding[]] = [[], []]
  const addDamage = (version: number | null, problem: string): void => void damage.push({ budgetId: null, version, problem })
  const records = await readStoredEventRows(call, { name: stream.name, id: locationId })
  const last = records.at(-1)
  // If the log has no events, rows in its tables can only come from lost events, so a difference counts as damage.
  const addDifference = (version: number | null, problem: string): void =>
    void (last ? differences : damage).push({ budgetId: null, version, problem })
  verifyEvents(records, addDamage)
  const { heads } = itemStreamTables[stream.name]
  const [head] = await tx
    .select()
    .from(heads)
    .where(and(eq(heads.organisationId, organisationId), eq(heads.locationId, locationId)))
  if (head ? !endsAtHead(head, last) : last) {
    // A head that is behind its log can be rebuilt. A head at a version that the log lacks proves that an event was lost.
    const add = head?.version && !containsHead(records, head) ? addDamage : addDifference
    add(null, `It is at version ${head?.version ?? 0} but its log ends at ${last?.version ?? 0}, or the last hash differs.`)
  }
  if (head && last && !isSameMoment(head.savedAt, last.occurredAt))
    addDifference(last.version, 'The time of the last save in the table differs from the log.')
  const linked = links.map((link) => ({ label: 'in the chain of the organisation', ...link }))
  verifyAnchors(records, linked, addDamage)
  if (last && linked.at(-1)?.version !== last.version)
    addDamage(last.version, 'The chain of the organisation does not end where this log ends: events were removed or added afterwards.')
  const { events, damaged } = parseReadableEvents(stream.name, records)
  if (damaged) {
    addDamage(damaged.version, damaged.problem)
    return { events, damage, differences }
  }
  for (const problem of compareFoldedItems(foldItems(stream.evolve, events), await stream.load(call, 'all'))) addDifference(null, problem)
  for (const problem of await findTableProblems(call)) addDifference(null, problem)
  return { events, damage, differences }
}

export function compareFoldedItems(log: FoldedLog, tables: FoldedLog): string[] {
  return [...new Set([...log.items.keys(), ...tables.items.keys()])].flatMap((key) => {
    const [stored, logged] = [tables.items.get(key), log.items.get(key)]
    if (!logged) return [`The table has ${key}, but the log does not.`]
    if (!stored) return [`The log has ${key}, but the table does not.`]
    return hasSameContent(stored, logged) ? [] : [`In the tables, ${key} differs from the log.`]
  })
}

async function findUnexplainedLines({ tx, organisationId, locationId }: Call & LocationStream): Promise<string[]> {
  const lines = await tx.execute<{ year: number; month: number; version: number }>(sql`
    select distinct line.year, line.month, line.version from actual_lines line
    where organisation_id = ${organisationId} and location_id = ${locationId} and not exists (
      select from monitoring_items item cross join lateral jsonb_array_elements(item.item -> 'imports') one
      where item.organisation_id = line.organisation_id and item.location_id = line.location_id and item.item ->> 'kind' = 'month'
        and (item.item ->> 'year')::integer = line.year and (item.item ->> 'month')::integer = line.month
        and (one ->> 'version')::integer = line.version and (one ->> 'at')::timestamptz = line.created)`)
  return lines.map(
    ({ year, month, version }) => `The table has lines of version ${version} in ${formatMonth({ year, month })} that no import explains.`,
  )
}

/** Recalculates the stored sums from their lines and reports those that differ. */
async function findWrongSums({ tx, organisationId, locationId }: Call & LocationStream): Promise<string[]> {
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
    ...wrong.map(({ code, ...month }) => `The stored sum of code ${code} in ${formatMonth(month)} does not match its lines.`),
    ...shaped.map(({ year, code }) => `The stored sum of code ${code} in ${year} does not have twelve months.`),
  ]
}

/** Finds lines in months without an import. They belong to no item, so comparing items would miss them. */
async function findLinesWithoutImport({ tx, organisationId, locationId }: Call & LocationStream): Promise<string[]> {
  const months = await tx.execute<{ year: number; month: number }>(sql`
    select distinct line.year, line.month from payroll_lines line
    where organisation_id = ${organisationId} and location_id = ${locationId} and not exists (
      select from payroll_items item where item.organisation_id = line.organisation_id and item.location_id = line.location_id
        and item.kind = 'actuals' and item.year = line.year and item.month = line.month)`)
  return months.map((month) => `The table has lines in ${formatMonth(month)} that no import explains.`)
}
