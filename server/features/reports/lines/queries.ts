import { type SQL, sql } from 'drizzle-orm'
import { labelContract } from '../../../../domain/budget/budget.ts'
import { sharedSourceNames } from '../../../../domain/budget/sharedSources.ts'
import { budgetCodeCategory, budgetCodeType } from '../../../../domain/lookups/lookupIds.ts'
import { hasAnyPermission, listViewPermissions } from '../../../../domain/people/permissions.ts'
import type { LineFilter } from '../../../../domain/reports/report.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../../domain/values/calendar.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import { type BudgetId, type StaffId, toBudgetId } from '../../../../domain/values/ids.ts'
import { invalid } from '../../../../domain/words/errors.ts'
import type { Call } from '../../../core/calls/call.ts'
import { buildDocumentIdArray, buildIntegerArray } from '../../../resources/listConditions.ts'
import { readHiddenCodes, selectsPartOfPay } from '../../../shared/fewPeople/queries.ts'
import type { ReportLine, ReportLines } from '../../../shared/reports/lines/line.ts'
import {
  buildLineFilterCondition,
  hasLineFilters,
  type ReportBudget,
  type ReportReader,
  type ReportRequest,
  readScope,
} from '../../../shared/reports/scopes/queries.ts'
import { staffSourceKinds } from '../../../streams/budget/monthSums.ts'
import { loadStaffByIds } from '../../../streams/budget/people.ts'
import { readLinesOfOutturn } from './outturn/queries.ts'

/** The permissions to read ledger texts, which can name people. */
const files = listViewPermissions('ConsoleMonitoring')
/** The most lines listed, largest first. */
const mostLines = 300

const isIncome = sql`code.type is not distinct from ${budgetCodeType.income}`
const isStaff = sql`(line.source_kind in ${staffSourceKinds} or code.id is null or code.category is not distinct from 1)`
const sides: Record<NonNullable<LineFilter['side']>, SQL> = {
  income: isIncome,
  staff: sql`not ${isIncome} and ${isStaff}`,
  other: sql`not ${isIncome} and not ${isStaff}`,
  expenditure: sql`not ${isIncome}`,
  inYear: sql`true`,
  debit: sql`true`,
}

/**
 * Lists the lines that add up to a figure of a report, largest first (rules.md §9 and §19).
 * @param isNamed false combines contracts, for callers who may not see staff, so that they do not learn what one person costs
 * @throws DomainError as `readScope` and `readHiddenCodes`; 400 for a position that is not in the report
 */
