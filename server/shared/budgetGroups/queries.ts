import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { requireSingleRow } from '../../../domain/values/assertDefined.ts'
import type { BudgetGroupId, BudgetId, LocationId, OrganisationId } from '../../../domain/values/ids.ts'
import { DomainError, invalid, notFound } from '../../../domain/words/errors.ts'
import { budgetGroups, budgets, recalculationBudgets, recalculations } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { type GroupRow, selectGroups } from '../../streams/budget/groupMembers.ts'
import { describeRivalClaims } from '../groupMoney/allowance/queries.ts'
import { type BudgetGroup, type LatestRecalculation, presentGroup } from './rows.ts'

export async function listGroups(tx: OrganisationTx, organisationId: OrganisationId): Promise<BudgetGroup[]> {
  const [rows, states] = await Promise.all([
    selectGroups(tx, organisationId).orderBy(asc(budgetGroups.name)),
    readLatestRecalculations(tx, organisationId),
  ])
  const notes = await readGroupNotes(tx, organisationId, rows)
  return rows.map((row) => presentGroup(row, states.get(row.id), notes))
}

const levyNote = 'The apprenticeship levy is not calculated in full until the group is recalculated.'

/** Problems with pools, top slices, levy and Employment Allowance, by budget id; and with a group's claim, by group id. */
async function readGroupNotes(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  groups: readonly GroupRow[],
): Promise<Map<string, string[]>> {
  const hasNoLevy = sql<boolean>`exists (select from budget_lines where organisation_id = ${budgets.organisationId}
    and budget_id = ${budgets.id} and source_kind = 'levy' and missing > 0)`
  const rows = await tx
    .select({
      id: budgets.id,
      problems: sql<string[] | null>`${budgets.transfers} -> 'problems'`,
      allowance: sql<string[] | null>`${budgets.employmentAllowance} -> 'problems'`,
      hasNoLevy,
    })
    .from(budgets)
    .where(eq(budgets.organisationId, organisationId))
  const problemsByGroup = rows.map((row): [string, string[]] => [
    row.id,
    [...(row.problems ?? []), ...(row.hasNoLevy ? [levyNote] : []), ...(row.allowance ?? [])],
  ])
  return new Map<string, string[]>([...problemsByGroup, ...(await describeRivalClaims(tx, organisationId, groups))])
}

export async function readLatestRecalculations(
  tx: OrganisationTx,
  organisationId: OrganisationId,
): Promise<Map<string, LatestRecalculation>> {
  const rows = await tx
    .selectDistinctOn([recalculations.groupId], {
      groupId: recalculations.groupId,
      status: recalculations.status,
      failure: recalculations.failure,
    })
    .from(recalculations)
    .where(eq(recalculations.organisationId, organisationId))
    .orderBy(recalculations.groupId, sql`${recalculations.startedAt} desc`)
  return new Map(
    rows.flatMap(({ groupId, status, failure }) =>
      groupId && (status === 'running' || status === 'failed') ? [[groupId, { status, failure }] as const] : [],
    ),
  )
}

export async function loadGroupRow({ tx, organisationId }: Call<'organisationId'>, id: BudgetGroupId, lock = false): Promise<GroupRow> {
  if (lock)
    await tx
      .select({ id: budgetGroups.id })
      .from(budgetGroups)
      .where(and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, id)))
      .for('update')
  // Read in a new statement after taking the lock: the statement that waited for the lock would return the budgets as they were before.
  const [row] = await selectGroups(tx, organisationId, eq(budgetGroups.id, id))
  if (!row) throw notFound('Budget group')
  return row
}

export async function readGroup(tx: OrganisationTx, organisationId: OrganisationId, id: BudgetGroupId): Promise<BudgetGroup> {
  const groups = await selectGroups(tx, organisationId).orderBy(asc(budgetGroups.name))
  const row = groups.find((group) => group.id === id)
  if (!row) throw notFound('Budget group')
  return presentGroup(row, (await readLatestRecalculations(tx, organisationId)).get(id), await readGroupNotes(tx, organisationId, groups))
}

