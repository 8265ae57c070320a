import { and, eq, inArray, sql } from 'drizzle-orm'
import { findBudgetOfRecord, locateMonth } from '../../../../domain/budget/budgetOfRecord.ts'
import { actualType, budgetCodeCategory } from '../../../../domain/lookups/lookupIds.ts'
import {
  type CodeFigures,
  type CodeId,
  calculateCodeFigures,
  type ImportedAmounts,
  type LocationYear,
  sumCodeFigures,
} from '../../../../domain/monitoring/figures.ts'
import { type CalendarMonth, fromMonthIndex, toMonthIndex } from '../../../../domain/monitoring/monitoring.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import { invalid, notFound } from '../../../../domain/words/errors.ts'
import { monitoringItems } from '../../../../drizzle/monitoringTables.ts'
import { budgets } from '../../../../drizzle/schema.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { buildIntegerArray } from '../../../resources/listConditions.ts'
import { staffSourceKinds } from '../../../streams/budget/monthSums.ts'
import {
  findRequestedBudgets,
  type LimitedCaller,
  type LocationWithoutBudget,
  type MonitoredBudget,
  type MonitoringRequest,
  readBudgetHeads,
} from '../requests/queries.ts'

/** A location in the budget year of the selected month. */
export interface MonitoredLocation {
  locationId: LocationId
  /** The requested budgets of this location. They share its actuals, which therefore count once. */
  budgets: MonitoredBudget[]
  /** The first month of the budget year, counted in months since year 0, and its calendar year. */
  start: number
  year: number
  /** The selected month as a period, 1 to 12. */
  period: number
  /** Which of the twelve periods are closed, including those after the selected one. */
  closed: boolean[]
  /** The codes with a forecast method other than the budget, each with its method. */
  methods: LocationYear['methods']
}

/** The locations and months that a request covers. */
export interface MonitoredScope {
  locations: MonitoredLocation[]
  budgets: MonitoredBudget[]
  leftOut: LocationWithoutBudget[]
  /** Calendar months up to the selected one that are closed at every requested location. */
  closedMonths: number[]
  cumulative: boolean
}

/** All data that the figures of a request are derived from. */
export interface MonitoringFacts extends MonitoredScope {
  /** If requested by location, one year for each of `locations`; otherwise locations are added up into as few years as possible. */
  years: LocationYear[]
  staffCodes: ReadonlySet<CodeId>
  missing: ReadonlyMap<CodeId, number>
  /** The missing figures by code, one map for each of `years`. */
  gaps: readonly ReadonlyMap<CodeId, number>[]
}

/** The locations and months of a request, without figures. */
export async function findMonitoredScope(call: Call & LimitedCaller, request: MonitoringRequest): Promise<MonitoredScope> {
  const { tx } = call
  const { requested: budgets, leftOut } = await findRequestedBudgets(call, request)
  const budgetsByLocation = new Map<string, MonitoredBudget[]>()
  for (const one of budgets) {
    const key = `${one.locationId} ${startOf(one)}`
    budgetsByLocation.set(key, [...(budgetsByLocation.get(key) ?? []), one])
  }
  const begun = [...budgetsByLocation.values()].map((some) => {
    const { locationId, period, head, yearIndex } = assertDefined(some[0])
    return { locationId, budgets: some, start: startOf(assertDefined(some[0])), year: head.firstYear + yearIndex, period }
  })
  const closedAt = await readMonthsWithImports(tx, call.organisationId, begun)
  const methods = await readForecastMethods(tx, call.organisationId, begun)
  const locations = begun.map(
    (location, index): MonitoredLocation => ({
      ...location,
      closed: assertDefined(closedAt[index]),
      methods: assertDefined(methods[index]),
    }),
  )
  const [first, ...others] = locations.map(
    ({ closed, period, start }) => new Set(closed.flatMap((isClosed, at) => (isClosed && at < period ? [start + at] : []))),
  )
  return {
    locations,
    budgets,
    leftOut,
    closedMonths: [...(first ?? [])].filter((at) => others.every((one) => one.has(at))).map((at) => fromMonthIndex(at).month),
    cumulative: request.cumulativeActuals ?? (await readCumulativeSetting(tx, call.organisationId)),
  }
}

