import { compareValues } from '../../../domain/lists/lists.ts'
import { formatMonth } from '../../../domain/monitoring/monitoring.ts'
import type { MonitoringTableRow } from '../../../domain/monitoring/rows.ts'
import { readPackComparators } from '../../../domain/packs/comparators.ts'
import { hasActuals, identifyTotal } from '../../../domain/packs/figureReferences.ts'
import { findInternalTransfers, separateInternalTransfers } from '../../../domain/packs/internalTransfers.ts'
import type { PackFigures, PackLine, PackRemark, UnexplainedLine } from '../../../domain/packs/pack.ts'
import { findCommonYears } from '../../../domain/reports/budgetYears.ts'
import type { ReportFacts, StaffingContract } from '../../../domain/reports/facts.ts'
import { sumYearCost } from '../../../domain/reports/fewPeople.ts'
import { buildLocationsAtAGlance } from '../../../domain/reports/glance.ts'
import { buildMeasuresReport } from '../../../domain/reports/measures/measuresReport.ts'
import type { BudgetWithOutdatedCosts } from '../../../domain/reports/outdatedCosts.ts'
import { compareWithOutturn, type OutturnComparison, sumOutturnComparisons } from '../../../domain/reports/outturn.ts'
import { buildStaffingReport } from '../../../domain/reports/staffing.ts'
import { buildLedgerPerLocation } from '../../../domain/reports/statement.ts'
import { findContactWarnings, findWarnings } from '../../../domain/reports/warnings.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined, requireSingleRow } from '../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../domain/values/calendar.ts'
import { toPennies } from '../../../domain/values/format.ts'
import type { BudgetId, LocationId } from '../../../domain/values/ids.ts'
import type { Pounds } from '../../../domain/values/units.ts'
import { conflict } from '../../../domain/words/errors.ts'
import type { Call } from '../../core/calls/call.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import { findCodesOfFewPeopleInBudgets } from '../../shared/fewPeople/queries.ts'
import { readCashForecast } from '../../shared/monitoring/cash/queries.ts'
import { readExplanationSettings, readMonitoringTable } from '../../shared/monitoring/queries.ts'
import {
  findRequestedBudgets,
  type LimitedCaller,
  type LocationWithoutBudget,
  type MonitoredBudget,
  type MonitoringRequest,
} from '../../shared/monitoring/requests/queries.ts'
import { readComparatorSetInUse } from '../../shared/reports/comparators/queries.ts'
import { readContactRatios } from '../../shared/reports/contactRatios/queries.ts'
import { readMeasureFacts } from '../../shared/reports/measures/queries.ts'
import { readMoneyFacts } from '../../shared/reports/money/queries.ts'
import { readOutturnsByLocation } from '../../shared/reports/outturns/queries.ts'
import { describeBudgetDetails } from '../../shared/reports/paper/queries.ts'
import { readReserveFloor } from '../../shared/reports/reserveFloor/queries.ts'
import { findOutdatedCosts, type ReportedScope, readOrganisationName } from '../../shared/reports/scopes/queries.ts'
import { readStaffFacts } from '../../shared/reports/staff/queries.ts'

/** The subject of a pack: a month of a school, or of the whole organisation. */
export interface PackScope {
  year: number
  month: number
  /** 0 for the whole organisation. */
  locationId: LocationId
}

/** The current figures of a pack, with the comments on them. */
export interface CurrentFigures {
  figures: PackFigures
  remarks: PackRemark[]
  due: UnexplainedLine[]
  budgets: MonitoredBudget[]
  /** The budgets with outdated costs. */
  older: BudgetWithOutdatedCosts[]
}

/** The months of cash that a pack shows. */
const cashMonths = 12

/**
 * The budgets of record of a pack, and the request with which monitoring reads the same budgets. A pack of the whole organisation leaves
 * out archived schools, as the trust at a glance does.
 * @throws DomainError 409 if no budget covers the month; 404 for a location that the caller may not see
 */
