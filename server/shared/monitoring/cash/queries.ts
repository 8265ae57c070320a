import { and, eq, inArray, sql } from 'drizzle-orm'
import { budgetCodeCategory, budgetCodeType } from '../../../../domain/lookups/lookupIds.ts'
import {
  type CashMonth,
  type CodeCashFlow,
  findLowestCash,
  forecastCash,
  minimumForecastMonths,
  sumCashForecasts,
} from '../../../../domain/monitoring/cash.ts'
import { type CodeId, calculateCodeFigures } from '../../../../domain/monitoring/figures.ts'
import type { CalendarMonth } from '../../../../domain/monitoring/monitoring.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import { type BudgetId, type LocationId, type OrganisationId, organisationWideLocationId } from '../../../../domain/values/ids.ts'
import type { Pounds } from '../../../../domain/values/units.ts'
import { monitoringItems } from '../../../../drizzle/monitoringTables.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { type FiguresReader, findBudgetsOfFewPeople, refuseCodeOfFewPeople } from '../../fewPeople/queries.ts'
import { listCodesOfYear, listShownBudgetIds, readMonitoringFacts } from '../facts/queries.ts'
import { findRequestedBudgets, type LimitedCaller, type LocationWithoutBudget, type MonitoringRequest } from '../requests/queries.ts'

/** A month of a cash forecast as the API shows it: pounds. */
export interface ShownCashMonth extends CalendarMonth {
  opening: Pounds | null
  receipts: Pounds | null
  payments: Pounds | null
  closing: Pounds | null
  missing: number
}

export interface CashForecast {
  months: ShownCashMonth[]
  /** The month with the least cash; null if none can be calculated. */
  lowest: (CalendarMonth & { closing: number }) | null
  floor: number | null
  isBelowFloor: boolean
  /** The opening cash of each location's budget year. */
  opening: { locationId: LocationId; location: string; year: number; value: number | null }[]
  leftOut: LocationWithoutBudget[]
}

interface CashLine {
  id: BudgetId
  year: number
  code: CodeId
  isLate: boolean
  months: number[]
  missing: number[]
}

const twelve = (of: (month: number) => string) =>
  sql.join(
    Array.from({ length: 12 }, (_unused, month) => sql.raw(of(month + 1))),
    sql`, `,
  )

/** The lines of two years of each budget by code, with employer contributions listed separately. */
async function readCashLines(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  budgets: readonly { id: string; yearIndex: number }[],
): Promise<CashLine[]> {
  if (!budgets.length) return []
  const wanted = JSON.stringify(budgets.map(({ id, yearIndex }) => ({ id, year: yearIndex })))
  return [
    ...(await tx.execute<{ id: BudgetId; year: number; code: number | null; isLate: boolean; months: number[]; missing: number[] }>(sql`
      select line.budget_id as id, line.year - wanted.year as year, budget_code_id as code, component in ('ni', 'pension') as "isLate",
        array[${twelve((month) => `coalesce(sum(month_${month}), 0)::float8`)}] as months,
        array[${twelve((month) => `count(*) filter (where month_${month} is null)::integer`)}] as missing
      from json_to_recordset(${wanted}::json) as wanted(id char(24), year smallint)
      join budget_lines line on line.organisation_id = ${organisationId} and line.budget_id = wanted.id
        and line.year between wanted.year and wanted.year + 1
      group by 1, 2, 3, 4`)),
  ]
}

/** The stored cash settings: opening cash by location and year, payment lags by code, and the minimum. */
async function readStoredCashSettings(tx: OrganisationTx, organisationId: OrganisationId, locationIds: readonly LocationId[]) {
  const rows = await tx
    .select({ locationId: monitoringItems.locationId, item: monitoringItems.item })
    .from(monitoringItems)
    .where(
      and(
        eq(monitoringItems.organisationId, organisationId),
        inArray(monitoringItems.locationId, [organisationWideLocationId, ...locationIds]),
        inArray(monitoringItems.kind, ['openingCash', 'cashLag', 'cashFloor']),
      ),
    )
  const opening = new Map<string, number>()
  const lags = new Map<CodeId, number>()
  let floor: number | null = null
  for (const { locationId, item } of rows) {
    if (item.kind === 'openingCash') opening.set(`${locationId} ${item.year}`, item.value)
    if (item.kind === 'cashLag') lags.set(item.budgetCodeId, item.lag)
    if (item.kind === 'cashFloor') floor = item.value
  }
  return { opening, lags, floor }
}

