import { sql } from 'drizzle-orm'
import { compareValues } from '../../../../domain/lists/lists.ts'
import { type CodeId, calculateCodeFigures } from '../../../../domain/monitoring/figures.ts'
import { type CalendarMonth, fromMonthIndex, toMonthIndex } from '../../../../domain/monitoring/monitoring.ts'
import {
  alignForecasts,
  compareForecastWithOutturn,
  type ForecastTrack,
  type StoredForecast,
  sumForecastTracks,
} from '../../../../domain/monitoring/trackRecord.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { buildIntegerArray } from '../../../resources/listConditions.ts'
import { type FiguresReader, readHiddenCodes } from '../../../shared/fewPeople/queries.ts'
import { listCodesOfYear, listShownBudgetIds, type MonitoringFacts, readMonitoringFacts } from '../../../shared/monitoring/facts/queries.ts'
import { readCodesInRows } from '../../../shared/monitoring/queries.ts'
import type { LimitedCaller } from '../../../shared/monitoring/requests/queries.ts'

/** The forecast of each code of a location, to be stored when its month is closed. @param index of the location in the facts */
export function readForecastToStore({ years, gaps, cumulative }: MonitoringFacts, index: number): StoredForecast[] {
  const year = assertDefined(years[index])
  return [...new Set(listCodesOfYear(year))]
    .map((budgetCodeId): StoredForecast => {
      const missing = gaps[index]?.get(budgetCodeId) ?? 0
      return { budgetCodeId, values: calculateCodeFigures(year, budgetCodeId, cumulative).values, ...(missing ? { missing } : {}) }
    })
    .filter(({ values, missing }) => missing || values.some((value) => value !== 0))
}

/** A row of the track record, with its forecast at each closing; null for a closing that has none for this row. Whole pennies. */
interface TrackedRow {
  closings: (ForecastTrack | null)[]
}

export interface TrackRecord {
  /** The closed months after which there are actuals. */
  closings: CalendarMonth[]
  income: TrackedRow
  expenditure: TrackedRow
  schools: { locationId: LocationId; location: string; income: TrackedRow; expenditure: TrackedRow }[]
  codes: (TrackedRow & { budgetCodeId: number | null; code: string | null; description: string; isIncome: boolean })[]
  /** Months that were closed when forecasts were not yet stored. */
  unkept: { locationId: LocationId; location: string; year: number; month: number }[]
}

/** A made-up id that combines the codes that cover too few people to be shown separately. */
const combinedCodeId = -1

/**
 * How far each forecast was from the outturn, by code and school (rules.md §17): the forecast stored when a school
 * closed a month, and the actuals of the following months up to the selected one. If a month was closed again, its last
 * closing counts.
 */
