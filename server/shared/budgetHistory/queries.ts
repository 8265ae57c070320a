import { and, asc, desc, eq, gt, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { describeHistory, getChangedKey, type HistorySelection, hideStaffDetails } from '../../../domain/budget/describe.ts'
import type { BudgetEvent, EventType, StoredEvent } from '../../../domain/budget/events.ts'
import { createEmptyBudget, evolve } from '../../../domain/budget/evolve.ts'
import { getItemKind } from '../../../domain/budget/items/item.ts'
import { canMakeEvent, type UndoTarget } from '../../../domain/budget/undo.ts'
import { canSeeStaff, hasAnyPermission } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { AnyResource } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { BudgetId, ContractId, OrganisationId, UserId } from '../../../domain/values/ids.ts'
import { budgetEvents, budgets } from '../../../drizzle/schema.ts'
import type { CallerRights, Services } from '../../core/calls/context.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { buildVisibleCondition, getResourceTable } from '../../core/database/tables.ts'
import { nameActor, readUserNames } from '../../core/database/userNames.ts'
import { toStreamEvent } from '../../core/stream/stream.ts'
import { loadStaffByIds } from '../../streams/budget/people.ts'

/** Events about the budget itself, which the sentences about later events depend on. */
const budgetEventTypes: EventType[] = ['BudgetCreated', 'BudgetRenamed', 'BudgetElementsSaved', 'BudgetVersionTypeChosen']

/** The log of one budget of an organisation. */
export interface BudgetLogRef {
  organisationId: OrganisationId
  budgetId: BudgetId
}

function selectEvents(tx: OrganisationTx, { organisationId, budgetId }: BudgetLogRef, ...conditions: (SQL | undefined)[]) {
  return tx
    .select()
    .from(budgetEvents)
    .where(and(eq(budgetEvents.organisationId, organisationId), eq(budgetEvents.budgetId, budgetId), ...conditions))
    .$dynamic()
}

/**
 * A page of the newest events of a log, or of those about one contract or item, together with the events needed to describe them. All reads
 * use indexes, so the length of the log does not matter.
 */
export async function readHistoryPage(
  tx: OrganisationTx,
  log: BudgetLogRef,
  { id, before, limit }: { id?: string | null; before?: number | null; limit: number },
): Promise<{ events: StoredEvent[]; part: HistorySelection }> {
  const newestFirst = (
    await selectEvents(tx, log, id ? eq(budgetEvents.about, id) : undefined, before ? lt(budgetEvents.version, before) : undefined)
      .orderBy(desc(budgetEvents.version))
      .limit(limit)
  ).map((row) => toStreamEvent('budget', row))
  const [newest, oldest] = [newestFirst[0]?.version ?? 0, newestFirst.at(-1)?.version ?? 0]
  const things = [...new Set(newestFirst.flatMap((event) => findSubject(event) ?? []))]
  const versions = new Set(newestFirst.map((event) => event.version))
  const heads = (await selectEvents(tx, log, inArray(budgetEvents.type, budgetEventTypes), lte(budgetEvents.version, newest))).map((row) =>
    toStreamEvent('budget', row),
  )
  const earlier = await readLastEventsBefore(
    tx,
    log,
    things.map((thing) => ({ id: thing, before: oldest })),
  )
  const since = Math.min(oldest, ...earlier.map((event) => event.version))
  const rebases = await readRebases(tx, log, { ids: things, after: since, before: newest })
  const others = [...heads, ...earlier, ...rebases, ...(await readRecalculationsAfter(tx, log, newestFirst))].filter(
    (event) => !versions.has(event.version),
  )
  const events = [...others, ...newestFirst].sort((a, b) => a.version - b.version)
  return { events, part: { versions, since: await findLaterChanges(tx, log, newestFirst), isLocked: await isLocked(tx, log) } }
}

/** The recalculations that directly follow saves and deletions of contracts, whose sentences end with the effect on the cost. */
async function readRecalculationsAfter(tx: OrganisationTx, log: BudgetLogRef, events: readonly StoredEvent[]): Promise<StoredEvent[]> {
  const versions = events
    .filter(({ type }) => type === 'StaffContractSaved' || type === 'StaffContractDeleted')
    .map((event) => event.version + 1)
  return (await readEventsOfVersions(tx, log, versions)).filter((event) => event.type === 'StaffContractsRecalculated')
}

function findSubject(event: BudgetEvent): string | null {
  return event.type === 'BudgetRenamed' ? null : getChangedKey(event)
}

/** For each subject, its last event before a version. */
async function readLastEventsBefore(
  tx: OrganisationTx,
  { organisationId, budgetId }: BudgetLogRef,
  wanted: readonly { id: string; before: number }[],
): Promise<StoredEvent[]> {
  if (!wanted.length) return []
  const versions = await tx.execute<{ version: number }>(sql`
    select distinct last.version from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted(id text, before integer)
    cross join lateral (
      select version from budget_events
      where organisation_id = ${organisationId} and budget_id = ${budgetId} and about = wanted.id and version < wanted.before
      order by version desc limit 1
    ) last`)
  return readEventsOfVersions(
    tx,
    { organisationId, budgetId },
    versions.map((row) => row.version),
  )
}

/** The events with the given versions, in order. */
async function readEventsOfVersions(tx: OrganisationTx, log: BudgetLogRef, versions: readonly number[]): Promise<StoredEvent[]> {
  if (!versions.length) return []
  const rows = await selectEvents(tx, log, sql`${budgetEvents.version} = any(${sql.param(`{${versions.join(',')}}`)}::integer[])`)
  return rows.map((row) => toStreamEvent('budget', row)).sort((a, b) => a.version - b.version)
}

/** The recalculations of some entries between two versions, reduced to those entries. */
async function readRebases(
  tx: OrganisationTx,
  { organisationId, budgetId }: BudgetLogRef,
  { ids, after, before }: { ids: readonly string[]; after: number; before: number },
): Promise<StoredEvent[]> {
  if (!ids.length || !Number.isFinite(after)) return []
  const list = sql.param(`{${ids.join(',')}}`)
  const rows = await tx.execute<{ version: number; schema: number; occurred_at: string; bases: unknown[] }>(sql`
    select version, schema, occurred_at, bases from budget_events
    cross join lateral (
      select jsonb_agg(basis) as bases from jsonb_array_elements(data -> 'bases') basis where basis ->> 'id' = any(${list}::text[])
    ) own
    where organisation_id = ${organisationId} and budget_id = ${budgetId} and type = 'BudgetEntriesRebased'
      and version > ${after} and version < ${before} and bases is not null
    order by version`)
  return rows.map(({ version, schema, occurred_at: occurredAt, bases }) =>
    toStreamEvent('budget', { type: 'BudgetEntriesRebased', schema, data: { bases }, version, budgetId, occurredAt }),
  )
}

/** The later events that changed the same contracts, items or budget name as the given saves, by `getChangedKey`, in order. */
export async function findLaterChanges(
  tx: OrganisationTx,
  log: BudgetLogRef,
  saves: readonly StoredEvent[],
): Promise<Map<string, StoredEvent[]>> {
  const things = new Set(saves.flatMap((event) => getChangedKey(event) ?? []))
  const first = Math.min(...saves.map((event) => event.version))
  const since = new Map<string, StoredEvent[]>([...things].map((thing) => [thing, []]))
  if (!things.size) return since
  const isOfOne = sql`${budgetEvents.about} = any(${sql.param(`{${[...things].join(',')}}`)}::text[])`
  const isName = things.has('name') ? eq(budgetEvents.type, 'BudgetRenamed') : undefined
  const rows = await selectEvents(tx, log, gt(budgetEvents.version, first), or(isOfOne, isName)).orderBy(asc(budgetEvents.version))
  for (const event of rows.map((row) => toStreamEvent('budget', row))) since.get(getChangedKey(event) ?? '')?.push(event)
  return since
}

async function isLocked(tx: OrganisationTx, { organisationId, budgetId }: BudgetLogRef): Promise<boolean> {
  const [row] = await tx
    .select({ head: budgets.head })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId)))
  return Boolean(row?.head.locked)
}

