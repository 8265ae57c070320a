import { type CalendarMonth, findPreviousMonth } from '../../../../domain/monitoring/monitoring.ts'
import { listMonthEndObstacles } from '../../../../domain/monitoring/monthEnd.ts'
import { canSeeActuals } from '../../../../domain/monitoring/rights.ts'
import { hasAnyPermission, listViewPermissions, type PermissionHolder } from '../../../../domain/people/permissions.ts'
import { buildLocationsAtAGlance, type YearAtAGlance } from '../../../../domain/reports/glance.ts'
import { calculateShare } from '../../../../domain/reports/measures/measures.ts'
import { compareWithOutturn } from '../../../../domain/reports/outturn.ts'
import { buildLedgerPerLocation } from '../../../../domain/reports/statement.ts'
import { findWarnings, type ReportWarning } from '../../../../domain/reports/warnings.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { formatBudgetYear } from '../../../../domain/values/calendar.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import type { BudgetId, LocationId, OrganisationId } from '../../../../domain/values/ids.ts'
import type { InPounds, Pennies, Percent, Pounds } from '../../../../domain/values/units.ts'
import type { Call } from '../../../core/calls/call.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { findBudgetsOfFewPeople } from '../../../shared/fewPeople/queries.ts'
import { readMonthEndStates } from '../../../shared/monitoring/monthEnd/queries.ts'
import { calculateOutlooks, type Outlook, readFactsByLocation } from '../../../shared/monitoring/outlook/queries.ts'
import type { LocationWithoutBudget } from '../../../shared/monitoring/requests/queries.ts'
import { readCostStates } from '../../../shared/recalculation/queries.ts'
import { readContactRatios } from '../../../shared/reports/contactRatios/queries.ts'
import { readMoneyFacts } from '../../../shared/reports/money/queries.ts'
import { readOutturnsByLocation } from '../../../shared/reports/outturns/queries.ts'
import { readReserveFloor } from '../../../shared/reports/reserveFloor/queries.ts'
import { findScopeOfBudgetsOfRecord, type ReportedScope } from '../../../shared/reports/scopes/queries.ts'

/** A year of one school, or of all schools together, in pounds. */
export interface ShownYear extends InPounds<YearAtAGlance> {
  /** Per cent of income; null if it cannot be calculated. */
  staffShare: Percent | null
}

export interface GlanceRow {
  locationId: LocationId
  location: string
  budgetId: BudgetId
  budget: string
  years: ShownYear[]
  /** The in-year balance as forecast and as budgeted. Null if there are no actuals, or if the caller may not see them. */
  outlook: Outlook | null
  status: {
    /** `submitted`, `approved` or `returned`; null if the budget has not been submitted. */
    approval: string | null
    isLocked: boolean
    /** A value of `recalculationStates`; null if the costs are up to date. */
    costs: number | null
    /** What prevents closing the month; empty if nothing does. Null if the caller may not see month ends. */
    monthEnd: { isClosed: boolean; inTheWay: string[] } | null
    /** Whether the month's payroll is reconciled. Null if payrolls are not reconciled in Bursar, or if the caller may not see them. */
    payroll: boolean | null
  }
  warnings: ReportWarning[]
}

export interface ShownGlance {
  years: string[]
  month: CalendarMonth
  /** Which of the years contains the month; null if none does. */
  yearIndex: number | null
  rows: GlanceRow[]
  total: { years: ShownYear[]; outlook: Outlook | null }
  /** Locations without a budget for these years, and those hidden from the caller. */
  leftOut: LocationWithoutBudget[]
}

export interface GlanceReader {
  organisationId: OrganisationId
  holder: PermissionHolder & { locationIds: LocationId[] | null }
}

const shownYear = (year: YearAtAGlance): ShownYear => {
  const pounds = (value: Pennies | null): Pounds | null => (value === null ? null : toPounds(value))
  return {
    ...year,
    income: pounds(year.income),
    staff: pounds(year.staff),
    inYear: pounds(year.inYear),
    reserve: pounds(year.reserve),
    staffShare: calculateShare(year.staff, year.income),
  }
}

/**
 * Lists every school that the caller may see, one to a line, and their total (specification 1 §2).
 * @param now decides which month is next to close
 */
