import { type SQL, sql } from 'drizzle-orm'
import { actualType, budgetCodeType } from '../../../../../domain/lookups/lookupIds.ts'
import { formatMonth, fromMonthIndex } from '../../../../../domain/monitoring/monitoring.ts'
import { canSeeActuals } from '../../../../../domain/monitoring/rights.ts'
import type { LineFilter } from '../../../../../domain/reports/report.ts'
import { buildLinesWithActuals } from '../../../../../domain/reports/returns/returnActuals.ts'
import { resources } from '../../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../../../domain/values/calendar.ts'
import { toPennies, toPounds } from '../../../../../domain/values/format.ts'
import { type LocationId, type OrganisationId, toBudgetId } from '../../../../../domain/values/ids.ts'
import type { Pennies } from '../../../../../domain/values/units.ts'
import { forbidden, invalid } from '../../../../../domain/words/errors.ts'
import type { Call } from '../../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../../core/database/database.ts'
import { readResourceRecords } from '../../../../core/database/tables.ts'
import { buildVisibleActualLines } from '../../../../shared/fewPeople/queries.ts'
import { readImportsYearToDate } from '../../../../shared/monitoring/imported/queries.ts'
import type { ReportLine } from '../../../../shared/reports/lines/line.ts'
import {
  findYearsWithActuals,
  type ReturnLocation,
  type ReturnYearLocations,
  readActualsBySum,
} from '../../../../shared/reports/returnActuals/queries.ts'
import type { ReportedScope, ReportReader } from '../../../../shared/reports/scopes/queries.ts'

/** The months of a budget year that are forecast from the budget. */
export interface ForecastYear {
  id: string
  year: number
  /** A bit mask of the twelve months; the lowest bit is the first month. */
  bits: number
  /** Ids of the budget codes that use another forecast method. */
  without: number[]
}

/** What a figure in the Budget Forecast Return adds up: actuals, forecasts by method, and the budgets of the remaining months. */
export interface OutturnLines {
  lines: ReportLine[]
  /** Whole pennies. */
  total: Pennies
  count: number
  open: ForecastYear[]
  /** The budgets of the years that the figure covers. */
  budgets: ReportedScope['budgets']
}

/** The periods that a figure covers, from 0. */
function listPeriods({ month }: LineFilter): number[] {
  const [from, to] = month?.split('-').map(Number) ?? []
  const first = from ?? 1
  return Array.from({ length: (from ? (to ?? first) : 12) - first + 1 }, (_unused, index) => first - 1 + index)
}

/**
 * Reads the lines of a figure in the Budget Forecast Return that come from actuals and forecasts rather than from budgets.
 * @throws DomainError 403 for a caller who may not see actuals; 400 for a year that is not in the return
 */
export async function readLinesOfOutturn(
  call: Call & ReportReader,
  scope: ReportedScope,
  { filter, hasWords, most }: { filter: LineFilter; hasWords: boolean; most: number },
): Promise<OutturnLines> {
  const { tx } = call
  if (!canSeeActuals(call.holder)) throw forbidden()
  if (!filter.code || (filter.side !== 'income' && filter.side !== 'expenditure' && filter.side !== 'inYear'))
    throw invalid([{ field: 'row', message: 'This figure is not a total of actuals. Choose another.' }])
  const [came] = await findYearsWithActuals(call, [scope])
  const years = new Map(assertDefined(came).map((one) => [one.year, one]))
  const shown = [...assertDefined(came).flatMap((one) => (one.isInFront ? [one.year] : [])), ...scope.years]
  const matchingYears = shown.filter((year) => !filter.year || formatBudgetYear(year, 0) === filter.year)
  if (!matchingYears.length) throw invalid([{ field: 'column', message: 'The report does not have that year.' }])
  const periods = listPeriods(filter)
  const cumulative = await readImportsYearToDate(tx, call.organisationId)
  const found = matchingYears.flatMap((year) => years.get(year) ?? [])
  const open = matchingYears.flatMap((year) => listForecastYears(year, { came: years.get(year), scope, periods }))
  const from = hasWords
    ? sql`actual_lines`
    : await buildVisibleActualLines(
        call,
        scope.budgets.map(({ id }) => id),
      )
  const actual = await readActualLines(tx, call.organisationId, { filter, years: found, periods, cumulative, hasWords, most, from })
  const forecast = await readForecastLines(tx, call.organisationId, { filter, scope, years: found, periods, cumulative })
  return {
    lines: [...actual.lines, ...forecast],
    total: actual.total + forecast.reduce((sum, line) => sum + toPennies(line.amount ?? 0), 0),
    count: actual.count + forecast.length,
    open,
    budgets: found.flatMap((one) => one.locations.flatMap(({ budgets }) => budgets ?? [])),
  }
}

