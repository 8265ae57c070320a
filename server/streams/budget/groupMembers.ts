import { and, eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { BudgetGroupId, BudgetId, OrganisationId } from '../../../domain/values/ids.ts'
import { budgetGroupMembers, budgetGroups } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import type { OrganisationTx } from '../../core/database/database.ts'

/** A group with its budgets, in the order that users chose. */
export type GroupRow = typeof budgetGroups.$inferSelect & { budgetIds: BudgetId[] }

const budgetIds = sql<BudgetId[]>`array(select members.budget_id::text from budget_group_members members
  where members.organisation_id = budget_groups.organisation_id and members.group_id = budget_groups.id order by members.position)`

/** Builds a query for the groups of an organisation, each with its budgets. */
export function selectGroups(tx: OrganisationTx, organisationId: OrganisationId, where?: SQL) {
  return tx
    .select({ ...getTableColumns(budgetGroups), budgetIds })
    .from(budgetGroups)
    .where(and(eq(budgetGroups.organisationId, organisationId), where))
    .$dynamic()
}

/** Lists the groups of an organisation, in order of name. */
export async function listGroupsByName(tx: OrganisationTx, organisationId: OrganisationId): Promise<GroupRow[]> {
  return selectGroups(tx, organisationId).orderBy(budgetGroups.name)
}

/** SQL condition: the group contains this budget. */
export function groupContainsCondition(budgetId: BudgetId): SQL {
  return sql`${budgetGroups.id} in (select members.group_id from budget_group_members members
    where members.organisation_id = ${budgetGroups.organisationId} and members.budget_id = ${budgetId})`
}

/** Loads the group that a budget belongs to. */
export async function loadGroupOfBudget(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgetId: BudgetId,
): Promise<GroupRow | undefined> {
  const [group] = await selectGroups(tx, organisationId, groupContainsCondition(budgetId))
  return group
}

/** SQL subquery for the ids of all budgets in the same group as a budget, including the budget itself. */
export function selectBudgetsInSameGroup(organisationId: OrganisationId, budgetId: BudgetId): SQL {
  return sql`(select beside.budget_id from budget_group_members own
    join budget_group_members beside on beside.organisation_id = own.organisation_id and beside.group_id = own.group_id
    where own.organisation_id = ${organisationId} and own.budget_id = ${budgetId})`
}

/** Replaces the budgets of a group and their order. */
export async function replaceGroupMembers(
  { tx, organisationId }: Call<'organisationId'>,
  groupId: BudgetGroupId,
  ids: readonly BudgetId[],
): Promise<void> {
  await tx
    .delete(budgetGroupMembers)
    .where(and(eq(budgetGroupMembers.organisationId, organisationId), eq(budgetGroupMembers.groupId, groupId)))
  if (ids.length)
    await tx.insert(budgetGroupMembers).values(ids.map((budgetId, position) => ({ organisationId, groupId, budgetId, position })))
}
