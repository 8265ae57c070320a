import { inArray, sql } from 'drizzle-orm'
import { findBudgetOfRecord } from '../../../../domain/budget/budgetOfRecord.ts'
import { toMonthIndex } from '../../../../domain/monitoring/monitoring.ts'
import type { CodeBudget, EarlierYear, ReturnActuals, ReturnYear, YearActuals } from '../../../../domain/reports/facts.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../../domain/values/calendar.ts'
import type { OrganisationId } from '../../../../domain/values/ids.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { partialMonthSums, staffSourceKinds } from '../../../streams/budget/monthSums.ts'
import {
  type ClosedMonthsAndMethods,
  readImportedYears,
  readImportsYearToDate,
  readMonthsWithActuals,
} from '../../monitoring/imported/queries.ts'
import { type LimitedCaller, readBudgetHeads } from '../../monitoring/requests/queries.ts'
import { readMoneyFactsByLocation, readReportUnits, returnStartMonth } from '../money/queries.ts'
import type { ReportBudget, ReportedScope } from '../scopes/queries.ts'

/** A location in one year of the return. */
export interface ReturnLocation {
  location: ReportBudget['location']
  /** The first month of the year, counted in months since year 0. */
  start: number
  closed: boolean[]
  methods: ClosedMonthsAndMethods['methods']
  /** The budgets used for months without actuals; null if there are none. */
  budgets: readonly ReportBudget[] | null
}

/** The locations in a calendar year of the return that has actuals or is before the budgets. */
export interface ReturnYearLocations {
  year: number
  isPrior: boolean
  isAsked: boolean
  isInFront: boolean
  locations: ReturnLocation[]
}

const has = ({ head }: Pick<ReportBudget, 'head'>, year: number): boolean =>
  year >= head.firstYear && year < head.firstYear + head.numberOfYears

/**
 * For each scope, its years with actuals, and the years before its budgets (rules.md §20): the year before the current one, and the current
 * year too if the budgets start after it. The current year is the last one with actuals.
 */
export async function findYearsWithActuals(call: Call & LimitedCaller, scopes: readonly ReportedScope[]): Promise<ReturnYearLocations[][]> {
  const { tx, organisationId } = call
  const request = scopes.map(({ budgets: scopeBudgets, years }) => {
    const first = assertDefined(years[0])
    const from = Math.min(first - 2, ...scopeBudgets.map(({ head }) => head.firstYear))
    const locations = [...new Map(scopeBudgets.map(({ location }) => [location.id, location])).values()]
    const all = Array.from({ length: assertDefined(years.at(-1)) - from + 1 }, (_unused, index) => from + index)
    return all.flatMap((year) =>
      locations.map((location) => ({
        year,
        location,
        locationId: location.id,
        start: toMonthIndex({ year, month: returnStartMonth }),
        budgets: scopeBudgets.filter((one) => one.location.id === location.id && has(one, year)),
      })),
    )
  })
  const flat = request.flat()
  const months = await readMonthsWithActuals(tx, organisationId, flat)
  const locationMonths = flat.map((one, index) => ({ ...one, ...assertDefined(months[index]) }))
  const records = await readBudgetsOfRecord(call, scopes)
  let at = 0
  return scopes.map((scope, index) => {
    const locationsOfYear = locationMonths.slice(at, at + assertDefined(request[index]).length)
    at += locationsOfYear.length
    return findYearsOfScope(scope, locationsOfYear, records)
  })
}

type LocationYear = ReturnLocation & { year: number; budgets: readonly ReportBudget[] }

