import { and, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { BudgetHead } from '../../../domain/budget/budget.ts'
import { postEmploymentAllowance } from '../../../domain/budget/sharedLines.ts'
import type { EmploymentAllowance } from '../../../domain/calculation/employmentAllowance.ts'
import { joinYears, type MultiYearLine } from '../../../domain/calculation/staffing/posting.ts'
import { joinFigures } from '../../../domain/calculation/staffing/storedCost.ts'
import { requireItemAt, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { canonicalJson } from '../../../domain/values/canonicalJson.ts'
import type { BudgetId, ContractId, OrganisationId } from '../../../domain/values/ids.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import { budgetPay, postedLines, staffCosts } from '../../../drizzle/costTables.ts'
import { budgets } from '../../../drizzle/schema.ts'
import type { Call } from '../../core/calls/call.ts'
import { executePipelined } from '../../core/database/database.ts'
import { selectBudgetsInSameGroup } from './groupMembers.ts'
import { hasEmploymentAllowanceCondition, isUnlockedCondition } from './marks.ts'

export type SourceKind = (typeof postedLines.$inferSelect)['sourceKind']

/**
 * Adds the pay lines of contracts to the stored sums from which the apprenticeship levy is calculated (`sign` 1), or
 * subtracts them (-1), so that a save need not sum the whole budget. The caller must have locked the budget's row.
 */
async function addToPaySums(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  sign: 1 | -1,
  sourceIds: readonly string[] | 'all',
): Promise<void> {
  const months = Array.from({ length: 12 }, (_unused, month) => sql.raw(`month_${month + 1}`))
  const sourceCondition = sourceIds === 'all' ? sql`` : sql`and source_id = any(${sql.param(`{${sourceIds.join(',')}}`)}::char(24)[])`
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
    where organisation_id = ${organisationId} and budget_id = ${budgetId} and source_kind = 'contract' and component = 'pay' ${sourceCondition}
    group by 1, 2, 3
    on conflict (organisation_id, budget_id, year) do update set amounts = ${added('amounts')}, missing = ${added('missing')}`)
}

export async function deleteLines(
  call: Call<'organisationId' | 'budgetId'>,
  kind: SourceKind,
  sourceIds: readonly string[] | 'all',
): Promise<void> {
  const { tx, organisationId, budgetId } = call
  if (kind === 'contract' && sourceIds === 'all')
    await tx.delete(budgetPay).where(and(eq(budgetPay.organisationId, organisationId), eq(budgetPay.budgetId, budgetId)))
  else if (kind === 'contract') await addToPaySums(call, -1, sourceIds)
  await buildDeletion(call, kind, sourceIds === 'all' ? { but: [] } : { of: sourceIds })
}

function buildDeletion(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  kind: SourceKind,
  sources: { of: readonly string[] } | { but: readonly string[] },
) {
  return tx
    .delete(postedLines)
    .where(
      and(
        eq(postedLines.organisationId, organisationId),
        eq(postedLines.budgetId, budgetId),
        eq(postedLines.sourceKind, kind),
        'of' in sources
          ? sql`${postedLines.sourceId} = any(${idArray(sources.of)})`
          : sources.but.length
            ? sql`${postedLines.sourceId} <> all(${idArray(sources.but)})`
            : undefined,
      ),
    )
}

/** The pay of one year of a budget by month: sums in whole pennies, and the number of contracts not calculated. */
export interface YearOfPay {
  year: number
  amounts: readonly Pennies[]
  missing: readonly number[]
}

/**
 * Replaces the lines of some contracts and updates the sums of pay, in one statement.
 * @returns the sums of pay before and after; `touchesAllowance` says whether national insurance changed in a month
 * while the budget or its group has an Employment Allowance, which must then be recalculated
 */
export async function replaceContractLines(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  posted: readonly SourceLines[],
): Promise<{ before: YearOfPay[]; after: YearOfPay[]; touchesAllowance: boolean }> {
  const rows = posted.flatMap(({ sourceId, lines }) => lines.map((line) => ({ ...line, sourceId })))
  const ids = sql.param(`{${posted.map((source) => source.sourceId).join(',')}}`)
  const added = (name: string) =>
    sql.raw(
      `(select array_agg(old + change order by month) from unnest(kept.${name}, excluded.${name}) with ordinality as pair(old, change, month))`,
    )
  const { touchesAllowance, ...pay } = requireSingleRow(
    await tx.execute<{ before: YearOfPay[]; counted: YearOfPay[]; touchesAllowance: boolean }>(sql`
    with lines as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as line("sourceId" char(24), component text, "firstYear" smallint,
        "budgetCodeId" integer, "costCentreId" integer, "fundCodeId" integer, amounts bigint[])
    ), gone as (
      delete from posted_lines where organisation_id = ${organisationId} and budget_id = ${budgetId} and source_kind = 'contract'
        and source_id = any(${ids}::char(24)[])
      returning component, first_year, amounts
    ), written as (
      insert into posted_lines (organisation_id, budget_id, source_kind, source_id, component, first_year, budget_code_id, cost_centre_id, fund_code_id, amounts)
      select ${organisationId}, ${budgetId}, 'contract', "sourceId", component, "firstYear", "budgetCodeId", "costCentreId", "fundCodeId", amounts from lines
    ), months as (
      select component, first_year * 12 + at as at, -coalesce(amount, 0) as amount, -(amount is null)::integer as missing
        from gone, unnest(amounts) with ordinality as one(amount, at) where component in ('pay', 'ni')
      union all
      select component, "firstYear" * 12 + at, coalesce(amount, 0), (amount is null)::integer
        from lines, unnest(amounts) with ordinality as one(amount, at) where component in ('pay', 'ni')
    ), sums as (
      select component, (at - 1) / 12 as year, at as month, sum(amount)::bigint as amount, sum(missing)::integer as missing from months group by component, at
    ), changes as (
      select year, month, amount, missing from sums where component = 'pay'
    ), counted as (
      insert into budget_pay as kept (organisation_id, budget_id, year, amounts, missing)
      select ${organisationId}, ${budgetId}, year, array_agg(amount order by month), array_agg(missing order by month) from changes group by year
      on conflict (organisation_id, budget_id, year) do update set amounts = ${added('amounts')}, missing = ${added('missing')}
      returning year, amounts, missing
    )
    select
      (select coalesce(json_agg(json_build_object('year', year, 'amounts', amounts, 'missing', missing)), '[]') from budget_pay
        where organisation_id = ${organisationId} and budget_id = ${budgetId}) as before,
      (select coalesce(json_agg(counted), '[]') from counted) as counted,
      exists (select from sums where component = 'ni' and (amount <> 0 or missing <> 0)) and exists (select from ${budgets}
        where ${budgets.organisationId} = ${organisationId} and ${isUnlockedCondition} and ${hasEmploymentAllowanceCondition}
          and (${budgets.id} = ${budgetId} or ${budgets.id} in ${selectBudgetsInSameGroup(organisationId, budgetId)})) as "touchesAllowance"`),
  )
  const untouched = pay.before.filter(({ year }) => !pay.counted.some((row) => row.year === year))
  return { before: pay.before, after: [...untouched, ...pay.counted], touchesAllowance }
}

/**
 * Replaces the posted lines of some sources of one kind in a budget; with `replacesAll`, all other sources of that kind lose their lines.
 * Except for contracts, unchanged lines are not written.
 */
export async function replaceSourceLines(
  call: Call<'organisationId' | 'budgetId'>,
  kind: SourceKind,
  { posted, replacesAll }: { posted: readonly SourceLines[]; replacesAll: boolean },
): Promise<void> {
  const { tx, budgetId } = call
  const sourceIds = posted.map((source) => source.sourceId)
  const sources = replacesAll ? 'all' : sourceIds
  if (kind === 'contract') {
    await deleteLines(call, kind, sources)
    await executePipelined(tx, buildInsertion(call, kind, withBudgetId(budgetId, posted)))
    if (posted.length) await addToPaySums(call, 1, sources)
    return
  }
  const stored = await readSourceLines(call, kind, { budgetIds: [budgetId], sourceIds: replacesAll ? undefined : sourceIds })
  await writeChangedLines(call, kind, { posted: new Map([[budgetId, posted]]), stored })
}

/** The lines that one source, such as a contract or an entry, posts. */
export interface SourceLines {
  sourceId: string
  lines: readonly MultiYearLine[]
}

/** Reads the lines of some budgets, by budget and source. Contracts are excluded because they have too many lines. */
export async function readSourceLines(
  { tx, organisationId }: Call<'organisationId'>,
  kind: Exclude<SourceKind, 'contract'>,
  { budgetIds, sourceIds }: { budgetIds: readonly BudgetId[]; sourceIds?: readonly string[] },
): Promise<Map<string, Map<string, MultiYearLine[]>>> {
  const { budgetId, sourceId, component, firstYear, budgetCodeId, costCentreId, fundCodeId, amounts } = postedLines
  const rows = await tx
    .select({ budgetId, sourceId, component, firstYear, budgetCodeId, costCentreId, fundCodeId, amounts })
    .from(postedLines)
    .where(
      and(
        eq(postedLines.organisationId, organisationId),
        sql`${budgetId} = any(${idArray(budgetIds)})`,
        eq(postedLines.sourceKind, kind),
        sourceIds && sql`${sourceId} = any(${idArray(sourceIds)})`,
      ),
    )
  const stored = new Map<string, Map<string, MultiYearLine[]>>()
  for (const { budgetId: budget, sourceId: source, ...line } of rows) {
    const ofBudget = stored.get(budget) ?? new Map<string, MultiYearLine[]>()
    stored.set(budget, ofBudget.set(source, [...(ofBudget.get(source) ?? []), line]))
  }
  return stored
}

const idArray = (ids: readonly string[]) => sql`${sql.param(`{${ids.join(',')}}`)}::char(24)[]`

/**
 * Writes the lines of the sources whose lines differ from the stored ones, and deletes the lines of sources that no longer post any.
 * @param posted the new lines of each budget
 * @param stored the lines now stored for these budgets
 */
export async function writeChangedLines(
  call: Call<'organisationId'>,
  kind: Exclude<SourceKind, 'contract'>,
  { posted, stored }: { posted: ReadonlyMap<BudgetId, readonly SourceLines[]>; stored: Awaited<ReturnType<typeof readSourceLines>> },
): Promise<void> {
  const { tx, organisationId } = call
  const text = (lines: readonly MultiYearLine[]): string => lines.map(canonicalJson).sort().join()
  const other: (SourceLines & { budgetId: BudgetId })[] = []
  const touched: { budgetId: BudgetId; sourceId: string }[] = []
  for (const [budgetId, sources] of posted) {
    const storedSources = stored.get(budgetId) ?? new Map<string, MultiYearLine[]>()
    const wanted = new Map<string, MultiYearLine[]>()
    for (const { sourceId, lines } of sources) wanted.set(sourceId, [...(wanted.get(sourceId) ?? []), ...lines])
    for (const [sourceId, lines] of wanted) {
      if (text(lines) === text(storedSources.get(sourceId) ?? [])) continue
      other.push({ budgetId, sourceId, lines })
      if (storedSources.has(sourceId)) touched.push({ budgetId, sourceId })
    }
    for (const sourceId of storedSources.keys()) if (!wanted.has(sourceId)) touched.push({ budgetId, sourceId })
  }
  const deletion = touched.length
    ? sql`
      delete from posted_lines using unnest(${idArray(touched.map(({ budgetId }) => budgetId))}, ${idArray(touched.map(({ sourceId }) => sourceId))})
        as gone (budget_id, source_id)
      where posted_lines.organisation_id = ${organisationId} and posted_lines.source_kind = ${kind}
        and posted_lines.budget_id = gone.budget_id and posted_lines.source_id = gone.source_id`
    : null
  await executePipelined(tx, [...(deletion ? [deletion] : []), ...buildInsertion(call, kind, other)])
}

/** Posts a budget's share of its group's Employment Allowance (rules.md §7). */
export async function postAllowance(
  { tx, organisationId }: Call<'organisationId'>,
  head: BudgetHead,
  allowance: EmploymentAllowance | null | undefined,
): Promise<void> {
  const posted = [{ sourceId: head.id, lines: joinYears(postEmploymentAllowance(head, allowance)) }]
  await replaceSourceLines({ tx, organisationId, budgetId: head.id }, 'employmentAllowance', { posted, replacesAll: true })
}

/**
 * Checks that no contract of a budget, its costing or its lines was changed after the last recalculation of all
 * contracts.
 * @param last the version of that recalculation, and the number of contracts that it costed
 */
export async function areAllCostsUntouched(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  last: { version: number; contracts: number },
): Promise<boolean> {
  const { isSame } = requireSingleRow(
    await tx.execute<{ isSame: boolean }>(sql`
    select (select count(*) = ${last.contracts}::integer and coalesce(max(version), 0) <= ${last.version}::integer from staff_contracts
        where organisation_id = ${organisationId} and budget_id = ${budgetId})
      and (select count(*) = ${last.contracts}::integer and coalesce(bool_and("isWhole" and content is not null), true) from (
        ${selectUntouchedCosts(organisationId, budgetId)}) cost) as "isSame"`),
  )
  return isSame
}

/** Reads the content digest of each costing in a budget, without checking whether the rows were changed since. */
export async function readCostDigests({
  tx,
  organisationId,
  budgetId,
}: Call<'organisationId' | 'budgetId'>): Promise<Map<string, string | null>> {
  const { contractId, content } = staffCosts
  const rows = await tx
    .select({ contractId, content })
    .from(staffCosts)
    .where(and(eq(staffCosts.organisationId, organisationId), eq(staffCosts.budgetId, budgetId)))
  return new Map(rows.map((row) => [row.contractId, row.content]))
}

/**
 * Checks for each contract whether its costing and lines are still as one transaction wrote them. PostgreSQL stores in
 * each row the transaction that wrote it (`xmin`), so a row that another transaction wrote or deleted later is found, and
 * the caller writes the contract again.
 * @param ids the contracts to check; by default all that have a costing or lines, even if the contract no longer
 * exists
 * @returns true for each contract that is untouched
 */
export async function findUntouchedCosts(
  { tx, organisationId, budgetId }: Call<'organisationId' | 'budgetId'>,
  ids?: readonly ContractId[],
): Promise<Map<ContractId, boolean>> {
  if (ids && !ids.length) return new Map()
  const rows = await tx.execute<{ id: ContractId; isWhole: boolean }>(selectUntouchedCosts(organisationId, budgetId, ids))
  return new Map(rows.map(({ id, isWhole }) => [id, isWhole]))
}

function selectUntouchedCosts(organisationId: OrganisationId, budgetId: BudgetId, ids?: readonly string[]): SQL {
  const some = (column: string) => (ids ? sql`and ${sql.raw(column)} = any(${idArray(ids)})` : sql``)
  return sql`
    select id, cost.content, coalesce(cost.posted = coalesce(lines.number, 0) and (lines.number is null or lines.first = cost.by and lines.last = cost.by), false) as "isWhole"
    from (
      select contract_id as id, content, posted, xmin::text::bigint as by from staff_costs
      where organisation_id = ${organisationId} and budget_id = ${budgetId} ${some('contract_id')}
    ) cost full join (
      select source_id as id, sum(cardinality(amounts)) / 12 as number, min(xmin::text::bigint) as first, max(xmin::text::bigint) as last from posted_lines
      where organisation_id = ${organisationId} and budget_id = ${budgetId} and source_kind = 'contract' ${some('source_id')}
      group by source_id
    ) lines using (id)`
}

/**
 * Builds the statements that replace the lines of all contracts in a budget except the unchanged ones, and the sums of
 * pay.
 * @param posted the new lines
 * @param unchanged the lines of the contracts whose stored lines remain
 * @returns the statements, to be run in order, and the new sums of pay
 */
export function buildContractLineReplacement(
  call: Call<'organisationId' | 'budgetId'>,
  posted: readonly SourceLines[],
  unchanged: readonly SourceLines[] = [],
): { statements: SQLWrapper[]; pay: YearOfPay[] } {
  const { tx, organisationId, budgetId } = call
  const pay = sumPay([...posted, ...unchanged])
  const rows = pay.map(({ year, amounts, missing }) => ({ organisationId, budgetId, year, amounts: [...amounts], missing: [...missing] }))
  return {
    statements: [
      buildDeletion(call, 'contract', { but: unchanged.map((source) => source.sourceId) }),
      tx.delete(budgetPay).where(and(eq(budgetPay.organisationId, organisationId), eq(budgetPay.budgetId, budgetId))),
      ...(rows.length ? [tx.insert(budgetPay).values(rows)] : []),
      ...buildInsertion(call, 'contract', withBudgetId(budgetId, posted)),
    ],
    pay,
  }
}

/** Sums the pay lines by year and month. */
function sumPay(posted: readonly SourceLines[]): YearOfPay[] {
  const years = new Map<number, { amounts: number[]; missing: number[] }>()
  for (const { lines } of posted)
    for (const { component, firstYear, amounts } of lines) {
      if (component !== 'pay') continue
      for (let from = 0; from < amounts.length; from += 12) {
        const year = firstYear + from / 12
        const sums = years.get(year) ?? { amounts: Array<number>(12).fill(0), missing: Array<number>(12).fill(0) }
        years.set(year, sums)
        for (let month = 0; month < 12; month++) {
          const amount = requireItemAt(amounts, from + month)
          if (amount === null) sums.missing[month] = requireItemAt(sums.missing, month) + 1
          else sums.amounts[month] = requireItemAt(sums.amounts, month) + amount
        }
      }
    }
  return [...years].map(([year, sums]) => ({ year, ...sums }))
}

const withBudgetId = (budgetId: BudgetId, posted: readonly SourceLines[]) => posted.map((one) => ({ ...one, budgetId }))

/**
 * Builds the insert statement; an empty list if there are no lines. It passes each column as one array, and the months
 * of a line as one text, because parsing JSON or a placeholder for each figure takes longer than writing the rows.
 */
function buildInsertion(
  { organisationId }: Call<'organisationId'>,
  kind: SourceKind,
  posted: readonly (SourceLines & { budgetId: BudgetId })[],
): SQL[] {
  let [budgetIds, sources, components, firstYears, codes, centres, funds, months] = ['', '', '', '', '', '', '', '']
  for (const { budgetId, sourceId, lines } of posted)
    for (const { component, firstYear, budgetCodeId, costCentreId, fundCodeId, amounts } of lines) {
      budgetIds += `,${budgetId}`
      sources += `,${sourceId}`
      components += `,${component}`
      firstYears += `,${firstYear}`
      codes += `,${budgetCodeId}`
      centres += `,${costCentreId}`
      funds += `,${fundCodeId}`
      months += `;{${joinFigures(amounts)}}`
    }
  if (!sources) return []
  const list = (values: string) => sql.param(`{${values.slice(1)}}`)
  const statement = sql`
    insert into posted_lines (organisation_id, budget_id, source_kind, source_id, component, first_year, budget_code_id, cost_centre_id, fund_code_id, amounts)
    select ${organisationId}, budget, ${kind}, source, component, first_year, code, centre, fund, months::bigint[]
    from unnest(${list(budgetIds)}::char(24)[], ${list(sources)}::char(24)[], ${list(components)}::text[], ${list(firstYears)}::smallint[],
      ${list(codes)}::integer[], ${list(centres)}::integer[], ${list(funds)}::integer[], string_to_array(${months.slice(1)}, ';'))
      as line(budget, source, component, first_year, code, centre, fund, months)`
  return [statement]
}
