import type { ForecastMonth } from '../../../domain/monitoring/forecastOutturn.ts'
import { type CalendarMonth, formatIsoMonth, formatMonth } from '../../../domain/monitoring/monitoring.ts'
import { budgetYearOf } from '../../../domain/values/calendar.ts'
import { penniesOf } from '../../../domain/values/format.ts'
import type { Pennies } from '../../../domain/values/units.ts'
import { type Answers, trpc } from '../../shell/api.ts'
import type { Asked, Scope } from '../scope.ts'

/** A budget that is open on a screen of monitoring. */
export type BudgetScope = Extract<Scope, { kind: 'budget' }>

/** The calendar year in which the budget year of a month begins. */
export const yearOf = (month: CalendarMonth, { startMonth }: Pick<BudgetScope, 'startMonth'>): number =>
  budgetYearOf(`${formatIsoMonth(month)}-01`, startMonth)

/** The months of a year as a forecast shows them; whole pennies. */
export interface ShownYear {
  months: ForecastMonth[]
  /** Of the year. */
  budget: Pennies
  nameOf: (period: number) => string
}

/** The months of a code in whole pennies. */
export function shownYear({ values, months, budget }: Answers['monitoring']['year']): ShownYear {
  return {
    months: values.map(({ value, isActual }) => ({ value: penniesOf(value), isActual })),
    budget: budget.reduce((sum, value) => sum + penniesOf(value), 0),
    nameOf: (period) => {
      const month = months?.[period]
      return month ? formatMonth(month) : `P${period + 1}`
    },
  }
}

/** The year of a code, as the chart beside it reads it. */
export function useForecastYear(codeId: number, asked: Asked) {
  return trpc.monitoring.year.useQuery({ ...asked, of: codeId }, { placeholderData: (before) => before })
}