export async function findPackBudgets(
  call: Call & LimitedCaller,
  { locationId, ...month }: PackScope,
): Promise<{ budgets: [MonitoredBudget, ...MonitoredBudget[]]; leftOut: LocationWithoutBudget[]; request: MonitoringRequest }> {
  const { tx } = call
  const places = locationId
    ? []
    : await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [call.organisationId] })
  const open = places.filter((place) => !place.archive).map(({ id }) => id)
  const { requested: found, leftOut } = await findRequestedBudgets(call, { ...month, locationIds: locationId ? [locationId] : open })
  const [first, ...others] = locationId || open.length ? found : []
  if (!first) throw conflict('noBudget', `No budget covers ${formatMonth(month)}. Add one for that year, or choose another month.`)
  // For one school, request its budget rather than its location, because comments are stored for the budget's group, as in its month end.
  return { budgets: [first, ...others], leftOut, request: { ...month, ...(locationId ? { budgetId: first.id } : { locationIds: open }) } }
}

/**
 * Reads the current value of every figure of a pack, from the budgets of record of its month. It names no employee, because contracts are
 * combined.
 * @throws DomainError 409 if no budget covers the month
 */
export async function readCurrentFigures(call: Call & LimitedCaller, pack: PackScope): Promise<CurrentFigures> {
  const { tx, organisationId } = call
  const { budgets, leftOut, request } = await findPackBudgets(call, pack)
  // A pack has many readers, so it never reveals one person's pay.
  const findHiddenCodes = (budgetIds: readonly BudgetId[]) => findCodesOfFewPeopleInBudgets(call, budgetIds)
  const actuals = await readMonitoringTable(call, request, { screen: 'actuals', findHiddenCodes })
  const forecast = await readMonitoringTable(call, request, { screen: 'forecast', findHiddenCodes })
  const cash = await readCashForecast(call, request, cashMonths)
  const places = new Map(
    (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [organisationId] })).map((place) => [
      place.id,
      place,
    ]),
  )
  const scope: ReportedScope = {
    budgets: budgets.flatMap((budget) => {
      const place = places.get(budget.locationId)
      return place ? [{ ...budget, location: { id: place.id, name: place.name, isCentral: Boolean(place.central) } }] : []
    }),
    years: findCommonYears(budgets.map(({ head }) => head)),
    leftOut: [],
  }
  const { years, outturn } = await readYears(call, scope)
  const own = places.get(pack.locationId)
  const ratios = await readContactRatios(tx, organisationId, scope)
  const between = own ? null : findInternalTransfers((await readYearsOfMoney(call, scope))?.lines ?? [])
  const gross = combineLines(actuals.rows, forecast.rows)
  const lines = between ? separateInternalTransfers(gross, between) : gross
  const settings = await readExplanationSettings(tx, organisationId)
  const reserveFloor = await readReserveFloor(tx, organisationId)
  // In a pack of the whole organisation, payments between its schools have lines of their own and need no explanation.
  const isBetween = (codeId: number | null): boolean => codeId !== null && Boolean(between?.codes.has(codeId))
  const noted = actuals.rows.filter((row) => row.kind === 'Data' && row.budgetCodeId !== null && !isBetween(row.budgetCodeId))
  return {
    budgets,
    older: await findOutdatedCosts(tx, organisationId, scope.budgets),
    remarks: noted.flatMap(({ budgetCodeId, note, action }) => (note ? [{ budgetCodeId: assertDefined(budgetCodeId), note, action }] : [])),
    // Without actuals there is nothing to explain.
    due: (hasActuals({ monthsIn: actuals.closedMonths, lines }) ? noted : []).flatMap(
      ({ budgetCodeId, code, description, needsExplaining, needsAction }) =>
        needsExplaining || needsAction
          ? [
              {
                budgetCodeId: assertDefined(budgetCodeId),
                code,
                description,
                needs: needsExplaining ? ('reason' as const) : ('action' as const),
              },
            ]
          : [],
    ),
    figures: {
      organisation: await readOrganisationName(tx, organisationId),
      place: own ? { name: own.name, dfeNumber: own.dfeNumber || null } : null,
      schools: new Set(budgets.map((budget) => budget.locationId)).size,
      budgets: budgets
        .map(({ id, locationId: at, head }) => ({
          id,
          location: places.get(at)?.name ?? '',
          name: head.name,
          words: describeBudgetDetails({ head }),
        }))
        .sort((a, b) => compareValues(a.location, b.location)),
      leftOut: leftOut.map(({ location }) => location),
      year: findCommonValue(budgets.map((budget) => formatBudgetYear(yearOf(budget), 0))),
      period: findCommonValue(budgets.map(({ period }) => period)),
      monthsIn: actuals.closedMonths,
      threshold: settings,
      lines,
      ...(between ? { transfers: between.separation } : {}),
      staffing: await readStaffGroups({ tx, organisationId }, scope, budgets),
      cash: {
        months: cash.months.map(({ year, month: at, ...money }) => ({
          year,
          month: at,
          opening: pennies(money.opening),
          receipts: pennies(money.receipts),
          payments: pennies(money.payments),
          closing: pennies(money.closing),
          missing: money.missing,
        })),
        floor: pennies(cash.floor),
      },
      years,
      reserveFloor,
      ...(own ? await readComparators(call, scope, budgets[0]) : {}),
      warnings: [
        ...findWarnings(years, { reserveFloor, outturn }),
        ...findContactWarnings(scope.budgets.map(({ id, location }) => ({ location: location.name, ratio: ratios.get(id) ?? null }))),
      ].map(({ text }) => text),
    },
  }
}