const startOf = ({ head, yearIndex }: MonitoredBudget): number => toMonthIndex({ year: head.firstYear + yearIndex, month: head.startMonth })

/** Which of the twelve months from a given month have actuals, for each of some locations. */
export async function readMonthsWithImports(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  locations: readonly { locationId: LocationId; start: number }[],
): Promise<boolean[][]> {
  if (!locations.length) return []
  const starts = locations.map((location) => location.start)
  const rows = await tx.execute<{ locationId: LocationId; at: number }>(sql`
    select location_id as "locationId", year * 12 + month - 1 as at from monitoring_items
    where organisation_id = ${organisationId} and location_id = any(${buildIntegerArray(locations.map((location) => location.locationId))}) and kind = 'month'
      and year * 12 + month - 1 between ${Math.min(...starts)} and ${Math.max(...starts) + 11} and (item ->> 'isClosed')::boolean`)
  const closed = new Set([...rows].map(({ locationId, at }) => `${locationId} ${at}`))
  return locations.map(({ locationId, start }) =>
    Array.from({ length: 12 }, (_unused, period) => closed.has(`${locationId} ${start + period}`)),
  )
}

/** The codes of some locations with a forecast method other than the budget, each with its method. */
export async function readForecastMethods(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  locations: readonly { locationId: LocationId; year: number }[],
): Promise<LocationYear['methods'][]> {
  if (!locations.length) return []
  const { locationId, kind, year } = monitoringItems
  const ids = locations.map((location) => location.locationId)
  const years = [...new Set(locations.map((location) => location.year))]
  const rows = await tx
    .select({ locationId, item: monitoringItems.item })
    .from(monitoringItems)
    .where(and(eq(monitoringItems.organisationId, organisationId), inArray(locationId, ids), eq(kind, 'forecast'), inArray(year, years)))
  return locations.map(
    (location) =>
      new Map(
        rows.flatMap(({ item, locationId: at }) =>
          item.kind === 'forecast' && at === location.locationId && item.year === location.year && item.method !== 'budget'
            ? [[item.budgetCodeId, { method: item.method, values: item.values }] as const]
            : [],
        ),
      ),
  )
}

/** Locations whose rows are added up together, except for some codes. */
interface LocationSum {
  start: number
  period: number
  closed: boolean[]
  methods: LocationYear['methods']
}

/** How the database adds up rows: the sum to which each location belongs, and the exceptions for single codes. */
interface Plan {
  sums: LocationSum[]
  /** For each location, the index of its sum in `sums`. */
  sumOf: number[]
  apart: { locationIndex: number; code: number; sum: number }[]
}

/** A plan with one sum for each location. */
const byLocation = (locationSums: readonly LocationSum[]): Plan => ({
  sums: [...locationSums],
  sumOf: locationSums.map((_unused, index) => index),
  apart: [],
})

/**
 * The plan with the fewest sums: locations are added up if their years start in the same month and the same months are closed. A code for
 * which a location has its own forecast method is summed for that location alone, because its forecast is rounded to whole pennies before
 * it is added.
 */
function planFewestSums(locations: readonly MonitoredLocation[]): Plan {
  const sums: LocationSum[] = []
  const known = new Map<string, number>()
  const sumOf = locations.map(({ start, period, closed }) => {
    const counted = closed.map((isClosed, at) => isClosed && at < period)
    const key = `${start} ${counted.join()}`
    const found = known.get(key) ?? sums.push({ start, period, closed: counted, methods: new Map() }) - 1
    known.set(key, found)
    return found
  })
  const apart = locations.flatMap((one, index) => {
    if (!one.methods.size) return []
    const sum = sums.push(one) - 1
    return [...one.methods.keys()].flatMap((code) => (code === null ? [] : [{ locationIndex: index, code, sum }]))
  })
  return { sums, sumOf, apart }
}

/**
 * Reads the data that the figures of a request are derived from.
 * @param way by location; or together, if only totals over all locations are shown, which the database then adds up
 * @param isRead the locations whose budget is needed; the missing figures of other locations are then unknown
 */
