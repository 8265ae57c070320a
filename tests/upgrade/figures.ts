import { sql } from 'drizzle-orm'
import type { OrganisationTx } from '../../server/core/database/database.ts'

/** The totals of an installation, in whole pennies. */
export interface Figures {
  events: number
  /** For each budget by its id: the sum of its lines in each year, and the number of months not calculated. */
  budgets: Record<string, { pennies: number[]; missing: number }>
}

/** Reads the figures with SQL that every version’s tables support. */
export async function readFigures(tx: OrganisationTx): Promise<Figures> {
  const [count] = await tx.execute<{
    events: number
  }>(sql`select ((select count(*) from budget_events) + (select count(*) from monitoring_events)
    + (select count(*) from payroll_events))::integer as events`)
  const rows = await tx.execute<{ id: string; pennies: number[]; missing: number }>(sql`
    select id, array_agg(pennies order by year) as pennies, sum(missing)::integer as missing from (
      select budget_id as id, year, sum(total)::float8 as pennies, sum(missing) as missing from budget_lines group by 1, 2) years
    group by 1 order by 1`)
  return { events: count?.events ?? 0, budgets: Object.fromEntries([...rows].map(({ id, ...figures }) => [id, figures])) }
}
