import { and, sql } from 'drizzle-orm'
import { listViewPermissions } from '../../../domain/people/permissions.ts'
import { payrollItems, payrollLines } from '../../../drizzle/payrollTables.ts'
import { buildCallerLocationsCondition, buildCallerOrganisationCondition, buildIdArray, requirePermissionToSee } from '../useSources.ts'
import type { ResourceHooks } from './resourceHooks.ts'

const seen = listViewPermissions('BudgetingPayrollReconciliation', 'ConsolePayrollReconciliation')

/** A payroll provider's code is in use by every payroll with pay under it, whether imported or entered by hand. */
export const payrollCodeHooks: ResourceHooks = {
  uses: (ids) => [
    {
      table: payrollLines,
      where: sql`${payrollLines.payrollCodeId} = any(${buildIdArray(ids)})`,
      key: 'PayrollActual',
      visibilityFor: requirePermissionToSee(seen, (viewer) =>
        and(
          buildCallerOrganisationCondition(payrollLines.organisationId, viewer),
          buildCallerLocationsCondition(payrollLines.locationId, viewer.rows.locationIds),
        ),
      ),
    },
    {
      table: payrollItems,
      where: sql`${payrollItems.kind} = 'typed' and (${payrollItems.item} ->> 'payrollCodeId')::integer = any(${buildIdArray(ids)})`,
      key: 'PayrollActual',
      visibilityFor: requirePermissionToSee(seen, (viewer) =>
        and(
          buildCallerOrganisationCondition(payrollItems.organisationId, viewer),
          buildCallerLocationsCondition(sql`(${payrollItems.item} ->> 'locationId')::integer`, viewer.rows.locationIds),
        ),
      ),
    },
  ],
}
