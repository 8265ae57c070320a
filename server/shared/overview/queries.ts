import { sql } from 'drizzle-orm'
import type { ApprovedFigures } from '../../../domain/budget/budget.ts'
import {
  type CodeFacts,
  type CodeSum,
  calculateOverviewYears,
  type OverviewYear,
} from '../../../domain/calculation/nonStaffing/balances.ts'
import { countPupils } from '../../../domain/calculation/nonStaffing/pupils.ts'
import { budgetCodeType } from '../../../domain/lookups/lookupIds.ts'
import { canSeeStaff } from '../../../domain/people/permissions.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { RecordOf } from '../../../domain/resources/resource.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import { toPounds } from '../../../domain/values/format.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import type { Call } from '../../core/calls/call.ts'
import type { BudgetRow } from '../../core/calls/selectedBudget.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { readReferenceThroughCache } from '../../core/database/readOnce.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { buildIntegerArray } from '../../resources/listConditions.ts'
import { loadItems } from '../../streams/budget/items.ts'
import { staffSourceKinds } from '../../streams/budget/monthSums.ts'
import { readAltDescriptions } from '../altDescriptions/queries.ts'
import { type FiguresReader, findHiddenCodings, readHiddenCodes } from '../fewPeople/queries.ts'
import { readPupilCounts } from '../funding/queries.ts'

/** A budget code with the facts that totals need. */
export interface CodeForTotals {
  record: RecordOf<typeof resources.budgetCode>
  /** The location's description, otherwise the code's own. */
  description: string
  facts: CodeFacts
}

/** The budget codes of an organisation, by id, with a location's descriptions. */
export async function readCodesForTotals(tx: OrganisationTx, locationId: LocationId): Promise<Map<number, CodeForTotals>> {
  const [words, codes] = await Promise.all([readAltDescriptions(tx, resources.budgetCode, locationId), readCodesWithFacts(tx)])
  return new Map(
    codes.map(({ record, facts }) => [
      record.id,
      { record, facts, description: words.get(record.id) ?? record.altDescription ?? record.description },
    ]),
  )
}

/** The budget codes of an organisation with the facts that totals need. */
export function readCodesWithFacts(tx: OrganisationTx): Promise<Omit<CodeForTotals, 'description'>[]> {
  return readReferenceThroughCache(tx, 'budget codes with their facts', () => loadCodesWithFacts(tx))
}

async function loadCodesWithFacts(tx: OrganisationTx): Promise<Omit<CodeForTotals, 'description'>[]> {
  const codes = await readResourceRecords(tx, resources.budgetCode)
  const reporting = await readResourceRecords(tx, resources.financialReportingCode, {
    column: 'id',
    ids: [...new Set(codes.flatMap((code) => code.cfrCodeId ?? []))],
  })
  const cfr = new Map(reporting.map((row) => [row.id, row.code]))
  return codes.map((record) => ({
    record,
    facts: {
      isIncome: record.type === budgetCodeType.income,
      category: record.category,
      cfrCode: cfr.get(record.cfrCodeId ?? -1) ?? null,
    },
  }))
}

const monthSums = sql.join(
  Array.from({ length: 12 }, (_unused, month) => sql.raw(`coalesce(sum(month_${month + 1}), 0)::float8`)),
  sql`, `,
)

/** The total of one code and kind of source in one year, in whole pennies. */
export interface LineTotal {
  codeId: number | null
  isStaff: boolean
  year: number
  total: Pennies
  missing: number
  /** The sums of the twelve months; figures that could not be calculated are left out. */
  months: number[]
}

/** The lines of a budget totalled by code and year, with staff costs separate. */
export async function readLineTotals(tx: OrganisationTx, { organisationId, id }: BudgetRow): Promise<LineTotal[]> {
  const rows = await tx.execute<{
    code: number | null
    staff: boolean
    year: number
    total: string
    missing: string
    months: number[]
  }>(sql`
    select budget_code_id as code, source_kind in ${staffSourceKinds} as staff, year, sum(total) as total, sum(missing) as missing,
      array[${monthSums}] as months
    from budget_lines where organisation_id = ${organisationId} and budget_id = ${id} group by 1, 2, 3`)
  return [...rows].map(({ code, staff, year, total, missing, months }) => ({
    months,
    codeId: code,
    isStaff: staff,
    year,
    total: Number(total),
    missing: Number(missing),
  }))
}

/** The totals of each year of a budget, with the pupils on roll. */
export async function readOverview(tx: OrganisationTx, budget: BudgetRow) {
  const [codes, totals, balances, counts] = await Promise.all([
    readCodesForTotals(tx, budget.locationId),
    readLineTotals(tx, budget),
    loadItems({ tx, organisationId: budget.organisationId, budgetId: budget.id }, 'balance'),
    readPupilCounts(tx, budget.organisationId, budget.head),
  ])
  const sums = totals.map(({ codeId, ...sum }): CodeSum => ({ ...sum, code: codeId === null ? null : (codes.get(codeId)?.facts ?? null) }))
  const openings = new Map<number, number>()
  for (const { item } of balances) openings.set(item.type, (openings.get(item.type) ?? 0) + item.value)
  const pupils = countPupils(counts, null).slice(1)
  const years = calculateOverviewYears(sums, openings, budget.head.numberOfYears)
  const { approval } = budget.head
  const approved = approval?.state === 'approved' ? approval.figures?.years : undefined
  return {
    years: approved ? years.map((year, index) => asApproved(year, assertDefined(approved[index]))) : years,
    pupils,
    hasOpening: openings.size > 0,
  }
}

