import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { conflict, DomainError, invalid, notFound, stale } from '../../domain/errors.ts'
import type { AnyRecord, AnyResource } from '../../domain/resources/resource.ts'
import { budgetGroups, budgets, recalculationBudgets, recalculations } from '../../drizzle/schema.ts'
import type { OrganisationTx } from './database.ts'
import type { Actor } from './eventLog.ts'
import { groupsUsing } from './groupsUsing.ts'
import { recordChange } from './referenceLog.ts'

export type GroupRow = typeof budgetGroups.$inferSelect

/** A budget group as the API shows it (entities.json BudgetGroup). */
export interface BudgetGroup {
  id: string
  name: string
  description: string | null
  items: { budgetId: string; order: number }[]
  /** lookups recalculationStates: 1 up to date, 2 required, 3 running, 4 failed. */
  recalculationState: number
  lastRecalculated: string | null
  requiredReason: string | null
  version: number
  created: string
}

export async function groupsOf(tx: OrganisationTx, organisationId: number): Promise<BudgetGroup[]> {
  const rows = await tx.select().from(budgetGroups).where(eq(budgetGroups.organisationId, organisationId)).orderBy(asc(budgetGroups.name))
  const states = await latestStates(tx, organisationId)
  return rows.map((row) => shown(row, states.get(row.id)))
}

async function latestStates(tx: OrganisationTx, organisationId: number): Promise<Map<string, 'running' | 'failed'>> {
  const rows = await tx
    .selectDistinctOn([recalculations.groupId], {
      groupId: recalculations.groupId,
      finishedAt: recalculations.finishedAt,
      failure: recalculations.failure,
    })
    .from(recalculations)
    .where(eq(recalculations.organisationId, organisationId))
    .orderBy(recalculations.groupId, sql`${recalculations.startedAt} desc`)
  return new Map(
    rows
      .filter((row) => row.finishedAt === null || row.failure)
      .map((row) => [row.groupId, row.finishedAt === null ? 'running' : 'failed']),
  )
}

function shown(row: GroupRow, state: 'running' | 'failed' | undefined): BudgetGroup {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    items: row.budgetIds.map((budgetId, order) => ({ budgetId, order })),
    recalculationState: state === 'running' ? 3 : state === 'failed' ? 4 : row.requiredSince ? 2 : 1,
    lastRecalculated: row.lastRecalculated && new Date(row.lastRecalculated).toISOString(),
    requiredReason: row.requiredReason,
    version: row.version,
    created: new Date(row.created).toISOString().slice(0, 10),
  }
}

export async function groupRow(tx: OrganisationTx, organisationId: number, id: string, lock = false): Promise<GroupRow> {
  const query = tx
    .select()
    .from(budgetGroups)
    .where(and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, id)))
  const [row] = await (lock ? query.for('update') : query)
  if (!row) throw notFound('Budget group')
  return row
}

export async function getGroup(tx: OrganisationTx, organisationId: number, id: string): Promise<BudgetGroup> {
  const row = await groupRow(tx, organisationId, id)
  return shown(row, (await latestStates(tx, organisationId)).get(id))
}

export interface GroupInput {
  name: string
  description: string | null
  budgetIds: string[]
}

async function checkGroup(tx: OrganisationTx, organisationId: number, id: string | null, { name, budgetIds }: GroupInput): Promise<void> {
  if (new Set(budgetIds).size < budgetIds.length) throw invalid([{ field: 'items', message: 'A budget can be in a group once only.' }])
  const others = and(eq(budgetGroups.organisationId, organisationId), id ? ne(budgetGroups.id, id) : undefined)
  const [same] = await tx
    .select({ id: budgetGroups.id })
    .from(budgetGroups)
    .where(and(others, sql`lower(${budgetGroups.name}) = lower(${name})`))
  if (same) throw new DomainError('conflict', 'duplicate', 'Name is already used.', [{ field: 'name', message: 'Name is already used.' }])
  if (!budgetIds.length) return
  const known = await tx
    .select({ id: budgets.id, name: budgets.name })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, budgetIds)))
  if (known.length < budgetIds.length) throw invalid([{ field: 'items', message: 'Budget was not found.' }])
  const [taken] = await tx
    .select({ name: budgetGroups.name, budgetIds: budgetGroups.budgetIds })
    .from(budgetGroups)
    .where(and(others, sql`${budgetGroups.budgetIds} && ${sql.param(`{${budgetIds.join(',')}}`)}::text[]`))
  if (taken) {
    const budget = known.find((one) => taken.budgetIds.includes(one.id))
    throw invalid([
      { field: 'items', message: `${budget?.name ?? 'A budget'} is already in the group ${taken.name}. Take it out there first.` },
    ])
  }
}

function logged(row: GroupRow): AnyRecord {
  return { ...row, id: row.id as unknown as number, created: row.created, organisationId: row.organisationId }
}

