import { budgetCodeCategory, budgetCodeType } from '../../../../domain/lookups/lookupIds.ts'
import { type CodeFigures, type CodeId, type LocationYear, sumCodeFigures } from '../../../../domain/monitoring/figures.ts'
import { type CalendarMonth, fromMonthIndex } from '../../../../domain/monitoring/monitoring.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { assertDefined } from '../../../../domain/values/assertDefined.ts'
import { toPounds } from '../../../../domain/values/format.ts'
import type { Pounds } from '../../../../domain/values/units.ts'
import type { Call } from '../../../core/calls/call.ts'
import { readResourceRecords } from '../../../core/database/tables.ts'
import { type FiguresReader, refuseCodeOfFewPeople } from '../../../shared/fewPeople/queries.ts'
import {
  listCodesOfYear,
  listShownBudgetIds,
  readApprovedLines,
  readMonitoringFacts,
  readPreviousYears,
  toCodeFigures,
} from '../../../shared/monitoring/facts/queries.ts'
import type { LimitedCaller, MonitoringRequest } from '../../../shared/monitoring/requests/queries.ts'

/** What a chart shows: one code, by its id, or all income, or all expenditure. */
export type ChartSubject = number | 'income' | 'expenditure'

/** The twelve months of a year for a chart; pounds. */
export interface YearChartData {
  /** The calendar month of each period; null if the locations' years start in different months. */
  months: CalendarMonth[] | null
  /** The actual if a month is closed at every location, otherwise the forecast. */
  values: { value: number; isActual: boolean }[]
  budget: Pounds[]
  /** The approved budget, if there is one and the caller requested another budget. */
  approved: Pounds[] | null
  /** Last year's outturn by month. A month is null unless every location has closed it; the list is null if every month is null. */
  lastYear: (number | null)[] | null
}

/** The year of a code, or of all income or expenditure, with the budget, the approved budget and last year. */
export async function readYearChart(
  call: Call & LimitedCaller & FiguresReader,
  request: MonitoringRequest,
  subject: ChartSubject,
): Promise<YearChartData> {
  const { tx } = call
  const facts = await readMonitoringFacts(call, request, { way: 'together' })
  await refuseCodeOfFewPeople(call, listShownBudgetIds(facts, request), typeof subject === 'number' ? subject : null)
  const records = new Map((await readResourceRecords(tx, resources.budgetCode)).map((record) => [record.id, record]))
  const isOf = (codeId: CodeId): boolean => {
    if (typeof subject === 'number') return codeId === subject
    const record = codeId === null ? undefined : records.get(codeId)
    if (record?.category === budgetCodeCategory.balance) return false
    return (record?.type === budgetCodeType.income) === (subject === 'income')
  }
  const { cumulative } = facts
  const sumOver = (years: LocationYear[]): CodeFigures =>
    sumCodeFigures([...new Set(years.flatMap(listCodesOfYear))].filter(isOf).map((codeId) => toCodeFigures({ years, cumulative }, codeId)))
  const lines = (all: readonly ReadonlyMap<CodeId, readonly number[]>[]): number[] =>
    Array.from({ length: 12 }, (_unused, period) =>
      all.reduce(
        (sum, one) =>
          sum + [...one].reduce((subtotal, [codeId, months]) => (isOf(codeId) ? subtotal + assertDefined(months[period]) : subtotal), 0),
        0,
      ),
    )
  const isClosed = (years: readonly LocationYear[], period: number): boolean =>
    years.length > 0 && years.every((year) => period < year.period && year.closed[period])
  const { values } = sumOver(facts.years)
  const before = await readPreviousYears(call, facts)
  const last = sumOver(before).values
  const hasLast = Array.from({ length: 12 }, (_unused, period) => isClosed(before, period))
  const approved = await readApprovedLines(call, facts, request)
  const starts = new Set(facts.locations.map((location) => location.start))
  const [start] = starts
  return {
    months: starts.size === 1 ? Array.from({ length: 12 }, (_unused, period) => fromMonthIndex(assertDefined(start) + period)) : null,
    values: values.map((value, period) => ({ value: toPounds(value), isActual: isClosed(facts.years, period) })),
    budget: lines(facts.years.map((year) => year.budget)).map(toPounds),
    approved: approved && lines([approved]).map(toPounds),
    lastYear: hasLast.some(Boolean) ? last.map((value, period) => (hasLast[period] ? toPounds(value) : null)) : null,
  }
}