export async function readMonitoringFacts(
  call: Call & LimitedCaller,
  request: MonitoringRequest,
  { way, isRead = () => true }: { way: 'byLocation' | 'together'; isRead?: (location: MonitoredLocation) => boolean },
): Promise<MonitoringFacts> {
  const { tx, organisationId } = call
  const found = await findMonitoredScope(call, request)
  const { locations } = found
  const beside = await forecastBudget(call, request, locations)
  // A forecast budget replaces a single budget, so only one location takes part.
  const plan = way === 'byLocation' || beside ? byLocation(locations) : planFewestSums(locations)
  const lines = await budgetSums(
    { tx, organisationId },
    locations.flatMap((location, index) =>
      isRead(location)
        ? location.budgets.map(({ id, yearIndex }) => ({ id, yearIndex, locationIndex: index, sum: assertDefined(plan.sumOf[index]) }))
        : [],
    ),
    plan.apart,
  )
  const imported = await readImportedActuals({ tx, organisationId }, locations, plan)
  const budget = groupLinesBySum(lines, plan.sums.length)
  const staffCodes = new Set<CodeId>()
  const missing = new Map<CodeId, number>()
  const gaps = plan.sums.map(() => new Map<CodeId, number>())
  for (const { sum, code, staff, missing: count } of lines) {
    if (staff) staffCodes.add(code)
    if (!count) continue
    for (const counts of [missing, assertDefined(gaps[sum])]) counts.set(code, (counts.get(code) ?? 0) + count)
  }
  const years = plan.sums.map(
    ({ period, closed, methods }, sum): LocationYear => ({
      period,
      closed,
      methods,
      budget: assertDefined(budget[sum]),
      forecastBudget: beside,
      imported: assertDefined(imported[sum]),
    }),
  )
  return { ...found, years, staffCodes, missing, gaps }
}

/** The ids of the budgets whose figures are shown. */
export function listShownBudgetIds(
  { budgets }: Pick<MonitoredScope, 'budgets'>,
  { forecastBudgetId }: Pick<MonitoringRequest, 'forecastBudgetId'>,
): BudgetId[] {
  return [...budgets.map(({ id }) => id), ...(forecastBudgetId ? [forecastBudgetId] : [])]
}

/** The figures of one code over all locations. */
export function toCodeFigures({ years, cumulative }: Pick<MonitoringFacts, 'years' | 'cumulative'>, codeId: CodeId): CodeFigures {
  return sumCodeFigures(years.map((year) => calculateCodeFigures(year, codeId, cumulative)))
}

/** The codes with data in a location's year, including forecasts. */
export function listCodesOfYear({ budget, forecastBudget, imported, methods }: LocationYear): CodeId[] {
  return [...budget.keys(), ...(forecastBudget?.keys() ?? []), ...imported.keys(), ...methods.keys()]
}

const twelveSums = (of: (month: number) => string) =>
  sql.raw(Array.from({ length: 12 }, (_unused, month) => `coalesce(sum(${of(month + 1)}), 0)::float8`).join(', '))

interface BudgetSum {
  sum: number
  code: CodeId
  staff: boolean
  months: number[]
  missing: number
}

/** The lines of a year of each budget, by sum and code. */
async function budgetSums(
  { tx, organisationId }: Call<'organisationId'>,
  budgetYears: readonly { id: string; yearIndex: number; locationIndex: number; sum: number }[],
  apart: Plan['apart'],
): Promise<BudgetSum[]> {
  if (!budgetYears.length) return []
  const wanted = JSON.stringify(budgetYears.map(({ yearIndex, ...one }) => ({ ...one, year: yearIndex })))
  return [
    ...(await tx.execute<{ sum: number; code: number | null; staff: boolean; months: number[]; missing: number }>(sql`
      select ${goesTo(apart)} as sum, budget_code_id as code, bool_or(source_kind in ${staffSourceKinds}) as staff, array[${twelveSums((month) => `month_${month}`)}] as months,
        sum(missing)::integer as missing
      from json_to_recordset(${wanted}::json) as wanted(id char(24), year smallint, "locationIndex" integer, sum integer)
      join budget_lines on organisation_id = ${organisationId} and budget_id = wanted.id and budget_lines.year = wanted.year
      ${joined(apart)}
      group by 1, 2`)),
  ]
}

const goesTo = (apart: Plan['apart']) => (apart.length ? sql`coalesce(apart.sum, wanted.sum)` : sql`wanted.sum`)