export async function readTrackRecord(
  call: Call & LimitedCaller & FiguresReader,
  request: CalendarMonth & { locationIds?: LocationId[] | null },
): Promise<TrackRecord> {
  const { tx } = call
  const facts = await readMonitoringFacts(call, request, { way: 'byLocation' })
  const { locations, years, cumulative } = facts
  const notTold = await readHiddenCodes(call, listShownBudgetIds(facts, {}))
  const closings = await listClosings(call, facts, request)
  const keptCodes: CodeId[] = closings.flatMap((one) => (one.forecast ?? []).map((code) => code.budgetCodeId))
  const codes = (await readCodesInRows(tx, facts, { also: keptCodes, scheme: 0 })).sort(
    (a, b) => Number(b.isIncome) - Number(a.isIncome) || compareValues(a.code, b.code),
  )
  const isIncome = new Map(codes.map((one) => [one.codeId, one.isIncome]))
  const names = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [call.organisationId] })).map((location) => [
      location.id,
      location.name,
    ]),
  )
  const nameOf = (id: LocationId): string => names.get(id) ?? ''
  const indexOf = ({ locationId, at }: { locationId: LocationId; at: number }): number =>
    locations.findIndex((location) => location.locationId === locationId && at >= location.start && at < location.start + 12)
  const outturns = years.map(
    (year) => new Map(listCodesOfYear(year).map((code) => [code, calculateCodeFigures(year, code, cumulative).values] as const)),
  )
  const found = closings.flatMap((closing) => {
    const { locationId, at, forecast, start } = closing
    const index = indexOf(closing)
    const location = locations[index]
    if (!location || !forecast) return []
    const { forecasts, isOf } = alignForecasts(forecast, start === null ? 0 : location.start - start)
    const isIn = location.closed.map((isClosed, period) => isClosed && period < location.period && assertDefined(isOf[period]))
    const tracks = compareForecastWithOutturn(forecasts, {
      closing: at - location.start + 1,
      outturn: assertDefined(outturns[index]),
      isIn,
      cumulative,
    })
    // Leave out balance codes, which carry money between years and are neither income nor expenditure.
    const shown = [...tracks].filter(([code]) => isIncome.has(code))
    return shown.length ? [{ locationId, at, tracks: new Map(shown) }] : []
  })
  const months = [...new Set(found.map((one) => one.at))].sort((a, b) => a - b)
  const tracked = (tracksByCode: ReadonlyMap<number, ForecastTrack> | undefined): TrackedRow => ({
    closings: months.map((at) => tracksByCode?.get(at) ?? null),
  })
  const byKind = sumForecastTracks(found, (code) => isIncome.get(code))
  const byLocation = sumForecastTracks(found, (code, locationId) => `${locationId} ${isIncome.get(code)}`)
  const byCode = sumForecastTracks(found, (code) => (notTold.has(code) ? combinedCodeId : code))
  const schools = [...new Set(found.map((one) => one.locationId))].map((locationId) => ({
    locationId,
    location: nameOf(locationId),
    income: tracked(byLocation.get(`${locationId} true`)),
    expenditure: tracked(byLocation.get(`${locationId} false`)),
  }))
  return {
    closings: months.map(fromMonthIndex),
    income: tracked(byKind.get(true)),
    expenditure: tracked(byKind.get(false)),
    schools: schools.sort((a, b) => compareValues(a.location, b.location)),
    codes: [
      ...codes.filter(({ codeId }) => !notTold.has(codeId)),
      { codeId: combinedCodeId, code: null, description: 'Budget codes with few people', isIncome: false },
    ]
      .map(({ codeId, code, description, isIncome: income }) => ({
        budgetCodeId: codeId === combinedCodeId ? null : codeId,
        code,
        description,
        isIncome: income,
        ...tracked(byCode.get(codeId)),
      }))
      .filter((row) => row.closings.some((one) => one !== null && (one.forecast !== 0 || one.outturn !== 0 || one.missing > 0))),
    unkept: closings
      .filter((one) => !one.forecast && indexOf(one) >= 0)
      .map(({ locationId, at }) => ({ locationId, location: nameOf(locationId), ...fromMonthIndex(at) })),
  }
}

/**
 * A closed month, with the forecast stored at its closing and the first month of its budget year. Months are counted from year 0. Both are
 * null if no forecast was stored.
 */
interface MonthClosing {
  locationId: LocationId
  at: number
  forecast: StoredForecast[] | null
  start: number | null
}

/** The closed months in the years of some locations, with the forecasts from their last closing. */
async function listClosings(
  { tx, organisationId }: Call<'organisationId'>,
  { locations }: MonitoringFacts,
  month: CalendarMonth,
): Promise<MonthClosing[]> {
  if (!locations.length) return []
  const from = Math.min(...locations.map((location) => location.start))
  const rows = await tx.execute<MonthClosing & Record<string, unknown>>(sql`
    select distinct on (item.location_id, item.year, item.month) item.location_id as "locationId", item.year * 12 + item.month - 1 as at,
      event.data -> 'forecast' as forecast,
      (event.data #>> '{start,year}')::integer * 12 + (event.data #>> '{start,month}')::integer - 1 as start
    from monitoring_items item
    join monitoring_events event on event.organisation_id = item.organisation_id and event.location_id = item.location_id
      and event.type = 'MonthEndClosed' and (event.data ->> 'year')::integer = item.year and (event.data ->> 'month')::integer = item.month
    where item.organisation_id = ${organisationId} and item.location_id = any(${buildIntegerArray(locations.map((location) => location.locationId))})
      and item.kind = 'monthEnd' and jsonb_typeof(item.item -> 'closed') = 'object'
      and item.year * 12 + item.month - 1 between ${from} and ${toMonthIndex(month)}
    order by item.location_id, item.year, item.month, event.version desc`)
  return [...rows].map(({ locationId, at, forecast, start }) => ({ locationId, at: Number(at), forecast, start }))
}
