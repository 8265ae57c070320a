import { and, eq, inArray, isNull, not, sql } from 'drizzle-orm'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import type { BudgetGroupId, BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { budgetGroups, budgets, recalculationMarks } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { RecalculationRequired } from '../../core/live/announce.ts'
import { findBudgetsUsing } from './findBudgetsUsing.ts'
import { type GroupRow, groupContainsCondition, selectGroups } from './groupMembers.ts'

/** A notice names at most this many groups and budgets to recalculate, and counts the rest. */
const maxNames = 20

/** SQL condition: the budget is not locked. */
export const isUnlockedCondition = sql`not coalesce((${budgets.head} ->> 'locked')::boolean, false)`

/** SQL condition: the budget has a calculated Employment Allowance. */
export const hasEmploymentAllowanceCondition = sql`jsonb_path_exists(${budgets.employmentAllowance}, '$.years[*].amount ? (@ != null)')`

/**
 * Marks unlocked budgets and their groups as requiring recalculation. Their figures do not change until then; locked
 * budgets are not marked (rules.md §16). Rows are always locked in the same order, so that two changes cannot deadlock.
 */
export async function markBudgetsForRecalculation(
  { tx, now }: Call<'now'>,
  wanted: readonly { organisationId: OrganisationId; budgetId: BudgetId }[],
  reason: string,
): Promise<RecalculationRequired[]> {
  const byOrganisation = new Map<OrganisationId, Set<BudgetId>>()
  for (const { organisationId, budgetId } of wanted)
    byOrganisation.set(organisationId, (byOrganisation.get(organisationId) ?? new Set()).add(budgetId))
  const required: RecalculationRequired[] = []
  for (const [organisationId, ids] of [...byOrganisation].sort(([a], [b]) => a - b)) {
    const rows = await tx
      .select({ id: budgets.id, name: budgets.name })
      .from(budgets)
      .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, [...ids]), isUnlockedCondition))
      .orderBy(budgets.id)
    if (!rows.length) continue
    const since = now.toISOString()
    for (let start = 0; start < rows.length; start += 1000)
      await tx
        .insert(recalculationMarks)
        .values(rows.slice(start, start + 1000).map(({ id: budgetId }) => ({ organisationId, budgetId, since, reason })))
        .onConflictDoUpdate({ target: [recalculationMarks.organisationId, recalculationMarks.budgetId], set: { reason } })
    const groups = (await selectGroups(tx, organisationId).orderBy(budgetGroups.id)).filter((group) =>
      rows.some((row) => group.budgetIds.includes(row.id)),
    )
    for (const { id } of groups)
      await tx
        .update(budgetGroups)
        .set({ requiredSince: sql`coalesce(${budgetGroups.requiredSince}, ${since})`, requiredReason: reason })
        .where(and(eq(budgetGroups.organisationId, organisationId), eq(budgetGroups.id, id)))
    const alone = rows.filter((row) => !groups.some((group) => group.budgetIds.includes(row.id)))
    const names = [...groups, ...alone].map((one) => one.name)
    required.push({
      organisationId,
      budgetGroupIds: groups.map((group) => group.id),
      budgetIds: alone.map((row) => row.id),
      names: names.length > maxNames ? [...names.slice(0, maxNames), `${names.length - maxNames} more`] : names,
      reason,
    })
  }
  return required
}

/** Marks the unlocked budgets whose figures depend on changed records. */
export async function markBudgetsUsing(
  call: Call<'now'>,
  resource: AnyResource,
  { records, reason }: { records: readonly AnyRecord[]; reason: string },
): Promise<RecalculationRequired[]> {
  const { tx } = call
  if (!resource.affectsCosts || !records.length) return []
  return markBudgetsForRecalculation(call, await findBudgetsUsing(tx, resource, records), reason)
}

/** Marks one budget as requiring recalculation. */
export function markBudgetForRecalculation(
  call: Call<'organisationId' | 'budgetId' | 'now'>,
  reason: string,
): Promise<RecalculationRequired[]> {
  const { organisationId, budgetId } = call
  return markBudgetsForRecalculation(call, [{ organisationId, budgetId }], reason)
}

/**
 * Marks the group of a budget as requiring recalculation, unless it is marked already or the budget is in no group. The
 * budget itself is not marked, because the change affects only the group.
 */
export async function markGroupForRecalculation(
  { tx, organisationId, budgetId, now }: Call<'organisationId' | 'budgetId' | 'now'>,
  reason: string,
): Promise<void> {
  await tx
    .update(budgetGroups)
    .set({ requiredSince: now.toISOString(), requiredReason: reason })
    .where(and(eq(budgetGroups.organisationId, organisationId), isNull(budgetGroups.requiredSince), groupContainsCondition(budgetId)))
}

/**
 * Marks unlocked budgets that an older engine calculated. Without a recalculation, a saved contract would follow
 * different rules from the other contracts of its budget. Approved and locked budgets keep their engine.
 */
export async function markBudgetsOfOlderEngines({ tx, now }: Call<'now'>): Promise<void> {
  const isOlder = sql`${budgets.recalculated} ->> 'engine' <> ${engineVersion}`
  const isMarked = sql`exists (select from ${recalculationMarks} where ${recalculationMarks.organisationId} = ${budgets.organisationId}
    and ${recalculationMarks.budgetId} = ${budgets.id})`
  const wanted = await tx
    .select({ organisationId: budgets.organisationId, budgetId: budgets.id })
    .from(budgets)
    .where(and(isUnlockedCondition, isOlder, not(isMarked)))
  await markBudgetsForRecalculation({ tx, now }, wanted, 'Calculation rules')
}

/** Removes the marks of budgets whose recalculation starts now. */
export async function removeRecalculationMarks(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetIds: readonly BudgetId[],
): Promise<void> {
  if (budgetIds.length)
    await tx
      .delete(recalculationMarks)
      .where(and(eq(recalculationMarks.organisationId, organisationId), inArray(recalculationMarks.budgetId, [...budgetIds])))
}

/** Why and since when a budget requires recalculation, and the group with which it must be recalculated. */
export interface RecalculationMark {
  group: { id: BudgetGroupId; name: string } | null
  since: string
  reason: string
}

/**
 * The recalculation marks of an organisation, by budget. A budget in a group has its group's mark, and none if the group has none.
 * @param allGroups the organisation's groups, if the caller reads them too
 */
export async function listRecalculationMarks(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  allGroups: PromiseLike<readonly GroupRow[]> = selectGroups(tx, organisationId),
): Promise<Map<BudgetId, RecalculationMark>> {
  const result = new Map<BudgetId, RecalculationMark>()
  const iso = (moment: string): string => new Date(moment).toISOString()
  const [marks, groups] = await Promise.all([
    tx.select().from(recalculationMarks).where(eq(recalculationMarks.organisationId, organisationId)),
    allGroups,
  ])
  for (const { budgetId, since, reason } of marks) result.set(budgetId, { group: null, since: iso(since), reason })
  for (const { id, name, budgetIds, requiredSince, requiredReason } of groups)
    for (const budgetId of budgetIds)
      if (requiredSince) result.set(budgetId, { group: { id, name }, since: iso(requiredSince), reason: requiredReason ?? '' })
      else result.delete(budgetId)
  return result
}

/** Reads the recalculation mark of one budget; null if its figures are up to date or it is locked. */
export async function readRecalculationMark(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<RecalculationMark | null> {
  const [row] = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId), isUnlockedCondition))
  return row ? ((await listRecalculationMarks(tx, organisationId)).get(budgetId) ?? null) : null
}