/** Unfinished recalculations, of one group or of all. */
export function selectRunningRecalculations(tx: OrganisationTx, organisationId: OrganisationId, groupId?: BudgetGroupId) {
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

/** The progress of a recalculation. */
export async function readRecalculationProgress(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  recalculationId: string,
): Promise<{ done: number; of: number }> {
  const row = requireSingleRow(
    await tx
      .select({ of: sql<number>`count(*)::int`, done: sql<number>`count(${recalculationBudgets.doneAt})::int` })
      .from(recalculationBudgets)
      .where(and(eq(recalculationBudgets.organisationId, organisationId), eq(recalculationBudgets.recalculationId, recalculationId))),
  )
  return row
}

/** The caller who reads groups. */
export interface GroupReader {
  organisationId: OrganisationId
  holder: { locationIds: LocationId[] | null }
}

/** Tests which budgets of the organisation are at the caller's locations. */
async function createVisibleBudgetTest({
  tx,
  organisationId,
  holder: { locationIds },
}: Call & GroupReader): Promise<(id: BudgetId) => boolean> {
  if (!locationIds) return () => true
  const rows = locationIds.length
    ? await tx
        .select({ id: budgets.id })
        .from(budgets)
        .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.locationId, locationIds)))
    : []
  const seen = new Set(rows.map((row) => row.id))
  return (id) => seen.has(id)
}

/** The groups that are empty or in which the caller has a budget, with the budgets that the caller may see. */
export async function listVisibleGroups(call: Call & GroupReader): Promise<BudgetGroup[]> {
  return limitToVisibleGroups(call, await listGroups(call.tx, call.organisationId))
}

/** Reduces a list of all groups to what `listVisibleGroups` returns. */
export async function limitToVisibleGroups(call: Call & GroupReader, all: BudgetGroup[]): Promise<BudgetGroup[]> {
  const { locationIds } = call.holder
  if (!locationIds) return all
  const isSeen = await createVisibleBudgetTest(call)
  return all
    .filter(({ items }) => (items.length ? items.some((item) => isSeen(item.budgetId)) : locationIds.length > 0))
    .map((group) => {
      const items = group.items.filter((item) => isSeen(item.budgetId))
      const isShared = items.length < group.items.length
      // Problems name budgets of other locations, which callers who see only some budgets must not learn.
      return { ...group, items, isShared, notes: isShared ? [] : group.notes }
    })
}

/**
 * A group that the caller may see.
 * @throws DomainError 404 for a group without a budget that the caller may see
 */
export async function readVisibleGroup(call: Call & GroupReader, id: BudgetGroupId): Promise<BudgetGroup> {
  const found = (await listVisibleGroups(call)).find((group) => group.id === id)
  if (!found) throw notFound('Budget group')
  return found
}

/**
 * A group that the caller may change, recalculate or add budgets to, because all its budgets are at the caller's locations.
 * @throws DomainError 404; 403 for a group shared with other locations
 */
export async function loadGroupToChange(call: Call & GroupReader, id: BudgetGroupId): Promise<GroupRow> {
  const { isShared } = await readVisibleGroup(call, id)
  if (isShared)
    throw new DomainError('forbidden', 'beyond', 'This group contains budgets of other locations. Ask someone with access to all of them.')
  return loadGroupRow(call, id)
}

/** @throws DomainError 400 for budgets that the caller may not see */
export async function refuseHiddenBudgets(call: Call & GroupReader, given: readonly BudgetId[]): Promise<void> {
  const isSeen = await createVisibleBudgetTest(call)
  if (given.some((id) => !isSeen(id))) throw invalid([{ field: 'items', message: 'Budget was not found.' }])
}

/** Whether a visible group requires recalculation, why, and its open budgets that the caller may see. */
export async function readRecalculationNeed(call: Call & GroupReader, id: BudgetGroupId) {
  const { tx } = call
  const { items: seen } = await readVisibleGroup(call, id)
  const row = await loadGroupRow(call, id)
  const budgetIds = seen.map((item) => item.budgetId)
  const open = budgetIds.length
    ? await tx
        .select({ id: budgets.id, head: budgets.head })
        .from(budgets)
        .where(and(eq(budgets.organisationId, call.organisationId), inArray(budgets.id, budgetIds)))
    : []
  const required = row.requiredSince !== null
  return {
    required,
    since: row.requiredSince && new Date(row.requiredSince).toISOString(),
    reason: row.requiredReason,
    budgetIds: required ? open.filter((budget) => !budget.head.locked).map((budget) => budget.id) : [],
  }
}
