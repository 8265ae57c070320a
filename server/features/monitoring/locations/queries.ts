import { mergeCodesOfFewPeople } from '../../../../domain/monitoring/codesOfFewPeople.ts'
import { calculateCodeFigures, sumCodeFigures } from '../../../../domain/monitoring/figures.ts'
import { type LocationFigure, listLocationFigures } from '../../../../domain/monitoring/locations.ts'
import { defaultExplanationSettings } from '../../../../domain/monitoring/monitoring.ts'
import {
  buildMonitoringRows,
  type MonitoredCode,
  type MonitoringScreen,
  type MonitoringTableRow,
} from '../../../../domain/monitoring/rows.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined, requireItemAt } from '../../../../domain/values/assertDefined.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import type { LocationId } from '../../../../domain/values/ids.ts'
import type { Pennies, Pounds } from '../../../../domain/values/units.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { type FiguresReader, readHiddenCodes } from '../../../shared/fewPeople/queries.ts'
import { listShownBudgetIds, readBroughtForward, readMonitoringFacts } from '../../../shared/monitoring/facts/queries.ts'
import { readCodesInRows } from '../../../shared/monitoring/queries.ts'
import type { LimitedCaller, LocationWithoutBudget, MonitoringRequest } from '../../../shared/monitoring/requests/queries.ts'

/** The figures that a screen can show by location. Adjustments apply to groups and not to locations, so they are not included. */
export const figuresOfLocations = {
  actuals: ['budgetToDate', 'actualToDate', 'commitments', 'variance', 'fullYearBudget'],
  forecast: ['actualToDate', 'commitments', 'fullYearBudget', 'forecast', 'variance'],
} as const satisfies Record<MonitoringScreen, LocationFigure[]>

/** A row with a figure for each location and their total, in pounds. */
export interface LocationsRow extends Pick<MonitoringTableRow, 'kind' | 'budgetCodeId' | 'code' | 'description' | 'missing'> {
  /** Null if there are no actuals to derive it from. */
  values: (Pounds | null)[]
  total: Pounds
}

export interface LocationsTable {
  /** The columns, in order of name. */
  locations: { locationId: LocationId; location: string }[]
  rows: LocationsRow[]
  leftOut: LocationWithoutBudget[]
}

/** The rows of a monitoring screen with a column for each location: one figure each, and the total. */
export async function readLocationsTable(
  call: Call & LimitedCaller & FiguresReader,
  { figure, ...request }: MonitoringRequest & { figure: (typeof figuresOfLocations)[MonitoringScreen][number] },
  versus: MonitoringScreen,
): Promise<LocationsTable> {
  const { tx } = call
  const facts = await readMonitoringFacts(call, request, { way: 'byLocation' })
  const codes = await readCodesInRows(tx, facts, { also: [], scheme: request.scheme ?? 0 })
  const names = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [call.organisationId] })).map(({ id, name }) => [
      id,
      name,
    ]),
  )
  const notTold = await readHiddenCodes(call, listShownBudgetIds(facts, request))
  const brought = await readBroughtForward(tx, call.organisationId, facts.budgets)
  const columns = facts.locations
    .map((location, index) => ({
      locationId: location.locationId,
      location: names.get(location.locationId) ?? '',
      year: location,
      figures: codes.map(({ codeId }) => calculateCodeFigures(assertDefined(facts.years[index]), codeId, facts.cumulative)),
      broughtForward: location.budgets.reduce((sum, { id }) => sum + (brought.get(id) ?? 0), 0),
    }))
    .sort((a, b) => a.location.localeCompare(b.location))
  /**
   * The rows of the table with the figures of one column. Every column has the same rows in the same order, because
   * they depend only on the codes.
   */
  const rowsWith = (figures: readonly MonitoredCode['figures'][], broughtForward: number): MonitoringTableRow[] =>
    buildMonitoringRows(
      mergeCodesOfFewPeople(
        codes.map(
          (code, index): MonitoredCode => ({ ...code, figures: assertDefined(figures[index]), adjustment: 0, note: null, action: null }),
        ),
        notTold,
      ),
      { versus, broughtForward, settings: defaultExplanationSettings, byScheme: Boolean(request.scheme) },
    )
  const each = columns.map((column) => listLocationFigures(rowsWith(column.figures, column.broughtForward), figure, column.year))
  const all = rowsWith(
    codes.map((_code, index) => sumCodeFigures(columns.map((column) => assertDefined(column.figures[index])))),
    columns.reduce((sum, column) => sum + column.broughtForward, 0),
  )
  const shown = (pennies: Pennies | null): number | null => (pennies === null ? null : toPounds(pennies))
  return {
    locations: columns.map(({ locationId, location }) => ({ locationId, location })),
    rows: all.map((row, index) => ({
      kind: row.kind,
      budgetCodeId: row.budgetCodeId,
      code: row.code,
      description: row.description,
      missing: row.missing,
      values: each.map((values) => shown(requireItemAt(values, index))),
      total: toPounds(row[figure] ?? 0),
    })),
    leftOut: facts.leftOut,
  }
}