/** The months of a year that are forecast from budgets. */
function listForecastYears(
  year: number,
  { came, scope, periods }: { came: ReturnYearLocations | undefined; scope: ReportedScope; periods: readonly number[] },
): ForecastYear[] {
  const bitsOf = (closed: readonly boolean[]): number => periods.reduce((bits, period) => (closed[period] ? bits : bits | (1 << period)), 0)
  if (!came) return scope.budgets.map(({ id, head }) => ({ id, year: year - head.firstYear, bits: bitsOf([]), without: [] }))
  if (came.isPrior) return []
  return came.locations.flatMap(({ budgets, closed, methods }) =>
    (budgets ?? []).map(({ id, head }) => ({
      id,
      year: year - head.firstYear,
      bits: bitsOf(closed),
      without: [...methods.keys()].flatMap((code) => code ?? []),
    })),
  )
}

interface Asking {
  filter: LineFilter
  years: readonly ReturnYearLocations[]
  periods: readonly number[]
  cumulative: boolean
}

/**
 * The stored months of a location that a figure adds or subtracts. If imports hold the year to date, the last month includes all before it,
 * so the last closed month before the figure's first is subtracted.
 */
function listStoredMonths(
  { closed, start }: ReturnLocation,
  periods: readonly number[],
  cumulative: boolean,
): { at: number; sign: number }[] {
  const isIn = periods.filter((period) => closed[period])
  const [first, last] = [isIn[0], isIn.at(-1)]
  if (first === undefined || last === undefined) return []
  if (!cumulative) return isIn.map((period) => ({ at: start + period, sign: 1 }))
  const before = closed.lastIndexOf(true, first - 1)
  return [{ at: start + last, sign: 1 }, ...(first > 0 && before >= 0 ? [{ at: start + before, sign: -1 }] : [])]
}

const isIncome = sql`code.type = 1`

