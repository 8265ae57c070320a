import { yearName } from '../../../domain/calendar.ts'
import { conflict } from '../../../domain/errors.ts'
import { penniesOf } from '../../../domain/format.ts'
import { compareValues } from '../../../domain/lists.ts'
import { monthWords } from '../../../domain/monitoring/monitoring.ts'
import type { MonitoringLine } from '../../../domain/monitoring/rows.ts'
import type { DueLine, PackFigures, PackLine, Remark } from '../../../domain/packs/pack.ts'
import { yearsInCommon } from '../../../domain/reports/budgetYears.ts'
import { glanceOf } from '../../../domain/reports/glance.ts'
import { staffing } from '../../../domain/reports/staffing.ts'
import { warningsOf } from '../../../domain/reports/warnings.ts'
import { resources } from '../../../domain/resources/all.ts'
import type { OrganisationTx } from '../../core/database/database.ts'
import { rowsOf } from '../../core/database/tables.ts'
import { type Asked, budgetsAsked, type Head, type Who } from '../monitoring/asking/queries.ts'
import { cashOf } from '../monitoring/cash/queries.ts'
import { monitoringTable, settingsOf } from '../monitoring/queries.ts'
import { organisationName, type Scope } from '../reports/asking/queries.ts'
import { moneyFacts } from '../reports/money/queries.ts'
import { budgetWords } from '../reports/paper/queries.ts'
import { staffFacts } from '../reports/staff/queries.ts'

/** What a pack is of: a month of a school, or of the whole organisation. */
export interface PackScope {
  year: number
  month: number
  /** 0: the whole organisation. */
  locationId: number
}

/** The figures as they are now, with what was written about them. */
export interface CurrentFigures {
  figures: PackFigures
  remarks: Remark[]
  due: DueLine[]
  budgets: Head[]
}

/** The months of cash that a pack shows. */
const cashMonths = 12

/**
 * Reads every figure of a pack as it is now, over the budgets of record of its month. Nobody is named: contracts are told as sums.
 * @throws DomainError 409 where no budget has the month
 */
export async function currentFigures(tx: OrganisationTx, who: Who, { locationId, ...month }: PackScope): Promise<CurrentFigures> {
  const { organisationId } = who
  const { asked: budgets, leftOut } = await budgetsAsked(tx, who, { ...month, ...(locationId ? { locationIds: [locationId] } : {}) })
  const [first] = budgets
  if (!first) throw conflict('noBudget', `No budget has ${monthWords(month)}. Make one of that year, or choose another month.`)
  // Of one school its budget is asked for: what is written about it is written in its group, as its month end has it.
  const asked: Asked = { ...month, ...(locationId ? { budgetId: first.id } : {}) }
  const actuals = await monitoringTable(tx, who, asked, 'actuals')
  const forecast = await monitoringTable(tx, who, asked, 'forecast')
  const cash = await cashOf(tx, who, asked, cashMonths)
  const places = new Map((await rowsOf(tx, resources.location, 'organisationId', [organisationId])).map((place) => [place.id, place]))
  const scope: Scope = {
    budgets: budgets.flatMap((budget) => {
      const place = places.get(budget.locationId)
      return place ? [{ ...budget, location: { id: place.id, name: place.name, isCentral: Boolean(place.central) } }] : []
    }),
    years: yearsInCommon(budgets.map(({ head }) => head)),
    leftOut: [],
  }
  const years = await yearsOf(tx, who, scope)
  const own = places.get(locationId)
  const yearOf = (budget: (typeof budgets)[number]): number => budget.head.firstYear + budget.yearIndex
  const settings = await settingsOf(tx, organisationId)
  const noted = actuals.rows.filter((row) => row.kind === 'Data' && row.budgetCodeId !== null)
  return {
    budgets,
    remarks: noted.flatMap(({ budgetCodeId, note, action }) => (note ? [{ budgetCodeId: budgetCodeId!, note, action }] : [])),
    due: noted.flatMap(({ budgetCodeId, code, description, needsExplaining, needsAction }) =>
      needsExplaining || needsAction
        ? [{ budgetCodeId: budgetCodeId!, code, description, needs: needsExplaining ? ('reason' as const) : ('action' as const) }]
        : [],
    ),
    figures: {
      organisation: await organisationName(tx, organisationId),
      place: own ? { name: own.name, dfeNumber: own.dfeNumber || null } : null,
      schools: new Set(budgets.map((budget) => budget.locationId)).size,
      budgets: budgets
        .map(({ id, locationId: at, head }) => ({
          id,
          location: places.get(at)?.name ?? '',
          name: head.name,
          words: budgetWords({ head }),
        }))
        .sort((a, b) => compareValues(a.location, b.location)),
      leftOut: leftOut.map(({ location }) => location),
      year: yearName(yearOf(first), 0),
      period: first.period,
      monthsIn: actuals.closedMonths,
      threshold: settings,
      lines: linesOf(actuals.rows, forecast.rows),
      staffing: await groupsOf(tx, organisationId, { ...scope, years: [yearOf(first)] }),
      cash: {
        months: cash.months.map(({ year, month: at, ...money }) => ({
          year,
          month: at,
          opening: pennies(money.opening),
          receipts: pennies(money.receipts),
          payments: pennies(money.payments),
          closing: pennies(money.closing),
        })),
        floor: pennies(cash.floor),
      },
      years,
      warnings: warningsOf(years).map(({ text }) => text),
    },
  }
}