/** The saves with the given versions, in order, each with the earlier state of its subject. Unknown versions are omitted. */
export async function readSavesWithBefore(
  tx: OrganisationTx,
  log: BudgetLogRef,
  versions: readonly number[],
): Promise<{ event: StoredEvent; before: UndoTarget }[]> {
  const saves = await readEventsOfVersions(tx, log, versions)
  const wanted = saves.flatMap((event) => {
    const id = findSubject(event)
    return id ? [{ id, before: event.version }] : []
  })
  const earlier = new Map<string, StoredEvent[]>()
  for (const event of await readLastEventsBefore(tx, log, wanted)) {
    const id = assertDefined(findSubject(event))
    earlier.set(id, [...(earlier.get(id) ?? []), event])
  }
  const oldest = Math.min(...[...earlier.values()].flat().map((event) => event.version))
  const rebases = await readRebases(tx, log, { ids: wanted.map((one) => one.id), after: oldest, before: saves.at(-1)?.version ?? 0 })
  const found: { event: StoredEvent; before: UndoTarget }[] = []
  for (const event of saves) {
    const id = findSubject(event)
    const last = id ? earlier.get(id)?.findLast((one) => one.version < event.version) : undefined
    const state = createEmptyBudget()
    if (last) {
      evolve(state, last)
      for (const rebase of rebases) if (rebase.version > last.version && rebase.version < event.version) evolve(state, rebase)
    }
    const isContract = event.type === 'StaffContractSaved' || event.type === 'StaffContractDeleted'
    found.push({
      event,
      before: {
        contract: isContract ? state.contracts.get(event.data.id) : undefined,
        item: id && getItemKind(event.type) ? state.items.get(id) : undefined,
        name: event.type === 'BudgetRenamed' ? await readNameBefore(tx, log, event.version) : undefined,
      },
    })
  }
  return found
}

