import type { CalendarMonth } from '../../../domain/monitoring/monitoring.ts'
import type { MonitoringLine } from '../../../domain/monitoring/rows.ts'
import { poundsOf } from '../../../domain/values/format.ts'
import type { BudgetId, LocationId } from '../../../domain/values/ids.ts'
import type { InPounds } from '../../../domain/values/units.ts'
import type { LeftOut } from '../../shared/monitoring/asking/queries.ts'
import type { Places } from '../../shared/monitoring/facts/queries.ts'

/** A row of a monitoring screen as the API shows it: pounds (endpoints.json MonitoringRow). */
export type MonitoringRow = InPounds<MonitoringLine>

export interface Monitoring extends CalendarMonth {
  rows: MonitoringRow[]
  closedMonths: number[]
  budgets: { budgetId: BudgetId; locationId: LocationId; name: string; period: number }[]
  leftOut: LeftOut[]
}

/** A monitoring screen in pounds. */
export function shownMonitoring({ year, month }: CalendarMonth, table: Places & { rows: readonly MonitoringLine[] }): Monitoring {
  return {
    year,
    month,
    rows: table.rows.map((row) => ({
      ...row,
      monthBudget: poundsOf(row.monthBudget),
      monthActual: row.monthActual === null ? null : poundsOf(row.monthActual),
      monthVariance: row.monthVariance === null ? null : poundsOf(row.monthVariance),
      budgetToDate: poundsOf(row.budgetToDate),
      actualToDate: poundsOf(row.actualToDate),
      commitments: poundsOf(row.commitments),
      adjustment: poundsOf(row.adjustment),
      variance: poundsOf(row.variance),
      fullYearBudget: poundsOf(row.fullYearBudget),
      forecast: row.forecast === null ? null : poundsOf(row.forecast),
    })),
    closedMonths: table.closedMonths,
    budgets: table.budgets.map(({ id, locationId, head, period }) => ({ budgetId: id, locationId, name: head.name, period })),
    leftOut: table.leftOut,
  }
}
