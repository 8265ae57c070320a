import type { ForecastMonth } from '../../../domain/monitoring/forecastOutturn.ts'
import { type CalendarMonth, formatIsoMonth, formatMonth } from '../../../domain/monitoring/monitoring.ts'
import { findBudgetYearOfDate } from '../../../domain/values/calendar.ts'
import { toPennies } from '../../../domain/values/format.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import { type RouterOutputs, trpc } from '../../shell/api.ts'
import type { MonitoringParameters, MonitoringScope } from '../scope.ts'

/** The scope of a monitoring screen with an open budget. */
export type BudgetMonitoringScope = Extract<MonitoringScope, { kind: 'budget' }>

/** Returns the calendar year in which the budget year of a month starts. */
export const findBudgetYearOfMonth = (month: CalendarMonth, { startMonth }: Pick<BudgetMonitoringScope, 'startMonth'>): number =>
  findBudgetYearOfDate(`${formatIsoMonth(month)}-01`, startMonth)

/** The months of a year with the forecast of a code, in whole pennies. */
export interface ForecastYear {
  months: ForecastMonth[]
  /** The budget of the full year. */
  budget: Pennies
  nameOf: (period: number) => string
}

/** Converts the year of a code to whole pennies. */
export function toForecastYear({ values, months, budget }: RouterOutputs['monitoring']['year']): ForecastYear {
  return {
    months: values.map(({ value, isActual }) => ({ value: toPennies(value), isActual })),
    budget: budget.reduce((sum, value) => sum + toPennies(value), 0),
    nameOf: (period) => {
      const month = months?.[period]
      return month ? formatMonth(month) : `P${period + 1}`
    },
  }
}

/** Loads the year of a code. The chart next to it uses the same query. */
export function useForecastYear(codeId: number, parameters: MonitoringParameters) {
  return trpc.monitoring.year.useQuery({ ...parameters, of: codeId }, { placeholderData: (before) => before })
}