const pennies = (pounds: number | null): number | null => (pounds === null ? null : penniesOf(pounds))

const keyOf = ({ kind, budgetCodeId, description }: MonitoringLine): string => `${kind} ${budgetCodeId ?? description}`

/**
 * The rows of both screens beside each other. A code that only the forecast speaks of, by a note or an adjustment there, has nothing to date:
 * it stands at the end of its section.
 */
function linesOf(actuals: readonly MonitoringLine[], forecast: readonly MonitoringLine[]): PackLine[] {
  const beside = new Map(forecast.map((row) => [keyOf(row), row]))
  const shown = new Set(actuals.map(keyOf))
  const others = new Map<string, MonitoringLine[]>()
  let section = ''
  for (const row of forecast) {
    if (row.kind === 'SectionHeader') section = row.description
    if (row.kind === 'Data' && !shown.has(keyOf(row))) others.set(section, [...(others.get(section) ?? []), row])
  }
  const lineOf = (row: MonitoringLine, other: MonitoringLine | undefined): PackLine => {
    const { kind, budgetCodeId, code, description, budgetToDate, actualToDate, commitments, fullYearBudget, missing } = row
    return {
      kind,
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
      missing,
    }
  }
  section = ''
  return actuals.flatMap((row) => {
    if (row.kind === 'SectionHeader') section = row.description
    const own = lineOf(row, beside.get(keyOf(row)))
    const before = row.kind === 'SectionFooter' ? (others.get(section) ?? []) : []
    return [...before.map((one) => lineOf({ ...one, variance: 0, variancePercent: null }, one)), own]
  })
}

/** Each year that all budgets have, without capital, as the trust is shown at a glance. */
async function yearsOf(tx: OrganisationTx, who: Who, scope: Scope): Promise<PackFigures['years']> {
  if (!scope.years.length) return []
  const facts = await moneyFacts(tx, who, scope, {}, { spread: 'eachLocation', byCentre: false, isCoarse: true })
  return glanceOf(facts).total.map(({ name, income, staff, inYear, reserve }) => {
    const counts = facts.units.filter((unit) => unit.year === name).map((unit) => unit.pupils)
    const hundredths = counts.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + Math.round(one * 100)), 0)
    return { name, income, staff, inYear, reserve, pupils: hundredths === null ? null : hundredths / 100 }
  })
}

/** Contracts by payroll code without a name, those of few together (rules.md §19). */
async function groupsOf(tx: OrganisationTx, organisationId: number, scope: Scope): Promise<PackFigures['staffing']> {
  const report = staffing('Staffing', await staffFacts(tx, organisationId, scope, {}, false))
  const at = (key: string): number => report.columns.findIndex((column) => column.key.split(' ')[0] === key)
  const [contracts, fte, total] = [at('contracts'), at('fte'), at('total')]
  const figure = (value: number | string | null | undefined): number | null => (typeof value === 'number' ? value : null)
  return report.rows.map(({ kind, label, values }) => ({
    name: label,
    isTotal: kind === 'Total',
    contracts: figure(values[contracts]),
    fte: figure(values[fte]),
    cost: figure(values[total]),
  }))
}
