import { findBalanceType } from '../../../../domain/calculation/nonStaffing/balances.ts'
import { budgetCodeCategory, budgetCodeType, openingBalanceType } from '../../../../domain/lookups/lookupIds.ts'
import { calculateCodeFigures } from '../../../../domain/monitoring/figures.ts'
import type { CalendarMonth } from '../../../../domain/monitoring/monitoring.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import type { LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { Pennies, Pounds } from '../../../../domain/values/units.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { readCodesWithFacts } from '../../overview/queries.ts'
import { listCodesOfYear, type MonitoringFacts, readActualsOfYears, readCumulativeSetting, readMonitoringFacts } from '../facts/queries.ts'
import type { LimitedCaller } from '../requests/queries.ts'

/** The outlook for the budget year that contains the month, in pounds. */
export interface Outlook {
  budget: Pounds
  forecast: Pounds
  /** The forecast less the budget, without capital, as reserves are shown without it. */
  revenueVariance: Pounds
  /** Months of the year with actuals. */
  closed: number
  /** How many monthly figures of the budget could not be calculated; they are missing from both totals. */
  missing: number
}

/** The data of a month for each location that the caller may see. The budget is read only for locations with actuals in the year. */
export function readFactsByLocation(call: Call & LimitedCaller, month: CalendarMonth): Promise<MonitoringFacts> {
  return readMonitoringFacts(call, month, {
    way: 'byLocation',
    isRead: ({ closed, period }) => closed.some((isClosed, at) => isClosed && at < period),
  })
}

/**
 * The in-year balance of each location with actuals, forecast and budgeted, before adjustments, which apply only to groups.
 * @param facts read by location
 */
export async function calculateOutlooks(tx: OrganisationTx, facts: MonitoringFacts): Promise<Map<LocationId, Outlook>> {
  const codes = new Map((await readCodesWithFacts(tx)).map((code) => [code.record.id, code.facts]))
  return new Map(
    facts.locations.flatMap(({ locationId, closed, period }, index) => {
      const year = assertDefined(facts.years[index])
      const count = closed.filter((isClosed, at) => isClosed && at < period).length
      if (!count) return []
      let [budget, forecast, revenueVariance, missing] = [0, 0, 0, 0]
      for (const codeId of new Set(listCodesOfYear(year))) {
        const code = codeId === null ? undefined : codes.get(codeId)
        if (code?.category === budgetCodeCategory.balance) continue
        const sign = code?.isIncome ? 1 : -1
        const codeFigures = calculateCodeFigures(year, codeId, facts.cumulative)
        budget += sign * codeFigures.fullYearBudget
        forecast += sign * codeFigures.forecast
        const isCapital = code !== undefined && findBalanceType(code) === openingBalanceType.capital
        if (!isCapital) revenueVariance += sign * (codeFigures.forecast - codeFigures.fullYearBudget)
        missing += assertDefined(facts.gaps[index]).get(codeId) ?? 0
      }
      const pounds = { budget: toPounds(budget), forecast: toPounds(forecast), revenueVariance: toPounds(revenueVariance) }
      return [[locationId, { ...pounds, closed: count, missing }] as const]
    }),
  )
}

/** A budget code's year at a location: actuals in closed months, then the forecast. */
export interface ForecastOfCode {
  locationId: LocationId
  /** Null for the apprenticeship levy. */
  code: { code: string; description: string; isIncome: boolean } | null
  /** Twelve months in whole pennies, positive in the usual direction of the code; null if part of the budget could not be calculated. */
  months: (Pennies | null)[]
}

/**
 * The forecast for the budget year of a month at some locations by budget code, without balances and adjustments
 * (rules.md §17).
 */
export async function readForecasts(
  call: Call & LimitedCaller,
  month: CalendarMonth,
  locationIds: LocationId[],
): Promise<ForecastOfCode[]> {
  const { tx } = call
  const facts = await readMonitoringFacts(call, { ...month, locationIds }, { way: 'byLocation' })
  const records = new Map((await readResourceRecords(tx, resources.budgetCode)).map((record) => [record.id, record]))
  return facts.locations.flatMap(({ locationId }, index) => {
    const year = assertDefined(facts.years[index])
    return [...new Set(listCodesOfYear(year))].flatMap((codeId): ForecastOfCode[] => {
      const record = codeId === null ? undefined : records.get(codeId)
      if (record?.category === budgetCodeCategory.balance) return []
      const { values } = calculateCodeFigures(year, codeId, facts.cumulative)
      const isUnknown = Boolean(assertDefined(facts.gaps[index]).get(codeId))
      const code = record && {
        code: record.code,
        description: record.description,
        isIncome: record.type === budgetCodeType.income,
      }
      return [{ locationId, code: code ?? null, months: isUnknown ? values.map(() => null) : values }]
    })
  })
}

/**
 * The income and expenditure of some locations by budget code in the twelve months from a given month, in whole pennies; null if a month
 * has no actuals.
 * @param locations `start` in months since year 0
 */
export async function readOutturns(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  locations: readonly { locationId: LocationId; start: number }[],
): Promise<(ReadonlyMap<number, number> | null)[]> {
  const cumulative = await readCumulativeSetting(tx, organisationId)
  const years = await readActualsOfYears(tx, organisationId, locations)
  return years.map((year) => {
    if (!year) return null
    const codes = listCodesOfYear(year).flatMap((codeId) => codeId ?? [])
    return new Map(codes.map((codeId) => [codeId, calculateCodeFigures(year, codeId, cumulative).actualToDate]))
  })
}