/** As `findYearsWithActuals`, for one scope. */
function findYearsOfScope(
  { years }: ReportedScope,
  locationMonths: readonly LocationYear[],
  records: ReadonlyMap<string, ReportBudget>,
): ReturnYearLocations[] {
  const first = assertDefined(years[0])
  const of = (year: number): LocationYear[] => locationMonths.filter((one) => one.year === year)
  const shown = [first - 1, ...years]
  const last = shown.findLast((year) => of(year).some((one) => one.closed.some(Boolean)))
  const isOver = last !== undefined && of(last).every((one) => one.closed.every(Boolean))
  const current = last === undefined ? first : isOver ? last + 1 : last
  const front = current > first ? [] : current === first ? [first - 1] : [first - 2, first - 1]
  return [...new Set(locationMonths.map((one) => one.year))].flatMap((year): ReturnYearLocations[] => {
    const isInFront = front.includes(year)
    const isPrior = isInFront && year < current
    const recordOf = ({ location }: LocationYear): ReportBudget | undefined =>
      isInFront && !isPrior ? records.get(`${location.id} ${year}`) : undefined
    const yearLocations = of(year).map((one) => {
      const record = one.budgets.length ? undefined : recordOf(one)
      return { ...one, record, budgets: one.budgets.length ? one.budgets : record ? [record] : null }
    })
    // A location without a budget for this year is left out, unless the year is before all budgets.
    const counted = isInFront || years.includes(year) ? yearLocations : yearLocations.filter((one) => one.budgets !== null)
    const isAsked = yearLocations.some((one) => one.budgets !== null) && !yearLocations.some((one) => one.record)
    const came = counted.some((one) => one.closed.some(Boolean) || one.methods.size > 0)
    return isInFront || came ? [{ year, isPrior, isAsked, isInFront, locations: counted }] : []
  })
}

/** The budgets of record of the two years before each scope starts, by location and year. */
async function readBudgetsOfRecord(call: Call & LimitedCaller, scopes: readonly ReportedScope[]): Promise<Map<string, ReportBudget>> {
  const locations = new Map(
    scopes.flatMap(({ budgets: scopeBudgets }) => scopeBudgets.map(({ location }) => [location.id, location] as const)),
  )
  if (!locations.size) return new Map()
  const heads = (await readBudgetHeads(call, inArray(budgets.locationId, [...locations.keys()]))).filter(
    ({ head }) => head.startMonth === returnStartMonth,
  )
  const years = [...new Set(scopes.map((scope) => assertDefined(scope.years[0]) - 1))]
  return new Map(
    years.flatMap((year) =>
      [...locations.values()].flatMap((location) => {
        const record = findBudgetOfRecord(heads.filter((one) => one.locationId === location.id && has({ head: one.head }, year)))
        return record ? [[`${location.id} ${year}`, { ...record, location }] as const] : []
      }),
    ),
  )
}

/** The actuals of each scope, including its years before the budgets, read together for any number of scopes. */
export async function readReturnActuals(call: Call & LimitedCaller, scopes: readonly ReportedScope[]): Promise<ReturnActuals[]> {
  const { tx, organisationId } = call
  const years = await findYearsWithActuals(call, scopes)
  const cumulative = await readImportsYearToDate(tx, organisationId)
  const { plan, sums } = await readActualsBySum(tx, organisationId, years)
  const front = await readEarlierYears(call, scopes, years)
  return scopes.map((_scope, scope) => ({
    cumulative,
    earlierYears: assertDefined(front[scope]),
    years: assertDefined(years[scope]).map((one): ReturnYear => {
      return {
        year: formatBudgetYear(one.year, 0),
        isPrior: one.isPrior,
        isRequested: one.isAsked,
        sums: sums.filter((_sum, index) => assertDefined(plan.sums[index]).of === one),
        months: one.locations.map(({ location, closed, budgets: some }) => ({
          location: location.name,
          closed,
          hasBudget: !one.isPrior && some !== null,
        })),
      }
    }),
  }))
}

/**
 * The plan that combines locations into sums, and the actuals, forecast methods and budget lines of each sum.
 * @param years the years of each scope
 */
export async function readActualsBySum(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  years: readonly (readonly ReturnYearLocations[])[],
): Promise<{ plan: SumPlan; sums: YearActuals[] }> {
  const plan = planFewestSums(years)
  const imported = await readImportedYears(
    { tx, organisationId },
    plan.locations.map(({ location, sum }) => ({ locationId: location.location.id, start: location.start, sum })),
    { sums: plan.sums, apart: plan.apart },
  )
  const budgeted = await readBudgetLines(tx, organisationId, plan)
  return {
    plan,
    sums: plan.sums.map(({ closed, methods, hasBudget }, index) => ({
      closed,
      methods,
      imported: assertDefined(imported[index]),
      budget: hasBudget ? assertDefined(budgeted[index]) : null,
    })),
  }
}

interface SumPlan {
  sums: { of: ReturnYearLocations; start: number; closed: boolean[]; methods: ClosedMonthsAndMethods['methods']; hasBudget: boolean }[]
  locations: { location: ReturnLocation; sum: number }[]
  apart: { locationIndex: number; code: number; sum: number }[]
}

/**
 * The plan with the fewest sums: locations in a year are added up if they have actuals for the same months. A code for which a location has
 * its own forecast method is summed for that location alone, because its forecast is rounded to whole pennies before it is added.
 */
