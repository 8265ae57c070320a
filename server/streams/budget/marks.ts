import { and, eq, inArray, isNull, not, sql } from 'drizzle-orm'
import { engineVersion } from '../../../domain/calculation/engine.ts'
import type { AnyRecord, AnyResource } from '../../../domain/resources/resource.ts'
import type { BudgetGroupId, BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { budgetGroups, budgets, recalculationMarks } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import type { RecalculationRequired } from '../../core/live/announce.ts'
import { budgetsUsing } from './budgetsUsing.ts'
import { groupsWith, has } from './groupMembers.ts'

/** A mark names this many of the groups and budgets it is on; the rest is counted. */
const mostNames = 20

/** Of a budget: nobody has locked it. */
export const isOpen = sql`not coalesce((${budgets.head} ->> 'locked')::boolean, false)`

/** Of a budget: something of the Employment Allowance is known in it. */
export const hasAllowance = sql`jsonb_path_exists(${budgets.employmentAllowance}, '$.years[*].amount ? (@ != null)')`

/**
 * Marks open budgets as to be recalculated, with the groups they are in; figures stay as they are, and locked budgets keep theirs
 * (rules.md §16). Rows are taken in one order, so that two marks never wait for each other.
 */
export async function markBudgets(
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
      .where(and(eq(budgets.organisationId, organisationId), inArray(budgets.id, [...ids]), isOpen))
      .orderBy(budgets.id)
    if (!rows.length) continue
    const since = now.toISOString()
    for (let start = 0; start < rows.length; start += 1000)
      await tx
        .insert(recalculationMarks)
        .values(rows.slice(start, start + 1000).map(({ id: budgetId }) => ({ organisationId, budgetId, since, reason })))
        .onConflictDoUpdate({ target: [recalculationMarks.organisationId, recalculationMarks.budgetId], set: { reason } })
    const groups = (await groupsWith(tx, organisationId).orderBy(budgetGroups.id)).filter((group) =>
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
      names: names.length > mostNames ? [...names.slice(0, mostNames), `${names.length - mostNames} more`] : names,
      reason,
    })
  }
  return required
}

/** Marks the budgets that use changed records. */
export async function markRequired(
  call: Call<'now'>,
  resource: AnyResource,
  { records, reason }: { records: readonly AnyRecord[]; reason: string },
): Promise<RecalculationRequired[]> {
  const { tx } = call
  if (!resource.affectsCosts || !records.length) return []
  return markBudgets(call, await budgetsUsing(tx, resource, records), reason)
}

/** Marks one budget. */
export function markBudgetRequired(call: Call<'organisationId' | 'budgetId' | 'now'>, reason: string): Promise<RecalculationRequired[]> {
  const { organisationId, budgetId } = call
  return markBudgets(call, [{ organisationId, budgetId }], reason)
}

/** Marks the group of a budget, if it is in one and the group is not marked yet: what changed matters to the group, not to the budget itself. */
export async function markGroupOf(
  { tx, organisationId, budgetId, now }: Call<'organisationId' | 'budgetId' | 'now'>,
  reason: string,
): Promise<void> {
  await tx
    .update(budgetGroups)
    .set({ requiredSince: now.toISOString(), requiredReason: reason })
    .where(and(eq(budgetGroups.organisationId, organisationId), isNull(budgetGroups.requiredSince), has(budgetId)))
}

/**
 * Marks open budgets whose costs an older engine worked out: until they are recalculated, a contract that is saved would stand beside others that
 * follow other rules. Approved and locked budgets keep their engine.
 */
export async function markOlderEngines({ tx, now }: Call<'now'>): Promise<void> {
  const isOlder = sql`${budgets.recalculated} ->> 'engine' <> ${engineVersion}`
  const isMarked = sql`exists (select from ${recalculationMarks} where ${recalculationMarks.organisationId} = ${budgets.organisationId}
    and ${recalculationMarks.budgetId} = ${budgets.id})`
  const wanted = await tx
    .select({ organisationId: budgets.organisationId, budgetId: budgets.id })
    .from(budgets)
    .where(and(isOpen, isOlder, not(isMarked)))
  await markBudgets({ tx, now }, wanted, 'Calculation rules')
}

/** Takes the marks off budgets that are worked out anew from here on. */
export async function unmarkBudgets(tx: OrganisationTx, organisationId: OrganisationId, budgetIds: readonly BudgetId[]): Promise<void> {
  if (budgetIds.length)
    await tx
      .delete(recalculationMarks)
      .where(and(eq(recalculationMarks.organisationId, organisationId), inArray(recalculationMarks.budgetId, [...budgetIds])))
}

/** Why and since when a budget is to be recalculated, and with which group; null when its figures are up to date. */
export interface ToRecalculate {
  group: { id: BudgetGroupId; name: string } | null
  since: string
  reason: string
}

/** Of every budget that is to be recalculated, in one organisation: a budget of a group with its group. */
export async function toRecalculate(tx: OrganisationTx, organisationId: OrganisationId): Promise<Map<BudgetId, ToRecalculate>> {
  const result = new Map<BudgetId, ToRecalculate>()
  const iso = (moment: string): string => new Date(moment).toISOString()
  const marks = await tx.select().from(recalculationMarks).where(eq(recalculationMarks.organisationId, organisationId))
  for (const { budgetId, since, reason } of marks) result.set(budgetId, { group: null, since: iso(since), reason })
  for (const { id, name, budgetIds, requiredSince, requiredReason } of await groupsWith(tx, organisationId))
    for (const budgetId of budgetIds)
      if (requiredSince) result.set(budgetId, { group: { id, name }, since: iso(requiredSince), reason: requiredReason ?? '' })
      else result.delete(budgetId)
  return result
}

/** Of one budget; see toRecalculate. A locked budget is never to be recalculated. */
export async function budgetToRecalculate(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<ToRecalculate | null> {
  const [row] = await tx
    .select({ id: budgets.id })
    .from(budgets)
    .where(and(eq(budgets.organisationId, organisationId), eq(budgets.id, budgetId), isOpen))
  return row ? ((await toRecalculate(tx, organisationId)).get(budgetId) ?? null) : null
}
