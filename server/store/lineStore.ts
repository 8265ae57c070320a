import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Figure } from '../../domain/calculation/inputs.ts'
import type { PostedLine } from '../../domain/calculation/posting.ts'
import { budgetLines } from '../../drizzle/costTables.ts'
import type { OrganisationTx } from './database.ts'

export type SourceKind = (typeof budgetLines.$inferSelect)['sourceKind']
/** A line as a source posts it; only the levy has no budget code. */
export type NewLine = Omit<PostedLine, 'budgetCodeId'> & { budgetCodeId: number | null }

export async function dropLines(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  kind: SourceKind,
  sourceIds: readonly string[] | 'all',
): Promise<void> {
  await tx
    .delete(budgetLines)
    .where(
      and(
        eq(budgetLines.organisationId, organisationId),
        eq(budgetLines.budgetId, budgetId),
        eq(budgetLines.sourceKind, kind),
        sourceIds === 'all' ? undefined : inArray(budgetLines.sourceId, sourceIds.length ? [...sourceIds] : ['']),
      ),
    )
}

/** Replaces the lines of some sources of a budget, or of all of a kind. */
export async function writeLines(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  kind: SourceKind,
  posted: readonly { sourceId: string; lines: readonly NewLine[] }[],
  replacesAll: boolean,
): Promise<void> {
  await dropLines(tx, organisationId, budgetId, kind, replacesAll ? 'all' : posted.map((source) => source.sourceId))
  const rows = posted.flatMap(({ sourceId, lines }) => lines.map((line) => ({ ...line, sourceId, ...summed(line.amounts) })))
  if (!rows.length) return
  // One parameter for all rows: thousands of placeholders would cost more than the insert.
  await tx.execute(sql`
    insert into budget_lines (organisation_id, budget_id, source_kind, source_id, component, year, budget_code_id, cost_centre_id, fund_code_id, amounts, total, missing)
    select ${organisationId}, ${budgetId}, ${kind}, "sourceId", component, year, "budgetCodeId", "costCentreId", "fundCodeId", amounts, total, missing
    from json_to_recordset(${JSON.stringify(rows)}::json) as line("sourceId" char(24), component text, year smallint, "budgetCodeId" integer,
      "costCentreId" integer, "fundCodeId" integer, amounts bigint[], total bigint, missing smallint)`)
}

/** The sum over the months that could be calculated, and how many could not. */
function summed(amounts: readonly Figure[]): { total: number; missing: number } {
  let [total, missing] = [0, 0]
  for (const amount of amounts)
    if (amount === null) missing++
    else total += amount
  return { total, missing }
}