/** Creates or changes a budget group; changing its budgets asks for a recalculation. */
export async function saveGroup(
  tx: OrganisationTx,
  organisationId: number,
  id: string,
  input: GroupInput,
  version: number | null,
  actor: Actor,
  isNew: boolean,
): Promise<BudgetGroup> {
  await checkGroup(tx, organisationId, isNew ? null : id, input)
  if (isNew) {
    const [row] = await tx
      .insert(budgetGroups)
      .values({ organisationId, id, ...input })
      .returning()
    await recordChange(tx, { name: 'budgetGroup' }, 'created', null, logged(row!), actor)
    return getGroup(tx, organisationId, id)
  }
  const before = await groupRow(tx, organisationId, id, true)
  if (version !== null && version !== before.version) throw stale({ version: before.version, record: shown(before, undefined), fields: [] })
  const [running] = await runningOf(tx, organisationId, id)
  if (running) throw conflict('recalculating', 'This budget group is being recalculated. Try again when it has finished.')
  const added = input.budgetIds.some((one) => !before.budgetIds.includes(one))
  const required = added
    ? { requiredSince: before.requiredSince ?? actor.now.toISOString(), requiredReason: before.requiredReason ?? 'Budgets were added' }
    : {}
  const [row] = await tx
    .update(budgetGroups)
    .set({ ...input, ...required, version: before.version + 1 })
    .where(and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, id)))
    .returning()
  await recordChange(tx, { name: 'budgetGroup' }, 'updated', logged(before), logged(row!), actor)
  return getGroup(tx, organisationId, id)
}

export async function deleteGroup(tx: OrganisationTx, organisationId: number, id: string, actor: Actor): Promise<void> {
  const before = await groupRow(tx, organisationId, id, true)
  const [running] = await runningOf(tx, organisationId, id)
  if (running) throw conflict('recalculating', 'This budget group is being recalculated. Try again when it has finished.')
  await tx.delete(budgetGroups).where(and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, id)))
  await recordChange(tx, { name: 'budgetGroup' }, 'deleted', logged(before), null, actor)
}

/** Recalculations that have not ended, of one group or of all. */
export function runningOf(tx: OrganisationTx, organisationId: number, groupId?: string) {
  return tx
    .select()
    .from(recalculations)
    .where(
      and(
        eq(recalculations.organisationId, organisationId),
        isNull(recalculations.finishedAt),
        groupId ? eq(recalculations.groupId, groupId) : undefined,
      ),
    )
}

export interface Required {
  organisationId: number
  budgetGroupIds: string[]
  names: string[]
  reason: string
}

/** Marks the budget groups that use changed records as to be recalculated; figures stay as they are (calculation.md §16). */
export async function markRequired(
  tx: OrganisationTx,
  resource: AnyResource,
  records: readonly AnyRecord[],
  reason: string,
  now: Date,
): Promise<Required[]> {
  if (!resource.affectsCosts || !records.length) return []
  return mark(tx, await groupsUsing(tx, resource, records), reason, now)
}

/** Marks the group that holds a budget, if any. */
export async function markBudgetRequired(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  reason: string,
  now: Date,
): Promise<Required[]> {
  const rows = await tx
    .select()
    .from(budgetGroups)
    .where(and(eq(budgetGroups.organisationId, organisationId), sql`${budgetId} = any(${budgetGroups.budgetIds})`))
  return mark(tx, rows, reason, now)
}

async function openBudgets(tx: OrganisationTx, ids: readonly string[]): Promise<Set<string>> {
  if (!ids.length) return new Set()
  const rows = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(and(inArray(budgets.id, [...ids]), sql`not coalesce((${budgets.head} ->> 'locked')::boolean, false)`))
  return new Set(rows.map((row) => row.id))
}

async function mark(tx: OrganisationTx, rows: readonly GroupRow[], reason: string, now: Date): Promise<Required[]> {
  const byOrganisation = new Map<number, Required>()
  const open = await openBudgets(
    tx,
    rows.flatMap((row) => row.budgetIds),
  )
  for (const row of rows) {
    // Locked budgets keep their figures: a group of nothing else has nothing to recalculate.
    if (!row.budgetIds.some((id) => open.has(id))) continue
    await tx
      .update(budgetGroups)
      .set({ requiredSince: row.requiredSince ?? now.toISOString(), requiredReason: reason })
      .where(and(eq(budgetGroups.organisationId, row.organisationId), eq(budgetGroups.id, row.id)))
    const entry = byOrganisation.get(row.organisationId) ?? { organisationId: row.organisationId, budgetGroupIds: [], names: [], reason }
    entry.budgetGroupIds.push(row.id)
    entry.names.push(row.name)
    byOrganisation.set(row.organisationId, entry)
  }
  return [...byOrganisation.values()]
}

/** How far a recalculation is. */
export async function progressOf(
  tx: OrganisationTx,
  organisationId: number,
  recalculationId: string,
): Promise<{ done: number; of: number }> {
  const [row] = await tx
    .select({ of: sql<number>`count(*)::int`, done: sql<number>`count(${recalculationBudgets.doneAt})::int` })
    .from(recalculationBudgets)
    .where(and(eq(recalculationBudgets.organisationId, organisationId), eq(recalculationBudgets.recalculationId, recalculationId)))
  return row!
}