async function readActualLines(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { filter, years: found, periods, cumulative, hasWords, most, from }: Asking & { hasWords: boolean; most: number; from: SQL },
): Promise<{ lines: ReportLine[]; total: number; count: number }> {
  const wanted = found.flatMap(({ locations, year: budgetYear }) =>
    locations.flatMap((one) =>
      listStoredMonths(one, periods, cumulative).map(({ at, sign }) => ({
        locationId: one.location.id,
        ...fromMonthIndex(at),
        sign,
        budgetYear,
      })),
    ),
  )
  const codes = assertDefined(filter.code)
    .split(',')
    .filter((one) => one !== 'levy')
  if (!wanted.length || !codes.length) return { lines: [], total: 0, count: 0 }
  const signed: SQL = filter.side === 'inYear' ? sql`case when ${isIncome} then 1 else -1 end` : sql`1`
  const side: SQL = filter.side === 'income' ? sql`and ${isIncome}` : filter.side === 'expenditure' ? sql`and not ${isIncome}` : sql``
  const rows = await tx.execute<{
    locationId: LocationId
    budgetYear: number
    year: number
    month: number
    version: number
    line: number
    description: string | null
    sign: number
    code: string
    centre: string | null
    fund: string | null
    amount: number
    total: number
    count: number
  }>(sql`
    select line.location_id as "locationId", wanted."budgetYear", line.year, line.month, line.version, line.line, line.description, wanted.sign,
      code.code, centre.code as centre, fund.code as fund, (wanted.sign * line.value * ${signed})::float8 as amount,
      sum(wanted.sign * line.value * ${signed}) over ()::float8 as total, count(*) over ()::integer as count
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted("locationId" integer, year smallint, month smallint, sign integer, "budgetYear" integer)
    join ${from} line on line.organisation_id = ${organisationId} and line.location_id = wanted."locationId" and line.year = wanted.year
      and line.month = wanted.month and line.type = ${actualType.actual} and line.budget_code_id = any(${sql.param(`{${codes.join(',')}}`)}::integer[])
    join budget_codes code on code.id = line.budget_code_id ${side}
    left join cost_centres centre on centre.id = line.cost_centre_id left join fund_codes fund on fund.id = line.fund_code_id
    order by abs(line.value) desc, line.year, line.month, line.location_id, line.version, line.line limit ${most}`)
  const names = new Map(found.flatMap(({ locations }) => locations.map(({ location }) => [location.id, location.name])))
  return {
    total: rows[0]?.total ?? 0,
    count: rows[0]?.count ?? 0,
    lines: [...rows].map((row): ReportLine => {
      const month = formatMonth(row)
      const came = cumulative ? (row.sign < 0 ? `Less the year to date at ${month}` : `Year to date at ${month}`) : month
      return {
        kind: 'actual',
        id: `${row.locationId} ${row.year} ${row.month} ${row.version} ${row.line}`,
        name: hasWords && row.description ? `${came}: ${row.description}` : came,
        budgetId: toBudgetId(''),
        budget: '',
        locationId: row.locationId,
        location: assertDefined(names.get(row.locationId)),
        code: row.code,
        centre: row.centre ?? '',
        fund: row.fund ?? '',
        year: formatBudgetYear(row.budgetYear, 0),
        amount: toPounds(row.amount),
        missing: 0,
      }
    }),
  }
}

const methodNames = {
  whatIsLeft: 'remaining budget',
  runRate: 'at the current rate',
  typed: 'entered month by month',
  budget: 'as budgeted',
} as const

/** The forecast lines for open months, on codes for which a location uses another method than its budget. */
async function readForecastLines(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { filter, scope, years: found, periods, cumulative }: Asking & { scope: ReportedScope },
): Promise<ReportLine[]> {
  const yearsWithActuals = found.filter((one) => !one.isPrior && one.locations.some(({ methods }) => methods.size))
  if (!yearsWithActuals.length) return []
  const records = new Map((await readResourceRecords(tx, resources.budgetCode)).map((record) => [record.id, record]))
  const codes = new Set(assertDefined(filter.code).split(','))
  const isSeveral = new Set(scope.budgets.map((one) => one.location.id)).size > 1
  const { plan, sums } = await readActualsBySum(tx, organisationId, [yearsWithActuals])
  const locationBySum = new Map(plan.apart.map(({ sum, locationIndex: index }) => [sum, assertDefined(plan.locations[index]).location]))
  return [...locationBySum].flatMap(([index, { location, closed, methods }]) => {
    const sum = assertDefined(sums[index])
    return buildLinesWithActuals(sum, { cumulative, isSeveral, internal: new Set() }).flatMap(
      ({ codeId, transfer, amounts, missing }): ReportLine[] => {
        const record = codeId === null ? undefined : records.get(codeId)
        if (!record || transfer || !codes.has(String(codeId)) || !methods.has(codeId)) return []
        const came = record.type === budgetCodeType.income
        if ((filter.side === 'income' && !came) || (filter.side === 'expenditure' && came)) return []
        const total = periods.reduce((all, period) => (closed[period] ? all : all + (amounts[period] ?? 0)), 0)
        if (!total) return []
        return [
          {
            kind: 'forecast',
            id: `${location.id} ${codeId}`,
            name: `Forecast for the months without actuals: ${methodNames[assertDefined(methods.get(codeId)).method]}`,
            budgetId: toBudgetId(''),
            budget: '',
            locationId: location.id,
            location: location.name,
            code: record.code,
            centre: '',
            fund: '',
            year: formatBudgetYear(assertDefined(plan.sums[index]).of.year, 0),
            amount: toPounds(filter.side === 'inYear' && !came ? -total : total),
            missing,
          },
        ]
      },
    )
  })
}
