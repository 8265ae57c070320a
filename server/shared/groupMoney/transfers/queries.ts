import { sql } from 'drizzle-orm'
import type { BudgetHead } from '../../../../domain/budget/budget.ts'
import type { BudgetRow } from '../../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'

/** The ids of the income codes. Balance codes carry money between years and are not income (rules.md §15). */
export const incomeCodesQuery = sql`select id from budget_codes where type = 1 and category is distinct from 4`

/** Whether a budget contributes to a pool or top slice in some year. */
export const contributesToTransfers = ({ elements: { topSliceTables, gagPoolTables } }: BudgetHead): boolean =>
  topSliceTables.length > 0 || gagPoolTables.length > 0

/** The income on which a budget's pools and top slices depend, as a text to compare; null if the budget has neither. */
export async function readTransferIncome(tx: OrganisationTx, { head, organisationId, id }: BudgetRow): Promise<string | null> {
  if (!contributesToTransfers(head)) return null
  const rows = await tx.execute(sql`
    select budget_code_id, year, sum(total)::text as total, sum(missing)::text as missing from budget_lines
    where organisation_id = ${organisationId} and budget_id = ${id} and source_kind = 'entry'
      and budget_code_id in (${incomeCodesQuery})
    group by 1, 2 order by 1, 2`)
  return JSON.stringify([...rows])
}
