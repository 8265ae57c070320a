import type { CalendarMonth } from '../../../domain/monitoring/monitoring.ts'
import type { MonitoringTableRow } from '../../../domain/monitoring/rows.ts'
import { toPounds } from '../../../domain/values/format.ts'
import type { BudgetId, LocationId } from '../../../domain/values/ids.ts'
import type { InPounds } from '../../../domain/values/units.ts'
import type { MonitoredScope } from '../../shared/monitoring/facts/queries.ts'
import type { LocationWithoutBudget } from '../../shared/monitoring/requests/queries.ts'

/** A row of a monitoring screen as the API shows it: pounds (endpoints.json MonitoringRow). */
export type MonitoringRow = InPounds<MonitoringTableRow>

export interface MonitoringTableInPounds extends CalendarMonth {
  rows: MonitoringRow[]
  closedMonths: number[]
  budgets: { budgetId: BudgetId; locationId: LocationId; name: string; period: number }[]
  leftOut: LocationWithoutBudget[]
}

/** A monitoring screen in pounds. */
export function presentMonitoring(
  { year, month }: CalendarMonth,
  table: MonitoredScope & { rows: readonly MonitoringTableRow[] },
): MonitoringTableInPounds {
  return {
    year,
    month,
    rows: table.rows.map((row) => ({
      ...row,
      monthBudget: toPounds(row.monthBudget),
      monthActual: row.monthActual === null ? null : toPounds(row.monthActual),
      monthVariance: row.monthVariance === null ? null : toPounds(row.monthVariance),
      budgetToDate: toPounds(row.budgetToDate),
      actualToDate: toPounds(row.actualToDate),
      commitments: toPounds(row.commitments),
      adjustment: toPounds(row.adjustment),
      variance: toPounds(row.variance),
      fullYearBudget: toPounds(row.fullYearBudget),
      forecast: row.forecast === null ? null : toPounds(row.forecast),
    })),
    closedMonths: table.closedMonths,
    budgets: table.budgets.map(({ id, locationId, head, period }) => ({ budgetId: id, locationId, name: head.name, period })),
    leftOut: table.leftOut,
  }
}