export async function readLinesBehindFigure(
  call: Call & ReportReader,
  request: ReportRequest,
  { filter, isNamed }: { filter: LineFilter; isNamed: boolean },
): Promise<ReportLines> {
  const { tx } = call
  const scope = await readScope(call, {
    budgetGroupId: request.budgetGroupId,
    budgetId: filter.budget === undefined ? request.budgetId : toBudgetId(filter.budget),
    locationIds: request.locationIds,
    yearNames: filter.budget && filter.year ? [filter.year] : request.yearNames,
  })
  const codes = await readHiddenCodes(
    call,
    scope.budgets.map(({ id }) => id),
  )
  const outturn =
    filter.basis && !hasLineFilters(request)
      ? await readLinesOfOutturn(call, scope, {
          filter: removeCodes(filter, codes),
          hasWords: hasAnyPermission(call.holder, files),
          most: mostLines,
        })
      : null
  // The budgets to include depend on all years of the report, not only on the year of the figure.
  const years = filter.year ? scope.years.filter((year) => formatBudgetYear(year, 0) === filter.year) : scope.years
  if (filter.year && !years.length && !outturn) throw invalid([{ field: 'column', message: 'The report does not have that year.' }])
  if (filter.contract && !isNamed)
    throw invalid([{ field: 'row', message: 'The cost of one contract is only shown to people who can view staff.' }])
  const isSeveral = new Set(scope.budgets.map((one) => one.location.id)).size > 1
  const matchingBudgets = scope.budgets.filter((one) => !filter.location || String(one.location.id) === filter.location)
  const wanted =
    outturn?.open ??
    matchingBudgets.flatMap(({ id, head }) => years.map((year) => ({ id, year: year - head.firstYear, bits: 0, without: [] })))
  const signed = buildSign(filter)
  const [from, to = from] = filter.month?.split('-').map(Number) ?? []
  const months = outturn
    ? sql`unnest(line.amounts) with ordinality of(month, at) where wanted.bits & (1 << (at - 1)::integer) <> 0`
    : from && to
      ? sql`unnest(line.amounts[${sql.raw(String(from))}:${sql.raw(String(to))}]) of(month) where true`
      : null
  const amount = months ? sql`(select sum(month) from ${months})` : sql`case when line.missing < 12 then line.total end`
  const missing = months ? sql`(select count(*) from ${months} and month is null)` : sql`line.missing`
  const source = isNamed ? sql`line.source_id` : sql`case when line.source_kind = 'contract' then '' else line.source_id end`
  const conditions = sql`${buildConditions(filter, isSeveral)} ${filter.contract ? sql`` : buildLineFilterCondition(request)}`
  // For readers who may not see staff, staff costs show no code, and the staff costs of few people are left out.
  const coding = (column: SQL): SQL => (isNamed ? column : sql`case when line.source_kind <> 'contract' then ${column} end`)
  const budgetIds = [...new Set(wanted.map(({ id }) => toBudgetId(id)))]
  const isFew = !isNamed && (await selectsPartOfPay(call, budgetIds, { codes, narrowed: conditions }))
  const rows = await tx.execute<{
    kind: ReportLine['kind']
    source: string
    budgetId: BudgetId
    year: number
    code: string | null
    centre: string | null
    fund: string | null
    amount: number | null
    missing: number
    total: number | null
    count: number
  }>(sql`
    with sums as (
      select line.source_kind as kind, ${source} as source, line.budget_id as "budgetId", line.year, ${coding(sql`line.budget_code_id`)} as code_id,
        ${coding(sql`line.cost_centre_id`)} as centre_id, ${coding(sql`line.fund_code_id`)} as fund_id, sum(${amount} * ${signed})::float8 as amount, sum(${missing})::integer as missing
      from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted(id char(24), year smallint, bits integer, without integer[])
      join budget_lines line on line.organisation_id = ${call.organisationId} and line.budget_id = wanted.id and line.year = wanted.year
        and not coalesce(line.budget_code_id = any(wanted.without), false) ${outturn ? sql`and wanted.bits <> 0` : sql``}
      left join budget_codes code on code.id = line.budget_code_id
      where code.category is distinct from ${budgetCodeCategory.balance} ${conditions} ${isFew ? sql`and line.source_kind <> 'contract'` : sql``}
      group by 1, 2, 3, 4, 5, 6, 7)
    select kind, source, "budgetId", year, code.code, centre.code as centre, fund.code as fund, amount, missing,
      sum(amount) over ()::float8 as total, count(*) over ()::integer as count
    from sums left join budget_codes code on code.id = code_id left join cost_centres centre on centre.id = centre_id left join fund_codes fund on fund.id = fund_id
    order by abs(amount) desc nulls last, source, code.code, centre.code, fund.code limit ${mostLines}`)
  const found = [...rows]
  const names = await readSourceNames(call, found, isNamed)
  const budgets = new Map<string, ReportBudget>([...(outturn?.budgets ?? []), ...scope.budgets].map((one) => [one.id, one]))
  const lines = found.map((row): ReportLine => {
    const budget = assertDefined(budgets.get(row.budgetId))
    const id = row.source.trim()
    return {
      kind: row.kind === 'contract' && !isNamed ? 'contracts' : row.kind,
      id,
      name: names.get(`${row.kind} ${row.budgetId} ${id}`) ?? plainNames[row.kind],
      budgetId: row.budgetId,
      budget: budget.head.name,
      locationId: budget.location.id,
      location: budget.location.name,
      code: row.code ?? '',
      centre: row.centre ?? '',
      fund: row.fund ?? '',
      year: formatBudgetYear(budget.head.firstYear, row.year),
      amount: row.amount === null ? null : toPounds(row.amount),
      missing: row.missing,
    }
  })
  const byAmount = (a: ReportLine, b: ReportLine): number => Math.abs(b.amount ?? 0) - Math.abs(a.amount ?? 0)
  return {
    total: toPounds((found[0]?.total ?? 0) + (outturn?.total ?? 0)),
    count: (found[0]?.count ?? 0) + (outturn?.count ?? 0),
    lines: outturn ? [...outturn.lines, ...lines].sort(byAmount).slice(0, mostLines) : lines,
  }
}

const plainNames: Readonly<Record<ReportLine['kind'], string>> = {
  contract: 'Staff contracts',
  contracts: 'Staff contracts',
  ...sharedSourceNames,
  entry: 'Budget entry',
  transfer: 'Between locations',
  actual: 'Actuals',
  forecast: 'Forecast',
}