/** The income and expenditure codes with their payment lags, and the minimum cash in pounds. */
export async function readCashSettings({ tx, organisationId, holder }: Call & LimitedCaller) {
  const { lags, floor } = await readStoredCashSettings(tx, organisationId, [])
  const records = await readResourceRecords(tx, resources.budgetCode, { column: 'organisationId', ids: [organisationId] })
  return {
    codes: records
      .filter(({ category, locations }) => {
        // Codes used only by other schools are hidden.
        const isSeen = !holder.locationIds || !locations.length || locations.some((id) => assertDefined(holder.locationIds).includes(id))
        return isSeen && category !== budgetCodeCategory.balance
      })
      .map(({ id, code, description }) => ({ budgetCodeId: id, name: `${code} ${description}`, lag: lags.get(id) ?? null }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    floor: floor === null ? null : toPounds(floor),
  }
}

/**
 * As `readCashForecast`, but refused if it would reveal the pay of one or two people to a caller who may not see staff.
 * @throws DomainError as `readHiddenCodes`
 */
export async function readVisibleCashForecast(
  call: Call & LimitedCaller & FiguresReader,
  request: MonitoringRequest,
  count: number,
): Promise<CashForecast> {
  const { requested: budgets } = await findRequestedBudgets(call, request)
  await refuseCodeOfFewPeople(call, listShownBudgetIds({ budgets }, request), null)
  return readCashForecast(call, request, count)
}

function groupLines<K>(lines: readonly CashLine[], keyOf: (line: CashLine) => K): Map<K, CashLine[]> {
  const groups = new Map<K, CashLine[]>()
  for (const line of lines) {
    const group = groups.get(keyOf(line))
    if (group) group.push(line)
    else groups.set(keyOf(line), [line])
  }
  return groups
}

/**
 * The cash of each requested location from the first month of the budget year (rules.md §17): actuals in closed months,
 * forecasts by code in open ones, and the budget's own lines in the following year.
 * @param count 12 to 24 months
 */
async function forecastEach(call: Call & LimitedCaller, request: MonitoringRequest, count: number) {
  const { tx, organisationId } = call
  const facts = await readMonitoringFacts(call, request, { way: 'byLocation' })
  const lines = await readCashLines(tx, organisationId, facts.budgets)
  const storedSettings = await readStoredCashSettings(
    tx,
    organisationId,
    facts.locations.map((location) => location.locationId),
  )
  const records = new Map((await readResourceRecords(tx, resources.budgetCode)).map((record) => [record.id, record]))
  const locations = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })).map(({ id, name }) => [
      id,
      name,
    ]),
  )
  const linesByBudget = groupLines(lines, (line) => line.id)
  const opening: CashForecast['opening'] = []
  const each = facts.locations.map((location, index): CashMonth[] => {
    const { start, year, budgets: locationBudgets } = location
    const figures = assertDefined(facts.years[index])
    const ofPlace = locationBudgets.flatMap(({ id }) => linesByBudget.get(id) ?? [])
    const linesByCode = groupLines(ofPlace, (line) => line.code)
    const value = storedSettings.opening.get(`${location.locationId} ${year}`) ?? null
    opening.push({
      locationId: location.locationId,
      location: locations.get(location.locationId) ?? '',
      year,
      value: value === null ? null : toPounds(value),
    })
    const codeIds = new Set<CodeId>([...linesByCode.keys(), ...listCodesOfYear(figures)])
    const codes = [...codeIds].flatMap((codeId): CodeCashFlow[] => {
      const record = codeId === null ? undefined : records.get(codeId)
      if (record?.category === budgetCodeCategory.balance) return []
      const ofCode = linesByCode.get(codeId) ?? []
      const of = (isLate: boolean, pick: 'months' | 'missing', yearAfter: number): number[] =>
        Array.from({ length: 12 }, (_unused, month) =>
          ofCode.reduce(
            (sum, line) => (line.isLate === isLate && line.year === yearAfter ? sum + assertDefined(line[pick][month]) : sum),
            0,
          ),
        )
      const contributions = [...of(true, 'months', 0), ...of(true, 'months', 1)]
      const rest = [...of(false, 'months', 0), ...of(false, 'months', 1)]
      const inYear = calculateCodeFigures(figures, codeId, facts.cumulative).values
      // Months with actuals need nothing from the budget, so they are complete.
      const isClosed = (month: number): boolean => month < location.period && Boolean(location.closed[month])
      return [
        {
          codeId,
          isIncome: record?.type === budgetCodeType.income,
          values: [...inYear, ...rest.slice(12).map((one, month) => one + assertDefined(contributions[12 + month]))],
          contributions,
          rest,
          missing: [0, 1].flatMap((after) => {
            const others = of(false, 'missing', after)
            return of(true, 'missing', after).map((count, month) =>
              after === 0 && isClosed(month) ? 0 : count + assertDefined(others[month]),
            )
          }),
        },
      ]
    })
    const known = 12 * Math.min(2, Math.max(...locationBudgets.map((one) => one.head.numberOfYears - one.yearIndex)))
    return forecastCash({ start, known, opening: value, codes }, storedSettings.lags, count)
  })
  return { each, facts, opening, floor: storedSettings.floor }
}