async function readNameBefore(tx: OrganisationTx, log: BudgetLogRef, version: number): Promise<string | undefined> {
  const [row] = await selectEvents(
    tx,
    log,
    inArray(budgetEvents.type, ['BudgetCreated', 'BudgetRenamed']),
    lt(budgetEvents.version, version),
  )
    .orderBy(desc(budgetEvents.version))
    .limit(1)
  const event = row && toStreamEvent('budget', row)
  return event?.type === 'BudgetCreated' || event?.type === 'BudgetRenamed' ? event.data.name : undefined
}

/** A day on which a budget changed. */
export interface ChangedDay {
  day: string
  /** The time of the day's last event, and its version. */
  at: string
  version: number
  changes: number
  actorIds: (UserId | null)[]
}

/**
 * The days on which a budget changed, newest first. The database groups by UTC day; where that differs from the London
 * day, the events themselves are read.
 */
export async function readChangedDays(tx: OrganisationTx, { organisationId, budgetId }: BudgetLogRef): Promise<ChangedDay[]> {
  const rows = await tx.execute<{ day: string; at: string; version: number; changes: number; actor_ids: (UserId | null)[] }>(sql`
    with counted as (
      select *, (at at time zone 'Europe/London')::date <> day as goes_on
      from budget_days where organisation_id = ${organisationId} and budget_id = ${budgetId}),
    days as (
      select day, actor_id, changes, version, at from counted where not goes_on
      union all
      select (event.occurred_at at time zone 'Europe/London')::date, event.actor_id, count(*), max(event.version), max(event.occurred_at)
      from counted join budget_events event on event.organisation_id = counted.organisation_id and event.budget_id = counted.budget_id
        and event.version <= counted.version and event.actor_id is not distinct from counted.actor_id
        and (event.occurred_at at time zone 'UTC')::date = counted.day
      where goes_on group by 1, 2)
    select to_char(day, 'YYYY-MM-DD') as day, max(version) as version, (array_agg(at order by version desc))[1] as at,
      sum(changes)::integer as changes, jsonb_agg(actor_id) as actor_ids
    from days group by days.day order by version desc`)
  return rows.map(({ actor_ids: actorIds, at, ...day }) => ({ ...day, at: new Date(at).toISOString(), actorIds }))
}