/** The sign with which a line counts towards a figure. If a figure has both income and cost, cost is subtracted. */
function buildSign({ side, transfer, code, contract }: LineFilter): SQL {
  if (side === 'debit') return sql`case when ${isIncome} then -1 else 1 end`
  const isNet = side === 'inYear' || (transfer && transfer !== 'with' && transfer !== 'without') || (!side && !code && !contract)
  if (isNet) return sql`case when ${isIncome} then 1 else -1 end`
  if (side || !code) return sql`1`
  const hasIncome = sql`exists(select from budget_codes own where own.id = any(${buildIntegerArray(parseCodeIds(code))}) and own.type = ${budgetCodeType.income})`
  return sql`case when not ${isIncome} and ${hasIncome} then -1 else 1 end`
}

const parseCodeIds = (code: string): number[] =>
  code
    .split(',')
    .filter((one) => one !== 'levy')
    .map(Number)

/** A figure's filter without the codes that must not be shown separately. */
function removeCodes(filter: LineFilter, codes: ReadonlySet<number | null>): LineFilter {
  if (!filter.code || !codes.size) return filter
  return {
    ...filter,
    code: filter.code
      .split(',')
      .filter((one) => one === 'levy' || !codes.has(Number(one)))
      .join(),
  }
}

/** @param code the codes of a position: ids separated by commas, and `levy` */
function codesCondition(code: string): SQL {
  const ids = sql`line.budget_code_id = any(${buildIntegerArray(parseCodeIds(code))})`
  return code.split(',').includes('levy') ? sql`(line.budget_code_id is null or ${ids})` : ids
}

function buildConditions({ side, code, centre, transfer, contract, component }: LineFilter, isSeveral: boolean): SQL {
  const conditions = [
    ...(side ? [sides[side]] : []),
    ...(code ? [codesCondition(code)] : []),
    ...(centre ? [centre === 'none' ? sql`line.cost_centre_id is null` : sql`line.cost_centre_id = ${Number(centre)}`] : []),
    ...(transfer === 'any' ? [sql`line.source_kind = 'transfer'`] : []),
    ...(transfer === 'without' ? [sql`line.source_kind <> 'transfer'`] : []),
    ...(transfer === 'gagPool' || transfer === 'topSlice' ? [sql`line.component = ${transfer}`] : []),
    ...(contract ? [sql`line.source_kind = 'contract' and line.source_id = ${contract}`] : []),
    ...(component ? [sql`line.component = ${component}`] : []),
    // A report on several locations shows payments between them on separate lines.
    ...(isSeveral && !transfer && side !== 'inYear' ? [sql`line.source_kind <> 'transfer'`] : []),
  ]
  return conditions.length ? sql`and ${sql.join(conditions, sql` and `)}` : sql``
}

/** The names of sources, by kind, budget and id. */
async function readSourceNames(
  { tx, organisationId }: Call<'organisationId'>,
  rows: readonly { kind: string; budgetId: BudgetId; source: string }[],
  isNamed: boolean,
): Promise<Map<string, string>> {
  const names = new Map<string, string>()
  const idsOf = (kind: string): { budgets: SQL; sources: SQL } => {
    const rowsOfKind = rows.filter((row) => row.kind === kind)
    return {
      budgets: buildDocumentIdArray(rowsOfKind.map((row) => row.budgetId)),
      sources: buildDocumentIdArray(rowsOfKind.map((row) => row.source.trim())),
    }
  }
  const entries = idsOf('entry')
  for (const row of await tx.execute<{ budgetId: BudgetId; id: string; name: string }>(sql`
    select budget_id as "budgetId", id, description as name from budget_items
    where organisation_id = ${organisationId} and budget_id = any(${entries.budgets}) and id = any(${entries.sources})`))
    names.set(`entry ${row.budgetId} ${row.id}`, row.name)
  if (!isNamed) return names
  const contracts = idsOf('contract')
  const held = [
    ...(await tx.execute<{ budgetId: BudgetId; id: string; name: string; staffId: StaffId | null }>(sql`
      select budget_id as "budgetId", id, contract_name as name, staff_id as "staffId" from staff_contracts
      where organisation_id = ${organisationId} and budget_id = any(${contracts.budgets}) and id = any(${contracts.sources})`)),
  ]
  const people = await loadStaffByIds(tx, organisationId, [...new Set(held.flatMap((row) => row.staffId ?? []))])
  for (const { budgetId, id, name, staffId } of held) {
    const member = staffId === null ? undefined : people.get(staffId)
    names.set(`contract ${budgetId} ${id}`, labelContract(member ? `${member.surname}, ${member.forename}` : null, name, ' · '))
  }
  return names
}
