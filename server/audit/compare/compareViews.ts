import { sql } from 'drizzle-orm'
import type { Call } from '../../core/calls/call.ts'
import type { AuditFinding } from '../verify/verify.ts'

/**
 * Compares `budget_lines`, the view that reports take their totals from, with the posted lines beneath it: totals and missing amounts of
 * each year.
 */
export async function compareLinesView({ tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>): Promise<AuditFinding[]> {
  const wrong = await tx.execute<{ year: number }>(sql`
    with viewed as (
      select year, source_kind, component, sum(total)::bigint as total, sum(missing)::bigint as missing,
        sum(${sql.raw(months)})::bigint as months
      from budget_lines where organisation_id = ${organisationId} and budget_id = ${budgetId} group by 1, 2, 3
    ), posted as (
      select first_year + (place - 1) / 12 as year, source_kind, component, coalesce(sum(amount), 0)::bigint as total,
        count(*) filter (where amount is null) as missing
      from posted_lines cross join lateral unnest(amounts) with ordinality as one(amount, place)
      where organisation_id = ${organisationId} and budget_id = ${budgetId} group by 1, 2, 3
    )
    select distinct year::integer as year from viewed full join posted using (year, source_kind, component)
    where viewed.total is distinct from posted.total or viewed.missing is distinct from posted.missing
      or viewed.months is distinct from posted.total
    order by 1`)
  return wrong.map(({ year }) => ({
    budgetId,
    version: null,
    problem: `The totals for year ${year + 1} that reports use (budget_lines) do not match the lines.`,
  }))
}

const months = Array.from({ length: 12 }, (_unused, month) => `coalesce(month_${month + 1}, 0)`).join(' + ')