/** The most lines in one page of a history. */
const maximumLines = 100

interface Asking {
  organisationId: OrganisationId
  services: Services
  principal: { userId: UserId | null }
  holder: CallerRights
  inTransaction: <T>(work: (tx: OrganisationTx) => Promise<T>) => Promise<T>
}

/**
 * The history of a budget, or of one of its contracts or items, newest first, starting before a version or at its end. Employees are named
 * only for callers who may see staff.
 */
export async function readBudgetHistory(
  { organisationId, services, principal, holder, inTransaction }: Asking,
  budgetId: BudgetId,
  { contractId, itemId, before }: { contractId?: ContractId | null; itemId?: string | null; before?: number | null },
) {
  const shown = await inTransaction(async (tx) => {
    const { events, part } = await readHistoryPage(
      tx,
      { organisationId, budgetId },
      { id: contractId ?? itemId, before, limit: maximumLines },
    )
    const historyLines = describeHistory(events, part, await readHistoryNames(tx, organisationId, events))
    const lines = canSeeStaff(holder) ? historyLines : hideStaffDetails(historyLines, events)
    const types = new Map(events.map(({ version, type }) => [version, type]))
    return lines
      .filter((line) => (!contractId || line.contractId === contractId) && (!itemId || line.itemId === itemId))
      .map((line) => ({ ...line, undoable: line.undoable && canMakeEvent(holder, assertDefined(types.get(line.version))) }))
  })
  const names = await readUserNames(
    services.store,
    shown.map((line) => line.actorId),
  )
  const mayOfSystems = hasAnyPermission(holder, ['ConsoleBudgetManagementReadUpdate'])
  return shown.map((line) => ({
    ...line,
    actor: nameActor(names, line.actorId),
    undoable: line.undoable && principal.userId !== null && (line.actorId === principal.userId || (line.actorId === null && mayOfSystems)),
  }))
}

/** The names that the sentences of a history need. */
export async function readHistoryNames(tx: OrganisationTx, organisationId: OrganisationId, events: readonly BudgetEvent[]) {
  const kinds: Record<string, AnyResource> = {
    location: resources.location,
    contractType: resources.contractType,
    allowance: resources.allowance,
    payScalePoint: resources.payScalePoint,
    serviceTerm: resources.serviceTerm,
    fundCode: resources.fundCode,
    analysisTag: resources.analysisTag,
    adminTable: resources.adminTable,
    staffAssumptions: resources.staffAssumptions,
    inflation: resources.inflation,
    budgetCode: resources.budgetCode,
    costCentre: resources.costCentre,
    profileTemplate: resources.profileTemplate,
    topSliceTable: resources.topSliceTable,
    gagPoolTable: resources.gagPoolTable,
  }
  const names = new Map<string, string>()
  for (const [kind, resource] of Object.entries<AnyResource>(kinds)) {
    const { table, columns } = getResourceTable(resource)
    const rows = await tx
      .select({ id: columns.id, name: assertDefined(columns[resource.naming[0]]) })
      .from(table)
      .where(buildVisibleCondition(tx, columns.organisationId))
    for (const row of rows) names.set(`${kind} ${row.id}`, String(row.name))
  }
  const staff = new Set(
    events.flatMap((event) =>
      event.type === 'StaffContractSaved' && event.data.contract.staffId !== null ? [event.data.contract.staffId] : [],
    ),
  )
  for (const [id, member] of await loadStaffByIds(tx, organisationId, [...staff]))
    names.set(`staff ${id}`, `${member.forename} ${member.surname}`)
  return (kind: string, id: number): string => names.get(`${kind} ${id}`) ?? `${kind} ${id}`
}