/** How a school's measures compare with the comparators that its organisation uses; empty if it uses none. */
async function readComparators(
  call: Call & LimitedCaller,
  scope: ReportedScope,
  budget: MonitoredBudget,
): Promise<Pick<PackFigures, 'comparators'>> {
  const { tx } = call
  if (!(await readComparatorSetInUse(tx, call.organisationId))) return {}
  const own = { ...scope, years: [yearOf(budget)] }
  // A pack has many readers, so it never reveals what one person costs.
  const facts = requireSingleRow(await readMeasureFacts(call, { scope: own, each: [own] }, { request: {}, isNamed: false }))
  const comparators = readPackComparators(buildMeasuresReport('Measures', facts))
  return comparators ? { comparators } : {}
}

/** The calendar year in which the budget year of the month starts. */
const yearOf = ({ head, yearIndex }: MonitoredBudget): number => head.firstYear + yearIndex

/** The value that all items share; null if they differ. */
function findCommonValue<T>([first, ...others]: readonly T[]): T | null {
  return first !== undefined && others.every((one) => one === first) ? first : null
}

const pennies = (pounds: Pounds | null): number | null => (pounds === null ? null : toPennies(pounds))

const keyOf = ({ kind, budgetCodeId, description }: MonitoringTableRow): string => `${kind} ${budgetCodeId ?? description}`

/**
 * Combines the rows of the actuals and forecast screens. A code that is only in the forecast, because of a note or adjustment, has no
 * actuals and comes at the end of its section.
 */
function combineLines(actuals: readonly MonitoringTableRow[], forecast: readonly MonitoringTableRow[]): PackLine[] {
  const beside = new Map(forecast.map((row) => [keyOf(row), row]))
  const shown = new Set(actuals.map(keyOf))
  const others = new Map<string, MonitoringTableRow[]>()
  let section = ''
  for (const row of forecast) {
    if (row.kind === 'SectionHeader') section = row.description
    if (row.kind === 'Data' && !shown.has(keyOf(row))) others.set(section, [...(others.get(section) ?? []), row])
  }
  const lineOf = (row: MonitoringTableRow, other: MonitoringTableRow | undefined): PackLine => {
    const { kind, budgetCodeId, code, description, budgetToDate, actualToDate, commitments, fullYearBudget, missing } = row
    return {
      kind,
      total: identifyTotal({ kind, description }),
      budgetCodeId,
      code,
      description,
      budgetToDate,
      actualToDate,
      commitments,
      variance: row.variance,
      variancePercent: row.variancePercent,
      fullYearBudget,
      forecast: other?.forecast ?? fullYearBudget,
      forecastVariance: other?.variance ?? 0,
      adjustmentToDate: row.adjustment,
      adjustmentOfYear: other?.adjustment ?? 0,
      missing,
    }
  }
  section = ''
  return actuals.flatMap((row) => {
    if (row.kind === 'SectionHeader') section = row.description
    const own = lineOf(row, beside.get(keyOf(row)))
    const before = row.kind === 'SectionFooter' ? (others.get(section) ?? []) : []
    return [...before.map((one) => lineOf({ ...one, adjustment: 0, variance: 0, variancePercent: null }, one)), own]
  })
}

