import { payrollMonthState } from '../../../domain/lookups/lookupIds.ts'
import { countDifferingEmployees, type DifferingEmployees } from '../../../domain/payroll/overview.ts'
import type { ReconciledRow } from '../../../domain/payroll/reconcile.ts'
import { resources } from '../../../domain/resources/all.ts'
import { assertDefined } from '../../../domain/values/assertDefined.ts'
import type { LocationId } from '../../../domain/values/ids.ts'
import type { Call } from '../../core/calls/call.ts'
import { readResourceRecords } from '../../core/database/tables.ts'
import type { LimitedCaller } from '../../shared/monitoring/requests/queries.ts'
import {
  listVisibleLocations,
  type ReconciliationRequest,
  readPayrollImportMonths,
  readReconciliation,
} from '../../shared/payroll/queries.ts'
import { readPayrollCompletion } from '../../streams/payroll/completion.ts'
import { type PayrollMonthTotals, presentOverview } from './rows.ts'

/** A month's totals at each location that the caller may see. */
export async function readOverviewsByLocation(
  call: Call & LimitedCaller,
  request: ReconciliationRequest,
): Promise<{ locationId: LocationId; location: string; overview: PayrollMonthTotals; people: DifferingEmployees }[]> {
  const { tx } = call
  const found = await readReconciliation(call, request)
  const seen = new Set(listVisibleLocations(found.level, call))
  const locations = (await readResourceRecords(tx, resources.location, { column: 'organisationId', ids: [call.organisationId] })).filter(
    (location) => seen.has(location.id),
  )
  const { year, month } = request
  const imports = await readPayrollImportMonths(call, [...seen], { from: { year, month }, to: { year, month } })
  // A school is complete if its group has completed the month, even if the request is for the whole organisation.
  const budgets = new Map(found.level.budgets.filter((one) => seen.has(one.locationId)).map((one) => [one.locationId, one.id]))
  const standings = await readPayrollCompletion(call, budgets, { year, month })
  const rowsAt = new Map<LocationId, ReconciledRow[]>([...seen].map((id) => [id, []]))
  for (const row of found.rows) rowsAt.get(row.locationId)?.push(row)
  return locations
    .filter(({ id, archive }) => !archive || assertDefined(rowsAt.get(id)).length > 0)
    .map(({ id, name }) => {
      const importedAt = imports.find((one) => one.locationId === id)?.importedAt ?? null
      const overview = presentOverview({ ...found, rows: rowsAt.get(id) ?? [], importedAt })
      const isComplete = Boolean(standings.get(id)?.completed)
      const people = countDifferingEmployees(rowsAt.get(id) ?? [], found.tolerance)
      return {
        locationId: id,
        location: name,
        people,
        overview: isComplete ? { ...overview, state: payrollMonthState.complete } : overview,
      }
    })
    .sort((a, b) => a.location.localeCompare(b.location))
}
