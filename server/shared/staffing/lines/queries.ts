import { type SQL, sql } from 'drizzle-orm'
import { isSharedSource, type StaffSource, sharedSourceNames } from '../../../../domain/budget/sharedSources.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import { toContractId } from '../../../../domain/values/ids.ts'
import type { Call } from '../../../core/calls/call.ts'
import { partialMonthSums, staffSourceKinds } from '../../../streams/budget/monthSums.ts'
import { readContractTitles } from '../contracts/queries.ts'

/** The dimension by which lines are totalled. */
export type LineDimension = 'budgetCode' | 'costCentre' | 'fundCode' | 'component'

const columns: Record<LineDimension, SQL> = {
  budgetCode: sql`budget_code_id`,
  costCentre: sql`cost_centre_id`,
  fundCode: sql`fund_code_id`,
  component: sql`component`,
}
const names: Record<LineDimension, SQL> = {
  budgetCode: sql`(select code || ' ' || description from budget_codes where id = key::integer)`,
  costCentre: sql`(select code || ' ' || description from cost_centres where id = key::integer)`,
  fundCode: sql`(select code || ' ' || description from fund_codes where id = key::integer)`,
  component: sql`key`,
}

export interface LineSum {
  /** The coding as text; null for lines without a coding. */
  key: string | null
  name: string | null
  /** For each year, the pounds of all calculated figures, and the number of those not calculated. */
  years: { total: number; missing: number }[]
}

/** The staff costs of a budget for each year, totalled by a dimension. */
export async function sumStaffLines(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  by: LineDimension,
  years: number,
): Promise<LineSum[]> {
  const rows = await tx.execute<{ key: string | null; name: string | null; year: number; total: string; missing: string }>(sql`
    with sums as (
      select ${columns[by]}::text as key, year, sum(total) as total, sum(missing) as missing from budget_lines
      where organisation_id = ${organisationId} and budget_id = ${budgetId} and source_kind in ${staffSourceKinds} group by 1, 2)
    select *, case when key is null then null else ${names[by]} end as name from sums order by name nulls last, year`)
  const sums = new Map<string | null, LineSum>()
  for (const { key, name, year, total, missing } of rows) {
    const sum = sums.get(key) ?? { key, name, years: Array.from({ length: years }, () => ({ total: 0, missing: 0 })) }
    if (sum.years[year]) sum.years[year] = { total: toPounds(Number(total)), missing: Number(missing) }
    sums.set(key, sum)
  }
  return [...sums.values()]
}

/**
 * The lines that make up one total, or all totals if no key is given: by contract, the most expensive first. Amounts that budgets of the
 * group share belong to no contract.
 */
export async function readSourcesOfSum(
  call: Call<'organisationId' | 'budgetId'>,
  { by, key, year }: { by: LineDimension; key?: string | null; year: number },
): Promise<{ sourceKind: StaffSource; sourceId: string; name: string; total: number; missing: number; months: (number | null)[] }[]> {
  const { tx } = call
  const lines = await tx.execute<{
    source_kind: StaffSource
    source_id: string
    total: string
    missing: string
    months: (number | null)[]
  }>(sql`
    select source_kind, source_id, sum(total) as total, sum(missing) as missing, ${partialMonthSums} as months
    from budget_lines
    where organisation_id = ${call.organisationId} and budget_id = ${call.budgetId} and year = ${year} and source_kind in ${staffSourceKinds} ${key === undefined ? sql`` : sql`and ${columns[by]}::text is not distinct from ${key}::text`}
    group by 1, 2 order by sum(total) desc`)
  const titles = await readContractTitles(
    call,
    lines.map((line) => toContractId(line.source_id)),
  )
  return [...lines].map((line) => {
    return {
      sourceKind: line.source_kind,
      sourceId: line.source_id,
      name: (isSharedSource(line.source_kind) ? sharedSourceNames[line.source_kind] : titles.get(line.source_id)) ?? '',
      total: toPounds(Number(line.total)),
      missing: Number(line.missing),
      months: line.months.map((amount) => (amount === null ? null : toPounds(amount))),
    }
  })
}