/** Income and expenditure by code for the years that all budgets share; null if they share none. */
async function readYearsOfMoney(call: Call & LimitedCaller, scope: ReportedScope): Promise<ReportFacts | null> {
  return scope.years.length ? readMoneyFacts(call, scope, { request: {}, asking: { spread: 'years', byCentre: false } }) : null
}

/**
 * Each year that all budgets share, without capital, as in the trust at a glance. The year after the last complete one also has the
 * forecast and the outturn.
 */
async function readYears(
  call: Call & LimitedCaller,
  scope: ReportedScope,
): Promise<{ years: PackFigures['years']; outturn: OutturnComparison | null }> {
  const { tx } = call
  if (!scope.years.length) return { years: [], outturn: null }
  const facts = await readMoneyFacts(call, scope, { request: {}, asking: { spread: 'eachLocation', byCentre: false, isCoarse: true } })
  const came = requireSingleRow(await readOutturnsByLocation(tx, call.organisationId, [scope]))
  const beside = buildLedgerPerLocation(facts).map(({ location, ledger }) => {
    const own = came.get(location.id)
    return own ? compareWithOutturn(ledger, own) : null
  })
  const years = buildLocationsAtAGlance(facts).total.map(({ name, income, staff, inYear, reserve, missing }) => {
    const counts = facts.units.filter((unit) => unit.year === name).map((unit) => unit.pupils)
    const hundredths = counts.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + Math.round(one * 100)), 0)
    return { name, income, staff, inYear, reserve, pupils: hundredths === null ? null : hundredths / 100, missing }
  })
  return { years, outturn: sumOutturnComparisons(beside) }
}

/**
 * Contracts by payroll code, without names, for the budget year that contains the month. Groups of few people are combined (rules.md §19);
 * contracts without hours or costs in that year are left out.
 */
async function readStaffGroups(
  call: Call<'organisationId'>,
  scope: ReportedScope,
  budgets: readonly MonitoredBudget[],
): Promise<PackFigures['staffing']> {
  const told: StaffingContract[] = []
  for (const year of new Set(budgets.map(yearOf))) {
    const ids = new Set(budgets.filter((budget) => yearOf(budget) === year).map(({ id }) => id))
    const own = { ...scope, budgets: scope.budgets.filter(({ id }) => ids.has(id)), years: [year] }
    if (own.budgets.length) told.push(...(await readStaffFacts(call, own, { request: {}, isNamed: false })).contracts)
  }
  const inYear = told.filter(({ years: [year] }) => year && ((year.fte ?? 0) !== 0 || sumYearCost(year) !== 0))
  const report = buildStaffingReport('Staffing', { years: ['year'], contracts: inYear, isNamed: false, notCalculated: 0 })
  const at = (key: string): number => report.columns.findIndex((column) => column.key.split(' ')[0] === key)
  const [contracts, fte, total] = [at('contracts'), at('fte'), at('total')]
  const figure = (value: number | string | null | undefined): number | null => (typeof value === 'number' ? value : null)
  const figures = report.rows.filter(({ kind }) => kind !== 'Empty')
  return figures.map(({ kind, label, values, missing }) => ({
    name: label,
    isTotal: kind === 'Total',
    contracts: figure(values[contracts]),
    fte: figure(values[fte]),
    cost: figure(values[total]),
    missing,
  }))
}