const joined = (apart: Plan['apart']) =>
  apart.length
    ? sql`left join json_to_recordset(${JSON.stringify(apart)}::json) as apart("locationIndex" integer, code integer, sum integer)
        on apart."locationIndex" = wanted."locationIndex" and apart.code = budget_code_id`
    : sql``

/** The lines of each sum by code. */
function groupLinesBySum(rows: readonly BudgetSum[], count: number): Map<CodeId, number[]>[] {
  const budget = Array.from({ length: count }, () => new Map<CodeId, number[]>())
  for (const { sum, code, months } of rows) assertDefined(budget[sum]).set(code, months)
  return budget
}

/** The actuals of each location's year up to its period, by sum. */
export async function readImportedActuals(
  { tx, organisationId }: Call<'organisationId'>,
  locations: readonly Pick<MonitoredLocation, 'locationId' | 'start' | 'period'>[],
  { sums, sumOf, apart }: Plan,
): Promise<Map<CodeId, ImportedAmounts>[]> {
  const imported = sums.map(() => new Map<CodeId, ImportedAmounts>())
  if (!locations.length) return imported
  const wanted = locations.flatMap(({ locationId, start, period }, index) =>
    [Math.floor(start / 12), Math.floor(start / 12) + 1].flatMap((year) => {
      const months = Array.from({ length: 12 }, (_unused, month) => year * 12 + month >= start && year * 12 + month < start + period)
      const bits = months.reduce((mask, isWanted, month) => (isWanted ? mask | (1 << month) : mask), 0)
      return bits ? [{ locationId, year, bits, locationIndex: index, sum: assertDefined(sumOf[index]) }] : []
    }),
  )
  const rows = await tx.execute<{ sum: number; type: number; code: number; year: number; months: number[] }>(sql`
    select ${goesTo(apart)} as sum, type, budget_code_id as code, actual_sums.year, array[${twelveSums((month) => `amounts[${month}]`)}] as months
    from json_to_recordset(${JSON.stringify(wanted)}::json) as wanted("locationId" integer, year smallint, bits integer, "locationIndex" integer, sum integer)
    join actual_sums on organisation_id = ${organisationId} and location_id = wanted."locationId" and actual_sums.year = wanted.year
      and months & wanted.bits <> 0
    ${joined(apart)}
    group by 1, 2, 3, 4`)
  for (const { sum, type, code, year, months } of rows) {
    const amounts = assertDefined(imported[sum]).get(code) ?? { actuals: Array<number>(12).fill(0), commitments: Array<number>(12).fill(0) }
    const values = type === actualType.actual ? amounts.actuals : amounts.commitments
    months.forEach((value, month) => {
      const period = year * 12 + month - assertDefined(sums[sum]).start
      if (period >= 0 && period < assertDefined(sums[sum]).period) values[period] = value
    })
    assertDefined(imported[sum]).set(code, amounts)
  }
  return imported
}

/** Whether imports are year to date, by the organisation's setting. */
export async function readCumulativeSetting(tx: OrganisationTx, organisationId: OrganisationId): Promise<boolean> {
  const [row] = await readResourceRecords(tx, resources.organisation, { column: 'id', ids: [organisationId] })
  return Boolean(row?.useCumulativeActuals)
}

/**
 * @throws DomainError 400 for a forecast budget without a budget to replace, of another location, or without the year
 */
async function forecastBudget(
  call: Call & LimitedCaller,
  { forecastBudgetId, budgetId, ...month }: MonitoringRequest,
  [location]: readonly MonitoredLocation[],
): Promise<Map<CodeId, number[]> | null> {
  if (!forecastBudgetId) return null
  const [head] = await readBudgetHeads(call, eq(budgets.id, forecastBudgetId))
  if (!head) throw notFound('Budget')
  const at = locateMonth(head.head, month)
  if (!budgetId || head.locationId !== assertDefined(location).locationId || !at)
    throw invalid([{ field: 'forecastBudgetId', message: 'Choose a forecast budget for the same location that covers the year.' }])
  const lines = await budgetSums(call, [{ id: head.id, yearIndex: at.yearIndex, locationIndex: 0, sum: 0 }], [])
  return assertDefined(groupLinesBySum(lines, 1)[0])
}

