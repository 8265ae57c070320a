import { budgetCodeCategory, budgetCodeType } from '../../../../domain/lookups/lookupIds.ts'
import { calculateCodeFigures } from '../../../../domain/monitoring/figures.ts'
import type { CalendarMonth } from '../../../../domain/monitoring/monitoring.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import type { LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { Pennies, Pounds } from '../../../../domain/values/units.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { rowsOf } from '../../../core/database/tables.ts'
import type { Who } from '../asking/queries.ts'
import { codesOf, type Facts, factsOf, isCumulative, wholeYearsOf } from '../facts/queries.ts'

/** How the year goes that the month lies in; pounds. */
export interface Outlook {
  budget: Pounds
  forecast: Pounds
  /** Months of the year that have their actuals in. */
  closed: number
  /** Monthly figures of the budget that could not be calculated: neither has them. */
  missing: number
}

/** What a month is made of, each location that the caller may see by itself; of one that has no month of the year in, no budget. */
export function monthByLocation(call: Call & Who, month: CalendarMonth): Promise<Facts> {
  return factsOf(call, month, { way: 'byLocation', isRead: ({ closed, period }) => closed.some((isClosed, at) => isClosed && at < period) })
}

/**
 * The in-year balance of each location that has actuals, forecast and budget, before adjustments, which stand for groups.
 * @param facts of each location by itself
 */
export async function outlooksOf(tx: OrganisationTx, facts: Facts): Promise<Map<LocationId, Outlook>> {
  const records = new Map((await rowsOf(tx, resources.budgetCode)).map((record) => [record.id, record]))
  return new Map(
    facts.places.flatMap(({ locationId, closed, period }, index) => {
      const year = assertDefined(facts.years[index])
      const count = closed.filter((isClosed, at) => isClosed && at < period).length
      if (!count) return []
      let [budget, forecast, missing] = [0, 0, 0]
      for (const codeId of new Set(codesOf(year))) {
        const record = codeId === null ? undefined : records.get(codeId)
        if (record?.category === budgetCodeCategory.balance) continue
        const sign = record?.type === budgetCodeType.income ? 1 : -1
        const own = calculateCodeFigures(year, codeId, facts.cumulative)
        budget += sign * own.fullYearBudget
        forecast += sign * own.forecast
        missing += assertDefined(facts.gaps[index]).get(codeId) ?? 0
      }
      return [[locationId, { budget: toPounds(budget), forecast: toPounds(forecast), closed: count, missing }] as const]
    }),
  )
}

/** The year of a budget code at a location: actuals of the months that are in, then the forecast. */
export interface ForecastOfCode {
  locationId: LocationId
  /** Null: the apprenticeship levy. */
  code: { code: string; description: string; isIncome: boolean } | null
  /** Twelve months in whole pennies, positive for what is usual for the code; null where part of the budget could not be calculated. */
  months: (Pennies | null)[]
}

/** How the year of a month is forecast at some locations by budget code, balances and adjustments left out (rules.md §17). */
export async function forecastsOf(call: Call & Who, month: CalendarMonth, locationIds: LocationId[]): Promise<ForecastOfCode[]> {
  const { tx } = call
  const facts = await factsOf(call, { ...month, locationIds }, { way: 'byLocation' })
  const records = new Map((await rowsOf(tx, resources.budgetCode)).map((record) => [record.id, record]))
  return facts.places.flatMap(({ locationId }, index) => {
    const year = assertDefined(facts.years[index])
    return [...new Set(codesOf(year))].flatMap((codeId): ForecastOfCode[] => {
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
 * What each of some locations received or spent by budget code in the twelve months from one on, whole pennies; null where the actuals of a
 * month of them are not in.
 * @param asked `start` in months counted from the year 0
 */
export async function outturnsOf(
  tx: OrganisationTx,
  organisationId: OrganisationId,
  asked: readonly { locationId: LocationId; start: number }[],
): Promise<(ReadonlyMap<number, number> | null)[]> {
  const cumulative = await isCumulative(tx, organisationId)
  const years = await wholeYearsOf(tx, organisationId, asked)
  return years.map((year) => {
    if (!year) return null
    const codes = codesOf(year).flatMap((codeId) => codeId ?? [])
    return new Map(codes.map((codeId) => [codeId, calculateCodeFigures(year, codeId, cumulative).actualToDate]))
  })
}
