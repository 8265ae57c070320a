import { and, eq, inArray, sql } from 'drizzle-orm'
import type { PostedLine } from '../../../domain/calculation/posting.ts'
import { budgetLines, budgetPay } from '../../../drizzle/costTables.ts'
import type { OrganisationTx } from '../database/database.ts'

export type SourceKind = (typeof budgetLines.$inferSelect)['sourceKind']
/** A line as a source posts it; only the levy has no budget code. */
export type NewLine = Omit<PostedLine, 'budgetCodeId'> & { budgetCodeId: number | null }

/**
 * Adds the lines of pay of some contracts, or of all, to the sums that the levy is worked out from, or takes them off: a save need not add up
 * the whole budget. Whoever writes lines holds the budget's row.
 */
async function countPay(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  sign: 1 | -1,
  sourceIds: readonly string[] | 'all',
): Promise<void> {
  const months = Array.from({ length: 12 }, (_unused, month) => sql.raw(`amounts[${month + 1}]`))
  const own = sourceIds === 'all' ? sql`` : sql`and source_id = any(${sql.param(`{${sourceIds.join(',')}}`)}::char(24)[])`
  const added = (name: string) =>
    sql.raw(
      `(select array_agg(before + change order by month) from unnest(kept.${name}, excluded.${name}) with ordinality as pair(before, change, month))`,
    )
  await tx.execute(sql`
    insert into budget_pay as kept (organisation_id, budget_id, year, amounts, missing)
    select organisation_id, budget_id, year,
      array[${sql.join(
        months.map((month) => sql`${sql.raw(String(sign))} * coalesce(sum(${month}), 0)`),
        sql`, `,
      )}],
      array[${sql.join(
        months.map((month) => sql`${sql.raw(String(sign))} * (count(*) - count(${month}))::integer`),
        sql`, `,
      )}]
    from budget_lines
    where organisation_id = ${organisationId} and budget_id = ${budgetId} and source_kind = 'contract' and component = 'pay' ${own}
    group by 1, 2, 3
    on conflict (organisation_id, budget_id, year) do update set amounts = ${added('amounts')}, missing = ${added('missing')}`)
}

export async function dropLines(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  kind: SourceKind,
  sourceIds: readonly string[] | 'all',
): Promise<void> {
  if (kind === 'contract' && sourceIds === 'all')
    await tx.delete(budgetPay).where(and(eq(budgetPay.organisationId, organisationId), eq(budgetPay.budgetId, budgetId)))
  else if (kind === 'contract') await countPay(tx, organisationId, budgetId, -1, sourceIds)
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

/** The sums of pay of one year of a budget, by month: whole pennies, and how many contracts could not be calculated. */
export interface YearOfPay {
  year: number
  amounts: readonly number[]
  missing: readonly number[]
}

/**
 * Replaces the lines of some contracts of a budget in one statement, the sums of its pay with them.
 * @returns the sums of pay before and after
 */
export async function replaceContractLines(
  tx: OrganisationTx,
  organisationId: number,
  budgetId: string,
  posted: readonly { sourceId: string; lines: readonly NewLine[] }[],
): Promise<{ before: YearOfPay[]; after: YearOfPay[] }> {
  const rows = posted.flatMap(({ sourceId, lines }) => lines.map((line) => ({ ...line, sourceId })))
  const ids = sql.param(`{${posted.map((source) => source.sourceId).join(',')}}`)
  const added = (name: string) =>
    sql.raw(
      `(select array_agg(old + change order by month) from unnest(kept.${name}, excluded.${name}) with ordinality as pair(old, change, month))`,
    )
  const years = await tx.execute<{ year: number; amounts: string[]; missing: number[]; isBefore: boolean }>(sql`
    with lines as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as line("sourceId" char(24), component text, year smallint,
        "budgetCodeId" integer, "costCentreId" integer, "fundCodeId" integer, amounts bigint[])
    ), gone as (
      delete from budget_lines where organisation_id = ${organisationId} and budget_id = ${budgetId} and source_kind = 'contract'
        and source_id = any(${ids}::char(24)[])
      returning component, year, amounts
    ), written as (
      insert into budget_lines (organisation_id, budget_id, source_kind, source_id, component, year, budget_code_id, cost_centre_id, fund_code_id, amounts)
      select ${organisationId}, ${budgetId}, 'contract', "sourceId", component, year, "budgetCodeId", "costCentreId", "fundCodeId", amounts from lines
    ), months as (
      select year, month, -coalesce(amount, 0) as amount, -(amount is null)::integer as missing
        from gone, unnest(amounts) with ordinality as one(amount, month) where component = 'pay'
      union all
      select year, month, coalesce(amount, 0), (amount is null)::integer
        from lines, unnest(amounts) with ordinality as one(amount, month) where component = 'pay'
    ), changes as (
      select year, month, sum(amount)::bigint as amount, sum(missing)::integer as missing from months group by year, month
    ), counted as (
      insert into budget_pay as kept (organisation_id, budget_id, year, amounts, missing)
      select ${organisationId}, ${budgetId}, year, array_agg(amount order by month), array_agg(missing order by month) from changes group by year
      on conflict (organisation_id, budget_id, year) do update set amounts = ${added('amounts')}, missing = ${added('missing')}
      returning year, amounts, missing
    )
    select year, amounts, missing, true as "isBefore" from budget_pay where organisation_id = ${organisationId} and budget_id = ${budgetId}
    union all select year, amounts, missing, false from counted`)
  const read = (isBefore: boolean): YearOfPay[] =>
    years.filter((row) => row.isBefore === isBefore).map(({ year, amounts, missing }) => ({ year, amounts: amounts.map(Number), missing }))
  const [before, counted] = [read(true), read(false)]
  const untouched = before.filter(({ year }) => !counted.some((row) => row.year === year))
  return { before, after: [...untouched, ...counted] }
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
  const sources = replacesAll ? 'all' : posted.map((source) => source.sourceId)
  await dropLines(tx, organisationId, budgetId, kind, sources)
  const rows = posted.flatMap(({ sourceId, lines }) => lines.map((line) => ({ ...line, sourceId })))
  if (!rows.length) return
  // One parameter for all rows: thousands of placeholders would cost more than the insert.
  await tx.execute(sql`
    insert into budget_lines (organisation_id, budget_id, source_kind, source_id, component, year, budget_code_id, cost_centre_id, fund_code_id, amounts)
    select ${organisationId}, ${budgetId}, ${kind}, "sourceId", component, year, "budgetCodeId", "costCentreId", "fundCodeId", amounts
    from json_to_recordset(${JSON.stringify(rows)}::json) as line("sourceId" char(24), component text, year smallint, "budgetCodeId" integer,
      "costCentreId" integer, "fundCodeId" integer, amounts bigint[])`)
  if (kind === 'contract') await countPay(tx, organisationId, budgetId, 1, sources)
}