export async function readTrustAtAGlance(tx: OrganisationTx, caller: GlanceReader, now: Date): Promise<ShownGlance> {
  const scope = await hideRevealingBudgets({ ...caller, tx }, await findScopeOfBudgetsOfRecord({ ...caller, tx }))
  const month = findPreviousMonth(now)
  const names = scope.years.map((year) => formatBudgetYear(year, 0))
  if (!scope.budgets.length)
    return { years: [], month, yearIndex: null, rows: [], total: { years: [], outlook: null }, leftOut: scope.leftOut }
  const money = await readMoneyFacts({ ...caller, tx }, scope, {
    request: {},
    asking: { spread: 'eachLocation', byCentre: false, isCoarse: true },
  })
  const glance = buildLocationsAtAGlance(money)
  const reserveFloor = await readReserveFloor(tx, caller.organisationId)
  const ratios = await readContactRatios(tx, caller.organisationId, scope)
  const ledgersByLocation = buildLedgerPerLocation(money)
  const outturns = canSeeActuals(caller.holder)
    ? await readOutturnsByLocation(
        tx,
        caller.organisationId,
        ledgersByLocation.map(({ location }) => ({ ...scope, budgets: scope.budgets.filter((one) => one.location.id === location.id) })),
      )
    : []
  const costs = await readCostStates(tx, caller.organisationId)
  const mayForecast = hasAnyPermission(
    caller.holder,
    listViewPermissions('ConsoleMonitoringBudgetForecast', 'BudgetingMonitoringBudgetForecast'),
  )
  const mayMonthEnd = hasAnyPermission(
    caller.holder,
    listViewPermissions('ConsoleMonitoring', 'ConsoleMonitoringBudgetActuals', 'BudgetingMonitoringBudgetActuals'),
  )
  const facts = mayForecast || mayMonthEnd ? await readFactsByLocation({ ...caller, tx }, month) : null
  const outlooks = facts && mayForecast ? await calculateOutlooks(tx, facts) : new Map<LocationId, Outlook>()
  const standing = new Map(
    facts && mayMonthEnd
      ? (await readMonthEndStates({ ...caller, tx }, month, { only: null, read: facts })).map((one) => [one.locationId, one])
      : [],
  )
  const rows = glance.locations.map(({ id, name, years }, index): GlanceRow => {
    const came = outturns[index]?.get(id)
    const budget = assertDefined(scope.budgets.find((one) => one.location.id === id))
    const stands = standing.get(id)
    return {
      locationId: id,
      location: name,
      budgetId: budget.id,
      budget: budget.head.name,
      years: years.map(shownYear),
      outlook: outlooks.get(id) ?? null,
      status: {
        approval: budget.head.approval?.state ?? null,
        isLocked: budget.head.locked,
        costs: budget.head.locked ? null : (costs.get(budget.id)?.state ?? null),
        monthEnd: stands
          ? {
              isClosed: Boolean(stands.end.closed),
              inTheWay: stands.end.closed ? [] : listMonthEndObstacles(stands.ticks, stands.readiness),
            }
          : null,
        payroll: stands?.followsPayroll ? Boolean(stands.ticks.payroll) : null,
      },
      warnings: findWarnings(years, {
        reserveFloor,
        outturn: came ? compareWithOutturn(assertDefined(ledgersByLocation[index]).ledger, came) : null,
        contactRatio: ratios.get(budget.id) ?? null,
      }),
    }
  })
  const known = rows.flatMap(({ outlook }) => outlook ?? [])
  const { startMonth } = assertDefined(scope.budgets[0]).head
  const yearIndex = scope.years.indexOf(month.month < startMonth ? month.year - 1 : month.year)
  return {
    years: names,
    month,
    yearIndex: yearIndex < 0 ? null : yearIndex,
    rows,
    total: { years: glance.total.map(shownYear), outlook: known.length === rows.length ? sumOutlooks(known) : null },
    leftOut: scope.leftOut,
  }
}

/** Leaves out budgets whose staff costs would reveal the pay of one or two people, unless the reader may see staff. */
async function hideRevealingBudgets(call: Call & GlanceReader, scope: ReportedScope): Promise<ReportedScope> {
  const hidden = await findBudgetsOfFewPeople(
    call,
    scope.budgets.map(({ id }) => id),
  )
  if (!hidden.size) return scope
  const left = scope.budgets.filter(({ id }) => hidden.has(id))
  return {
    ...scope,
    budgets: scope.budgets.filter(({ id }) => !hidden.has(id)),
    leftOut: [...scope.leftOut, ...left.map(({ location }) => ({ locationId: location.id, location: location.name }))],
  }
}

function sumOutlooks(all: readonly Outlook[]): Outlook {
  const pennies = (pick: (one: Outlook) => number): number => all.reduce((sum, one) => sum + Math.round(pick(one) * 100), 0)
  return {
    budget: toPounds(pennies((one) => one.budget)),
    forecast: toPounds(pennies((one) => one.forecast)),
    revenueVariance: toPounds(pennies((one) => one.revenueVariance)),
    closed: Math.min(...all.map((one) => one.closed)),
    missing: all.reduce((sum, one) => sum + one.missing, 0),
  }
}
