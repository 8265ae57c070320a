import { payrollMonthState } from '../../../../domain/lookupIds.ts'
import { employeePay } from '../../../../domain/payroll/employees.ts'
import type { LevelMonth } from '../../../../domain/payroll/payroll.ts'
import { type ReconciledRow, totalsOf } from '../../../../domain/payroll/reconcile.ts'
import { type PayrollReport, payrollReport } from '../../../../domain/payroll/report.ts'
import { resources } from '../../../../domain/resources/all.ts'
import { groupsWith } from '../../../core/budget/groupMembers.ts'
import type { OrganisationTx, Store } from '../../../core/database/database.ts'
import { rowsOf } from '../../../core/database/tables.ts'
import type { Changer } from '../commands.ts'
import { standingOf } from '../history.ts'
import { reconciled } from '../queries.ts'
import { shownPerson } from '../rows.ts'

/** The report of a month of a level that is signed, with the figures of its screen, as far as the caller may see them. */
export async function reportOf(tx: OrganisationTx, store: Store, who: Changer, month: LevelMonth, now: Date): Promise<PayrollReport> {
  const { organisationId, holder } = who
  const found = await reconciled(tx, who, { ...month, useInflation: true })
  const { completed, reopened } = await standingOf(tx, store, who, month)
  const [organisation] = await rowsOf(tx, resources.organisation, 'id', [organisationId])
  const group = (await groupsWith(tx, organisationId)).find(({ id }) => id === month.groupId)
  const places = new Map((await rowsOf(tx, resources.location, 'organisationId', [organisationId])).map(({ id, name }) => [id, name]))
  const own = new Map<string, ReconciledRow[]>()
  for (const row of found.rows) {
    const key = `${row.locationId} ${row.employee}`
    own.set(key, [...(own.get(key) ?? []), row])
  }
  return payrollReport({
    organisation: organisation!.name,
    level: group?.name ?? 'Whole organisation',
    month,
    isComplete: found.month.state === payrollMonthState.complete,
    completed,
    reopened,
    totals: totalsOf(found.rows),
    proof: found.rows.length === found.allRows.length ? found.proof : null,
    employees: [...own.values()].map((rows) => {
      const { employee, locationId } = rows[0]!
      const { employeeNumber, name } = shownPerson(found.people, employee, { numbers: found.numbers, locationIds: holder.locationIds })
      return {
        ...employeePay(rows, found.tolerance),
        location: places.get(locationId) ?? '',
        employeeNumber,
        name,
        note: found.notes.get(employee) ?? null,
      }
    }),
    at: now.toISOString(),
  })
}