/** The lowest cash of a location, from the requested month to the end of its budget year. */
export interface LowestCash extends CalendarMonth {
  locationId: LocationId
  closing: Pounds
  /** Below the organisation's floor, or below zero if it has none. */
  isBelowFloor: boolean
}

/**
 * The lowest cash of each location that the caller may see, in its budget of record, from a month on, because earlier months can no longer
 * be changed. Leaves out locations without opening cash, and locations whose cash would reveal the pay of one or two people.
 */
export async function readLowestCash(call: Call & LimitedCaller & FiguresReader, month: CalendarMonth): Promise<LowestCash[]> {
  const { each, facts, floor } = await forecastEach(call, month, minimumForecastMonths)
  const hidden = await findBudgetsOfFewPeople(
    call,
    facts.budgets.map(({ id }) => id),
  )
  return facts.locations.flatMap(({ locationId, budgets: locationBudgets }, index) => {
    const lowest = locationBudgets.some(({ id }) => hidden.has(id)) ? null : findLowestCash(assertDefined(each[index]), month)
    if (!lowest) return []
    const { closing, year, month: at } = lowest
    return [{ locationId, year, month: at, closing: toPounds(closing), isBelowFloor: closing < (floor ?? 0) }]
  })
}

/**
 * The cash of the requested locations added together, worked out by `forecastEach`.
 * @param count 12 to 24 months
 */
export async function readCashForecast(call: Call & LimitedCaller, request: MonitoringRequest, count: number): Promise<CashForecast> {
  const { each, facts, opening, floor } = await forecastEach(call, request, count)
  const months = sumCashForecasts(each)
  const lowest = findLowestCash(months)
  const pounds = (value: number | null): number | null => (value === null ? null : toPounds(value))
  return {
    months: months.map((month) => ({
      ...month,
      opening: pounds(month.opening),
      receipts: pounds(month.receipts),
      payments: pounds(month.payments),
      closing: pounds(month.closing),
    })),
    lowest: lowest && { ...lowest, closing: toPounds(lowest.closing) },
    floor: pounds(floor),
    isBelowFloor: lowest !== null && floor !== null && lowest.closing < floor,
    opening: opening.sort((a, b) => a.location.localeCompare(b.location)),
    leftOut: facts.leftOut,
  }
}