/**
 * The balance brought forward into the years of some budgets: opening balances plus the results of earlier years, by
 * budget; whole pennies.
 */
export async function readBroughtForward(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgets: readonly MonitoredBudget[],
): Promise<Map<string, number>> {
  if (!budgets.length) return new Map()
  const wanted = JSON.stringify(budgets.map(({ id, yearIndex }) => ({ id, year: yearIndex })))
  const rows = await tx.execute<{ id: string; value: number }>(sql`
    with wanted as (select * from json_to_recordset(${wanted}::json) as wanted(id char(24), year smallint))
    select id, sum(value)::float8 as value from (
      select wanted.id, (item ->> 'value')::bigint as value from wanted
      join budget_items on budget_items.organisation_id = ${organisationId} and budget_id = wanted.id and kind = 'balance'
      union all
      select wanted.id, case when code.type = 1 then total else -total end from wanted
      join budget_lines line on line.organisation_id = ${organisationId} and line.budget_id = wanted.id and line.year < wanted.year
      left join budget_codes code on code.id = line.budget_code_id
      where code.category is distinct from ${budgetCodeCategory.balance}
    ) brought group by id`)
  return new Map([...rows].map(({ id, value }) => [id, value]))
}

/** The previous years of the locations, with actuals and without a budget. */
export async function readPreviousYears(call: Call & LimitedCaller, { locations }: MonitoredScope): Promise<LocationYear[]> {
  const { tx, organisationId } = call
  const begun = locations.map((location) => ({ ...location, start: location.start - 12, period: 12, methods: new Map() }))
  const closed = await readMonthsWithImports(tx, organisationId, begun)
  const before = begun.map((location, index): MonitoredLocation => ({ ...location, closed: assertDefined(closed[index]) }))
  const plan = planFewestSums(before)
  const imported = await readImportedActuals(call, before, plan)
  return plan.sums.map((sum, index) => ({ ...sum, budget: new Map(), forecastBudget: null, imported: assertDefined(imported[index]) }))
}

/**
 * Reads the actuals of twelve months from a given month, by location, without budget figures. A location with a month that has no actuals
 * gets null.
 */
export async function readActualsOfYears(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  locations: readonly Pick<MonitoredLocation, 'locationId' | 'start'>[],
): Promise<(LocationYear | null)[]> {
  const closed = await readMonthsWithImports(tx, organisationId, locations)
  const whole = locations.flatMap(({ locationId, start }, index) =>
    assertDefined(closed[index]).every(Boolean)
      ? [{ index, locationId, start, period: 12, closed: assertDefined(closed[index]), methods: new Map() }]
      : [],
  )
  const imported = await readImportedActuals({ tx, organisationId }, whole, byLocation(whole))
  const years = new Map(
    whole.map((location, at) => [
      location.index,
      { ...location, budget: new Map(), forecastBudget: null, imported: assertDefined(imported[at]) },
    ]),
  )
  return locations.map((_one, index) => years.get(index) ?? null)
}

/**
 * The lines of the approved budgets of the requested locations; null if one has none, or the requested budgets are the
 * approved ones.
 */
export async function readApprovedLines(
  call: Call & LimitedCaller,
  facts: MonitoredScope,
  month: CalendarMonth,
): Promise<ReadonlyMap<CodeId, readonly number[]> | null> {
  const locationIds = [...new Set(facts.budgets.map((one) => one.locationId))]
  if (!locationIds.length) return null
  const heads = (await readBudgetHeads(call, inArray(budgets.locationId, locationIds))).flatMap((one) => {
    const monthPosition = locateMonth(one.head, month)
    return monthPosition && one.head.approval?.state === 'approved' ? [{ ...one, ...monthPosition }] : []
  })
  const approved = locationIds.map((id) => findBudgetOfRecord(heads.filter((one) => one.locationId === id)))
  if (approved.some((one) => !one)) return null
  const found = approved.map((one) => assertDefined(one))
  if (found.every((one) => facts.budgets.some((budget) => budget.id === one.id))) return null
  const sums = await budgetSums(
    call,
    found.map((one) => ({ ...one, locationIndex: 0, sum: 0 })),
    [],
  )
  return assertDefined(groupLinesBySum(sums, 1)[0])
}