function planFewestSums(scopes: readonly (readonly ReturnYearLocations[])[]): SumPlan {
  const plan: SumPlan = { sums: [], locations: [], apart: [] }
  for (const of of scopes.flat()) {
    const known = new Map<string, number>()
    for (const location of of.locations) {
      const { start, closed, methods } = location
      const hasBudget = location.budgets !== null
      const key = `${closed.join()} ${hasBudget}`
      const sum = known.get(key) ?? plan.sums.push({ of, start, closed, methods: new Map(), hasBudget }) - 1
      known.set(key, sum)
      const index = plan.locations.push({ location, sum }) - 1
      if (!methods.size) continue
      const apart = plan.sums.push({ of, start, closed, methods, hasBudget }) - 1
      for (const code of methods.keys()) if (code !== null) plan.apart.push({ locationIndex: index, code, sum: apart })
    }
  }
  return plan
}

const gaps = sql.raw(
  `array[${Array.from({ length: 12 }, (_unused, month) => `(count(*) - count(month_${month + 1}))::integer`).join(', ')}]`,
)

/** The budget lines of each sum, by code, side and counterpart. */
async function readBudgetLines(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  { sums, locations: locationSums, apart }: SumPlan,
): Promise<CodeBudget[][]> {
  const found = sums.map((): CodeBudget[] => [])
  const wanted = locationSums.flatMap(({ location: { budgets: locationBudgets, start }, sum }, index) =>
    (locationBudgets ?? []).map(({ id, head }) => ({ id, year: Math.floor(start / 12) - head.firstYear, locationIndex: index, sum })),
  )
  if (!wanted.length) return found
  const rows = await tx.execute<{
    sum: number
    code: number | null
    staff: boolean
    transfer: CodeBudget['transfer']
    months: (number | null)[]
    gaps: number[]
  }>(sql`
    select coalesce(apart.sum, wanted.sum) as sum, budget_code_id as code, source_kind in ${staffSourceKinds} as staff,
      case when source_kind = 'transfer' then component end as transfer, ${partialMonthSums} as months, ${gaps} as gaps
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted(id char(24), year smallint, "locationIndex" integer, sum integer)
    join budget_lines on organisation_id = ${organisationId} and budget_id = wanted.id and budget_lines.year = wanted.year
    left join json_to_recordset(${JSON.stringify(apart)}::json) as apart("locationIndex" integer, code integer, sum integer)
      on apart."locationIndex" = wanted."locationIndex" and apart.code = budget_code_id
    group by 1, 2, 3, 4`)
  for (const { sum, code, staff, transfer, months, gaps: missing } of rows)
    assertDefined(found[sum]).push({ codeId: code, isStaff: staff, transfer, amounts: months, gaps: missing })
  return found
}

/** The years before the budgets of each scope, with their pupils and opening balances. */
async function readEarlierYears(
  call: Call & LimitedCaller,
  scopes: readonly ReportedScope[],
  years: readonly (readonly ReturnYearLocations[])[],
): Promise<EarlierYear[][]> {
  const { tx } = call
  const front = years.map((yearsOfScope) => yearsOfScope.filter((one) => one.isInFront))
  const running = front.flatMap((yearsOfScope) =>
    yearsOfScope.filter((one) => !one.isPrior && one.locations.some(({ budgets: some }) => some !== null)),
  )
  const carried = running.length
    ? await readMoneyFactsByLocation(
        call,
        running.map(({ locations, year }) => ({
          budgets: locations.flatMap((one) => one.budgets ?? []),
          years: [year],
          leftOut: [],
        })),
        { request: {}, asking: { spread: 'years', byCentre: false } },
      )
    : []
  const buckets = front.flatMap((yearsOfScope, scope) =>
    yearsOfScope.map(({ year }) => ({
      unit: { year: formatBudgetYear(year, 0), location: null, budget: null },
      of: assertDefined(scopes[scope]).budgets.map((budget) => ({ budget, year })),
    })),
  )
  const units = await readReportUnits(tx, call.organisationId, buckets)
  let at = 0
  return front.map((yearsOfScope) =>
    yearsOfScope.map((one): EarlierYear => {
      const unit = assertDefined(units[at++])
      const begun = running.indexOf(one)
      return { unit, carried: begun < 0 ? null : assertDefined(carried[begun]).carried }
    }),
  )
}