type ApprovedYear = ApprovedFigures['years'][number]

/** A year with the figures that were approved, whatever its lines add up to now. */
function asApproved(year: OverviewYear, { income, staffing, nonStaffing, missing, balances }: ApprovedYear): OverviewYear {
  const over = (pick: 'opening' | 'closing'): Pennies => balances.reduce((sum, balance) => sum + balance[pick], 0)
  const inYear = income - staffing - nonStaffing
  return { ...year, income, staffing, nonStaffing, missing, balances, inYear, opening: over('opening'), closing: over('closing') }
}

/** A year's totals in pounds. */
export function presentOverviewYear({ balances: _balances, missing, gaps, ...lines }: OverviewYear) {
  return {
    income: toPounds(lines.income),
    staffing: toPounds(lines.staffing),
    nonStaffing: toPounds(lines.nonStaffing),
    inYear: toPounds(lines.inYear),
    opening: toPounds(lines.opening),
    closing: toPounds(lines.closing),
    missing,
    gaps,
  }
}

/** A yearly total in whole pennies, and the number of monthly figures that it leaves out because they could not be calculated. */
export interface YearSum {
  total: Pennies
  missing: number
}

/** The id under which the codes that must not be shown separately are combined. */
export const combinedCodesId = -1

const known = (ids: ReadonlySet<number | null>): number[] => [...ids].filter((id) => id !== null)

/** The dimension by which a budget is totalled. */
export type CodingDimension = 'costCentre' | 'fundCode'

const codings = {
  costCentre: { id: sql`cost_centre_id`, table: sql`cost_centres` },
  fundCode: { id: sql`fund_code_id`, table: sql`fund_codes` },
} as const

export interface SumByCoding {
  /** Null for amounts without a cost centre or fund, including the levy, pools and top slices. */
  id: number | null
  code: string
  description: string
  /** By budget year, in whole pennies. Months not yet calculated are excluded and counted in `missing`. */
  years: Record<'income' | 'staffing' | 'nonStaffing', YearSum>[]
}

/**
 * All amounts of a budget by cost centre or fund, divided as in `readOverview`. Balances carried between years are excluded. Pay that, next
 * to the totals by code, would reveal the pay of one or two people is combined, unless the caller may see staff.
 * @throws DomainError as `readHiddenCodes`
 */
export async function readSumsByCoding(
  call: Call & FiguresReader,
  { organisationId, id, head }: BudgetRow,
  by: CodingDimension,
): Promise<SumByCoding[]> {
  const { tx } = call
  const { id: coding, table } = codings[by]
  const codes = await readHiddenCodes(call, [id])
  const few = canSeeStaff(call.holder) ? codes : await findHiddenCodings(call, [id], { by, codes })
  const rows = await tx.execute<{
    id: number | null
    code: string | null
    description: string | null
    year: number
    side: 'income' | 'staffing' | 'nonStaffing'
    isFew: boolean
    total: string
    missing: string
  }>(sql`
    with sums as (
      select ${coding} as id, year, source_kind = 'contract' and (budget_code_id = any(${buildIntegerArray(known(codes))}) or ${coding} = any(${buildIntegerArray(known(few))})
        or ${few.has(null)} and ${coding} is null) as "isFew", sum(total) as total, sum(missing) as missing,
        case when c.type = 1 then 'income' when source_kind in ${staffSourceKinds} or c.id is null or c.category = 1 then 'staffing'
          else 'nonStaffing' end as side
      from budget_lines left join budget_codes c on c.id = budget_code_id
      where budget_lines.organisation_id = ${organisationId} and budget_id = ${id} and c.category is distinct from 4
      group by 1, 2, 3, side)
    select sums.*, coded.code, coded.description from sums left join ${table} coded on coded.id = sums.id order by coded.code nulls last, year`)
  const nothing = (): YearSum => ({ total: 0, missing: 0 })
  const sums = new Map<number | null, SumByCoding>()
  for (const row of rows) {
    const { isFew } = row
    const key = isFew ? combinedCodesId : row.id
    const sum = sums.get(key) ?? {
      id: key,
      code: isFew ? '' : (row.code ?? ''),
      description: isFew ? `${by === 'costCentre' ? 'Cost centres' : 'Fund codes'} with few people` : (row.description ?? ''),
      years: Array.from({ length: head.numberOfYears }, () => ({ income: nothing(), staffing: nothing(), nonStaffing: nothing() })),
    }
    sums.set(key, sum)
    const side = sum.years[row.year]?.[row.side]
    if (!side) continue
    side.total += Number(row.total)
    side.missing += Number(row.missing)
  }
  return [...sums.values()]
}
