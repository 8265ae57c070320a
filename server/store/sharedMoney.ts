import { and, eq, sql } from 'drizzle-orm'
import { budgetGroups } from '../../drizzle/schema.ts'
import type { BudgetRow } from './budgetStore.ts'
import type { OrganisationTx } from './database.ts'
import { markBudgetRequired, type Required } from './groupStore.ts'

/** What of a budget's income pools and top slices may be taken of, as one text to compare; null where the budget has neither. */
export async function sharedIncome(tx: OrganisationTx, { head, organisationId, id }: BudgetRow): Promise<string | null> {
  const { topSliceTables, gagPoolTables } = head.elements
  if (!topSliceTables.length && !gagPoolTables.length) return null
  const rows = await tx.execute(sql`
    select budget_code_id, year, sum(total)::text as total, sum(missing)::text as missing from budget_lines
    where organisation_id = ${organisationId} and budget_id = ${id} and source_kind = 'entry'
      and budget_code_id in (select id from budget_codes where type = 1)
    group by 1, 2 order by 1, 2`)
  return JSON.stringify([...rows])
}

/**
 * Marks the group of a budget whose income or pupils have changed, where pools or top slices are taken of them (calculation.md §14). A group
 * that is marked already is not announced again: whoever types fifty cells is told once.
 */
export async function markShared(tx: OrganisationTx, budget: BudgetRow, now: Date): Promise<Required[]> {
  const { topSliceTables, gagPoolTables } = budget.head.elements
  if (!topSliceTables.length && !gagPoolTables.length) return []
  const [group] = await tx
    .select({ requiredSince: budgetGroups.requiredSince })
    .from(budgetGroups)
    .where(and(eq(budgetGroups.organisationId, budget.organisationId), sql`${budget.id} = any(${budgetGroups.budgetIds})`))
  if (!group || group.requiredSince) return []
  return markBudgetRequired(tx, budget.organisationId, budget.id, 'Income or pupils that pools and top slices are taken of', now)
}
