import { poundsOf } from '../../../../domain/format.ts'
import { budgetCodeCategory, budgetCodeType } from '../../../../domain/lookupIds.ts'
import { addFigures, type CodeFigures, type CodeId, codeFigures, type LocationYear } from '../../../../domain/monitoring/figures.ts'
import { type CalendarMonth, monthAt } from '../../../../domain/monitoring/monitoring.ts'
import { resources } from '../../../../domain/resources/all.ts'
import type { OrganisationTx } from '../../../core/database/database.ts'
import { rowsOf } from '../../../core/database/tables.ts'
import { type Asked, approvedLines, factsOf, monthsBefore, type Who } from '../queries.ts'

/** A code, or all income, or all expenditure. */
export type Subject = number | 'income' | 'expenditure'

/** The twelve months of a year as a chart shows them; pounds. */
export interface YearOfSubject {
  /** The calendar month of each period; null where years begin in different months. */
  months: CalendarMonth[] | null
  /** Actual where a month is closed at every location, else the forecast. */
  values: { value: number; isActual: boolean }[]
  budget: number[]
  /** The approved budget where one is and another was asked for. */
  approved: number[] | null
  /** Last year's outturn, null in months of which not every location has actuals; all of it null where there is none. */
  lastYear: (number | null)[] | null
}

/** A year of a code or of all income or expenditure, beside the budget, the approved budget and last year. */
export async function yearOf(tx: OrganisationTx, who: Who, asked: Asked, subject: Subject): Promise<YearOfSubject> {
  const facts = await factsOf(tx, who, asked)
  const records = new Map((await rowsOf(tx, resources.budgetCode)).map((record) => [record.id, record]))
  const isOf = (codeId: CodeId): boolean => {
    if (typeof subject === 'number') return codeId === subject
    const record = codeId === null ? undefined : records.get(codeId)
    if (record?.category === budgetCodeCategory.balance) return false
    return (record?.type === budgetCodeType.income) === (subject === 'income')
  }
  const sumOver = (places: readonly LocationYear[]): CodeFigures =>
    addFigures(
      places.flatMap((place) => {
        const codes = new Set<CodeId>([...place.budget.keys(), ...place.imported.keys(), ...(place.forecastBudget?.keys() ?? [])])
        return [...codes].filter(isOf).map((codeId) => codeFigures(place, codeId, facts.cumulative))
      }),
    )
  const lines = (all: readonly ReadonlyMap<CodeId, readonly number[]>[]): number[] =>
    Array.from({ length: 12 }, (_unused, period) =>
      all.reduce((sum, one) => sum + [...one].reduce((own, [codeId, months]) => (isOf(codeId) ? own + months[period]! : own), 0), 0),
    )
  const isClosed = (places: readonly LocationYear[], period: number): boolean =>
    places.length > 0 && places.every((place) => period < place.period && place.closed[period])
  const { values } = sumOver(facts.places)
  const before = await monthsBefore(tx, who, facts)
  const last = sumOver(before).values
  const hasLast = Array.from({ length: 12 }, (_unused, period) => isClosed(before, period))
  const approved = await approvedLines(tx, who, facts, asked)
  const starts = new Set(facts.starts)
  const [start] = facts.starts
  return {
    months: starts.size === 1 ? Array.from({ length: 12 }, (_unused, period) => monthAt(start! + period)) : null,
    values: values.map((value, period) => ({ value: poundsOf(value), isActual: isClosed(facts.places, period) })),
    budget: lines(facts.places.map((place) => place.budget)).map(poundsOf),
    approved: approved && lines([...approved]).map(poundsOf),
    lastYear: hasLast.some(Boolean) ? last.map((value, period) => (hasLast[period] ? poundsOf(value) : null)) : null,
  }
}
